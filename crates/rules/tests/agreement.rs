//! Differential tests: random games against a naive second implementation of the rules, and the board types
//! of each size against one another.

use crate::common::{choose, seeds, specs_of, start};
use crate::naive::Naive;
use alinea_rules::{
    AnyGame, Bits, Board, Cell, Chessboard, ConnectFour, Custom, Fixed, GAMES, Game, Geometry, Simplexity,
    Size, Wide,
    runs::{self, Length},
};

fn assert_agree(game: &AnyGame, naive: &Naive) {
    let position = game.position();
    assert_eq!(position, naive.position());
    assert_eq!(game.turn().to_string(), naive.turn(), "{position}");
    assert_eq!(usize::from(game.ply()), naive.plies(), "{position}");
    let outcome = game.outcome().map(|outcome| outcome.to_string());
    assert_eq!(outcome.as_deref(), naive.outcome(), "{position}");

    let (mut legal, mut expected) = (game.legal_moves(), naive.legal_moves());
    legal.sort();
    expected.sort();
    assert_eq!(legal, expected, "{position}");

    let line = game.line().map(|line| line.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(line.is_some(), outcome.is_some_and(|outcome| outcome != "draw"), "{position}");
    assert!(line.iter().all(|line| naive.confirms_line(line)), "{position}: {line:?}");
}

/// Plays one game to its end and returns how it ended.
fn assert_agree_along_a_game(spec: &str, seed: u64) -> String {
    println!("{spec}, seed {seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut game, mut naive) = (start(spec), Naive::new(spec));
    let mut played = Vec::new();
    loop {
        assert_agree(&game, &naive);
        if let Some(outcome) = game.outcome() {
            return outcome.to_string();
        }
        let mut legal = game.legal_moves();
        let m = legal.swap_remove(choose(&mut rng, seed, &played, &legal));
        game.play(&m).unwrap();
        naive.play(&m);
        played.push(m);
    }
}

/// Every game of the table agrees with its naive implementation. All results must occur, or the test
/// would prove little.
#[test]
fn every_game_of_the_table_agrees() {
    for info in GAMES {
        let games = specs_of(info).flat_map(|spec| seeds(spec).map(move |seed| (spec, seed)));
        let mut endings: Vec<_> = games.map(|(spec, seed)| assert_agree_along_a_game(spec, seed)).collect();
        endings.sort();
        endings.dedup();
        assert_eq!(endings, ["draw", "first", "second"], "{}", info.id);
    }
}

const CENTRAL: &str = "Q@d Q@e R@d R@e R@d R@e B@c B@f B@c B@f N@b N@g N@b N@g K@d K@e";

/// The draws of ChessFive, each by the move that brings it about.
#[test]
fn the_draws_of_chess_five_agree() {
    let from_the_last_drop = format!("{CENTRAL} {}", ["d4c5 e4f5 c5d4 f5e4"; 2].join(" "));
    let later = format!("{CENTRAL} d4c5 e4f5 {}", ["b2a4 g2h4 a4b2 h4g2"; 2].join(" "));
    let stuck = "N@a R@d N@b R@d R@c N@d R@a N@d B@b B@c B@a B@a Q@b Q@b K@c K@c";
    for moves in [from_the_last_drop.as_str(), &later, stuck] {
        let (mut game, mut naive) = (start("chess-five"), Naive::new("chess-five"));
        for m in moves.split(' ') {
            assert_eq!(game.outcome(), None, "before {m} of {moves}");
            game.play(m).unwrap();
            naive.play(m);
            assert_agree(&game, &naive);
        }
        assert_eq!(naive.outcome(), Some("draw"), "{moves}");
    }
}

/// Plays the same random moves on two boards of the same size.
fn assert_twins<A: Board, B: Board<Move = A::Move>>(a: &A, b: &B, seed: u64) {
    println!("{a:?} and {b:?}, seed {seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut a, mut b) = (Game::new(a.clone()), Game::new(b.clone()));
    let mut played = Vec::new();
    loop {
        let legal: Vec<_> = a.legal_moves().collect();
        assert_eq!(legal, b.legal_moves().collect::<Vec<_>>());
        assert_eq!(a.outcome(), b.outcome());
        assert_eq!((a.turn(), a.position().ply()), (b.turn(), b.position().ply()));
        assert_eq!(a.position().line(), b.position().line());
        for cell in cells(a.position().rows(), a.position().cols()) {
            assert_eq!(a.position().piece(cell), b.position().piece(cell), "{cell}");
        }
        if a.outcome().is_some() {
            return;
        }
        let texts: Vec<_> = legal.iter().map(ToString::to_string).collect();
        let chosen = choose(&mut rng, seed, &played, &texts);
        a.play(legal[chosen]).unwrap();
        b.play(legal[chosen]).unwrap();
        played.push(texts[chosen].clone());
    }
}

fn cells(rows: u8, cols: u8) -> impl Iterator<Item = Cell> {
    (0..cols).flat_map(move |column| (0..rows).map(move |row| Cell::new(column, row)))
}

fn custom<B: Bits>(rows: u32, cols: u32, run: u32) -> Custom<B> {
    Custom::new(Size::new(rows, cols, run).unwrap()).expect("the words hold the board")
}

#[test]
fn boards_of_any_width_are_twins() {
    fn assert_both_games(fixed: Fixed<6, 7, 4>, other: impl Geometry, seed: u64) {
        assert_twins(&ConnectFour::new(fixed), &ConnectFour::new(other), seed);
        assert_twins(&Simplexity::new(fixed, [10, 11]), &Simplexity::new(other, [10, 11]), seed);
    }
    for seed in 0..100 {
        assert_both_games(Fixed, custom::<u64>(6, 7, 4), seed);
        assert_both_games(Fixed, custom::<u128>(6, 7, 4), seed);
        assert_both_games(Fixed, custom::<Wide<8>>(6, 7, 4), seed);
    }
}

/// Dense random sets have runs in every direction and at every edge, which games rarely do.
fn assert_same_runs(geometry: impl Geometry, sets: u64) {
    println!("{geometry:?}");
    let (rows, cols, run) = (geometry.rows(), geometry.cols(), geometry.run());
    let mut found = 0;
    for seed in 0..sets {
        let mut rng = fastrand::Rng::with_seed(seed);
        let density = 0.5 + 0.5 * rng.f32();
        let members: Vec<_> = cells(rows, cols).filter(|_| rng.f32() < density).collect();
        let set = members.iter().fold(Bits::ZERO, |set, &cell| set | Bits::bit(geometry.index(cell)));
        let is_member = |cell: Cell| geometry.contains(cell) && Bits::has(&set, geometry.index(cell));
        let expected = crate::naive::has_run(rows.into(), cols.into(), run.into(), |(column, row)| {
            is_member(Cell::new(column as u8, row as u8))
        });
        assert_eq!(runs::has_run(geometry, set), expected, "seed {seed}");
        let is_in_a_run = |&cell: &Cell| runs::has_line_through(geometry, &set, cell, Length::AtLeast);
        assert_eq!(members.iter().any(is_in_a_run), expected, "seed {seed}");
        let line = runs::find_run(geometry, set);
        assert_eq!(line.is_some(), expected, "seed {seed}");
        let whole =
            |line: &Vec<Cell>| line.len() >= usize::from(run) && line.iter().all(|&cell| is_member(cell));
        assert!(line.iter().all(whole), "seed {seed}: {line:?}");
        assert!(line.iter().flatten().all(is_in_a_run), "seed {seed}: {line:?}");
        found += u64::from(expected);
    }
    assert!((1..sets).contains(&found), "{found} of {sets} sets have a run");
}

#[test]
fn random_sets_have_the_same_runs() {
    assert_same_runs(Chessboard, 2000);
    assert_same_runs(Fixed::<6, 7, 4>, 2000);
    assert_same_runs(custom::<u64>(7, 8, 6), 2000);
    assert_same_runs(custom::<u128>(15, 8, 8), 1000);
    assert_same_runs(custom::<Wide<8>>(63, 8, 16), 500);
    assert_same_runs(custom::<Wide<65>>(64, 64, 16), 200);
}

//! The test cases of the ChessFive document: block, win, double threat, cost by depth, opening.

use alinea_players::{Reason, Stop, Thought, classic::chess_five::look_ahead, roster, system};
use rules::{AnyGame, ChessFive, Game, Outcome, Spec};

fn at(position: &str) -> AnyGame {
    let mut game = AnyGame::from("chess-five".parse::<Spec>().unwrap());
    game.set_position(position).unwrap();
    game
}

fn typed(game: &AnyGame) -> &Game<ChessFive> {
    game.typed().unwrap()
}

fn choose(player: &str, game: &AnyGame) -> Thought<String> {
    roster::program(game, player, &system::resources(1)).unwrap().choose(game, &Stop::default()).unwrap()
}

fn after(game: &AnyGame, m: &str) -> AnyGame {
    let mut next = game.clone();
    next.play(m).unwrap();
    next
}

/// Whether the side to move can win at once.
fn can_win(game: &AnyGame) -> bool {
    game.legal_moves().iter().any(|m| after(game, m).outcome() == Some(Outcome::Win(game.turn())))
}

/// Magenta has four in row 4 and a rook that completes them on e4, which only the queen can fill.
const OPPONENT_FOUR: &str = "4Q3/8/8/8/rnbq4/8/4r1NN/RRBnBKbk[] w";

#[test]
fn an_immediate_win_is_blocked() {
    let game = at(OPPONENT_FOUR);
    for level in ["easy", "medium", "hard"] {
        for m in choose(&format!("chess-five:{level}"), &game).candidates {
            assert!(!can_win(&after(&game, &m)), "{level} plays {m}");
        }
    }
}

#[test]
fn easy_gives_the_block_as_reason() {
    let thought = choose("chess-five:easy", &at(OPPONENT_FOUR));
    assert_eq!(thought.reasons, [Reason::Block]);
    let quiet = at("8/8/8/8/3Kk3/3Rr3/1NBRrbn1/1NBQqbn1[] w");
    assert_eq!(choose("chess-five:easy", &quiet).candidates, quiet.legal_moves());
}

#[test]
fn an_immediate_win_is_taken() {
    // Cyan has four in row 1 and a rook above the gap.
    let game = at("4R3/8/8/8/8/q7/rnbk1bnr/RNBQ1KNB[] w");
    for level in ["medium", "hard"] {
        let thought = choose(&format!("chess-five:{level}"), &game);
        assert_eq!(thought.chosen, "e8e1");
        assert_eq!(thought.reasons[0], Reason::Win);
    }
}

#[test]
fn a_double_threat_is_made() {
    // A fourth piece beside the three leaves both ends open.
    let game = at("8/8/8/8/8/8/2rnb3/2RNB3[RNBQKrnbqk] w");
    assert!(!can_win(&game));
    for level in ["medium", "hard"] {
        let chosen = choose(&format!("chess-five:{level}"), &game).chosen;
        let threatening = after(&game, &chosen);
        for reply in threatening.legal_moves() {
            assert!(can_win(&after(&threatening, &reply)), "{level}: {chosen} {reply}");
        }
    }
}

#[test]
fn cost_grows_with_depth() {
    let game = at("8/8/8/8/8/3Rr3/1NBRrbn1/1NBQqbn1[Kk] w");
    let mut last = 0;
    for depth in 1..=6 {
        let thought = look_ahead(typed(&game).position(), depth, &Stop::default()).unwrap();
        println!("depth {depth}: {} nodes", thought.nodes);
        assert!(thought.nodes > last);
        assert_eq!(thought.line.len(), depth as usize);
        last = thought.nodes;
    }
}

#[test]
fn the_opening_prefers_central_columns() {
    let start = AnyGame::from("chess-five".parse::<Spec>().unwrap());
    for player in ["chess-five:medium", "chess-five:hard"] {
        let chosen = choose(player, &start).chosen;
        assert!(["c", "d", "e", "f"].iter().any(|column| chosen.ends_with(column)), "{player}: {chosen}");
    }
}

#[test]
fn hard_opens_from_the_book_and_shows_lines() {
    let start = AnyGame::from("chess-five".parse::<Spec>().unwrap());
    assert!(matches!(choose("chess-five:hard", &start).reasons[0], Reason::Book { .. }));
    let thought = choose("chess-five:hard", &at(OPPONENT_FOUR));
    let is_four = |reason: &Reason| matches!(reason, Reason::Line { cells, .. } if cells.len() == 4);
    assert!(thought.reasons.iter().any(is_four), "{:?}", thought.reasons);
}

#[test]
fn every_term_is_visible_and_adds_up() {
    let game = at("8/8/8/8/8/3Rr3/1NBRrbn1/1NBQqbn1[Kk] w");
    let thought = choose("chess-five:medium", &game);
    let terms = thought.reasons.iter().find_map(|reason| match reason {
        Reason::Evaluation { terms } => Some(terms),
        _ => None,
    });
    let terms = terms.expect("the terms are among the reasons");
    let names: Vec<_> = terms.iter().map(|term| &*term.name).collect();
    assert_eq!(names, ["lines", "rival-lines", "centre", "mobility", "blocking", "material", "positioning"]);
    assert_eq!(Some(terms.iter().map(alinea_players::Term::points).sum()), thought.score);
}

//! Perft: counting all move sequences up to a length finds errors in move generation and game ends.

use crate::common::start;

#[test]
fn counts_are_as_listed() {
    let (mut id, mut game) = ("", None);
    for line in include_str!("golden/perft.txt").lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["id", name] => id = name,
            ["spec", spec] => game = Some(start(spec)),
            ["perft", depth, count] => {
                let game = game.as_ref().expect("a spec comes first");
                let found = game.perft(depth.parse().unwrap());
                assert_eq!(found, count.parse::<u64>().unwrap(), "{id}, depth {depth}");
            }
            _ => assert!(line.is_empty() || line.starts_with('#'), "{line}"),
        }
    }
}

/// The last move but one of a sequence may be the third occurrence of a position.
#[test]
fn sequences_end_at_a_repetition() {
    let mut game = start("chess-five");
    game.play_all("R@d R@e N@b N@g B@c B@f Q@d Q@e R@d R@e N@b N@g B@c B@f K@d K@e").unwrap();
    game.play_all("d4c5 e4f5 c5d4 f5e4 d4c5 e4f5 c5d4").unwrap();
    let after = |m: &String| {
        let mut next = game.clone();
        next.play(m).unwrap();
        next.legal_moves().len() as u64
    };
    let replies: Vec<_> = game.legal_moves().iter().map(after).collect();
    assert!(replies.contains(&0));
    assert_eq!(game.perft(2), replies.iter().sum::<u64>());
}

//! Counting all move sequences up to a length shows errors in move generation and in the end of games
//! that no single position would.

mod common;

use common::start;

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
                assert_eq!(found, count.parse().unwrap(), "{id}, depth {depth}");
            }
            _ => assert!(line.is_empty() || line.starts_with('#'), "{line}"),
        }
    }
}

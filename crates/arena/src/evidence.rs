//! Selects the games that count as evidence of strength. Deterministic players repeat a game when its opening comes
//! again, and a repeated game shows nothing new. All games count for points, but only distinct ones for Elo and
//! statistical tests.

use std::collections::{HashMap, HashSet};

use rules::Side;

use crate::{Record, Slot, elo::Pairs};

/// Identifies equal games: the players with their sides, the start, and the moves.
type Course<'a> = (&'a [String; 2], Option<&'a str>, &'a str);

fn course(record: &Record) -> Course<'_> {
    (&record.players, record.position.as_deref(), &record.moves)
}

/// Returns the games without repetitions of earlier ones.
#[must_use]
pub fn distinct(records: &[Record]) -> Vec<&Record> {
    let mut seen = HashSet::new();
    records.iter().filter(|record| seen.insert(course(record))).collect()
}

/// Returns the finished pairs of games between two players; identical pairs count once.
#[must_use]
pub fn pairs(records: &[Record], player: &str, opponent: &str) -> Pairs {
    let mut open: HashMap<_, &Record> = HashMap::new();
    let mut seen = HashSet::new();
    let mut pairs = Pairs::default();
    let side_in = |record: &Record| {
        Side::BOTH.into_iter().find(|side| {
            record.players[side.index()] == player && record.players[side.other().index()] == opponent
        })
    };
    for record in records {
        let Some(side) = side_in(record) else { continue };
        let Slot { round, pairing, pair, .. } = record.slot;
        let Some(other) = open.remove(&(round, pairing, pair)) else {
            open.insert((round, pairing, pair), record);
            continue;
        };
        let mut courses = [course(record), course(other)];
        courses.sort_unstable();
        if seen.insert(courses) {
            let half_points = side_in(other).map_or(0, |side| other.half_points(side));
            pairs.add(record.half_points(side) + half_points);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use rules::Outcome;

    use super::*;
    use crate::{PlayedGame, bout::TimeUsed};

    fn record(pair: usize, game: usize, moves: &str, result: Outcome) -> Record {
        let [a, b] = if game == 0 { ["A", "B"] } else { ["B", "A"] };
        Record {
            played: PlayedGame {
                slot: Slot { round: 0, pairing: 0, pair, game },
                players: [a.to_owned(), b.to_owned()],
                position: None,
                moves: moves.to_owned(),
                result,
                forfeit: None,
            },
            spec: "connect-four".parse().unwrap(),
            opening: 0,
            adjudicated: None,
            spent: [TimeUsed::default(); 2],
            evaluations: Vec::new(),
        }
    }

    #[test]
    fn a_repeated_pair_counts_once() {
        const FIRST: Outcome = Outcome::Win(Side::First);
        let mut records = Vec::new();
        for pair in 0..60 {
            records.extend([record(pair, 0, "4 4 5", FIRST), record(pair, 1, "4 3 2", Outcome::Draw)]);
        }
        assert_eq!(pairs(&records, "A", "B"), Pairs([0, 0, 0, 1, 0]));
        assert_eq!(pairs(&records, "B", "A"), Pairs([0, 1, 0, 0, 0]));
        assert_eq!(distinct(&records).len(), 2);
        // One other game makes the pair another one.
        records.extend([record(60, 1, "4 3 1", FIRST), record(60, 0, "4 4 5", FIRST)]);
        assert_eq!(pairs(&records, "A", "B"), Pairs([0, 0, 1, 1, 0]));
        assert_eq!(distinct(&records).len(), 3);
    }

    #[test]
    fn half_a_pair_does_not_count() {
        let records = [record(0, 0, "4", Outcome::Draw), record(1, 1, "4", Outcome::Draw)];
        assert_eq!(pairs(&records, "A", "B").count(), 0);
    }
}

//! The standings: points, tie-breaks and ratings from the games so far.

use rules::{Outcome, Side};
use tournament::{Format, GameScore, schedule};
pub use tournament::{Tally, report::Standing};

use crate::{
    Record, Tournament, evidence,
    rating::{self, Encounter, PRIOR_DRAWS},
    run,
};

/// The standings, best first.
#[must_use]
pub fn standings(tournament: &Tournament, records: &[Record]) -> Vec<Standing> {
    let settings = &tournament.settings;
    let number = |name: &str| settings.players.iter().position(|player| player.name == name);
    let evidence = encounters(tournament, evidence::distinct(records));
    let ratings = rating::ratings(settings.players.len(), &evidence, PRIOR_DRAWS);
    let mut table: Vec<_> = settings
        .players
        .iter()
        .zip(ratings)
        .enumerate()
        .map(|(player, (contestant, rating))| Standing {
            rank: 0,
            name: contestant.name.clone(),
            player,
            points: 0.0,
            all: Tally::default(),
            sides: [Tally::default(); 2],
            forfeits: 0,
            tie_breaks: Vec::new(),
            rating,
            time_ms: 0,
            slowest_ms: 0,
            usage: None,
            latency: None,
        })
        .collect();
    for record in records {
        for side in Side::BOTH {
            let Some(player) = number(&record.players[side.index()]) else { continue };
            let standing = &mut table[player];
            let half_points = record.half_points(side);
            standing.points += settings.points.of(half_points);
            standing.all.add(half_points);
            standing.sides[side.index()].add(half_points);
            let lost = record.result == Outcome::Win(side.other());
            standing.forfeits += u32::from(lost && record.forfeit.is_some());
            let spent = record.spent[side.index()];
            standing.time_ms += spent.time_ms;
            standing.slowest_ms = standing.slowest_ms.max(spent.slowest_ms);
            if let Some(usage) = spent.usage {
                let sum = standing.usage.get_or_insert_default();
                sum.cpu_ms += usage.cpu_ms;
                sum.peak_kb = sum.peak_kb.max(usage.peak_kb);
            }
            for ms in latencies(record, side) {
                let sum = standing.latency.get_or_insert_default();
                (sum.moves, sum.total_ms, sum.most_ms) =
                    (sum.moves + 1, sum.total_ms + ms, sum.most_ms.max(ms));
            }
        }
    }
    let mut places = vec![0; table.len()];
    let rounds = run::rounds(tournament, records);
    for player in rounds.iter().flat_map(|round| &round.byes) {
        table[*player].points += settings.points.win * 2.0 * settings.pairs as f64;
    }
    let points: Vec<_> = table.iter().map(|standing| standing.points).collect();
    let games: Vec<_> = records.iter().filter_map(|record| score(tournament, record)).collect();
    let ranked = tournament::rank(&points, &settings.points, &settings.tie_breaks, &games, &rounds);
    for (place, ranked) in ranked.iter().enumerate() {
        let standing = &mut table[ranked.player];
        (standing.rank, standing.tie_breaks) = (ranked.rank, ranked.tie_breaks.clone());
        places[ranked.player] = place;
    }
    if settings.format == Format::Knockout {
        for (place, player) in schedule::knockout_places(table.len(), &rounds).into_iter().enumerate() {
            (table[player].rank, places[player]) = (place + 1, place);
        }
    }
    table.sort_by_key(|standing| places[standing.player]);
    table
}

/// The milliseconds by which the moves of a side took longer than it measured itself.
fn latencies(record: &Record, side: Side) -> impl Iterator<Item = u64> {
    let starts_second = record.position.as_deref().is_some_and(|position| position.ends_with(" b"));
    let own = record.evaluations.iter().skip(side.index() ^ usize::from(starts_second)).step_by(2);
    own.filter_map(|said| Some(said.time_ms?.saturating_sub(said.own_time_ms?)))
}

/// A game with its players by index.
fn score(tournament: &Tournament, record: &Record) -> Option<GameScore> {
    let players = &tournament.settings.players;
    let number = |name: &String| players.iter().position(|player| player.name == *name);
    let [Some(first), Some(second)] = record.players.each_ref().map(number) else { return None };
    let half_points = Side::BOTH.map(|side| record.half_points(side));
    Some(GameScore { players: [first, second], half_points })
}

/// The results between each two players.
#[must_use]
pub fn encounters<'a>(
    tournament: &Tournament,
    records: impl IntoIterator<Item = &'a Record>,
) -> Vec<Encounter> {
    let tallies = cross_table(tournament, records);
    let mut encounters = Vec::new();
    for (a, row) in tallies.iter().enumerate() {
        for (b, tally) in row.iter().enumerate().skip(a + 1) {
            if tally.games() > 0 {
                let games = f64::from(tally.games());
                encounters.push(Encounter { players: [a, b], games, score: tally.score() * games });
            }
        }
    }
    encounters
}

/// Results of each player against each other, by index in the settings.
#[must_use]
pub fn cross_table<'a>(
    tournament: &Tournament,
    records: impl IntoIterator<Item = &'a Record>,
) -> Vec<Vec<Tally>> {
    let players = &tournament.settings.players;
    let mut table = vec![vec![Tally::default(); players.len()]; players.len()];
    for game in records.into_iter().filter_map(|record| score(tournament, record)) {
        let [first, second] = game.players;
        table[first][second].add(game.half_points[0]);
        table[second][first].add(game.half_points[1]);
    }
    table
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{PlayedGame, Slot, bout::TimeUsed};
    use tournament::report::Latency;

    fn tournament(more: &str) -> Tournament {
        let text = format!("game = 'tic-tac-toe'\nplayers = ['A=random', 'B=oxo', 'C=perfect']\n{more}");
        Tournament::read(&text, Path::new("")).unwrap()
    }

    /// Games as (first, second, result), each in its own pairing.
    fn records(games: &[(&str, &str, Outcome)]) -> Vec<Record> {
        let record = |(pairing, &(first, second, result)): (usize, &(&str, &str, Outcome))| Record {
            played: PlayedGame {
                slot: Slot { round: 0, pairing, pair: 0, game: 0 },
                players: [first.to_owned(), second.to_owned()],
                position: None,
                moves: String::new(),
                result,
                forfeit: None,
            },
            spec: "tic-tac-toe".parse().unwrap(),
            opening: 0,
            adjudicated: None,
            spent: [TimeUsed::default(); 2],
            evaluations: Vec::new(),
        };
        games.iter().enumerate().map(record).collect()
    }

    const FIRST: Outcome = Outcome::Win(Side::First);
    const SECOND: Outcome = Outcome::Win(Side::Second);

    #[test]
    fn default_points_are_3_1_0() {
        let table = standings(&tournament(""), &records(&[("A", "B", FIRST), ("B", "C", Outcome::Draw)]));
        let points: Vec<_> = table.iter().map(|standing| (standing.name.as_str(), standing.points)).collect();
        assert_eq!(points, [("A", 3.0), ("B", 1.0), ("C", 1.0)], "B had the stronger opponents");
    }

    #[test]
    fn direct_encounter_breaks_ties_first() {
        let games = [("A", "B", SECOND), ("A", "C", FIRST), ("B", "C", SECOND), ("C", "B", SECOND)];
        let table = standings(&tournament(""), &records(&games));
        // B has six points; A and C three each, and A won their game.
        assert_eq!(table.iter().map(|standing| standing.name.as_str()).collect::<Vec<_>>(), ["B", "A", "C"]);
        assert_eq!(table.iter().map(|standing| standing.rank).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn fully_tied_players_share_a_rank() {
        let games = [("A", "B", Outcome::Draw), ("B", "C", Outcome::Draw), ("C", "A", Outcome::Draw)];
        let table = standings(&tournament(""), &records(&games));
        assert!(table.iter().all(|standing| standing.rank == 1));
    }

    #[test]
    fn swiss_bye_counts_as_a_win() {
        let games = records(&[("A", "B", FIRST)]);
        let table = standings(&tournament("format = 'swiss'\n"), &games);
        let third = table.iter().find(|standing| standing.name == "C").unwrap();
        assert_eq!(third.points, 6.0);
    }

    #[test]
    fn sides_are_counted_separately() {
        let table = standings(&tournament(""), &records(&[("A", "B", FIRST), ("B", "A", FIRST)]));
        let a = table.iter().find(|standing| standing.name == "A").unwrap();
        assert_eq!((a.sides[0].wins, a.sides[1].losses, a.all.games()), (1, 1, 2));
    }

    #[test]
    fn latency_is_the_time_that_an_engine_does_not_see() {
        let mut games = records(&[("A", "B", FIRST), ("B", "A", FIRST)]);
        let said = |time_ms, own_time_ms| crate::Evaluation {
            time_ms: Some(time_ms),
            own_time_ms: Some(own_time_ms),
            ..crate::Evaluation::default()
        };
        games[0].evaluations = vec![said(10, 8), said(50, 20), said(7, 7)];
        games[1].evaluations = vec![crate::Evaluation::default(), said(11, 4)];
        let table = standings(&tournament(""), &games);
        let latency = |name: &str| table.iter().find(|standing| standing.name == name).unwrap().latency;
        assert_eq!(latency("A"), Some(Latency { moves: 3, total_ms: 9, most_ms: 7 }));
        assert_eq!(latency("B"), Some(Latency { moves: 1, total_ms: 30, most_ms: 30 }));
        assert_eq!(latency("C"), None);
    }
}

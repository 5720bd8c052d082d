//! Imports games played elsewhere as the records of a tournament. The games are not trusted: the parser has replayed
//! every move and rejected results that contradict the board.

use std::{collections::HashMap, path::Path};

use rules::{Side, Spec, excerpt};
use thiserror::Error;

use crate::{
    AnyGameText, Contestant, Evaluation, PlayedGame, Protocol, Record, Settings, Slot, Tournament,
    bout::TimeUsed,
    contestant::Kind,
    record::{self, Read},
    tournament::TournamentError,
};

/// Imported games as a tournament.
#[derive(Debug)]
pub struct Imported {
    /// The players.
    pub tournament: Tournament,
    /// The finished games.
    pub records: Vec<Record>,
    /// Number of games left out because they have no result.
    pub unfinished: usize,
    /// Number of games that end before the board does, such as by resignation or on time. Their results are as written.
    pub cut: usize,
}

/// Why the games cannot be combined in one report.
#[derive(Debug, Error)]
pub enum ImportError {
    /// No game has a result.
    #[error("no game has a result")]
    NoResult,
    /// The games are of different kinds.
    #[error(
        "game {number} is a game of {other}, but the first one is a game of {first}; a report covers one kind of game"
    )]
    OtherGame {
        /// Number of the game, from 1.
        number: usize,
        /// The kind of the first game.
        first: Spec,
        /// The kind of this game.
        other: Spec,
    },
    /// A game does not name two players.
    #[error(
        "game {0} does not name two different players; expected the tags [First \"…\"] and [Second \"…\"]"
    )]
    Players(usize),
    /// There are too few or too many players.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
}

/// The key of a pair: the players in any order, and the place in a tournament or the opening.
type Key = ([usize; 2], String);

/// Converts games to a tournament.
///
/// # Errors
/// If the games have no results or no players, or are of different kinds.
pub fn import(name: &str, games: &[Read]) -> Result<Imported, ImportError> {
    let mut names: Vec<&str> = Vec::new();
    let (mut records, mut cut) = (Vec::new(), 0);
    // The first games of pairs: the side of the lower player, and the number of the pair.
    let mut open: HashMap<Key, (Side, usize)> = HashMap::new();
    let mut pairs = 0;
    let finished = games.iter().enumerate().filter_map(|(i, read)| Some((i + 1, read, read.result?)));
    for (number, read, result) in finished {
        let (first, other) = (games[0].game.spec(), read.game.spec());
        if first != other {
            return Err(ImportError::OtherGame { number, first, other });
        }
        let [Some(a), Some(b)] = read.players.each_ref().map(|name| name.as_deref()) else {
            return Err(ImportError::Players(number));
        };
        if a == b || a.is_empty() || b.is_empty() {
            return Err(ImportError::Players(number));
        }
        let mut place = |name| {
            names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let players = [place(a), place(b)];
        let (side, players) = match players {
            [a, b] if a < b => (Side::First, [a, b]),
            [a, b] => (Side::Second, [b, a]),
        };
        let AnyGameText { position, moves } = AnyGameText::of(&read.game);
        let plies = read.game.moves().len();
        let opening = read.tag("OpeningMoves").and_then(|count| count.parse().ok()).unwrap_or(0).min(plies);
        let key = (
            players,
            round(read).unwrap_or_else(|| format!("{position:?} {:?}", &read.game.moves()[..opening])),
        );
        let (pair, game) = match open.remove(&key) {
            Some((other, pair)) if other != side => (pair, 1),
            _ => {
                open.insert(key, (side, pairs));
                pairs += 1;
                (pairs - 1, 0)
            }
        };
        let evaluations = record::evaluations(read);
        cut += usize::from(read.game.outcome().is_none());
        records.push(Record {
            played: PlayedGame {
                slot: Slot { round: 0, pairing: 0, pair, game },
                players: [a, b].map(str::to_owned),
                position,
                moves,
                result,
                forfeit: None,
            },
            spec: other,
            opening,
            adjudicated: None,
            spent: spent(&evaluations, read),
            evaluations,
        });
    }
    if records.is_empty() {
        return Err(ImportError::NoResult);
    }
    // Imported players only have a name; nothing is started.
    let kind = Kind::External { protocol: Protocol::Ugi, command: String::new() };
    let idle = |name: &&str| Contestant { name: excerpt(name), kind: kind.clone() };
    let players: Vec<_> = names.iter().map(idle).collect();
    let spec = records[0].spec.to_string();
    let pair = [players[0].clone(), players[1].clone()];
    let settings = Settings { name: name.to_owned(), players, ..Settings::of_match(&spec, pair) };
    let tournament = Tournament::new(settings, Path::new(""))?;
    let unfinished = games.len() - records.len();
    Ok(Imported { tournament, records, unfinished, cut })
}

/// The place of the pair in a tournament by Alinea, from a tag such as `[Round "1.2.3.1"]`.
fn round(read: &Read) -> Option<String> {
    let (pair, _) = read.tag("Round")?.rsplit_once('.')?;
    (pair.split('.').count() == 3).then(|| format!("{} {pair}", read.tag("Event").unwrap_or_default()))
}

/// The times written after the moves.
fn spent(evaluations: &[Evaluation], read: &Read) -> [TimeUsed; 2] {
    let mut game = read.game.clone();
    let mut movers: Vec<Side> = std::iter::from_fn(|| game.take_back().map(|_| game.turn())).collect();
    movers.reverse();
    let mut spent = [TimeUsed::default(); 2];
    for (mover, ms) in movers.iter().zip(evaluations).filter_map(|(mover, said)| Some((mover, said.time_ms?)))
    {
        let used = &mut spent[mover.index()];
        used.time_ms = used.time_ms.saturating_add(ms);
        used.slowest_ms = used.slowest_ms.max(ms);
    }
    spent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Report, evidence, run::End};

    fn report(text: &str) -> Result<Imported, String> {
        import("test", &record::read(text).unwrap()).map_err(|error| error.to_string())
    }

    fn game(first: &str, second: &str, tags: &str, moves: &str) -> String {
        format!("[Game \"connect-four\"]\n[First \"{first}\"]\n[Second \"{second}\"]\n{tags}\n{moves}\n\n")
    }

    #[test]
    fn games_of_a_tournament_give_its_results_again() {
        let text = "game = 'connect-four'\nplayers = ['random', 'greedy', 'smart:2']\npairs = 5\n";
        let tournament = Tournament::read(text, Path::new("")).unwrap();
        let stop = players::Stop::default();
        let (progress, end) = crate::run::run(&tournament, None, Vec::new(), &stop, &mut |_| {}).unwrap();
        let report = Report::new(&tournament, &progress.records, Some(end));
        let again = import("test", &record::read(&report.game_text()).unwrap()).unwrap();
        assert_eq!((again.unfinished, again.cut), (0, 0));
        let again = Report::new(&again.tournament, &again.records, Some(End::Complete));
        let rows = |report: &Report| {
            let rows = report.standings.iter().map(|s| (s.rank, s.name.clone(), s.points, s.all));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(rows(&again), rows(&report));
        let duels = |report: &Report| {
            let mut duels: Vec<_> =
                report.duels.iter().map(|duel| (duel.players.clone(), duel.pairs)).collect();
            duels.sort_by(|a, b| a.0.cmp(&b.0));
            duels
        };
        assert_eq!(duels(&again), duels(&report));
        assert_eq!(again.cross_table, report.cross_table);
    }

    #[test]
    fn games_without_rounds_are_paired_by_their_openings() {
        let text = game("A", "B", "[OpeningMoves \"1\"]\n", "1. 4 {+3/1 0.5s} 4 {0.25s} 1-0")
            + &game("B", "A", "[OpeningMoves \"1\"]\n", "1. 3 *")
            + &game("B", "A", "[OpeningMoves \"1\"]\n", "1. 3 1 1/2-1/2")
            + &game("B", "A", "[OpeningMoves \"1\"]\n", "1. 4 5 0-1");
        let imported = report(&text).unwrap();
        assert_eq!((imported.records.len(), imported.unfinished, imported.cut), (3, 1, 3));
        let pairs = evidence::pairs(&imported.records, "A", "B");
        assert_eq!(pairs.0, [0, 0, 0, 0, 1], "the games with 4 are a pair, won twice by A");
        assert_eq!(imported.records[0].spent.map(|used| used.time_ms), [500, 250]);
    }

    #[test]
    fn games_that_do_not_belong_together_are_refused() {
        let other = "[Game \"tic-tac-toe\"]\n[First \"A\"]\n[Second \"B\"]\n\n1. b2 1-0\n";
        for (text, sentence) in [
            (game("A", "B", "", "1. 4 *"), "no game has a result"),
            (game("A", "A", "", "1. 4 1-0"), "does not name two different players"),
            ("[Game \"connect-four\"]\n\n1. 4 1-0\n".to_owned(), "does not name two different players"),
            (game("A", "B", "", "1. 4 1-0") + other, "game 2 is a game of tic-tac-toe"),
        ] {
            let error = report(&text).unwrap_err();
            assert!(error.contains(sentence), "{error}");
        }
    }
}

//! Runs a tournament: several games in parallel, each journaled before it counts, until all are played, the
//! match is decided or the run is cancelled.

use std::{collections::VecDeque, path::Path, sync::mpsc, thread};

use parking_lot::Mutex;
use players::Stop;
use rules::{AnyGame, Side};
use serde::{Deserialize, Serialize};
use tournament::{NextRound, PairingResult, Round};

use crate::{
    AnyGameText, Fault, PlayedGame, Record, Slot, Tournament, affinity,
    bout::{self, Ending, Finished, Seated},
    evidence,
    journal::{self, Journal, JournalError},
    sprt::Verdict,
};

/// The progress of a tournament.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The finished games, in the order they finished.
    pub records: Vec<Record>,
    /// The total number of games, as far as known.
    pub total: usize,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// All games are played.
    Complete,
    /// The test has decided the match.
    Decided(Verdict),
    /// The run was cancelled; the next run continues.
    Stopped,
    /// A player crashed and `abort` is set; the game is not recorded.
    Crashed {
        /// Its name.
        player: String,
        /// Its fault.
        reason: String,
    },
    /// A player that has not played any game cannot be started. Its forfeits show nothing and are not recorded.
    NotStarted {
        /// Its name.
        player: String,
        /// The reason.
        reason: String,
    },
}

/// A game to play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Scheduled {
    /// Its place in the schedule.
    #[serde(flatten)]
    pub slot: Slot,
    /// The two players, by index in the settings; the second moves first in the second game of a pair.
    pub players: [usize; 2],
}

/// Plays the scheduled games, on this machine or on others. Calls the function several times a second with
/// the games that have finished since the last call, often none. When the function returns, these games are
/// journaled; if it returns false, play stops.
pub type PlayGames<'a> = dyn FnMut(VecDeque<Scheduled>, &mut dyn FnMut(Vec<Record>) -> bool) + 'a;

/// Plays the missing games on threads of this process. Calls `watch` after each batch of finished games and
/// periodically in between.
///
/// # Errors
/// If the journal cannot be written.
pub fn run(
    tournament: &Tournament,
    journal: Option<&mut Journal>,
    played: Vec<Record>,
    stop: &Stop,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(Progress, End), JournalError> {
    run_by(
        &mut |games, finish| play_on_threads(tournament, games, finish),
        tournament,
        journal,
        played,
        stop,
        watch,
    )
}

/// Like [`run`], with another way to play games.
///
/// # Errors
/// If the journal cannot be written.
pub fn run_by(
    play: &mut PlayGames,
    tournament: &Tournament,
    mut journal: Option<&mut Journal>,
    played: Vec<Record>,
    stop: &Stop,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(Progress, End), JournalError> {
    let settings = &tournament.settings;
    let mut progress = Progress { records: played, total: 0 };
    let mut rounds: Vec<Round> = Vec::new();
    let expected = settings.format.pairings(settings.players.len(), settings.rounds);
    let mut pairings_before = 0;
    loop {
        if let Some(verdict) = decided(tournament, &progress.records) {
            watch(&progress);
            return Ok((progress, End::Decided(verdict)));
        }
        let NextRound { pairings, byes } = next_round(tournament, &rounds);
        if pairings.is_empty() {
            // A knockout may need more or fewer games than estimated, because ties are replayed.
            progress.total = progress.records.len();
            watch(&progress);
            return Ok((progress, End::Complete));
        }
        let games = 2 * settings.pairs;
        progress.total = expected.max(pairings_before + pairings.len()) * games;
        watch(&progress);
        let jobs = missing(rounds.len(), &pairings, settings.pairs, &progress.records);
        let jobs: VecDeque<_> =
            jobs.into_iter().map(|slot| Scheduled { slot, players: pairings[slot.pairing] }).collect();
        if !jobs.is_empty() {
            let (mut result, mut is_decided) = (Ok(None), false);
            play(jobs, &mut |games| {
                if games.is_empty() {
                    watch(&progress);
                } else if matches!(result, Ok(None)) {
                    result = count(tournament, games, &mut journal, &mut progress, watch);
                    is_decided = decided(tournament, &progress.records).is_some();
                }
                matches!(result, Ok(None)) && !is_decided && !stop.is_cancelled()
            });
            if let Some(end) = result? {
                // What ends the run can also end an engine, which then is not at fault.
                return Ok((progress, if stop.is_cancelled() { End::Stopped } else { end }));
            }
        }
        let results = results(rounds.len(), &pairings, &progress.records);
        if journal::slots(&progress.records).iter().filter(|slot| slot.round == rounds.len()).count()
            < pairings.len() * games
        {
            return Ok(match decided(tournament, &progress.records) {
                Some(verdict) => (progress, End::Decided(verdict)),
                None => (progress, End::Stopped),
            });
        }
        pairings_before += pairings.len();
        rounds.push(Round { results, byes });
    }
}

/// Returns the pairings of a round; none when the tournament is over.
fn next_round(tournament: &Tournament, rounds: &[Round]) -> NextRound {
    let settings = &tournament.settings;
    let bye = 4 * settings.pairs;
    settings.format.next_round(&vec![true; settings.players.len()], settings.rounds, bye, rounds)
}

/// Returns the rounds in these records, complete or not.
#[must_use]
pub fn rounds(tournament: &Tournament, records: &[Record]) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    while records.iter().any(|record| record.slot.round == rounds.len()) {
        let NextRound { pairings, byes } = next_round(tournament, &rounds);
        rounds.push(Round { results: results(rounds.len(), &pairings, records), byes });
    }
    rounds
}

/// Returns the result so far of each pairing of a round.
fn results(round: usize, pairings: &[[usize; 2]], records: &[Record]) -> Vec<PairingResult> {
    let mut results: Vec<_> =
        pairings.iter().map(|&players| PairingResult { players, half_points: [0, 0] }).collect();
    for record in records.iter().filter(|record| record.slot.round == round) {
        if let Some(result) = results.get_mut(record.slot.pairing) {
            for side in Side::BOTH {
                // In the second game of a pair the sides are exchanged.
                result.half_points[side.index() ^ record.slot.game] += record.half_points(side);
            }
        }
    }
    results
}

/// Returns the unplayed games of a round, those of the first openings first.
fn missing(round: usize, pairings: &[[usize; 2]], pairs: usize, records: &[Record]) -> Vec<Slot> {
    let played = journal::slots(records);
    (0..pairs)
        .flat_map(|pair| (0..pairings.len()).map(move |pairing| (pair, pairing)))
        .flat_map(|(pair, pairing)| [0, 1].map(|game| Slot { round, pairing, pair, game }))
        .filter(|slot| !played.contains(slot))
        .collect()
}

fn decided(tournament: &Tournament, records: &[Record]) -> Option<Verdict> {
    let sprt = tournament.settings.sprt.as_ref()?;
    let [first, second] = &tournament.settings.players[..] else { return None };
    let verdict = sprt.verdict(&evidence::pairs(records, &first.name, &second.name));
    (verdict != Verdict::Open).then_some(verdict)
}

/// Returns a player that could not be started for one of the new games and has never played, with the reason.
fn never_started(new: &[Record], earlier: &[Record]) -> Option<(String, String)> {
    let failed = |record: &Record| match &record.forfeit {
        Some(Fault::NoStart { reason }) => Some((record.loser()?.to_owned(), reason.clone())),
        _ => None,
    };
    let has_played = |player: &String| {
        let begun = earlier.iter().chain(new).filter(|record| failed(record).is_none());
        begun.into_iter().any(|record| record.players.contains(player))
    };
    new.iter().filter_map(failed).find(|(player, _)| !has_played(player))
}

/// Returns what ends the run after these new games, and which of them are not recorded.
fn failure(tournament: &Tournament, new: &[Record], earlier: &[Record]) -> Option<End> {
    if let Some((player, reason)) = never_started(new, earlier) {
        return Some(End::NotStarted { player, reason });
    }
    let crashed = |record: &Record| tournament.settings.abort && has_crashed(record);
    let record = new.iter().find(|record| crashed(record))?;
    let (player, reason) = (record.loser()?.to_owned(), record.forfeit.as_ref()?.to_string());
    Some(End::Crashed { player, reason })
}

fn has_crashed(record: &Record) -> bool {
    record.forfeit.as_ref().is_some_and(Fault::is_crash)
}

/// Journals finished games, which makes them count. Returns the end of the run if a player caused it.
fn count(
    tournament: &Tournament,
    mut games: Vec<Record>,
    journal: &mut Option<&mut Journal>,
    progress: &mut Progress,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Option<End>, JournalError> {
    let failed = failure(tournament, &games, &progress.records);
    match &failed {
        Some(End::NotStarted { player, .. }) => games.retain(|record| !record.players.contains(player)),
        Some(_) => games.retain(|record| !has_crashed(record)),
        None => {}
    }
    if let Some(journal) = journal {
        journal.append(&games)?;
    }
    progress.records.extend(games);
    watch(progress);
    Ok(failed)
}

/// Plays games on threads of this process.
fn play_on_threads(
    tournament: &Tournament,
    games: VecDeque<Scheduled>,
    finish: &mut dyn FnMut(Vec<Record>) -> bool,
) {
    let workers = tournament.settings.concurrency.min(games.len());
    let games = Mutex::new(games);
    let cancel = Stop::default();
    let (sender, finished) = mpsc::sync_channel(1024);
    thread::scope(|scope| {
        for number in 0..workers {
            let (sender, games, cancel) = (sender.clone(), &games, &cancel);
            scope.spawn(move || {
                let mut worker = Worker::default();
                if let Some(cores) = tournament.settings.affinity.cores() {
                    affinity::pin(&cores, number, tournament.settings.cores_per_game());
                }
                while !cancel.is_cancelled() {
                    let game = games.lock().pop_front();
                    let Some(game) = game else { break };
                    let Some(record) = worker.play(tournament, game, cancel) else { break };
                    if sender.send(record).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            // One sync for all games that have finished meanwhile.
            let batch = match finished.recv_timeout(std::time::Duration::from_millis(50)) {
                Ok(first) => [first].into_iter().chain(finished.try_iter()).collect(),
                Err(mpsc::RecvTimeoutError::Timeout) => Vec::new(),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            if !finish(batch) {
                cancel.cancel();
            }
        }
    });
}

/// Plays one game after another. Engines keep running within a pairing.
#[derive(Default)]
pub struct Worker {
    engines: Vec<(usize, Seated)>,
}

impl Worker {
    /// Plays a game of the tournament; `None` if it was cancelled.
    pub fn play(&mut self, tournament: &Tournament, game: Scheduled, stop: &Stop) -> Option<Record> {
        let Scheduled { slot, players: pairing } = game;
        let settings = &tournament.settings;
        // The replay of a tie uses other openings: deterministic players would tie again.
        let number = slot.round * settings.pairs + slot.pair;
        let start = tournament.openings.game(tournament.spec, number, settings.seed);
        let order = if slot.game == 0 { pairing } else { [pairing[1], pairing[0]] };
        self.engines.retain(|(player, _)| pairing.contains(player));
        let seeds = [0, 1].map(|side| seed(settings.seed, slot, side));
        let mut seats = [0, 1].map(|side| self.seat(tournament, order[side], &start, seeds[side]));
        let opening = start.moves().len();
        let [first, second] = &mut seats;
        let limits = order.map(|player| settings.limits_of(&settings.players[player].name));
        let (limits, adjudication) = (limits.each_ref(), &settings.adjudication);
        let names = order.map(|player| settings.players[player].name.clone());
        let published = tournament.live.as_ref().map(|live| live.publish(slot, names.clone()));
        let mut on_move = |game: &AnyGame| {
            if let Some(published) = &published {
                published.update(game);
            }
        };
        let finished = bout::play(start, [first, second], limits, adjudication, seeds, stop, &mut on_move);
        for (player, seat) in order.into_iter().zip(seats) {
            if let (Seated::External(_), false) = (&seat, settings.restart) {
                self.engines.push((player, seat));
            }
        }
        Some(to_record(finished?, slot, names, opening))
    }

    /// Returns the running engine of a player, or creates the player.
    fn seat(&mut self, tournament: &Tournament, player: usize, game: &AnyGame, seed: u64) -> Seated {
        if let Some(i) = self.engines.iter().position(|(engine, _)| *engine == player) {
            return self.engines.swap_remove(i).1;
        }
        let settings = &tournament.settings;
        let contestant = &settings.players[player];
        let options = settings.options.get(&contestant.name).into_iter().flatten();
        let options: Vec<_> = options.map(|(name, value)| (name.clone(), value.clone())).collect();
        let limits = settings.limits_of(&contestant.name);
        let seat = Seated::new(contestant, game, &limits, &options, tournament.log.as_ref(), seed)
            .expect("players are validated with the settings");
        let Seated::External(mut external) = seat else { return seat };
        if settings.ponder {
            *external = external.with_ponder();
        }
        if let Some(directory) = settings.directories.get(&contestant.name) {
            *external = external.with_directory(Path::new(directory));
        }
        Seated::External(external)
    }
}

fn to_record(finished: Finished, slot: Slot, players: [String; 2], opening: usize) -> Record {
    let Finished { game, ending, spent, evaluations } = finished;
    let AnyGameText { position, moves } = AnyGameText::of(&game);
    let adjudicated = match &ending {
        Ending::Adjudicated { rule, .. } => Some(*rule),
        _ => None,
    };
    Record {
        played: PlayedGame {
            slot,
            players,
            position,
            moves,
            result: ending.outcome(),
            forfeit: match ending {
                Ending::Forfeit { fault, .. } => Some(fault),
                _ => None,
            },
        },
        spec: game.spec(),
        opening,
        adjudicated,
        spent,
        evaluations,
    }
}

/// The seed of a side. It depends only on the slot, not on scheduling.
fn seed(tournament: u64, slot: Slot, side: usize) -> u64 {
    let Slot { round, pairing, pair, game } = slot;
    [round, pairing, pair, game, side].into_iter().fold(tournament, |seed, number| {
        fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64).u64(..)
    })
}

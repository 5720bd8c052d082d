//! Holds a tournament: several games at a time, each on the disk before it counts, until all are played,
//! the match is decided or somebody stops it.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

use players::Stop;
use rules::{AnyGame, Side, with_game, written};

use crate::{
    Record, Slot, Tournament,
    bout::{self, Ending, Finished, Seated},
    elo::Pairs,
    journal::{self, Journal, JournalError},
    schedule::Met,
    sprt::Verdict,
};

/// How far a tournament is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The games that count, in the order they were finished.
    pub records: Vec<Record>,
    /// How many there will be, as far as that is known.
    pub total: usize,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All games are played.
    Complete,
    /// The test has decided the match.
    Decided(Verdict),
    /// Somebody stopped it; the next run goes on.
    Stopped,
}

/// Plays what is missing. `watch` sees the progress after each batch of finished games.
///
/// # Errors
/// If the journal cannot be written.
pub fn run(
    tournament: &Tournament,
    mut journal: Option<&mut Journal>,
    played: Vec<Record>,
    stop: &Stop,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(Progress, End), JournalError> {
    let settings = &tournament.settings;
    let mut progress = Progress { records: played, total: 0 };
    let mut rounds: Vec<Vec<Met>> = Vec::new();
    let expected = settings.format.pairings(settings.players.len(), settings.rounds);
    let mut pairings_before = 0;
    loop {
        if let Some(verdict) = decided(tournament, &progress.records) {
            watch(&progress);
            return Ok((progress, End::Decided(verdict)));
        }
        let pairings = next_round(tournament, &rounds);
        if pairings.is_empty() {
            // A knockout may have needed fewer or more games than one could know before.
            progress.total = progress.records.len();
            watch(&progress);
            return Ok((progress, End::Complete));
        }
        let games = 2 * settings.pairs;
        progress.total = expected.max(pairings_before + pairings.len()) * games;
        watch(&progress);
        let jobs = missing(rounds.len(), &pairings, settings.pairs, &progress.records);
        let jobs: VecDeque<_> = jobs.into_iter().map(|slot| (slot, pairings[slot.pairing])).collect();
        if !jobs.is_empty() {
            play_all(tournament, jobs, &mut journal, &mut progress, stop, watch)?;
        }
        let round = met(rounds.len(), &pairings, &progress.records);
        if journal::slots(&progress.records).iter().filter(|slot| slot.round == rounds.len()).count()
            < pairings.len() * games
        {
            return Ok(match decided(tournament, &progress.records) {
                Some(verdict) => (progress, End::Decided(verdict)),
                None => (progress, End::Stopped),
            });
        }
        pairings_before += pairings.len();
        rounds.push(round);
    }
}

/// The pairings of a round; none when the tournament is over.
fn next_round(tournament: &Tournament, rounds: &[Vec<Met>]) -> Vec<[usize; 2]> {
    let settings = &tournament.settings;
    let bye = 4 * settings.pairs;
    settings.format.next_round(settings.players.len(), settings.rounds, bye, rounds)
}

/// The rounds that the records hold, whole or in part.
#[must_use]
pub fn rounds(tournament: &Tournament, records: &[Record]) -> Vec<Vec<Met>> {
    let mut rounds: Vec<Vec<Met>> = Vec::new();
    while records.iter().any(|record| record.slot.round == rounds.len()) {
        let pairings = next_round(tournament, &rounds);
        rounds.push(met(rounds.len(), &pairings, records));
    }
    rounds
}

/// What each pairing of a round brought so far.
fn met(round: usize, pairings: &[[usize; 2]], records: &[Record]) -> Vec<Met> {
    let mut met: Vec<_> = pairings.iter().map(|&players| Met { players, half_points: [0, 0] }).collect();
    for record in records.iter().filter(|record| record.slot.round == round) {
        if let Some(met) = met.get_mut(record.slot.pairing) {
            for side in Side::BOTH {
                // In the second game of a pair the sides are exchanged.
                met.half_points[side.index() ^ record.slot.game] += record.half_points(side);
            }
        }
    }
    met
}

/// The games of a round that have not been played, those of the first openings first.
fn missing(round: usize, pairings: &[[usize; 2]], pairs: usize, records: &[Record]) -> Vec<Slot> {
    let played = journal::slots(records);
    (0..pairs)
        .flat_map(|pair| (0..pairings.len()).map(move |pairing| (pair, pairing)))
        .flat_map(|(pair, pairing)| [0, 1].map(|game| Slot { round, pairing, pair, game }))
        .filter(|slot| !played.contains(slot))
        .collect()
}

/// The pairs of games that a player has finished against another.
#[must_use]
pub fn pairs(records: &[Record], player: &str, rival: &str) -> Pairs {
    let mut open = std::collections::HashMap::new();
    let mut pairs = Pairs::default();
    for record in records {
        let Some(side) = Side::BOTH.into_iter().find(|side| {
            record.players[side.index()] == player && record.players[side.other().index()] == rival
        }) else {
            continue;
        };
        let Slot { round, pairing, pair, .. } = record.slot;
        match open.remove(&(round, pairing, pair)) {
            Some(other) => pairs.add(record.half_points(side) + other),
            None => drop(open.insert((round, pairing, pair), record.half_points(side))),
        }
    }
    pairs
}

fn decided(tournament: &Tournament, records: &[Record]) -> Option<Verdict> {
    let sprt = tournament.settings.sprt.as_ref()?;
    let [first, second] = &tournament.settings.players[..] else { return None };
    let verdict = sprt.verdict(&pairs(records, &first.name, &second.name));
    (verdict != Verdict::Open).then_some(verdict)
}

/// Plays games at several tables until none is left, and writes them down in batches.
fn play_all(
    tournament: &Tournament,
    jobs: VecDeque<(Slot, [usize; 2])>,
    journal: &mut Option<&mut Journal>,
    progress: &mut Progress,
    stop: &Stop,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(), JournalError> {
    let tables = tournament.settings.concurrency.min(jobs.len());
    let jobs = Mutex::new(jobs);
    // Raised for all tables when the match is decided or the disk refuses, and by whoever stops us.
    let enough = Stop::default();
    let (sender, finished) = mpsc::sync_channel(1024);
    thread::scope(|scope| {
        for _ in 0..tables {
            let (sender, jobs, enough) = (sender.clone(), &jobs, &enough);
            scope.spawn(move || {
                let mut table = Table::default();
                while !enough.is_raised() {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some((slot, pairing)) = job else { break };
                    let Some(record) = table.play(tournament, slot, pairing, enough) else { break };
                    if sender.send(record).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        loop {
            if stop.is_raised() {
                enough.raise();
            }
            let first = match finished.recv_timeout(std::time::Duration::from_millis(50)) {
                Ok(record) => record,
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            if result.is_err() {
                continue;
            }
            // One write to the disk for all that have come in meanwhile.
            let batch: Vec<_> = [first].into_iter().chain(finished.try_iter()).collect();
            if let Some(journal) = journal.as_deref_mut() {
                result = journal.append(&batch);
            }
            if result.is_err() {
                enough.raise();
                continue;
            }
            progress.records.extend(batch);
            watch(progress);
            if decided(tournament, &progress.records).is_some() {
                enough.raise();
            }
        }
        result
    })
}

/// Where one game after the other is played. Engines stay from game to game while the pairing stays.
#[derive(Default)]
struct Table {
    engines: Vec<(usize, Seated)>,
}

impl Table {
    fn play(
        &mut self,
        tournament: &Tournament,
        slot: Slot,
        pairing: [usize; 2],
        stop: &Stop,
    ) -> Option<Record> {
        let settings = &tournament.settings;
        // A tie that is played again must not begin as before: players without chance would tie again.
        let number = slot.round * settings.pairs + slot.pair;
        let start = tournament.openings.game(tournament.spec, number, settings.seed);
        let order = if slot.game == 0 { pairing } else { [pairing[1], pairing[0]] };
        self.engines.retain(|(player, _)| pairing.contains(player));
        let seeds = [0, 1].map(|side| seed(settings.seed, slot, side));
        let mut seats = [0, 1].map(|side| self.seat(tournament, order[side], &start, seeds[side]));
        let opening = start.moves().len();
        let [first, second] = &mut seats;
        let finished = bout::play(start, [first, second], &settings.limits, seeds, stop);
        for (player, seat) in order.into_iter().zip(seats) {
            if let Seated::External(_) = seat {
                self.engines.push((player, seat));
            }
        }
        Some(record(finished?, slot, order.map(|player| settings.players[player].name.clone()), opening))
    }

    /// The engine that is already here, or a new player.
    fn seat(&mut self, tournament: &Tournament, player: usize, game: &AnyGame, seed: u64) -> Seated {
        if let Some(i) = self.engines.iter().position(|(engine, _)| *engine == player) {
            return self.engines.swap_remove(i).1;
        }
        let settings = &tournament.settings;
        let contestant = &settings.players[player];
        let options = settings.options.get(&contestant.name).into_iter().flatten();
        let options: Vec<_> = options.map(|(name, value)| (name.clone(), value.clone())).collect();
        Seated::new(contestant, game, &settings.limits, &options, seed).expect("the players were checked")
    }
}

fn record(finished: Finished, slot: Slot, players: [String; 2], opening: usize) -> Record {
    let Finished { game, ending, spent } = finished;
    let start = with_game!(&game, game => written(game.start()));
    let is_usual = start == AnyGame::from(game.spec()).position();
    Record {
        slot,
        spec: game.spec(),
        players,
        position: (!is_usual).then_some(start),
        opening,
        moves: game.moves().join(" "),
        result: ending.outcome(),
        forfeit: match ending {
            Ending::Rules(_) => None,
            Ending::Forfeit { fault, .. } => Some(fault),
        },
        spent,
    }
}

/// The seed of a side of a game: the same whenever and beside whatever it is played.
fn seed(tournament: u64, slot: Slot, side: usize) -> u64 {
    let Slot { round, pairing, pair, game } = slot;
    [round, pairing, pair, game, side].into_iter().fold(tournament, |seed, number| {
        fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number as u64).u64(..)
    })
}

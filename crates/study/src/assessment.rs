//! Every statement of Alinea about a position comes from one value, the [`Assessment`]: the best move, the verdict of
//! every column, the best lines, the expected result, the reasons, and the marks of a review.
//!
//! Proofs come first: where results can be proved in a moment, nothing is estimated. Elsewhere the solver gets a
//! share of the time, and a search by iterative deepening estimates what is not proved.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

pub use players::engine::{read_time, terms};
use players::{
    Clock, Proven, Reason, Resources, Stop, StopSignal,
    engine::{self, Engine, Found, Question, Settings, explain},
    perfect::{Proofs, ProvedMove, Prover},
};
use rules::{AnyGame, Stage};

use crate::verdict::Verdict;

/// Limits of an assessment; without any it continues until it is stopped. They bound searches: results that are
/// proved in a moment are always proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The number of moves with a line; a search assesses only these.
    pub lines: usize,
    /// The number of threads.
    pub threads: usize,
    /// The time limit; it needs a clock in the [`Resources`].
    pub time: Option<Duration>,
    /// The node limit.
    pub nodes: Option<u64>,
    /// The depth limit in plies.
    pub depth: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { lines: 1, threads: 1, time: None, nodes: None, depth: None }
    }
}

impl Limits {
    /// The settings of a search that may take this time.
    fn settings(&self, time: Option<Duration>) -> Settings {
        Settings {
            time,
            depth: self.depth.map(|depth| depth.clamp(1, Settings::MAX_DEPTH)),
            nodes: self.nodes,
            threads: self.threads.clamp(1, Settings::MAX_THREADS),
            book: false,
            proofs: false,
        }
    }
}

/// A move with what is known about it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "AssessedMove"), schema(as = AssessedMove))]
pub struct Assessed {
    /// The move as text.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub text: String,
    /// What is known about it, for the side that plays it.
    pub verdict: Verdict,
    /// The expected line of play, beginning with the move.
    pub line: Vec<String>,
}

/// What is known about a position.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = PositionAssessment))]
pub struct Assessment {
    /// The moves, best first: every legal move if results are proven, otherwise at least as many as
    /// requested. Moves left out are not better than the last one. Empty if the game is over, in an opening, or if
    /// nothing is known yet.
    pub moves: Vec<Assessed>,
    /// The depth in plies to which estimates were searched; if there are only proofs, the length of the
    /// longest one.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time taken.
    pub time_ms: u64,
    /// Whether everything is proven, so that nothing will change.
    #[cfg_attr(feature = "serde", serde(rename = "final"))]
    pub is_final: bool,
}

impl Assessment {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> Option<&Assessed> {
        self.moves.first()
    }

    /// What is known about this move.
    #[must_use]
    pub fn of(&self, m: &str) -> Option<&Assessed> {
        self.moves.iter().find(|assessed| assessed.text == m)
    }

    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        self.nodes * 1000 / self.time_ms.max(1)
    }

    /// Why the best move is best, and how the second best compares. `game` is what was assessed.
    #[must_use]
    pub fn reasons(&self, game: &AnyGame) -> Vec<Reason> {
        let line = |assessed: &Assessed| engine::Line {
            value: assessed.verdict.score(),
            moves: assessed.line.clone(),
            to_the_end: assessed.verdict.proven().map(|proven| proven.plies),
        };
        let second = self.moves.get(1).map(line);
        let Some(best) = self.best() else { return Vec::new() };
        let reasons = explain(game, &line(best), second.as_ref(), self.depth);
        reasons.into_iter().map(|reason| reason.seen_in(game)).collect()
    }

    fn sort(&mut self) {
        // Insertion sort, because browsers download the standard library's sort once for each type.
        for i in 1..self.moves.len() {
            let (sorted, rest) = self.moves.split_at(i);
            let at = sorted.partition_point(|better| better.verdict.order(&rest[0].verdict).is_ge());
            self.moves[at..=i].rotate_right(1);
        }
    }
}

/// Assesses a position. Calls `on_progress` whenever more is known, and returns the last result.
///
/// ```
/// use alinea_study::{
///     assessment::{Limits, assess},
///     players::{Proof, Resources, Stop},
///     rules::{AnyGame, Spec},
/// };
///
/// let mut game = AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap());
/// game.play_all("a1 c3 a3 a2 c1").unwrap();
/// let assessment = assess(&game, &Limits::default(), &Resources::new(1), &Stop::default(), &mut |_| {});
/// // The first player threatens b1 and b2; the second player cannot block both.
/// assert_eq!(assessment.best().unwrap().verdict.proven().unwrap().result, Proof::Loss);
/// assert!(assessment.is_final);
/// ```
///
/// # Panics
/// If the time is limited and the resources have no clock.
pub fn assess(
    game: &AnyGame,
    limits: &Limits,
    resources: &Resources,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&Assessment),
) -> Assessment {
    Assessor::new(resources).assess(game, limits, stop, on_progress)
}

/// Assesses one position after the other, and keeps its tables between them.
pub struct Assessor {
    resources: Resources,
    engine: Option<Engine>,
    prover: Prover,
}

/// The solver's time if the search has no time limit.
const PROOF_TIME: Duration = Duration::from_secs(2);
/// Maximum time for the lines of proved moves.
const LINE_TIME: Duration = Duration::from_millis(300);
/// The same as a number of polls, about as long, for searches that must not depend on the clock.
const LINE_POLLS: u64 = 1000;

impl Assessor {
    /// An assessor that knows nothing yet.
    #[must_use]
    pub fn new(resources: &Resources) -> Self {
        Self { resources: resources.clone(), engine: None, prover: Prover::new(resources.book) }
    }

    /// Assesses a position; see [`assess`].
    pub fn assess(
        &mut self,
        game: &AnyGame,
        limits: &Limits,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&Assessment),
    ) -> Assessment {
        let watch = Stopwatch::start(&self.resources, limits);
        let mut last = Assessment::default();
        let mut report = |mut assessment: Assessment| {
            assessment.time_ms = watch.elapsed().as_millis() as u64;
            on_progress(&assessment);
            last = assessment;
        };
        // A choice of an opening is not a move whose result could be searched.
        if game.outcome().is_some() || game.stage() != Stage::Over {
            return Assessment { is_final: true, ..Assessment::default() };
        }
        let all = |prover: &mut Prover, is_due: &dyn StopSignal| prover.prove(game, is_due);
        let proofs = self.within_share(self.prover.is_quick(game), limits, &watch, stop, all);
        if let Some(assessment) = self.proved(game, &proofs, limits, &watch, stop) {
            report(assessment);
        } else {
            let settings = limits.settings(limits.time.map(|time| time.saturating_sub(watch.elapsed())));
            let open = open_moves(game, &proofs);
            let question = match limits.lines {
                0 | 1 if proofs.moves.is_empty() => Question::Best,
                lines => Question::BestOf(open, lines.max(1)),
            };
            self.search(game, &proofs, &settings, &question, stop, &mut report);
        }
        last
    }

    /// Assesses a position together with one of its legal moves, with the same effort for the best move and
    /// for this one.
    pub(crate) fn compare(
        &mut self,
        game: &AnyGame,
        m: &str,
        limits: &Limits,
        stop: &Stop,
    ) -> Option<Assessment> {
        let watch = Stopwatch::start(&self.resources, limits);
        let both = |prover: &mut Prover, is_due: &dyn StopSignal| prover.compare(game, m, is_due);
        // Two results are proved soon wherever there is a book: no clock decides whether a review is exact.
        let is_quick = self.prover.is_quick(game) || self.prover.has_book(game);
        let proofs = self.within_share(is_quick, limits, &watch, stop, both);
        if let Some(assessment) = self.proved(game, &proofs, limits, &watch, stop) {
            return Some(assessment);
        }
        // The facts that need no further search.
        let known = |prover: &mut Prover, _: &dyn StopSignal| prover.prove(game, &|| true);
        let proofs = self.within_share(self.prover.is_quick(game), limits, &watch, stop, known);
        let left = || limits.time.map(|time| time.saturating_sub(watch.elapsed()));
        // One result for each depth.
        let mut best = Vec::new();
        let settings = limits.settings(left().map(|time| time.mul_f64(SHARE_OF_THE_BEST)));
        let question = if proofs.moves.is_empty() {
            Question::Best
        } else {
            Question::BestOf(open_moves(game, &proofs), 1)
        };
        self.search(game, &proofs, &settings, &question, stop, &mut |assessment| best.push(assessment));
        if best.last()?.of(m).is_some() {
            return best.pop();
        }
        let mut own = Vec::new();
        let settings = Settings { depth: Some(best.len() as u32), ..limits.settings(left()) };
        let only = Question::BestOf(vec![m.to_owned()], 1);
        self.search(game, &proofs, &settings, &only, stop, &mut |assessment| own.push(assessment));
        let own = own.pop()?;
        let played = own.of(m)?;
        // Only searches of equal depth can be compared; a proof stands at any depth.
        if played.verdict.proven().is_none() {
            best.truncate(own.depth as usize);
        }
        let mut both = best.pop()?;
        if both.of(m).is_none() {
            both.moves.push(played.clone());
            both.sort();
        }
        both.nodes += own.nodes;
        Some(both)
    }

    /// Asks the prover: without a limit if a proof is quick, otherwise for a share of the time.
    fn within_share(
        &mut self,
        is_quick: bool,
        limits: &Limits,
        watch: &Stopwatch,
        stop: &Stop,
        prove: impl FnOnce(&mut Prover, &dyn StopSignal) -> Option<Proofs>,
    ) -> Proofs {
        if !is_quick && !self.counts_time(limits) {
            return Proofs::default();
        }
        let time = limits.time.map_or(PROOF_TIME, |time| time / 2);
        let is_due = || stop.must_move_now() || !is_quick && watch.elapsed() >= time;
        prove(&mut self.prover, &is_due).unwrap_or_default()
    }

    /// Whether the result may depend on the clock: not with limits of depth or nodes.
    fn counts_time(&self, limits: &Limits) -> bool {
        self.resources.clock.is_some() && limits.depth.is_none() && limits.nodes.is_none()
    }

    /// The assessment that consists of proofs alone, if they are complete.
    fn proved(
        &mut self,
        game: &AnyGame,
        proofs: &Proofs,
        limits: &Limits,
        watch: &Stopwatch,
        stop: &Stop,
    ) -> Option<Assessment> {
        let assessed = |proved: &ProvedMove| {
            let verdict = Verdict::Proven(proved.exact()?);
            Some(Assessed { text: proved.text.clone(), verdict, line: vec![proved.text.clone()] })
        };
        let moves: Vec<_> = proofs.moves.iter().map(assessed).collect::<Option<_>>()?;
        let depth = moves.iter().filter_map(|assessed| Some(assessed.verdict.proven()?.plies)).max()?;
        let mut assessment = Assessment { moves, depth, nodes: proofs.nodes, time_ms: 0, is_final: true };
        assessment.sort();
        let (start, polls, counts_time) = (watch.elapsed(), AtomicU64::new(0), self.counts_time(limits));
        let is_due = || {
            stop.must_move_now()
                || watch.elapsed() - start >= LINE_TIME && counts_time
                || polls.fetch_add(1, Ordering::Relaxed) >= LINE_POLLS && !counts_time
        };
        for assessed in assessment.moves.iter_mut().take(limits.lines) {
            assessed.line = self.prover.line(game, &assessed.text, &is_due);
        }
        Some(assessment)
    }

    /// Searches by iterative deepening and reports what is known after each depth; the first depth is finished
    /// regardless of the limits unless it is stopped.
    fn search(
        &mut self,
        game: &AnyGame,
        proofs: &Proofs,
        settings: &Settings,
        question: &Question<String>,
        stop: &Stop,
        report: &mut dyn FnMut(Assessment),
    ) {
        let engine = self
            .engine
            .get_or_insert_with(|| Engine::new(*settings, &self.resources).expect(TIME_NEEDS_A_CLOCK));
        let legal = game.legal_moves().len();
        // Results that were proved at this depth or an earlier one.
        let mut known: Vec<(String, Proven)> = Vec::new();
        let searched = engine.search(game, settings, question, stop, &mut |found: &Found<String>| {
            let mut moves = Vec::new();
            for line in &found.lines {
                let text = line.moves[0].clone();
                if let Some(proven) = line.proven() {
                    known.retain(|(m, _)| *m != text);
                    known.push((text.clone(), proven));
                }
                let bounds = proofs.moves.iter().find(|proved| proved.text == text);
                let verdict = match (known.iter().find(|(m, _)| *m == text), bounds) {
                    (Some(&(_, proven)), _) => Verdict::Proven(proven),
                    (None, Some(proved)) => Verdict::between(proved.least, proved.most, line.value),
                    (None, None) => Verdict::estimate(line.value),
                };
                moves.push(Assessed { text, verdict, line: line.moves.clone() });
            }
            moves.extend(proofs.moves.iter().filter_map(|proved| {
                let verdict = Verdict::Proven(proved.exact()?);
                Some(Assessed { text: proved.text.clone(), verdict, line: vec![proved.text.clone()] })
            }));
            let is_final =
                moves.len() == legal && moves.iter().all(|assessed| assessed.verdict.proven().is_some());
            let nodes = proofs.nodes + found.nodes;
            let mut assessment = Assessment { moves, depth: found.depth, nodes, time_ms: 0, is_final };
            assessment.sort();
            report(assessment);
        });
        searched.expect(TIME_NEEDS_A_CLOCK);
    }
}

/// The panic message for a time limit without a clock.
const TIME_NEEDS_A_CLOCK: &str = "a time limit needs a clock in the resources";

/// The share of the time for the best move; the rest is for the move that was played.
const SHARE_OF_THE_BEST: f64 = 0.6;

/// The legal moves whose results are not proved.
fn open_moves(game: &AnyGame, proofs: &Proofs) -> Vec<String> {
    let is_open =
        |m: &String| !proofs.moves.iter().any(|proved| proved.text == *m && proved.exact().is_some());
    game.legal_moves().into_iter().filter(is_open).collect()
}

/// Measures time, if there is a clock.
struct Stopwatch {
    clock: Option<Arc<dyn Clock>>,
    start: Duration,
}

impl Stopwatch {
    fn start(resources: &Resources, limits: &Limits) -> Self {
        let clock = resources.clock.clone();
        assert!(limits.time.is_none() || clock.is_some(), "{TIME_NEEDS_A_CLOCK}");
        Self { start: clock.as_ref().map_or(Duration::ZERO, |clock| clock.now()), clock }
    }

    /// Zero without a clock.
    fn elapsed(&self) -> Duration {
        self.clock.as_ref().map_or(Duration::ZERO, |clock| clock.now().saturating_sub(self.start))
    }
}

#[cfg(test)]
mod tests {
    use players::Proof;
    use rules::Spec;

    use super::*;

    fn assessed(text: &str, plies: u32) -> Assessed {
        let verdict = Verdict::Proven(Proven { result: Proof::Win, plies });
        Assessed { text: text.to_owned(), verdict, line: vec![text.to_owned()] }
    }

    #[test]
    fn moves_are_sorted_and_found_by_their_text() {
        let mut assessment = Assessment {
            moves: [("a1", 7), ("b1", 3), ("c1", 5)].map(|(m, plies)| assessed(m, plies)).into(),
            ..Assessment::default()
        };
        assessment.sort();
        let order: Vec<_> = assessment.moves.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(order, ["b1", "c1", "a1"]);
        assert_eq!(assessment.best(), Some(&assessed("b1", 3)));
        assert_eq!(assessment.of("c1"), Some(&assessed("c1", 5)));
        assert_eq!(assessment.of("d1"), None);
        assert_eq!(Assessment::default().best(), None);
    }

    #[test]
    fn nodes_are_counted_per_second() {
        let speed =
            |nodes, time_ms| Assessment { nodes, time_ms, ..Assessment::default() }.nodes_per_second();
        assert_eq!([(3000, 1500), (7, 2), (5, 0)].map(|(nodes, ms)| speed(nodes, ms)), [2000, 3500, 5000]);
    }

    #[test]
    fn a_search_gets_its_limits_within_those_of_the_engine() {
        let limits = Limits { lines: 2, threads: 0, time: None, nodes: Some(5), depth: Some(0) };
        let settings = limits.settings(Some(Duration::from_secs(3)));
        assert_eq!((settings.time, settings.nodes), (Some(Duration::from_secs(3)), Some(5)));
        assert_eq!((settings.depth, settings.threads), (Some(1), 1));
        assert!(!settings.book && !settings.proofs);
        let most = Limits { threads: usize::MAX, depth: Some(u32::MAX), ..limits }.settings(None);
        assert_eq!((most.depth, most.threads), (Some(Settings::MAX_DEPTH), Settings::MAX_THREADS));
        assert_eq!((most.time, Limits::default().settings(None).depth), (None, None));
    }

    #[test]
    fn only_what_is_not_proved_is_searched() {
        let game = |moves: &str| {
            let mut game = AnyGame::from("connect-four:7x8".parse::<Spec>().unwrap());
            game.play_all(moves).unwrap();
            game
        };
        // Facts without a search: none; all moves but 1 lose; 1 wins and all others but 7 lose.
        for (moves, open) in [("4 4 4 4 4 2", "1 2 3 4 5 6 7 8"), ("1 7 1 7 1", "1"), ("1 7 1 7 1 7", "7")] {
            let game = game(moves);
            let proofs = Prover::default().prove(&game, &|| true).unwrap();
            assert_eq!(open_moves(&game, &proofs).join(" "), open, "{moves}");
        }
        assert_eq!(open_moves(&game(""), &Proofs::default()), game("").legal_moves());
    }
}

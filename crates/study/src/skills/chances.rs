//! The chances of one side in a game.

use players::{Proof, perfect::Prover};
use rules::{AnyGame, Cell, Side};

use super::{
    Chance, Miss, Skill,
    shallow::{after, is_wide, loses, wins},
};
use crate::{
    puzzles::stones,
    review::{Mark, Reviewed},
};

/// The opening is this many plies long.
const OPENING: u16 = 8;
/// With at most this many plies left the solver proves all moves in a moment.
const QUICK: u16 = 24;
/// Whether a threat stands is decided by at most about this many moves, spread over all.
const SAMPLE: usize = 16;

/// The chances of a side in a game whose moves, or those of this side, were reviewed.
#[must_use]
pub fn chances(game: &AnyGame, side: Side, review: &[Reviewed]) -> Vec<Chance> {
    let mut position = game.clone();
    while position.take_back().is_some() {}
    let by_threats = stones(&position).is_some();
    let mut chances = Vec::new();
    for (number, m) in (1..).zip(game.moves()) {
        let reviewed = review.iter().find(|it| it.number == number && it.side == side);
        if let Some(reviewed) = reviewed
            && let Some((skill, miss)) = (Look { game: &position, reviewed, by_threats }).chance()
        {
            chances.push(Chance { ply: number - 1, skill, miss });
        }
        position.play(&m).expect("it was played before");
    }
    chances
}

/// A look at one position.
struct Look<'a> {
    game: &'a AnyGame,
    reviewed: &'a Reviewed,
    by_threats: bool,
}

impl Look<'_> {
    /// The skill that was needed, and what went wrong, if anything.
    fn chance(&self) -> Option<(Skill, Option<Miss>)> {
        let (played, best) = (&self.reviewed.played.text, &self.reviewed.best.text);
        let legal = self.game.legal_moves();
        if legal.len() < 2 {
            return None;
        }
        let wins = wins(self.game, 1);
        if let Some(first) = wins.first() {
            let miss = || self.miss(first, vec![line_after(self.game, [first])]);
            return Some((Skill::OwnWins, (!wins.contains(played)).then(miss)));
        }
        if loses(self.game, best, 2) {
            return None;
        }
        if self.stands(&legal, 2) {
            let miss = || self.miss(best, self.lines_after(played, 1));
            return Some((Skill::StopsThreats, loses(self.game, played, 2).then(miss)));
        }
        self.double(&legal).or_else(|| self.quiet())
    }

    /// The chance if two threats can be made at once, by either side.
    fn double(&self, legal: &[String]) -> Option<(Skill, Option<Miss>)> {
        let (played, best) = (&self.reviewed.played.text, &self.reviewed.best.text);
        // Of one line, both ends of which win: an open four.
        let skill = |lines: &[Vec<Cell>]| {
            let is_open = self.by_threats
                && lines.len() > 1
                && Miss { lines: lines.to_vec(), ..self.miss(best, Vec::new()) }.course().is_some();
            if is_open { Skill::Threes } else { Skill::DoubleThreats }
        };
        let wins = wins(self.game, 3);
        if let Some(first) = wins.first() {
            let lines = threatened(self.game, first);
            // Another way to win is right, too.
            let is_right = wins.contains(played) || self.reviewed.mark.is_none();
            return Some((skill(&lines), (!is_right).then(|| self.miss(first, lines))));
        }
        if is_wide(self.game) {
            return None;
        }
        if !self.stands(legal, 4) || loses(self.game, best, 4) {
            return None;
        }
        let is_wrong = loses(self.game, played, 4);
        let shown =
            if is_wrong { played.clone() } else { legal.iter().find(|m| loses(self.game, m, 4))?.clone() };
        let lines = self.lines_after(&shown, 3);
        Some((skill(&lines), is_wrong.then(|| self.miss(best, lines))))
    }

    /// The chance where nothing is threatened.
    fn quiet(&self) -> Option<(Skill, Option<Miss>)> {
        let Reviewed { played, best, mark, .. } = self.reviewed;
        let proven = (best.verdict.proven(), played.verdict.proven());
        if proven.0.is_some_and(|best| best.result == Proof::Loss) {
            return None;
        }
        let is_right = matches!(mark, None | Some(Mark::Inaccuracy));
        let view = self.game.view();
        let filled = view.cells.iter().flatten().count();
        let skill = if self.game.ply() < OPENING {
            Skill::Opening
        } else if self.game.info().phases.len() > 1 {
            let has_pieces = view.hands.iter().flatten().any(|&(_, count)| count > 0);
            (!has_pieces).then_some(Skill::Moves)?
        } else {
            let is_late = filled * 2 > view.cells.len() && matches!(proven, (Some(_), Some(_)));
            (is_late && !is_all_the_same(self.game)).then_some(Skill::Endgame)?
        };
        Some((skill, (!is_right).then(|| self.miss(&best.text, Vec::new()))))
    }

    fn miss(&self, right: &str, lines: Vec<Vec<Cell>>) -> Miss {
        let Reviewed { played, best, .. } = self.reviewed;
        let are_proven = played.verdict.proven().is_some() && best.verdict.proven().is_some();
        let proven = are_proven || !lines.is_empty();
        Miss { played: played.text.clone(), right: right.to_owned(), proven, lines }
    }

    /// Whether at least half of the moves lose within this many plies.
    fn stands(&self, legal: &[String], plies: u32) -> bool {
        let sample: Vec<_> = legal.iter().step_by(legal.len().div_ceil(SAMPLE)).collect();
        let losing = sample.iter().filter(|m| loses(self.game, m, plies)).count();
        losing * 2 >= sample.len()
    }

    /// The lines that the opponent completes within these plies after a wrong move.
    fn lines_after(&self, m: &str, plies: u32) -> Vec<Vec<Cell>> {
        let after = after(self.game, m);
        match wins(&after, plies).first() {
            Some(win) if plies == 1 => vec![line_after(&after, [win])],
            Some(win) => threatened(&after, win),
            None => after.line().into_iter().collect(),
        }
    }
}

/// Whether the solver proves at once that every move has the same result.
fn is_all_the_same(game: &AnyGame) -> bool {
    let mut prover = Prover::default();
    let proofs = (game.plies_left() <= QUICK).then(|| prover.prove(game, &|| false)).flatten();
    proofs.is_some_and(|proofs| {
        let mut results = proofs.moves.iter().map(|proved| proved.exact().map(|it| it.result));
        let first = results.next();
        results.all(|result| Some(result) == first)
    })
}

/// The line that these moves complete.
fn line_after<'a>(game: &AnyGame, moves: impl IntoIterator<Item = &'a String>) -> Vec<Cell> {
    moves.into_iter().fold(game.clone(), |game, m| after(&game, m)).line().unwrap_or_default()
}

/// The lines that a move threatens to complete: for each reply the one that is completed then, at most two.
fn threatened(game: &AnyGame, m: &str) -> Vec<Vec<Cell>> {
    let next = after(game, m);
    if next.outcome().is_some() {
        return next.line().into_iter().collect();
    }
    let mut lines: Vec<Vec<Cell>> = Vec::new();
    for reply in next.legal_moves() {
        let replied = after(&next, &reply);
        let Some(win) = wins(&replied, 1).into_iter().next() else { continue };
        let line = line_after(&replied, [&win]);
        if !lines.contains(&line) {
            lines.push(line);
        }
        if lines.len() == 2 {
            break;
        }
    }
    lines
}

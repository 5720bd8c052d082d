//! Analyses and reviews in their wire form.

use study::{analysis, review};

use crate::{Info, InfoLine, Mark, Proven, ReviewedMove};

impl From<analysis::Line> for InfoLine {
    fn from(line: analysis::Line) -> Self {
        let proven = line.proven.map(Proven::from);
        Self { score: line.score, chance: line.chance, proven, moves: line.moves }
    }
}

impl Info {
    /// The progress of an analysis of the position after this many moves.
    #[must_use]
    pub fn new(table: Option<String>, ply: u32, info: analysis::Info) -> Self {
        let analysis::Info { depth, nodes, time_ms, lines } = info;
        let lines = lines.into_iter().map(InfoLine::from).collect();
        Self { table, ply, depth, nodes, time_ms, lines, done: false, thought: None }
    }
}

impl From<review::Reviewed> for ReviewedMove {
    fn from(reviewed: review::Reviewed) -> Self {
        let mark = reviewed.mark.map(|mark| match mark {
            review::Mark::Inaccuracy => Mark::Inaccuracy,
            review::Mark::Mistake => Mark::Mistake,
            review::Mark::Blunder => Mark::Blunder,
            review::Mark::MissedWin => Mark::MissedWin,
        });
        Self {
            number: reviewed.number as u32,
            side: reviewed.side,
            played: reviewed.played.into(),
            best: reviewed.best.into(),
            loss: reviewed.loss,
            mark,
            chance: reviewed.chance,
        }
    }
}

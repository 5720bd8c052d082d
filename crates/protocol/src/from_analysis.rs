//! Assessments and reviews in their wire form.

use study::{assessment, review};

use crate::{Advantage, AssessedMove, Assessment, Mark, Remark, ReviewedMove, Verdict, from_players::reason};

impl From<study::Advantage> for Advantage {
    fn from(advantage: study::Advantage) -> Self {
        match advantage {
            study::Advantage::Even => Self::Even,
            study::Advantage::Slight => Self::Slight,
            study::Advantage::Clear => Self::Clear,
            study::Advantage::Decisive => Self::Decisive,
        }
    }
}

impl From<study::Verdict> for Verdict {
    fn from(verdict: study::Verdict) -> Self {
        match verdict {
            study::Verdict::Proven(proven) => Self::Proven(proven.into()),
            study::Verdict::Between { least, most, score, chance, advantage } => Self::Between {
                least: least.into(),
                most: most.into(),
                score,
                chance,
                advantage: Some(advantage.into()),
            },
            study::Verdict::Estimate { score, chance, advantage } => {
                Self::Estimate { score, chance, advantage: Some(advantage.into()) }
            }
        }
    }
}

impl From<assessment::Assessed> for AssessedMove {
    fn from(assessed: assessment::Assessed) -> Self {
        let assessment::Assessed { text, verdict, line } = assessed;
        Self { text, verdict: verdict.into(), line }
    }
}

impl From<assessment::Assessment> for Assessment {
    fn from(assessment: assessment::Assessment) -> Self {
        let assessment::Assessment { moves, depth, nodes, time_ms, is_final } = assessment;
        let moves = moves.into_iter().map(AssessedMove::from).collect();
        Self { table: None, ply: 0, moves, depth, nodes, time_ms, is_final, done: false, reasons: None }
    }
}

impl Assessment {
    /// The last message about a position: the assessment with its reasons.
    #[must_use]
    pub fn with_reasons(game: &rules::AnyGame, assessment: assessment::Assessment) -> Self {
        let reasons = assessment.reasons(game).iter().filter_map(reason).collect();
        let ply = game.moves().len() as u32;
        Self { ply, done: true, reasons: Some(reasons), ..Self::from(assessment) }
    }
}

impl From<review::Mark> for Mark {
    fn from(mark: review::Mark) -> Self {
        match mark {
            review::Mark::Inaccuracy => Self::Inaccuracy,
            review::Mark::Mistake => Self::Mistake,
            review::Mark::Blunder => Self::Blunder,
            review::Mark::ThrowsDraw => Self::ThrowsDraw,
            review::Mark::ThrowsWin => Self::ThrowsWin,
        }
    }
}

impl From<review::Reviewed> for ReviewedMove {
    fn from(reviewed: review::Reviewed) -> Self {
        let mark = reviewed.mark.map(Mark::from);
        let remark = reviewed.remark.map(|review::Remark::QuickerWin| Remark::QuickerWin);
        Self {
            number: reviewed.number as u32,
            side: reviewed.side,
            played: reviewed.played.into(),
            best: reviewed.best.into(),
            loss: reviewed.loss,
            mark,
            remark,
            chance: reviewed.chance,
            depth: reviewed.depth,
        }
    }
}

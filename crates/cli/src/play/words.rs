//! The texts of the terminal: the words of each game, and reasons as sentences.

use std::{collections::HashMap, sync::LazyLock};

use players::{
    Proof, Proven, Reason, Thought,
    roster::{self, Listing},
};
use rules::{AnyGame, Cell, Coordinates, GameInfo, Illegal, MoveError, PlayError};
use study::Verdict;

/// What a person is asked for: what the moves of this phase name.
pub(super) fn move_prompt(info: &GameInfo, has_hand: bool) -> String {
    let phase = if has_hand { info.phases.first() } else { info.phases.last() };
    format!("Choose {}", phase.expect("a game has a phase").asks)
}

/// The label of a program's move.
pub(super) fn move_label(info: &GameInfo) -> &'static str {
    match (info.coordinates, info.pieces) {
        (Coordinates::Columns, [_]) => "Column",
        _ => "Move",
    }
}

/// Whether the terminal keeps to the screens of the original Connect Four program, byte for byte.
fn is_original(info: &GameInfo) -> bool {
    info.id == "connect-four"
}

/// Whether the winning line is named after a game; the original program only shows it.
pub(super) fn names_line(info: &GameInfo) -> bool {
    !is_original(info)
}

/// The strategies of the original program, numbered as there.
const ORIGINAL: [&str; 3] = ["random", "greedy", "smart"];

/// The players of a game in the order of the dialogue: those of the original program first, where it is that game.
pub(super) fn in_order(game: &AnyGame) -> Vec<Listing> {
    let mut players = roster::players(game);
    if is_original(game.info()) {
        players.sort_by_key(|listing| {
            ORIGINAL.iter().position(|name| *name == listing.name).unwrap_or(ORIGINAL.len())
        });
    }
    players
}

/// How many players the dialogue before a game lists; the original program knows only its own.
pub(super) fn listed(game: &AnyGame, players: &[Listing]) -> usize {
    if is_original(game.info()) { ORIGINAL.len() } else { players.len() }
}

/// The recommended depths of a program.
pub(super) fn depth_advice(player: &str) -> &'static str {
    match player {
        "smart" => "recommended 4 or 5",
        "level" => "1 is the weakest",
        _ => "recommended 3 or 4",
    }
}

/// The message for an illegal move; in Connect Four the words of the original program.
pub(super) fn refusal(info: &GameInfo, text: &str, error: &MoveError) -> String {
    if is_original(info) {
        let is_number = text.parse::<i128>().is_ok();
        match error {
            MoveError::Play(PlayError::Illegal(Illegal::ColumnFull(column))) => {
                return format!("No empty holes in column {column}");
            }
            MoveError::Play(PlayError::Illegal(_)) => return "Invalid column ".to_owned(),
            MoveError::Parse(_) if is_number => return "Invalid column ".to_owned(),
            MoveError::Parse(_) => return "Should be Integer".to_owned(),
            _ => {}
        }
    }
    error.to_string()
}

/// The reasons of a thought, a sentence each.
pub(super) fn sentences(info: &GameInfo, thought: &Thought<String>) -> Vec<String> {
    if thought.reasons.is_empty() {
        return vec![format!("It gave no reasons. Expected line: {}.", thought.line.join(" "))];
    }
    thought.reasons.iter().map(|reason| sentence(info, thought, reason)).collect()
}

fn sentence(info: &GameInfo, thought: &Thought<String>, reason: &Reason) -> String {
    let chosen = &thought.chosen;
    match reason {
        Reason::Random => {
            format!("{chosen} was chosen at random among {}.", moves(thought.candidates.len() as u32))
        }
        Reason::ChoiceIndex { cells } => {
            let table: Vec<_> = cells.iter().map(|cell| format!("{} {}", cell.cell, cell.index)).collect();
            format!("The choice index of the cells: {}.", table.join(", "))
        }
        Reason::Careless => "It deliberately played a weaker move, chosen at random.".to_owned(),
        Reason::Win => format!("{chosen} wins at once."),
        Reason::Block => format!("{chosen} blocks a line of the opponent."),
        Reason::Opening => "The first cell is chosen at random.".to_owned(),
        Reason::Centre => "The centre was free.".to_owned(),
        Reason::Corner => "A corner was free.".to_owned(),
        Reason::Side => "Only a side was free.".to_owned(),
        Reason::Join { length: 1 } => format!("{chosen} connects to nothing yet; no column connects more."),
        Reason::Join { length } => format!("{chosen} makes {length} in a line; no column makes more."),
        Reason::Minimax { depth, value } => {
            let line = thought.line.join(" ");
            format!("Searched {} ahead: value {value}; expected line: {line}.", moves(*depth))
        }
        Reason::AllLose => "Every move loses within the depth it searched.".to_owned(),
        Reason::Proven(proven) => match proven.result {
            Proof::Win => {
                format!("It wins in {}, whatever the opponent does.", moves(proven.winners_moves()))
            }
            Proof::Draw => "With best play it is a draw.".to_owned(),
            Proof::Loss => format!("It loses in {} against best play.", moves(proven.winners_moves())),
        },
        Reason::Evaluation { terms } => {
            let terms: Vec<_> = terms
                .iter()
                .map(|term| {
                    format!("{} {} × {} = {}", term_name(term.name), term.count, term.weight, term.points())
                })
                .collect();
            format!("Evaluation of the expected position: {}.", terms.join(", "))
        }
        Reason::Corridors { side, value, terms } => {
            let counted = terms.iter().filter(|term| term.count != 0);
            let terms: Vec<_> = counted
                .map(|term| format!("{} {} × {}", term_name(term.name), term.count, term.weight))
                .collect();
            let side = info.side_name(*side);
            format!("At the end of that line the corridors count {value} for {side}: {}.", terms.join(", "))
        }
        Reason::Line { side, cells } => {
            let names: Vec<_> = cells.iter().map(ToString::to_string).collect();
            format!("{} has {} in a line: {}.", info.side_name(*side), cells.len(), names.join(" "))
        }
        Reason::Unproven { lower, upper } => match (*lower, *upper) {
            (1.., _) => "It wins; there was no time to prove how soon.",
            (_, ..=-1) => "It loses against best play; there was no time to prove how soon.",
            (0, _) => "At least a draw; there was no time to prove more.",
            (_, 0) => "At most a draw against best play; there was no time to prove more.",
            _ => "There was no time to prove who wins.",
        }
        .to_owned(),
        Reason::Solved(fact) => solved(info, fact),
        Reason::Answer { cells, .. } => format!("The opponent would have won at {}.", or(cells)),
        Reason::CannotAnswer { cells, .. } => {
            format!("The opponent threatens to win at {}, and nothing prevents that.", or(cells))
        }
        Reason::Threat { cells } => format!("It threatens to win at {}.", or(cells)),
        Reason::DoubleThreat { cells } => {
            format!("It threatens to win at {}; no reply stops both.", or(cells))
        }
        Reason::Forced { moves } => format!("The replies in this line are forced: {}.", moves.join(" ")),
        Reason::SecondBest { moves, proven, chance, changes, .. } => {
            let worth = proven.map_or_else(|| about(*chance), |proven| result(&proven));
            let worse = changes.iter().filter(|change| change.points > 0);
            let worse: Vec<_> = worse.map(|change| term_name(change.term)).collect();
            let because = if worse.is_empty() {
                String::new()
            } else {
                format!("; it is worse for {}", worse.join(" and "))
            };
            format!("Second best: {}, {worth}{because}.", moves.join(" "))
        }
        Reason::Book { depth } => format!("From the opening book, searched {} ahead.", moves(*depth)),
        other => format!("{other:?}."),
    }
}

/// What a term of an evaluation counts, in the words of the page.
fn term_name(term: &str) -> &str {
    WORDS.get(&format!("term.{term}")).map_or(term, String::as_str)
}

/// The English words of the page.
static WORDS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let words = include_str!("../../../../web/i18n/en.json");
    serde_json::from_str(words).expect("a file of words is an object of texts")
});

/// What the solver tells, as a sentence.
pub(super) fn solved(info: &GameInfo, fact: &solver::Reason) -> String {
    use solver::{Decision, Parity, Reason};
    let cells = |cells: &[Cell]| cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    let row = |parity| match parity {
        Parity::Odd => "an odd row",
        Parity::Even => "an even row",
    };
    match fact {
        Reason::CompletesFour { cell } => format!("{cell} completes four."),
        Reason::Blocks { cell } => format!("{cell} blocks four of the opponent."),
        Reason::CannotBlock { cells: where_ } => {
            format!("The opponent completes four at {} next.", cells(where_))
        }
        Reason::MakesTwoThreats { cells: where_ } => {
            format!("It threatens four at {} at once.", cells(where_))
        }
        Reason::ForcedPlies { plies } => format!("The next {} are forced.", moves((*plies).into())),
        Reason::Standing(threat) => {
            let side = info.side_name(threat.side);
            format!("{side} threatens four at {}, on {}.", threat.cell, row(threat.parity))
        }
        Reason::CannotWin { side } => format!("{} has no line of four left.", info.side_name(*side)),
        Reason::Decides { threat, by, .. } => {
            let side = info.side_name(threat.side);
            let how = match by {
                Decision::Immediate => "which is free now",
                Decision::TwoThreats => "one of two threats of which only one can be blocked",
                Decision::AboveTheReply => "right above a cell that the opponent must fill",
                Decision::Zugzwang => "because the opponent runs out of other moves",
            };
            format!("In the end {side} completes four at {}, on {}, {how}.", threat.cell, row(threat.parity))
        }
        other => format!("{other:?}."),
    }
}

/// What is known about a move, for the side that plays it: "wins in 5", "draws", "about 64 %".
pub(super) fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proven(proven) => result(proven),
        Verdict::Between { least, most, chance, .. } => match (least.result, most.result) {
            (Proof::Win, _) => format!("wins in {} to {}", most.winners_moves(), least.winners_moves()),
            (_, Proof::Loss) => format!("loses in {} to {}", least.winners_moves(), most.winners_moves()),
            (Proof::Draw, _) => format!("at least draws, {}", about(*chance)),
            (_, Proof::Draw) => format!("at most draws, {}", about(*chance)),
            _ => about(*chance),
        },
        Verdict::Estimate { chance, .. } => about(*chance),
    }
}

/// A proven result, such as "wins in 5": "in" counts the winner's own moves.
fn result(proven: &Proven) -> String {
    match proven.result {
        Proof::Win => format!("wins in {}", proven.winners_moves()),
        Proof::Draw => "draws".to_owned(),
        Proof::Loss => format!("loses in {}", proven.winners_moves()),
    }
}

/// An estimated result.
fn about(chance: f64) -> String {
    format!("about {:.0} %", 50.0 + 50.0 * chance)
}

/// Alternative cells: "c1", "c1 or g1".
fn or(cells: &[Cell]) -> String {
    cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

fn moves(count: u32) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_of_an_evaluation_has_a_name() {
        for spec in rules::GAMES.iter().flat_map(|info| info.suggested) {
            let game = rules::AnyGame::from(spec.parse::<rules::Spec>().unwrap());
            for term in players::engine::terms(&game) {
                assert!(WORDS.contains_key(&format!("term.{}", term.name)), "{spec}: {}", term.name);
            }
        }
    }

    #[test]
    fn every_reason_is_a_sentence() {
        let info = rules::GAMES.iter().find(|info| info.id == "connect-four").unwrap();
        for reason in Reason::samples() {
            let thought = Thought::new("4", vec!["4"], vec![reason]).to_text();
            let sentence = &sentences(info, &thought)[0];
            let is_code = sentence.contains(['{', '(', '"']) || !sentence.contains(' ');
            assert!(!is_code && sentence.ends_with('.'), "{sentence}");
        }
    }
}

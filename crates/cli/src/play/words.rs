//! What the terminal says: the words of each game, and reasons as sentences.

use players::{Proof, Reason, Thought};
use rules::{Illegal, MoveError, PlayError, Side, Spec};

/// What people call the sides.
pub(super) fn side_name(spec: Spec, side: Side) -> &'static str {
    let [first, second] = match spec {
        Spec::TicTacToe => ["X", "O"],
        Spec::ConnectFour(_) => ["○", "●"],
        Spec::Simplexity { .. } => ["white", "red"],
        Spec::ChessFive => ["cyan", "magenta"],
    };
    match side {
        Side::First => first,
        Side::Second => second,
    }
}

/// What a person is asked for.
pub(super) fn move_prompt(spec: Spec, has_hand: bool) -> &'static str {
    match spec {
        Spec::TicTacToe => "Choose cell",
        Spec::ConnectFour(_) => "Choose column",
        Spec::Simplexity { .. } => "Choose column and shape",
        Spec::ChessFive if has_hand => "Choose piece and column",
        Spec::ChessFive => "Choose move",
    }
}

/// How a program's move is announced.
pub(super) fn move_label(spec: Spec) -> &'static str {
    match spec {
        Spec::ConnectFour(_) => "Column",
        _ => "Move",
    }
}

/// Whether the winning line is named after a game; the original Connect Four program only shows it.
pub(super) fn names_line(spec: Spec) -> bool {
    !matches!(spec, Spec::ConnectFour(_))
}

/// Whether the dialogue before a game offers a player: the one of the original Connect Four program
/// knows only its own.
pub(super) fn is_offered(spec: Spec, player: &str) -> bool {
    !matches!(spec, Spec::ConnectFour(_)) || ["random", "greedy", "smart"].contains(&player)
}

/// Which depths a program plays well and quickly at.
pub(super) fn depth_advice(player: &str) -> &'static str {
    match player {
        "smart" => "recommended 4 or 5",
        _ => "recommended 3 or 4",
    }
}

/// How a refused move is answered; in Connect Four with the words of the original program.
pub(super) fn refusal(spec: Spec, text: &str, error: &MoveError) -> String {
    if let Spec::ConnectFour(_) = spec {
        let is_number = text.parse::<i128>().is_ok();
        match error {
            MoveError::Play(PlayError::Illegal(Illegal::ColumnFull(column))) => {
                return format!("No empty holes in column {column}");
            }
            MoveError::Play(PlayError::Illegal(_)) => return "Invalid column ".to_owned(),
            MoveError::Parse(_) if is_number => return "Invalid column ".to_owned(),
            MoveError::Parse(_) => return "Should be Integer".to_owned(),
            MoveError::Play(_) => {}
        }
    }
    error.to_string()
}

/// The reasons of a thought, a sentence each.
pub(super) fn sentences(spec: Spec, thought: &Thought<String>) -> Vec<String> {
    if thought.reasons.is_empty() {
        return vec![format!("It gave no reasons; it expects: {}.", thought.line.join(" "))];
    }
    thought.reasons.iter().map(|reason| sentence(spec, thought, reason)).collect()
}

fn sentence(spec: Spec, thought: &Thought<String>, reason: &Reason) -> String {
    let chosen = &thought.chosen;
    match reason {
        Reason::Random => format!("{chosen} was drawn by lot among {}.", moves(thought.among.len() as u32)),
        Reason::ChoiceIndex { cells } => {
            let table: Vec<_> = cells.iter().map(|cell| format!("{} {}", cell.cell, cell.index)).collect();
            format!("The choice index of the cells: {}.", table.join(", "))
        }
        Reason::Careless => "Chance decided for any empty cell.".to_owned(),
        Reason::Win => format!("{chosen} wins at once."),
        Reason::Block => format!("{chosen} stops a line of the rival."),
        Reason::Opening => "The first cell is drawn by lot.".to_owned(),
        Reason::Centre => "The centre was free.".to_owned(),
        Reason::Corner => "A corner was free.".to_owned(),
        Reason::Side => "Only a side was free.".to_owned(),
        Reason::Join { length: 1 } => format!("{chosen} joins nothing yet; no column joins more."),
        Reason::Join { length } => format!("{chosen} joins {length} in a line; no column joins more."),
        Reason::Minimax { depth, value } => {
            let line = thought.line.join(" ");
            format!("Looking {} ahead it is worth {value}; expected: {line}.", moves(*depth))
        }
        Reason::AllLose => "Every move loses as far as it sees.".to_owned(),
        Reason::Proven { result, plies } => match result {
            Proof::Win => format!("It wins by force in {}, both sides counted.", moves(*plies)),
            Proof::Draw => "With best play nobody wins.".to_owned(),
            Proof::Loss => format!("It loses by force, in {} at the latest.", moves(*plies)),
        },
        Reason::Evaluation { terms } => {
            let terms: Vec<_> = terms
                .iter()
                .map(|term| format!("{} {} × {} = {}", term.name, term.count, term.weight, term.points()))
                .collect();
            format!("The position it expects: {}.", terms.join(", "))
        }
        Reason::Line { side, cells } => {
            let names: Vec<_> = cells.iter().map(ToString::to_string).collect();
            format!("{} has {} in a line: {}.", side_name(spec, *side), cells.len(), names.join(" "))
        }
        Reason::Book { depth } => format!("From the opening book, searched {} ahead.", moves(*depth)),
    }
}

fn moves(count: u32) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

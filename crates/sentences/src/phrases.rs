//! Names and sentences about pieces, moves, players and results, in the language of the reader.

use std::collections::HashMap;

use protocol::{ApiError, Clock, EndReason, GameResult, Occupant, TournamentFormat};
use rules::{Cell, Coordinates, GameInfo, Kind, Opening, Side, Spec, View};

use crate::{guests::person_name, words::Words};

/// The name of a side: in the language of the reader, or as the game says it.
#[must_use]
pub fn side_name(words: &Words, info: &GameInfo, side: Side) -> String {
    let side = &info.sides[side.index()];
    let key = words.side_key(side);
    if words.has(&key) { words.t(&key).to_owned() } else { side.name.to_owned() }
}

/// The name of a kind of piece.
#[must_use]
pub fn kind_name(words: &Words, kind: Kind) -> String {
    let key = format!("kind.{}", kind.id());
    words.t(if words.has(&key) { &key } else { kind.id() }).to_owned()
}

/// The title of a game: “Connect Four”.
#[must_use]
pub fn title(words: &Words, info: &GameInfo) -> String {
    let key = format!("game.{}", info.id);
    if words.has(&key) { words.t(&key).to_owned() } else { info.title.to_owned() }
}

/// The title with the size where it is not the standard one, and the rules where they are not the usual ones: “Connect Four
/// 8×9, 5 in a line”, “Gomoku, renju”, “Gomoku, Swap2”.
#[must_use]
pub fn game_title(words: &Words, spec: Spec) -> String {
    if let Ok(plain) = spec.with_opening(Opening::Free)
        && plain != spec
    {
        let opening = rules_name(words, spec.opening().id());
        return words.fill("rules.game", &[("game", &game_title(words, plain)), ("rules", &opening)]);
    }
    let title = title(words, spec.info());
    let board = spec.with_usual_rules();
    let written = board.to_string();
    let sized = match size_of(&written) {
        Some([rows, cols, run]) if written != spec.info().standard => {
            words.fill("game.sized", &[("game", &title), ("rows", &rows), ("cols", &cols), ("run", &run)])
        }
        _ => title,
    };
    match spec.rule_set() {
        Some(rules) if board != spec => {
            words.fill("rules.game", &[("game", &sized), ("rules", &rules_name(words, rules))])
        }
        _ => sized,
    }
}

/// The name of a rule set or an opening: “Renju”, “Swap2”.
#[must_use]
pub fn rules_name(words: &Words, rules: &str) -> String {
    let key = format!("rules.{rules}");
    words.t(if words.has(&key) { &key } else { rules }).to_owned()
}

/// Rows, columns and run of a written spec: `connect-four:8x9x5`.
#[must_use]
pub fn size_of(spec: &str) -> Option<[String; 3]> {
    let mut numbers = spec.split(':').nth(1)?.split('x').map(str::to_owned);
    Some([numbers.next()?, numbers.next()?, numbers.next()?])
}

/// How many in a line win.
pub(crate) fn run_of(spec: Spec) -> usize {
    let written = size_of(&spec.to_string()).and_then(|[.., run]| run.parse().ok());
    written.unwrap_or_else(|| spec.info().size.run.usual.into())
}

/// `level:3` as “Level 3”, `smart:5` as “Smart 5”.
#[must_use]
pub fn program_name(words: &Words, name: &str) -> String {
    let (base, parameter) = name.split_once(':').unwrap_or((name, ""));
    let or =
        |key: String, text: &str| if words.has(&key) { words.t(&key).to_owned() } else { text.to_owned() };
    let title = or(format!("program.{base}"), base);
    // An even match has no strength that a reader chose.
    if parameter.is_empty() || base == "even" {
        return title;
    }
    format!("{title} {}", or(format!("strength.{parameter}"), parameter))
}

/// The name of the player in a seat.
#[must_use]
pub fn occupant_name(words: &Words, occupant: &Occupant) -> String {
    match occupant {
        Occupant::Open => words.t("seat.open").to_owned(),
        Occupant::Program { name, .. } => program_name(words, name),
        Occupant::Person { name, bot: true, .. } => words.fill("seat.bot", &[("name", name)]),
        Occupant::Person { name, .. } => person_name(words, name),
    }
}

/// What was said in the chat: reactions travel by their names, so that each side reads them in its own language.
#[must_use]
pub fn said_text(words: &Words, text: &str) -> String {
    let name = text.strip_prefix(':').and_then(|text| text.strip_suffix(':')).unwrap_or_default();
    let key = format!("reaction.{name}");
    if words.has(&key) { words.t(&key).to_owned() } else { text.to_owned() }
}

/// Why something was refused, in the language of the reader.
#[must_use]
pub fn error_text(words: &Words, error: &ApiError) -> String {
    let key = format!("error.{}", error.code.name());
    if words.has(&key) { words.t(&key).to_owned() } else { error.message.clone() }
}

/// The symbol of a kind in lists of moves.
fn symbol(kind: Kind) -> &'static str {
    match kind {
        Kind::Rook => "♜",
        Kind::Knight => "♞",
        Kind::Bishop => "♝",
        Kind::Queen => "♛",
        Kind::King => "♚",
        Kind::Round => "●",
        Kind::Square => "■",
        _ => "",
    }
}

/// The cells of a step such as `d2e4`.
fn step(m: &str) -> Option<(Cell, Cell)> {
    let digit = m.find(|c: char| c.is_ascii_digit())?;
    let letter = digit + m[digit..].find(|c: char| c.is_ascii_lowercase())?;
    let (from, to) = m.split_at(letter);
    Some((from.parse().ok()?, to.parse().ok()?))
}

/// A move as it is listed, with symbols for pieces.
#[must_use]
pub fn move_text(info: &GameInfo, m: &str, kind: Option<Kind>) -> String {
    if let Some((from, to)) = step(m) {
        return format!("{}{from}–{to}", kind.map_or("", symbol));
    }
    // `Q@d`: a piece dropped in a column with a letter.
    if let Some((letter, column)) = m.split_once('@') {
        let piece = info.pieces.iter().find(|piece| letter.chars().eq([piece.letters[0]]));
        return piece.map_or_else(|| m.to_owned(), |piece| format!("{}{column}", symbol(piece.kind)));
    }
    // `4s`: a piece dropped in a column with a number.
    let number = m.trim_end_matches(|c: char| c.is_ascii_lowercase());
    if info.coordinates == Coordinates::Columns && number.len() < m.len() {
        let piece = info.pieces.iter().find(|piece| piece.kind.id().starts_with(&m[number.len()..]));
        return piece.map_or_else(|| m.to_owned(), |piece| format!("{number}{}", symbol(piece.kind)));
    }
    m.to_owned()
}

/// Moves in a row as they are listed. A piece is named by its cell at the time of the move.
#[must_use]
pub fn line_text(info: &GameInfo, line: &[String], view: Option<&View>) -> String {
    line_texts(info, line, view).join(" ")
}

/// The moves of a line, each as it is listed.
pub(crate) fn line_texts(info: &GameInfo, line: &[String], view: Option<&View>) -> Vec<String> {
    let mut kinds: HashMap<Cell, Kind> = HashMap::new();
    if let Some(view) = view {
        for (index, piece) in view.cells.iter().enumerate() {
            let (row, column) = (index / usize::from(view.cols), index % usize::from(view.cols));
            if let Some(piece) = piece {
                let cell = Cell::new(column as u8, view.rows - 1 - row as u8);
                kinds.insert(cell, piece.kind);
            }
        }
    }
    line.iter()
        .map(|m| {
            let Some((from, to)) = step(m) else { return move_text(info, m, None) };
            let kind = kinds.remove(&from).or_else(|| kinds.get(&to).copied());
            if let Some(kind) = kind {
                kinds.insert(to, kind);
            }
            move_text(info, m, kind)
        })
        .collect()
}

/// A time control: “5+3”, “no clock”.
#[must_use]
pub fn clock_text(words: &Words, clock: Clock) -> String {
    match clock {
        Clock::None => words.t("clock.none").to_owned(),
        Clock::Game { initial_ms, increment_ms } => {
            let minutes = initial_ms as f64 / 60_000.0;
            format!("{}+{}", (minutes * 10.0).round() / 10.0, increment_ms / 1000)
        }
        Clock::Move { ms } => words.fill("clock.per-move", &[("seconds", &(ms / 1000).to_string())]),
        Clock::Correspondence { days } => words.count("clock.days", days, &[]),
    }
}

/// How the players of a tournament are paired: “Swiss, 5 rounds”.
#[must_use]
pub fn format_text(words: &Words, format: TournamentFormat) -> String {
    let name = match format {
        TournamentFormat::Swiss { rounds: Some(rounds) } => {
            return words.count("tournament.swiss-rounds", rounds.into(), &[]);
        }
        TournamentFormat::Arena { minutes } => {
            return words.count("tournament.arena-minutes", minutes.into(), &[]);
        }
        TournamentFormat::Swiss { rounds: None } => "swiss",
        TournamentFormat::RoundRobin => "round-robin",
        TournamentFormat::Knockout => "knockout",
        TournamentFormat::Gauntlet => "gauntlet",
    };
    words.t(&format!("tournament.format-{name}")).to_owned()
}

/// Points, with halves and quarters as fractions: `2½`; `2.5` in plain characters.
#[must_use]
pub fn points_text(points: f64, in_ascii: bool) -> String {
    let quarters = (points * 4.0).round();
    let fraction = ["", "¼", "½", "¾"][quarters.rem_euclid(4.0) as usize];
    match (quarters / 4.0).floor() {
        _ if in_ascii => format!("{}", quarters / 4.0),
        0.0 if !fraction.is_empty() => fraction.to_owned(),
        whole => format!("{whole}{fraction}"),
    }
}

/// The time on a clock: `3:48`; `0:09.4` when little is left; `2 d 4:00` if much is left.
#[must_use]
pub fn clock_face(words: &Words, ms: u64) -> String {
    if ms < 10_000 {
        return format!("0:{:02}.{}", ms / 1000, ms % 1000 / 100);
    }
    let seconds = ms.div_ceil(1000);
    let (days, hours) = (seconds / 86_400, seconds % 86_400 / 3_600);
    let (minutes, secs) = (seconds % 3_600 / 60, seconds % 60);
    match (days, hours) {
        (0, 0) => format!("{minutes}:{secs:02}"),
        (0, _) => format!("{hours}:{minutes:02}:{secs:02}"),
        _ => words
            .fill("clock.long", &[("days", &days.to_string()), ("time", &format!("{hours}:{minutes:02}"))]),
    }
}

/// Who won: the headline of the result.
#[must_use]
pub fn headline(words: &Words, info: &GameInfo, result: &GameResult, you: &[Side]) -> String {
    match (result.reason, result.winner, you) {
        (EndReason::Aborted, ..) => words.t("result.aborted").to_owned(),
        (EndReason::Declined, ..) => words.t("result.declined").to_owned(),
        (_, None, _) => words.t("result.draw").to_owned(),
        (_, Some(winner), [you]) if winner == *you => words.t("result.you-won").to_owned(),
        (_, Some(_), [_]) => words.t("result.you-lost").to_owned(),
        (_, Some(winner), _) => words.fill("result.won", &[("side", &side_name(words, info, winner))]),
    }
}

/// How it was won: by which line, by shape or colour, on time, by leaving. To the reader who plays `you`; `called` names the
/// other players.
#[must_use]
pub fn how(
    words: &Words,
    info: &GameInfo,
    view: &View,
    result: &GameResult,
    you: Option<Side>,
    called: impl Fn(Side) -> String,
) -> String {
    let losing = result.winner.map(Side::other);
    let name = |side: Option<Side>| side.map_or_else(String::new, &called);
    let (winner, loser) = (name(result.winner), name(losing));
    // The form of a key that speaks to the reader, who is its subject.
    let addressed = |key: &str, subject: Option<Side>| match you.is_some() && you == subject {
        true => format!("{key}-you"),
        false => key.to_owned(),
    };
    let by_loser = |key: &str, draw: &str| {
        let key = if losing.is_some() { addressed(key, losing) } else { draw.to_owned() };
        words.fill(&key, &[("loser", &loser)])
    };
    match result.reason {
        EndReason::Resignation => return by_loser("result.how.resignation", "result.how.resignation"),
        EndReason::Time => return by_loser("result.how.time", "result.how.time-draw"),
        EndReason::Agreement => return words.t("result.how.agreement").to_owned(),
        EndReason::Abandoned => return by_loser("result.how.abandoned", "result.how.abandoned-draw"),
        EndReason::Aborted => return words.t("result.how.aborted").to_owned(),
        EndReason::Declined => return words.t("result.how.declined").to_owned(),
        EndReason::Rules => {}
    }
    let (Some(winning), Some(line)) = (result.winner, &view.line) else {
        let is_full = view.cells.iter().all(Option::is_some);
        return words.t(if is_full { "result.how.full" } else { "result.how.no-progress" }).to_owned();
    };
    let [from, .., to] = line[..] else { return String::new() };
    let shape = view.shape.map(|kind| kind_name(words, kind));
    let last_by = view.last.last().and_then(|&cell| view.piece(cell)).map(|piece| piece.side);
    let key = match &shape {
        // Only games with shapes say whether colour or shape won.
        _ if !info.mover_may_lose || info.pieces.len() < 2 => addressed("result.how.line", result.winner),
        None => addressed("result.how.colour", result.winner),
        // The last piece may belong to the loser, whose own move gave the game away.
        Some(_) if last_by == Some(winning) => addressed("result.how.shape", result.winner),
        Some(_) => addressed("result.how.shape-given", losing),
    };
    let values = [
        ("side", winner.as_str()),
        ("loser", &loser),
        ("n", &line.len().to_string()),
        ("from", &from.to_string()),
        ("to", &to.to_string()),
        ("direction", words.t(direction(from, to))),
        ("shape", shape.as_deref().unwrap_or_default()),
    ];
    words.fill(&key, &values)
}

fn direction(from: Cell, to: Cell) -> &'static str {
    if from.row == to.row {
        "direction.row"
    } else if from.column == to.column {
        "direction.column"
    } else if (from.row < to.row) == (from.column < to.column) {
        "direction.rising"
    } else {
        "direction.falling"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn points_are_whole_halves_and_quarters() {
        let texts = [0.0, 0.5, 1.0, 2.25, 12.75].map(|points| points_text(points, false));
        assert_eq!(texts, ["0", "½", "1", "2¼", "12¾"]);
        let texts = [0.0, 0.5, 1.0, 2.25].map(|points| points_text(points, true));
        assert_eq!(texts, ["0", "0.5", "1", "2.25"]);
    }

    #[test]
    fn a_result_speaks_to_the_reader_and_names_the_opponent() {
        let words = Words::new(Language::En);
        let mut game = rules::AnyGame::from("connect-four".parse::<Spec>().unwrap());
        for column in ["4", "5", "4", "5", "4", "5", "4"] {
            game.play(column).unwrap();
        }
        let told = |reason, you| {
            let result = GameResult { winner: Some(Side::First), reason, ratings: None };
            how(&words, game.info(), &game.view(), &result, you, |_| "Zigzag".to_owned())
        };
        assert_eq!(told(EndReason::Resignation, Some(Side::Second)), "You resigned.");
        assert_eq!(told(EndReason::Time, Some(Side::First)), "Zigzag ran out of time.");
        assert_eq!(told(EndReason::Abandoned, None), "Zigzag left and did not come back.");
        assert_eq!(told(EndReason::Rules, Some(Side::First)), "You have 4 in a line up a column, d1 to d4.");
        assert_eq!(
            told(EndReason::Rules, Some(Side::Second)),
            "Zigzag has 4 in a line up a column, d1 to d4."
        );
    }
}

//! The dialogue with an external engine that speaks the protocol of the Gomocup.

use std::time::Duration;

use players::Stop;
use rules::{AnyGame, Piece, Side, excerpt};

use super::{BoardSize, Command, Point, UNLIMITED, board_and_rule};
use crate::{
    Answer, Failure, Fault, Limits,
    answer::Info,
    connection::{Connection, Request},
    go::{SideClock, millis},
    session,
};

/// The state of the dialogue.
#[derive(Default)]
pub(crate) struct Session {
    /// Further `INFO` for each game.
    options: Vec<(String, String)>,
    /// The board for which the process was started.
    started: Option<BoardSize>,
    /// The stones on the engine's board: the start of the game as text, and the moves since. `None` if it is empty.
    known: Option<(String, Vec<String>)>,
}

const MOVE: &str = "a move such as 7,7";

impl session::Session for Session {
    fn set_options(&mut self, options: Vec<(String, String)>) {
        self.options = options;
    }

    /// Always `None`: the answer to `ABOUT` may have any form, so the session does not ask for it.
    fn name(&self) -> Option<&str> {
        None
    }

    fn new_game(
        &mut self,
        engine: &mut Connection,
        game: &AnyGame,
        _seed: u64,
        stop: &Stop,
    ) -> Result<(), Failure> {
        let no_start = |reason| Failure::from(Fault::NoStart { reason });
        let Some((board, rule)) = board_and_rule(game.spec()) else {
            return Err(no_start(format!("the protocol of the Gomocup has no {}", game.spec())));
        };
        self.known = None;
        let is_started = engine.is_running() && self.started == Some(board);
        if !(is_started && self.restart(engine, stop)?) {
            engine.quit();
            let start = Command::Start(board);
            let reply = engine.start(&lines([start.clone()]), "OK", &mut reply, stop)?;
            if !is_ok(&reply) {
                let reason = format!("it answers {start} with “{}”; expected OK", excerpt(&reply));
                return Err(engine.fault(Fault::NoStart { reason }));
            }
            self.started = Some(board);
        }
        let infos = self.infos(&engine.limits, rule);
        engine.send(&lines(infos), engine.deadline(), stop)
    }

    fn choose(
        &mut self,
        engine: &mut Connection,
        game: &AnyGame,
        clock: Option<[SideClock; 2]>,
        stop: &Stop,
    ) -> Result<Answer, Failure> {
        let start = game.start_position();
        let (moves, view) = (game.moves(), game.view());
        let follows = |(known_start, known): &(String, Vec<String>)| {
            *known_start == start && moves.split_last().is_some_and(|(_, before)| before == known)
        };
        if self.known.as_ref().is_some_and(|known| !follows(known)) {
            // It has another game on its board.
            self.new_game(engine, game, 0, stop)?;
        }
        let left = clock.map_or(UNLIMITED, |clock| {
            i64::try_from(millis(clock[game.turn().index()].left)).unwrap_or(UNLIMITED)
        });
        let mut commands = lines([info("time_left", left)]);
        match (&self.known, moves.last()) {
            (Some(_), Some(last)) => commands += &lines([Command::Turn(point_of(last, view.rows))]),
            _ => commands += &board(game),
        }
        let mut allowed = engine.limits.go(clock, game.turn()).allowed(game);
        let (mut line, mut time) = ask_move(engine, &commands, allowed, stop)?;
        // The engine may leave the decision to its manager, which then plays the suggested move.
        let suggestion = line.strip_prefix("SUGGEST ").and_then(|point| point.parse().ok());
        if let Some(point) = suggestion {
            allowed = allowed.map(|allowed| allowed.saturating_sub(time));
            let (answer, more) = ask_move(engine, &lines([Command::Play(point)]), allowed, stop)?;
            (line, time) = (answer, time + more);
        }
        let Ok(point) = line.parse::<Point>() else {
            return Err(engine.fault(Fault::Malformed { line: excerpt(&line), expected: MOVE.to_owned() }));
        };
        let illegal = |reason| Fault::IllegalMove { played: point.to_string(), reason };
        let cell = match point.cell(view.rows, view.cols) {
            Ok(cell) => cell,
            Err(reason) => return Err(engine.fault(illegal(reason))),
        };
        let chosen = cell.to_string();
        let mut after = game.clone();
        if let Err(error) = after.play(&chosen) {
            return Err(engine.fault(illegal(error.to_string())));
        }
        self.known = Some((start, after.moves()));
        Ok(Answer { chosen, info: Info::default(), time })
    }
}

impl Session {
    /// Empties the engine's board. Returns false if the engine cannot do that, or does not answer.
    fn restart(&mut self, engine: &mut Connection, stop: &Stop) -> Result<bool, Failure> {
        match engine.ask(&lines([Command::Restart]), "OK", &mut reply, stop) {
            Ok(reply) => Ok(is_ok(&reply)),
            Err(Failure::Fault(Fault::Hang { .. })) => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// The settings of a game that the engine receives.
    fn infos(&self, limits: &Limits, rule: u32) -> Vec<Command> {
        let game = limits.time_ms.unwrap_or(0);
        // A limit of zero would mean to play at once: without one, the engine has until it counts as hung.
        let turn = limits.go(limits.clock().map(|clock| [clock; 2]), Side::First).movetime.map(millis);
        let turn = turn.or(limits.time_ms).unwrap_or(limits.timeout_ms);
        let memory = limits.memory_mb.unwrap_or(0).saturating_mul(1 << 20);
        let mut infos = vec![
            info("timeout_turn", turn),
            info("timeout_match", game),
            info("max_memory", memory),
            // The opponent is a program.
            info("game_type", 1),
            info("rule", rule),
        ];
        // Not part of the protocol, but known to several engines; the others ignore them.
        infos.extend(limits.depth.map(|depth| info("max_depth", depth)));
        infos.extend(limits.nodes.map(|nodes| info("max_node", nodes)));
        infos.extend(self.options.iter().map(|(key, value)| info(key, value)));
        infos
    }
}

fn info(key: &str, value: impl ToString) -> Command {
    Command::Info { key: key.to_owned(), value: value.to_string() }
}

/// Commands as the protocol sends them.
fn lines(commands: impl IntoIterator<Item = Command>) -> String {
    commands.into_iter().map(|command| format!("{command}\r\n")).collect()
}

fn point_of(played: &str, rows: u8) -> Point {
    Point::of(played.parse().expect("a move of these games is a cell"), rows)
}

/// The commands that set up the board of a game and ask for a move.
fn board(game: &AnyGame) -> String {
    let stones = stones(game);
    if stones.is_empty() {
        return lines([Command::Begin]);
    }
    let owner = |side| if side == game.turn() { 1 } else { 2 };
    let stone = |(point, side): (Point, Side)| format!("{point},{}\r\n", owner(side));
    let stones: String = stones.into_iter().map(stone).collect();
    format!("{}{stones}DONE\r\n", lines([Command::Board]))
}

/// Accepts any line that is not a message.
fn reply(line: &str) -> Option<String> {
    let is_message = matches!(line.split_whitespace().next(), None | Some("MESSAGE" | "DEBUG"));
    (!is_message).then(|| line.to_owned())
}

/// Whether a reply is `OK`, perhaps followed by a message.
fn is_ok(reply: &str) -> bool {
    reply.split_whitespace().next() == Some("OK")
}

/// Asks for a move. `ERROR` and `UNKNOWN` may be about an `INFO` before it, which some engines answer: they count only if
/// no move follows.
fn ask_move(
    engine: &mut Connection,
    commands: &str,
    allowed: Option<Duration>,
    stop: &Stop,
) -> Result<(String, Duration), Failure> {
    let request = Request { commands, allowed, awaited: MOVE, stop: None };
    let mut complaint = None;
    let mut read = |line: &str| {
        let line = reply(line)?;
        if !matches!(line.split_whitespace().next(), Some("ERROR" | "UNKNOWN")) {
            return Some(line);
        }
        complaint.get_or_insert(line);
        None
    };
    let answer = engine.ask_move(&request, &mut read, stop);
    answer.map_err(|failure| match (failure, complaint) {
        (Failure::Fault(Fault::Hang { .. }), Some(line)) => {
            Fault::Malformed { line: excerpt(&line), expected: MOVE.to_owned() }.into()
        }
        (failure, _) => failure,
    })
}

/// The stones on a board with their sides. The stones of the starting position come first, the sides in turn;
/// the protocol does not prescribe an order.
fn stones(game: &AnyGame) -> Vec<(Point, Side)> {
    let view = game.view();
    let played: Vec<_> = game.moves().iter().map(|played| point_of(played, view.rows)).collect();
    let mut counts = [0; 2];
    let mut stones: Vec<_> = (0..)
        .zip(&view.cells)
        .filter_map(|(index, piece)| {
            let Piece { side, .. } = (*piece)?;
            let point = Point { x: index % u32::from(view.cols), y: index / u32::from(view.cols) };
            let turn = played.iter().position(|&other| other == point).map_or_else(
                || {
                    counts[side.index()] += 1;
                    (false, 2 * counts[side.index()] + side.index())
                },
                |number| (true, number),
            );
            Some((turn, point, side))
        })
        .collect();
    stones.sort_unstable_by_key(|&(turn, ..)| turn);
    stones.into_iter().map(|(_, point, side)| (point, side)).collect()
}

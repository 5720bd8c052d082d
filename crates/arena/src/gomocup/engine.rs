//! Runs a built-in program as an engine that speaks the protocol of the Gomocup, for its managers.

use std::{
    collections::VecDeque,
    io,
    sync::mpsc::RecvTimeoutError,
    time::{Duration, Instant},
};

use players::{Program, Stop};
use rules::{AnyGame, Cell, Spec};

use super::{BadLine, Command, NotACommand, Point, UNLIMITED, board_and_rule, check_rule, spec, swap2};
use crate::{
    EngineHost, Evaluation,
    engine::{EngineThreads, Event, say},
    go::{Go, SideClock, duration, millis, short_of},
};

/// Time for a move if the manager sets no limit.
const DEFAULT_TURN: Duration = Duration::from_secs(1);
/// Time for a move if the manager wants it as fast as possible.
const SHORTEST_TURN: Duration = Duration::from_millis(20);
/// Memory that the engine needs, in mebibytes: its transposition table and everything else.
const MEMORY_MB: u64 = 72;
/// The most stones in a list; more than the largest board holds.
const MAX_STONES: usize = 1024;

/// Runs the engine until `END` or the end of its input.
///
/// # Errors
/// If the output fails.
pub fn serve(seed: u64, host: &mut dyn EngineHost) -> io::Result<()> {
    let (threads, limits) = (EngineThreads::start(), Limits::default());
    let waiting = VecDeque::new();
    let mut engine = Engine { host, seed, threads, limits, game: None, list: None, thinking: None, waiting };
    let mut is_leaving = false;
    // A running search is still answered at the end of input, so that a script can pipe its commands.
    while !is_leaving || engine.thinking.is_some() {
        let deadline = engine.thinking.as_ref().and_then(|thinking| thinking.deadline);
        let next = match engine.threads.next(deadline) {
            Ok(Event::Line(line)) => engine.hear(line)?,
            Ok(Event::Answer(answer)) => engine.answer(answer)?,
            Err(RecvTimeoutError::Timeout) => engine.stop_thinking(),
            Ok(Event::EndOfInput) => {
                is_leaving = true;
                Next::Continue
            }
            Err(RecvTimeoutError::Disconnected) => Next::Quit,
        };
        if next == Next::Quit {
            break;
        }
    }
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

struct Engine<'a> {
    host: &'a mut dyn EngineHost,
    seed: u64,
    threads: EngineThreads<Answer>,
    limits: Limits,
    /// The board, once it has been set up.
    game: Option<AnyGame>,
    /// A list of stones that is not yet complete.
    list: Option<List>,
    thinking: Option<Thinking>,
    /// Lines that came while the engine was thinking, in their order.
    waiting: VecDeque<String>,
}

struct Thinking {
    stop: Stop,
    start: Instant,
    deadline: Option<Instant>,
    /// Whether the manager has started another game, so that the answer is no longer wanted.
    is_discarded: bool,
}

/// The answer of a search.
struct Answer {
    /// The lines for the manager.
    lines: Vec<String>,
    /// The board after it.
    game: AnyGame,
}

impl Engine<'_> {
    /// Handles a line, or keeps it until the search has ended. `END` takes effect at once; a new game ends
    /// the search.
    fn hear(&mut self, line: String) -> io::Result<Next> {
        if self.thinking.is_none() {
            return self.handle(&line);
        }
        if line.parse() == Ok(Command::End) {
            return Ok(Next::Quit);
        }
        self.waiting.push_back(line);
        self.discard_outdated();
        Ok(Next::Continue)
    }

    /// Ends a search without an answer, because another game follows.
    fn discard_outdated(&mut self) {
        let is_new_game = |line: &String| matches!(line.parse(), Ok(Command::Start(_) | Command::Restart));
        if let Some(thinking) = &mut self.thinking
            && self.waiting.iter().any(is_new_game)
        {
            thinking.is_discarded = true;
            thinking.stop.cancel();
        }
    }

    fn handle(&mut self, line: &str) -> io::Result<Next> {
        let reply = match line.parse() {
            Ok(Command::End) => return Ok(Next::Quit),
            _ if line.is_empty() => Ok(None),
            _ if self.list.is_some() => self.add_to_list(line),
            Ok(command) => self.obey(command),
            Err(NotACommand::Malformed(error)) => Err(error.to_string()),
            Err(error @ NotACommand::Unknown(_)) => Ok(Some(format!("UNKNOWN {error}"))),
        };
        match reply {
            Ok(None) => {}
            Ok(Some(reply)) => say(&reply)?,
            Err(error) => say(&format!("ERROR {error}"))?,
        }
        Ok(Next::Continue)
    }

    /// Carries out a command. Returns the reply; `None` if there is none, or if a search that has just
    /// started will reply.
    fn obey(&mut self, command: Command) -> Result<Option<String>, String> {
        let ok = Some("OK".to_owned());
        match command {
            Command::Start(board) => {
                // The manager may send the rules later. The engine refuses unsupported rules at the first move, as the
                // protocol requires.
                let rule = check_rule(self.limits.rule).map_or(0, |_| self.limits.rule);
                let spec = spec(board, rule).map_err(|error| error.to_string())?;
                self.new_game(spec)?;
                Ok(ok)
            }
            Command::Restart => {
                let spec = self.board()?.spec();
                self.new_game(spec)?;
                Ok(ok)
            }
            Command::Begin => {
                let game = self.board()?.clone();
                if !game.moves().is_empty() {
                    return Err("there are stones on the board; expected TURN X,Y or RESTART".to_owned());
                }
                self.think(game, find_move)
            }
            Command::Turn(point) => {
                let mut game = self.board()?.clone();
                place(&mut game, point)?;
                self.think(game, find_move)
            }
            Command::Play(point) => {
                place(self.board()?, point)?;
                Ok(Some(point.to_string()))
            }
            Command::TakeBack(point) => {
                let game = self.board()?;
                let last = game.moves().pop().map(|last| point_of(&last, game));
                match last {
                    None => Err("there are no stones on the board".to_owned()),
                    Some(last) if last != point => {
                        Err(format!("the last stone is at {last}, not at {point}"))
                    }
                    Some(_) => {
                        game.take_back();
                        Ok(ok)
                    }
                }
            }
            Command::Board | Command::Swap2Board => {
                self.list = Some(List::new(command == Command::Swap2Board));
                Ok(None)
            }
            Command::Info { key, value } => {
                self.limits.set(&key, &value);
                Ok(None)
            }
            Command::About => {
                let (name, version) = (self.host.name().replace('"', "'"), env!("CARGO_PKG_VERSION"));
                Ok(Some(format!("name=\"{name}\", version=\"{version}\", author=\"Alinea\"")))
            }
            Command::End => unreachable!("it ends the engine"),
        }
    }

    /// The board, with the rules that `INFO` has set if it is empty.
    fn board(&mut self) -> Result<&mut AnyGame, String> {
        let game = self.game.as_ref().ok_or_else(|| "there is no board; expected START first".to_owned())?;
        if game.moves().is_empty()
            && let Some((board, rule)) = board_and_rule(game.spec())
            && rule != self.limits.rule
            && let Ok(spec) = spec(board, self.limits.rule)
        {
            self.set_up(spec)?;
        }
        Ok(self.game.as_mut().expect("there is a board"))
    }

    /// Empties the board for a new game.
    fn new_game(&mut self, spec: Spec) -> Result<(), String> {
        self.set_up(spec)?;
        self.limits.left = None;
        Ok(())
    }

    /// Sets up an empty board, and creates a new program, which knows nothing of earlier games.
    fn set_up(&mut self, spec: Spec) -> Result<(), String> {
        self.threads.use_program(self.host.program(spec, self.seed)?);
        self.game = Some(AnyGame::from(spec));
        Ok(())
    }

    /// Adds a line to the list of stones; the last line sets up the board and starts to think about it.
    fn add_to_list(&mut self, line: &str) -> Result<Option<String>, String> {
        let is_done = line.eq_ignore_ascii_case("DONE");
        match self.list.as_mut() {
            Some(list) if !is_done => {
                list.add(line);
                return Ok(None);
            }
            _ => {}
        }
        let list = self.list.take().unwrap_or_default();
        let mut game = AnyGame::from(self.board()?.spec());
        for point in list.in_order()? {
            place(&mut game, point)?;
        }
        if !list.is_opening {
            return self.think(game, find_move);
        }
        let count = game.moves().len();
        if ![0, 3, 5].contains(&count) {
            return Err(format!("an opening of Swap2 has 0, 3 or 5 stones when it is sent, not {count}"));
        }
        self.think(game, answer_opening)
    }

    /// Starts a search for the side to move, within the limits.
    fn think(
        &mut self,
        game: AnyGame,
        search: impl FnOnce(&mut Program, AnyGame, Duration, &Stop) -> Answer + Send + 'static,
    ) -> Result<Option<String>, String> {
        self.limits.check()?;
        if board_and_rule(game.spec()).is_some_and(|(_, rule)| rule != self.limits.rule) {
            let rule = self.limits.rule;
            return Err(format!("rule {rule} came after the first stone; expected START or RESTART"));
        }
        if let Some(outcome) = game.outcome() {
            return Err(format!("the game is over ({outcome}); there is no move to search"));
        }
        let (start, time) = (Instant::now(), self.limits.time(&game));
        let stop = Stop::within(time);
        let signal = stop.clone();
        self.threads.search(move |program| search(program, game, time, &signal));
        self.thinking = Some(Thinking { stop, start, deadline: Some(start + time), is_discarded: false });
        self.discard_outdated();
        Ok(None)
    }

    /// Ends the search when its time is up; the player answers with its best move so far.
    fn stop_thinking(&mut self) -> Next {
        if let Some(thinking) = &mut self.thinking {
            thinking.stop.move_now();
            thinking.deadline = None;
        }
        Next::Continue
    }

    /// Sends the answer of a search, and handles the lines that have come since.
    fn answer(&mut self, answer: Answer) -> io::Result<Next> {
        if let Some(thinking) = self.thinking.take()
            && !thinking.is_discarded
        {
            self.limits.spend(thinking.start.elapsed());
            self.game = Some(answer.game);
            say(&answer.lines.join("\n"))?;
        }
        while self.thinking.is_none()
            && let Some(line) = self.waiting.pop_front()
        {
            if self.handle(&line)? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        Ok(Next::Continue)
    }
}

/// Places a stone of the side to move.
fn place(game: &mut AnyGame, point: Point) -> Result<(), String> {
    let view = game.view();
    let cell = point.cell(view.rows, view.cols)?;
    game.play(&cell.to_string()).map_err(|error| format!("{point}: {error}"))
}

/// The point of a move.
fn point_of(played: &str, game: &AnyGame) -> Point {
    let cell: Cell = played.parse().expect("a move of these games is a cell");
    Point::of(cell, game.view().rows)
}

fn points_of(moves: &[String], game: &AnyGame) -> String {
    moves.iter().map(|played| point_of(played, game).to_string()).collect::<Vec<_>>().join(" ")
}

fn find_move(program: &mut Program, mut game: AnyGame, _: Duration, stop: &Stop) -> Answer {
    let start = Instant::now();
    let mut lines = Vec::new();
    let chosen = match program.choose(&game, stop) {
        Ok(thought) => {
            let said = Evaluation::from(&thought).after_ms(millis(start.elapsed()));
            if !said.is_empty() {
                lines.push(format!("MESSAGE {said}, expects {}", points_of(&thought.line, &game)));
            }
            thought.chosen
        }
        Err(reason) => {
            lines.push(format!("MESSAGE {reason}; this is the first legal move"));
            let legal = game.legal_moves().into_iter().next();
            legal.expect("a game that is not over has a legal move")
        }
    };
    lines.push(point_of(&chosen, &game).to_string());
    // Punishing an illegal move is the manager's task; the board does not change.
    let _ = game.play(&chosen);
    Answer { lines, game }
}

fn answer_opening(program: &mut Program, mut game: AnyGame, _: Duration, stop: &Stop) -> Answer {
    let line = match swap2::answer(program, &game, stop) {
        Ok(swap2::Answer::Swap) => "SWAP".to_owned(),
        Ok(swap2::Answer::Stones(stones)) => {
            let points = points_of(&stones, &game);
            stones.iter().for_each(|stone| drop(game.play(stone)));
            points
        }
        Err(reason) => format!("ERROR {reason}"),
    };
    Answer { lines: vec![line], game }
}

/// The limits and the rule that `INFO` has set.
#[derive(Default)]
struct Limits {
    rule: u32,
    /// Time for a move; zero means as fast as possible.
    turn: Option<Duration>,
    /// Time for a game.
    game: Option<Duration>,
    /// Time left for the game.
    left: Option<Duration>,
    /// Memory in bytes.
    memory: Option<u64>,
}

impl Limits {
    /// Sets a limit. Unknown limits are ignored, as the protocol requires.
    fn set(&mut self, key: &str, value: &str) {
        let Ok(number) = value.parse::<i64>() else { return };
        // A clock that has run out is below zero.
        let count = u64::try_from(number).unwrap_or(0);
        let limited = (count > 0).then_some(count);
        match key {
            "rule" => self.rule = u32::try_from(count).unwrap_or(u32::MAX),
            "timeout_turn" => self.turn = Some(duration(count)),
            "timeout_match" => (self.game, self.left) = (limited.map(duration), None),
            "time_left" if number >= UNLIMITED => (self.game, self.left) = (None, None),
            "time_left" => self.left = Some(duration(count)),
            "max_memory" => self.memory = limited,
            _ => {}
        }
    }

    /// Refuses a rule or a memory limit that the engine does not support.
    fn check(&self) -> Result<(), String> {
        check_rule(self.rule).map_err(|error| error.to_string())?;
        match self.memory {
            Some(bytes) if bytes < MEMORY_MB << 20 => {
                Err(format!("the engine needs {MEMORY_MB} MiB of memory; max_memory allows {bytes} bytes"))
            }
            _ => Ok(()),
        }
    }

    /// How long to think about the next move.
    fn time(&self, game: &AnyGame) -> Duration {
        let of_turn = self.turn.map(|turn| short_of(turn.max(SHORTEST_TURN)));
        let clock = self
            .left
            .or(self.game)
            .map(|left| [SideClock { left, increment: Duration::ZERO, moves_to_go: None }; 2]);
        let of_clock = Go { clock, ..Go::default() }.thinking_time(game);
        of_turn.into_iter().chain(of_clock).min().unwrap_or(DEFAULT_TURN)
    }

    /// Deducts the time of a move, for managers that do not say how much is left.
    fn spend(&mut self, time: Duration) {
        self.left = self.left.or(self.game).map(|left| left.saturating_sub(time));
    }
}

/// The lines between `BOARD` or `SWAP2BOARD` and `DONE`.
#[derive(Default)]
struct List {
    is_opening: bool,
    /// Own stones and those of the opponent. An opening has no owners: its stones are all in the first list.
    stones: [Vec<Point>; 2],
    /// Error in the first invalid line.
    error: Option<String>,
}

impl List {
    fn new(is_opening: bool) -> Self {
        Self { is_opening, ..Self::default() }
    }

    fn add(&mut self, line: &str) {
        if let Err(error) = self.read(line) {
            self.error.get_or_insert(error);
        }
    }

    fn read(&mut self, line: &str) -> Result<(), String> {
        let count: usize = self.stones.iter().map(Vec::len).sum();
        if count >= MAX_STONES {
            return Err(format!("the list has more than {MAX_STONES} stones"));
        }
        let (point, owner) = if self.is_opening {
            (line, "1")
        } else {
            line.rsplit_once(',').ok_or_else(|| BadLine::new(line, "a stone such as 7,7,1").to_string())?
        };
        let point = point.parse().map_err(|error: BadLine| error.to_string())?;
        match owner.trim() {
            "1" => self.stones[0].push(point),
            "2" => self.stones[1].push(point),
            _ => return Err(BadLine::new(line, "a stone of the players 1 or 2, such as 7,7,1").to_string()),
        }
        Ok(())
    }

    /// Returns the stones in an order in which they can be played: the sides take turns, and the stones of
    /// each side keep their order. After them, the engine is to move.
    fn in_order(&self) -> Result<Vec<Point>, String> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let [own, other] = &self.stones;
        if self.is_opening {
            return Ok(own.clone());
        }
        let (first, second) = match (own.len(), other.len()) {
            (a, b) if a == b => (own, other),
            (a, b) if a + 1 == b => (other, own),
            (a, b) => {
                return Err(format!(
                    "with {a} stones of your own and {b} of the opponent, it is not your turn"
                ));
            }
        };
        let in_turn = (0..first.len()).flat_map(|i| first.get(i).into_iter().chain(second.get(i)));
        Ok(in_turn.copied().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(infos: &[(&str, &str)]) -> Limits {
        let mut limits = Limits::default();
        infos.iter().for_each(|(key, value)| limits.set(key, value));
        limits
    }

    #[test]
    fn time_is_a_turn_or_a_share_of_the_clock() {
        let game = AnyGame::from("gomoku".parse::<Spec>().unwrap());
        let ms = |infos: &[(&str, &str)]| millis(limits(infos).time(&game));
        assert_eq!(ms(&[]), 1000);
        assert_eq!(ms(&[("timeout_turn", "5000")]), 4980);
        assert_eq!(ms(&[("timeout_turn", "0")]), 18, "as fast as possible");
        let share = ms(&[("time_left", "90000")]);
        assert_eq!(share, millis(players::share_of_clock(&game, duration(90_000), Duration::ZERO)));
        assert_eq!(ms(&[("timeout_turn", "1000"), ("time_left", "90000")]), 980);
        assert_eq!(ms(&[("timeout_turn", "60000"), ("time_left", "90000")]), share);
        // The engine uses the time of the match until the manager sends the time left, which may be negative or
        // unlimited.
        assert_eq!(ms(&[("timeout_match", "90000")]), share);
        assert_eq!(ms(&[("timeout_match", "0")]), 1000);
        assert_eq!(ms(&[("timeout_match", "90000"), ("time_left", "-5")]), 0);
        for unlimited in ["2147483647", "4611686018427387903"] {
            assert_eq!(ms(&[("timeout_match", "90000"), ("time_left", unlimited)]), 1000);
        }
        // Nonsense changes nothing.
        assert_eq!(ms(&[("timeout_turn", "soon"), ("time_left", ""), ("folder", "7")]), 1000);
    }

    #[test]
    fn a_manager_that_does_not_tell_the_time_left_is_not_needed() {
        let mut limits = limits(&[("timeout_match", "10000")]);
        limits.spend(Duration::from_secs(3));
        assert_eq!(limits.left, Some(Duration::from_secs(7)));
        limits.spend(Duration::from_secs(8));
        assert_eq!(limits.left, Some(Duration::ZERO));
    }

    #[test]
    fn unknown_rules_and_too_little_memory_are_refused() {
        let refusal = |infos: &[(&str, &str)]| limits(infos).check().unwrap_err();
        assert_eq!(limits(&[("rule", "0"), ("max_memory", "0")]).check(), Ok(()));
        assert_eq!(limits(&[("max_memory", "83886080")]).check(), Ok(()));
        assert_eq!(
            refusal(&[("rule", "8")]),
            "rule 8 is not supported; expected 0 (freestyle), 1 (standard) or 4 (renju)"
        );
        let memory = "the engine needs 72 MiB of memory; max_memory allows 1000 bytes";
        assert_eq!(refusal(&[("max_memory", "1000")]), memory);
    }

    #[test]
    fn stones_in_any_order_are_played_in_turn() {
        let order = |lines: &[&str]| {
            let mut list = List::new(false);
            lines.iter().for_each(|line| list.add(line));
            let points = list.in_order()?;
            Ok::<_, String>(points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(order(&[]), Ok(String::new()));
        assert_eq!(order(&["7,7,2"]), Ok("7,7".to_owned()));
        assert_eq!(order(&["1,1,1", "2,2,1", "3,3,2", " 4 , 4 , 2 "]), Ok("1,1 3,3 2,2 4,4".to_owned()));
        assert_eq!(order(&["1,1,2", "2,2,1", "3,3,2"]), Ok("1,1 2,2 3,3".to_owned()));
        for (lines, sentence) in [
            (&["1,1,1"][..], "with 1 stones of your own and 0 of the opponent, it is not your turn"),
            (&["1,1"], "“1” is not a cell such as 7,7"),
            (&["x"], "“x” is not a stone such as 7,7,1"),
            (&["1,1,3", "x"], "“1,1,3” is not a stone of the players 1 or 2, such as 7,7,1"),
        ] {
            assert_eq!(order(lines), Err(sentence.to_owned()));
        }
    }
}

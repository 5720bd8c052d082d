//! Runs a built-in program as a UGI engine on standard input and output, for other tools.

use std::{io, num::ParseIntError, sync::mpsc::RecvTimeoutError, time::Instant};

use players::{NoMove, Proof, Proven, Reason, Stop, Thought};
use rules::{AnyGame, Spec, SpecError};

use super::{Command, Go};
use crate::{
    EngineHost, Evaluation,
    engine::{EngineThreads, Event, say},
};

/// What the player answered.
type Choice = Result<Thought<String>, NoMove>;

struct Thinking {
    game: AnyGame,
    stop: Stop,
    start: Instant,
    deadline: Option<Instant>,
    /// The limits that start with `ponderhit`; before it the engine does not answer.
    pondering: Option<Go>,
    /// The answer of a player that finished while pondering.
    held: Option<Choice>,
}

struct Engine<'a> {
    host: &'a mut dyn EngineHost,
    spec: Spec,
    seed: u64,
    game: AnyGame,
    threads: EngineThreads<Choice>,
    thinking: Option<Thinking>,
    /// Whether to report the expected reply.
    ponders: bool,
    is_leaving: bool,
}

/// Runs the engine until `quit` or the end of its input.
///
/// # Errors
/// If the output fails, or the game has no such player.
pub fn serve(spec: Spec, seed: u64, host: &mut dyn EngineHost) -> io::Result<()> {
    let (game, threads) = (AnyGame::from(spec), EngineThreads::start());
    let mut engine =
        Engine { host, spec, seed, game, threads, thinking: None, ponders: false, is_leaving: false };
    engine.create_program().map_err(io::Error::other)?;
    // A running search is still answered at the end of input, so that a script can pipe its commands.
    while !engine.is_leaving || engine.thinking.is_some() {
        let deadline = engine.thinking.as_ref().and_then(|thinking| thinking.deadline);
        match engine.threads.next(deadline) {
            Ok(Event::Line(line)) => {
                if engine.handle(&line)? == Next::Quit {
                    return Ok(());
                }
            }
            Ok(Event::Answer(choice)) => engine.answer(choice)?,
            Err(RecvTimeoutError::Timeout) => engine.stop_thinking()?,
            Ok(Event::EndOfInput) => {
                engine.is_leaving = true;
                // The opponent will not move any more.
                if engine.thinking.as_ref().is_some_and(|thinking| thinking.pondering.is_some()) {
                    engine.stop_thinking()?;
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

impl Engine<'_> {
    fn handle(&mut self, line: &str) -> io::Result<Next> {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(_) if line.is_empty() => return Ok(Next::Continue),
            Err(error) => {
                say(&format!("info string {error}"))?;
                return Ok(Next::Continue);
            }
        };
        match command {
            Command::Quit => return Ok(Next::Quit),
            Command::IsReady => say("readyok")?,
            Command::Stop => self.stop_thinking()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Ugi => {
                say(&format!("id name {}\nid author Alinea", self.host.name()))?;
                say(&format!("option name Game type string default {}", self.spec))?;
                self.host.options().iter().try_for_each(|option| say(option))?;
                say("option name Ponder type check default false")?;
                say(&format!("option name Seed type spin default {} min 0 max {}", self.seed, u64::MAX))?;
                say("ugiok")?;
            }
            Command::Query(query) => say(&format!("response {}", query.answer(&self.game)))?,
            _ if self.thinking.is_some() => {
                say("info string ignored while thinking; expected stop, isready or quit")?;
            }
            Command::NewGame => {
                self.game = self.spec.into();
                self.create_program().map_err(io::Error::other)?;
            }
            Command::SetOption { name, value } => {
                if let Err(error) = self.set(&name, &value) {
                    say(&format!("info string {error}"))?;
                }
            }
            Command::Position { fen, moves } => match super::game(self.spec, fen.as_deref(), &moves) {
                Ok(game) => self.game = game,
                Err(reason) => say(&format!("info string {reason}"))?,
            },
            Command::Go(go) => self.go(go)?,
        }
        Ok(Next::Continue)
    }

    /// Recreates the program for a new game, another player or another seed.
    fn create_program(&mut self) -> Result<(), String> {
        let program = self.host.program(self.spec, self.seed)?;
        self.threads.use_program(program);
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "Ponder" => {
                self.ponders = value == "true";
                return Ok(());
            }
            "Seed" => self.seed = value.parse().map_err(|error: ParseIntError| error.to_string())?,
            "Game" => {
                let spec: Spec = value.parse().map_err(|error: SpecError| error.to_string())?;
                let program = self.host.program(spec, self.seed)?;
                self.threads.use_program(program);
                self.spec = spec;
                self.game = spec.into();
                return Ok(());
            }
            _ => self.host.set(self.spec, name, value)?,
        }
        self.create_program()
    }

    fn go(&mut self, go: Go) -> io::Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return say(&format!("info string the game is over ({outcome}); there is no move to search"));
        }
        let start = Instant::now();
        // The opponent's time does not count.
        let time = if go.ponder { None } else { go.thinking_time(&self.game) };
        let deadline = time.map(|time| start + time);
        let stop = time.map_or_else(Stop::default, Stop::within);
        let (searched, signal) = (self.game.clone(), stop.clone());
        self.threads.search(move |program| program.choose(&searched, &signal));
        let (game, pondering) = (self.game.clone(), go.ponder.then_some(go));
        self.thinking = Some(Thinking { game, stop, start, deadline, pondering, held: None });
        Ok(())
    }

    /// Stops the search; the player answers with its best move so far.
    fn stop_thinking(&mut self) -> io::Result<()> {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        thinking.stop.move_now();
        (thinking.deadline, thinking.pondering) = (None, None);
        match thinking.held.take() {
            Some(choice) => self.answer(choice),
            None => Ok(()),
        }
    }

    /// Starts the time limit of a search that pondered on the right position.
    fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(thinking) = &mut self.thinking else { return Ok(()) };
        let Some(go) = thinking.pondering.take() else { return Ok(()) };
        thinking.deadline = go.thinking_time(&thinking.game).map(|time| Instant::now() + time);
        match thinking.held.take() {
            Some(choice) => self.answer(choice),
            None => Ok(()),
        }
    }

    fn answer(&mut self, choice: Choice) -> io::Result<()> {
        if let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.pondering.is_some()) {
            thinking.held = Some(choice);
            return Ok(());
        }
        let Some(Thinking { game, start, .. }) = self.thinking.take() else { return Ok(()) };
        let mut reply = None;
        let chosen = match choice {
            Ok(thought) => {
                let depth = thought.depth.map_or_else(String::new, |depth| format!(" depth {depth}"));
                let time = start.elapsed().as_millis();
                let nps = (u128::from(thought.nodes) * 1000).checked_div(time);
                let nps = nps.map_or_else(String::new, |nps| format!(" nps {nps}"));
                let rest = format!("nodes {}{nps} time {time} pv {}", thought.nodes, thought.line.join(" "));
                for score in scores(&game, &thought) {
                    say(&format!("info{depth}{score} {rest}"))?;
                }
                reply = thought.line.get(1).filter(|_| self.ponders).cloned();
                thought.chosen
            }
            Err(reason) => {
                say(&format!("info string {reason}; this is the first legal move"))?;
                let legal = game.legal_moves().into_iter().next();
                legal.expect("a game that is not over has a legal move")
            }
        };
        let reply = reply.map_or_else(String::new, |reply| format!(" ponder {reply}"));
        say(&format!("bestmove {chosen}{reply}"))
    }
}

/// Returns the scores for `info`, one text per line: a proof as `mate` with the winner's own moves; each bound of an
/// unproven result; otherwise the player's points. Empty if the player has no score.
fn scores(game: &AnyGame, thought: &Thought<String>) -> Vec<String> {
    let position = solver::solvable(game);
    let bounds = thought.reasons.iter().find_map(|reason| match *reason {
        Reason::Unproven { lower, upper } => Some([(lower, "lowerbound"), (upper, "upperbound")]),
        _ => None,
    });
    if let (Some(position), Some(bounds)) = (position, bounds) {
        let text = |(score, bound): (i32, &str)| {
            let result = match score {
                0 => Proof::Draw,
                1.. => Proof::Win,
                _ => Proof::Loss,
            };
            let plies = solver::plies_left(&position, score).into();
            format!("{} {bound}", score_text(Proven { result, plies }.into()))
        };
        return bounds.map(text).to_vec();
    }
    vec![score_text(thought.into())]
}

/// Formats a score for `info`.
fn score_text(said: Evaluation) -> String {
    match (said.score, said.mate) {
        (Some(points), _) => format!(" score cp {points}"),
        (None, Some(moves)) => format!(" score mate {moves}"),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores_of(spec: &str, moves: &str, reasons: Vec<Reason>, score: Option<i64>) -> Vec<String> {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        let m = game.legal_moves().remove(0);
        let thought = Thought {
            candidates: vec![m.clone()],
            line: vec![m.clone()],
            chosen: m,
            score,
            reasons,
            nodes: 0,
            depth: None,
        };
        scores(&game, &thought)
    }

    #[test]
    fn proofs_count_the_moves_of_the_winner() {
        let score =
            |result, plies| scores_of("gomoku", "", vec![Reason::Proven(Proven { result, plies })], Some(7));
        assert_eq!(score(Proof::Win, 1), [" score mate 1"]);
        assert_eq!(score(Proof::Win, 7), [" score mate 4"]);
        assert_eq!(score(Proof::Loss, 6), [" score mate -3"]);
        assert_eq!(score(Proof::Draw, 9), [" score cp 0"]);
        assert_eq!(scores_of("gomoku", "", Vec::new(), Some(7)), [" score cp 7"]);
        assert_eq!(scores_of("gomoku", "", Vec::new(), None), [""]);
    }

    #[test]
    fn bounds_are_told_one_by_one() {
        let score =
            |lower, upper| scores_of("connect-four", "", vec![Reason::Unproven { lower, upper }], None);
        // The first player has 21 stones: a score of 18 is a win with its fourth stone, of −18 a loss to the
        // fourth of the other.
        assert_eq!(score(-18, 18), [" score mate -4 lowerbound", " score mate 4 upperbound"]);
        assert_eq!(score(0, 1), [" score cp 0 lowerbound", " score mate 21 upperbound"]);
        assert_eq!(score(1, 18), [" score mate 21 lowerbound", " score mate 4 upperbound"]);
    }
}

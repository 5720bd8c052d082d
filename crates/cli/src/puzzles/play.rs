//! `alinea puzzles play`: puzzles in the terminal, line by line.

use std::{
    io::{BufRead, Write},
    time::{Duration, SystemTime},
};

use ::players::{Proof, Stop};
use ::study::{
    assessment::{Limits, assess},
    puzzles::{Goal, Puzzle, Theme, daily, day_of, embedded},
};
use anyhow::{Result, anyhow, bail};
use rules::{AnyGame, Spec};

use super::{Numbered, Source};
use crate::play::{self, Leave, Terminal};

/// Solve puzzles in the terminal; prompts for game and theme if they are not given
///
/// Type your move; the opponent answers with its longest defence. A wrong move is answered by the line that refutes
/// it. `help` lists the other commands: hint, solution, next.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The puzzle of the day, the same for everyone; a day is one of UTC
    #[arg(long, conflicts_with_all = ["file", "theme", "number"])]
    daily: bool,
    /// The day whose puzzle to play, such as 2026-07-01 [default: today]
    #[arg(long, value_name = "DATE", requires = "daily")]
    date: Option<String>,
    /// The number of the puzzle to begin with
    #[arg(long, value_name = "N", requires = "game")]
    number: Option<usize>,
    /// The seed of the order
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

const HELP: &str = "  Type a move, or
    hint       to see what decides, then where to move
    solution   to see the solution
    next       to go to the next puzzle
    moves      to see what is possible
    quit       to leave
";

/// Enough to find a refutation within a short wait.
const LIMITS: Limits =
    Limits { lines: 1, threads: 1, time: Some(Duration::from_secs(2)), nodes: Some(300_000), depth: None };

pub(super) fn run(args: &Args) -> Result<()> {
    if args.daily {
        let today = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let day = match &args.date {
            Some(date) => read_day(date)?,
            None => day_of(today().as_millis() as u64),
        };
        let game = args.source.game.as_deref().map(str::parse::<Spec>).transpose()?;
        let (collection, number) =
            daily(day, game).ok_or_else(|| anyhow!("there are no puzzles of this game"))?;
        let puzzle = collection.puzzles[number - 1].clone();
        let date = rules::game_text::date(day * 86_400_000);
        let mut terminal = Terminal::standard();
        let title = format!("Puzzle of {date}: {} {number}", puzzle.spec.info().title);
        return play::finish(Course::new(&mut terminal, &puzzle, &title).and_then(|mut course| {
            course.play()?;
            Ok(())
        }));
    }
    let mut terminal = Terminal::standard();
    let asked;
    let mut source = &args.source;
    if source.game.is_none() && source.theme.is_none() {
        match ask_source(&mut terminal) {
            Ok(chosen) => asked = chosen,
            Err(left) => return play::finish(Err(left)),
        }
        source = &asked;
    }
    let mut puzzles = source.puzzles()?;
    let mut rng = args.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
    match args.number {
        Some(number) => {
            let last = puzzles[puzzles.len() - 1].number;
            let Some(place) = puzzles.iter().position(|it| it.number == number) else {
                bail!("there is no puzzle {number}; the last one is {last}");
            };
            puzzles.rotate_left(place);
        }
        None => rng.shuffle(&mut puzzles),
    }
    play::finish(play_all(&mut terminal, &puzzles))
}

/// Plays the puzzles until the person leaves, and counts those solved at the first try.
fn play_all<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>, puzzles: &[Numbered]) -> Result<(), Leave> {
    let (mut solved, mut streak) = (0, 0);
    for (played, it) in (1..).zip(puzzles) {
        let title = format!("{} {}", it.puzzle.spec.info().title, it.number);
        let is_solved = Course::new(terminal, &it.puzzle, &title)?.play()?;
        (solved, streak) = if is_solved { (solved + 1, streak + 1) } else { (solved, 0) };
        terminal.say(&format!("  Solved {solved} of {played}, {streak} in a row.\n"))?;
        match terminal.ask("  Next puzzle (y/n): ")?.to_lowercase().as_str() {
            "" | "next" => {}
            answer if answer.starts_with('y') => {}
            _ => return Err(Leave::Quit),
        }
    }
    terminal.say("  That was the last puzzle.\n")?;
    Ok(())
}

/// Asks for the game and the theme.
fn ask_source<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>) -> Result<Source, Leave> {
    let games: Vec<_> = embedded().iter().map(|collection| collection.spec).collect();
    let titles: Vec<_> = games.iter().map(|spec| spec.info().title).collect();
    loop {
        let game = terminal.ask_choice("Games", &titles, titles.len(), "Choose game", 0)?;
        let mut themes: Vec<Theme> = Vec::new();
        for puzzle in &embedded()[game].puzzles {
            themes.extend(puzzle.themes.iter().filter(|theme| !themes.contains(theme)).collect::<Vec<_>>());
        }
        themes.sort_by_key(|theme| Theme::ALL.iter().position(|known| known == theme));
        let names: Vec<_> = ["all"].into_iter().chain(themes.iter().map(|theme| theme.name())).collect();
        match terminal.ask_choice("Themes", &names, names.len(), "Choose theme", 0) {
            Err(Leave::Back) => {}
            theme => {
                let theme = theme?.checked_sub(1).map(|place| themes[place].to_string());
                return Ok(Source { game: Some(games[game].to_string()), file: None, theme });
            }
        }
    }
}

/// One puzzle, from the first board to the solution.
struct Course<'a, R, W> {
    terminal: &'a mut Terminal<R, W>,
    puzzle: &'a Puzzle,
    game: AnyGame,
    /// How much of the solution is on the board.
    ply: usize,
    hints: usize,
    /// Whether every move was found at the first try, without help.
    is_clean: bool,
}

impl<'a, R: BufRead, W: Write> Course<'a, R, W> {
    fn new(terminal: &'a mut Terminal<R, W>, puzzle: &'a Puzzle, title: &str) -> Result<Self, Leave> {
        terminal.say(&format!("\n\t {title}\n\t{}\n", "—".repeat(title.chars().count() + 1)))?;
        Ok(Self { terminal, puzzle, game: puzzle.game(), ply: 0, hints: 0, is_clean: true })
    }

    /// Plays the puzzle; returns whether it was solved at the first try.
    fn play(&mut self) -> Result<bool, Leave> {
        self.draw()?;
        self.say_task()?;
        while self.ply < self.puzzle.solution.len() {
            let prompt = play::move_prompt(&self.game);
            let text = self.terminal.ask(&format!("  {prompt}: "))?;
            match text.to_lowercase().as_str() {
                "" => {}
                "help" | "?" => self.terminal.say(HELP)?,
                "hint" => self.hint()?,
                "moves" => self.terminal.say(&format!("  Moves: {}\n", self.game.legal_moves().join(" ")))?,
                "solution" => {
                    let rest = self.puzzle.solution[self.ply..].join(" ");
                    self.terminal.say(&format!("  The solution is {rest}.\n"))?;
                    return Ok(false);
                }
                "next" => return Ok(false),
                "quit" => return Err(Leave::Quit),
                _ => self.try_move(&text)?,
            }
        }
        self.say_end()?;
        Ok(self.is_clean)
    }

    fn draw(&mut self) -> Result<(), Leave> {
        let board = play::board_on(self.terminal, &self.game);
        Ok(self.terminal.say(&board)?)
    }

    fn say_task(&mut self) -> Result<(), Leave> {
        let Puzzle { goal, depth, rating, .. } = self.puzzle;
        let side = play::side_name(&self.game);
        let to_the_end = *depth >= u32::from(self.game.plies_left());
        let task = match (goal, to_the_end) {
            (Goal::Win, true) => "One move wins; every other move lets the win go.".to_owned(),
            (Goal::Win, false) => format!("One move forces a win within {}.", own_moves(*depth)),
            (Goal::Hold, true) => "One move draws; every other move loses.".to_owned(),
            (Goal::Hold, false) => {
                format!("One move holds; every other move loses within {}.", opponents_moves(*depth))
            }
        };
        Ok(self.terminal.say(&format!("  You play {side}. {task} Rating {rating}.\n"))?)
    }

    /// The first hint names the theme, the second one the move's cell.
    fn hint(&mut self) -> Result<(), Leave> {
        self.is_clean = false;
        self.hints += 1;
        let text = if self.hints == 1 {
            let theme = self.puzzle.theme();
            format!("{}: {}.", theme.name(), theme.meaning())
        } else {
            let m = &self.puzzle.solution[self.ply];
            let choice = self.game.choices().into_iter().find(|choice| choice.text == *m);
            let choice = choice.expect("the solution is legal");
            match choice.from {
                Some(from) => format!("move the piece on {from}."),
                None => format!("it goes to {}.", choice.to),
            }
        };
        Ok(self.terminal.say(&format!("  Hint: {text}\n"))?)
    }

    /// Plays a typed move, ignoring case where that is unambiguous.
    fn try_move(&mut self, text: &str) -> Result<(), Leave> {
        let lower = text.to_lowercase();
        let capital: String =
            lower.chars().take(1).flat_map(char::to_uppercase).chain(lower.chars().skip(1)).collect();
        let mut after = self.game.clone();
        let result = after.play(text);
        if result.is_err() && after.play(&lower).is_err() && after.play(&capital).is_err() {
            if let Err(error) = result {
                self.terminal.say_error(&error.to_string())?;
            }
            return Ok(());
        }
        let played = after.moves().pop().expect("a move was played");
        if played != self.puzzle.solution[self.ply] {
            self.is_clean = false;
            return self.refute(&played, &after);
        }
        self.game = after;
        self.ply += 1;
        self.hints = 0;
        if let Some(reply) = self.puzzle.solution.get(self.ply) {
            self.game.play(reply).expect("the solution is legal");
            self.ply += 1;
            self.terminal.say(&format!("  Right. The opponent plays {reply}.\n"))?;
        }
        self.draw()
    }

    /// Says why a move is wrong: what follows it.
    fn refute(&mut self, played: &str, after: &AnyGame) -> Result<(), Leave> {
        if after.outcome().is_some() {
            return Ok(self
                .terminal
                .say(&format!("  {played} ends the game without a win. Try again.\n"))?);
        }
        let assessment = assess(after, &LIMITS, &native::resources(0), &Stop::default(), &mut |_| {});
        let best = assessment.best().expect("the first depth is always finished");
        let line = best.line.join(" ");
        let result = best.verdict.proven().map(|proven| (proven.result, proven.winners_moves()));
        let text = match result {
            Some((Proof::Win, moves)) => format!("{played} loses: the opponent wins in {moves} by {line}."),
            Some((Proof::Draw, _)) => format!("{played} lets the win go: after {line} it is a draw."),
            Some((Proof::Loss, _)) => format!("{played} wins too, but later than the solution: {line}."),
            None if self.puzzle.goal == Goal::Hold => {
                format!("{played} does not hold: the opponent answers {line}.")
            }
            None => format!("{played} does not force the win: the opponent answers {line}."),
        };
        Ok(self.terminal.say(&format!("  {text} Try again.\n"))?)
    }

    fn say_end(&mut self) -> Result<(), Leave> {
        let text = match (self.puzzle.goal, self.game.outcome()) {
            (Goal::Win, Some(_)) => "Solved: you have won.",
            (Goal::Win, None) => "Solved: you win whatever the opponent does.",
            (Goal::Hold, _) => "Solved: you hold.",
        };
        let themes: Vec<_> = self.puzzle.themes.iter().map(|theme| theme.name()).collect();
        Ok(self.terminal.say(&format!("  {text} Themes: {}.\n", themes.join(", ")))?)
    }
}

fn own_moves(plies: u32) -> String {
    moves(plies.div_ceil(2))
}

fn opponents_moves(plies: u32) -> String {
    format!("{} of the opponent", moves(plies / 2))
}

fn moves(count: u32) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}

/// The number of the day of a date such as 2026-07-01.
fn read_day(date: &str) -> Result<u64> {
    let numbers: Option<Vec<u64>> = date.split('-').map(|part| part.parse().ok()).collect();
    if let Some(&[year @ 1970..=9999, month @ 1..=12, day @ 1..=31]) = numbers.as_deref() {
        // Within some days of the right one; the calendar decides.
        let about = (year - 1970) * 146_097 / 400 + (month - 1) * 367 / 12 + day;
        let is_it = |&day: &u64| rules::game_text::date(day * 86_400_000) == date;
        if let Some(day) = (about.saturating_sub(5)..about + 5).find(is_it) {
            return Ok(day);
        }
    }
    bail!("“{}” is not a date; expected one such as 2026-07-01", rules::excerpt(date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read() {
        for (date, day) in
            [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-11-17", 20_774), ("9999-12-31", 2_932_896)]
        {
            assert_eq!(read_day(date).unwrap(), day, "{date}");
        }
        for date in ["", "2026-02-30", "2026-13-01", "2026-1-1", "26-01-01", "today", "1969-12-31"] {
            assert!(read_day(date).is_err(), "{date}");
        }
    }

    #[test]
    fn every_day_of_a_century_is_read() {
        for day in 0..36_525 {
            assert_eq!(read_day(&rules::game_text::date(day * 86_400_000)).unwrap(), day);
        }
    }
}

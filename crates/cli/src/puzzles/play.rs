//! `alinea puzzles play`: puzzles in the terminal, line by line.

use std::{
    collections::HashSet,
    io::{BufRead, Write},
    time::SystemTime,
};

use ::players::{Stop, system};
use ::study::{
    glicko::Rating,
    puzzles::{Attempt, Collection, Goal, Judged, Puzzle, Theme, Why, daily, day_of, embedded, rated},
};
use anyhow::{Result, anyhow, bail};
use rules::{AnyGame, Spec};
use sentences::title;

use super::{Numbered, Source};
use crate::play::{self, Leave, Terminal};

/// Solve puzzles in the terminal; prompts for game and theme if they are not given
///
/// Type your move; the opponent replies with its longest defence. After a wrong move you see the line that
/// refutes it. `help` lists the other commands: hint, solution, next.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The puzzle of the day, the same for everyone; days change at midnight UTC
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

pub(super) fn run(args: &Args) -> Result<()> {
    if args.daily {
        let today = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let day = match &args.date {
            Some(date) => read_day(date)?,
            None => day_of(today().as_millis() as u64),
        };
        let game = args.source.game.as_deref().map(str::parse::<Spec>).transpose()?;
        let (collection, number) =
            daily(embedded(), day, game).ok_or_else(|| anyhow!("there are no puzzles for this game"))?;
        let puzzle = collection.puzzles[number - 1].clone();
        let date = rules::game_text::date(day * 86_400_000);
        let mut terminal = Terminal::standard();
        let daily = play::words().t("puzzle.daily");
        let title = format!("{daily}, {date}: {} {number}", title(play::words(), puzzle.spec.info()));
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
    let puzzles = source.puzzles()?;
    let Some(number) = args.number else {
        let mut rng = args.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        return play::finish(play_by_rating(&mut terminal, puzzles, &mut rng));
    };
    let last = puzzles[puzzles.len() - 1].number;
    let Some(place) = puzzles.iter().position(|it| it.number == number) else {
        bail!("there is no puzzle {number}; the last one is {last}");
    };
    let (before, from) = puzzles.split_at(place);
    play::finish(play_all(&mut terminal, from.iter().chain(before)))
}

/// Plays puzzles that match the person's strength, until the person leaves.
fn play_by_rating<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    puzzles: Vec<Numbered>,
    rng: &mut fastrand::Rng,
) -> Result<(), Leave> {
    let (numbers, puzzles): (Vec<_>, Vec<_>) =
        puzzles.into_iter().map(|Numbered { number, puzzle }| (number, puzzle)).unzip();
    // One collection, of several games if none was chosen.
    let all = Collection { spec: puzzles[0].spec, puzzles };
    let (mut person, mut seen, mut tally) = (Rating::default(), HashSet::new(), Tally::default());
    while seen.len() < all.puzzles.len() {
        let place = all.next(None, person.rating, |place| seen.contains(&place), rng.u64(..));
        let Some(place) = place else { break };
        seen.insert(place);
        let puzzle = &all.puzzles[place - 1];
        let is_solved = play_one(terminal, numbers[place - 1], puzzle)?;
        person = rated(person, puzzle, is_solved);
        tally.count(terminal, is_solved, Some(person))?;
    }
    say_last(terminal)
}

/// Plays the puzzles in their order until the person leaves.
fn play_all<'a, R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    puzzles: impl Iterator<Item = &'a Numbered>,
) -> Result<(), Leave> {
    let mut tally = Tally::default();
    for it in puzzles {
        let is_solved = play_one(terminal, it.number, &it.puzzle)?;
        tally.count(terminal, is_solved, None)?;
    }
    say_last(terminal)
}

fn say_last<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>) -> Result<(), Leave> {
    Ok(terminal.say(&format!("  {}\n", play::words().t("line.puzzle-last")))?)
}

fn play_one<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    number: usize,
    puzzle: &Puzzle,
) -> Result<bool, Leave> {
    let title = format!("{} {number}", title(play::words(), puzzle.spec.info()));
    Course::new(terminal, puzzle, &title)?.play()
}

/// How many puzzles were solved at the first try.
#[derive(Default)]
struct Tally {
    solved: usize,
    played: usize,
    streak: usize,
}

impl Tally {
    /// Counts a puzzle, shows the person's rating, and asks whether to continue.
    fn count<R: BufRead, W: Write>(
        &mut self,
        terminal: &mut Terminal<R, W>,
        is_solved: bool,
        rating: Option<Rating>,
    ) -> Result<(), Leave> {
        self.played += 1;
        (self.solved, self.streak) =
            if is_solved { (self.solved + 1, self.streak + 1) } else { (self.solved, 0) };
        let (solved, played) = (self.solved.to_string(), self.played.to_string());
        let words = play::words();
        let mut text = words.fill("puzzle.tally", &[("n", &solved), ("all", &played)]);
        text += &format!(" {}", words.count("puzzle.row", self.streak as u64, &[]));
        if let Some(rating) = rating {
            let rating = format!("{:.0}", rating.rating);
            text += &format!(" {}", words.fill("puzzle.rating", &[("rating", &rating)]));
        }
        terminal.say(&format!("  {text}\n"))?;
        let answer = terminal.ask(&format!("  {}: ", words.t("line.puzzle-next")))?.to_lowercase();
        if answer.is_empty() || answer == "next" || play::is_yes(&answer) { Ok(()) } else { Err(Leave::Quit) }
    }
}

/// Asks for the game and the theme.
fn ask_source<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>) -> Result<Source, Leave> {
    let games: Vec<_> = embedded().iter().map(|collection| collection.spec).collect();
    let words = play::words();
    let titles: Vec<_> = games.iter().map(|spec| title(words, spec.info())).collect();
    loop {
        let prompt = words.t("line.choose-game");
        let game = terminal.ask_choice(words.t("line.games"), &titles, titles.len(), prompt, 0)?;
        let mut themes: Vec<Theme> = Vec::new();
        for puzzle in &embedded()[game].puzzles {
            themes.extend(puzzle.themes.iter().filter(|theme| !themes.contains(theme)).collect::<Vec<_>>());
        }
        themes.sort_by_key(|theme| Theme::ALL.iter().position(|known| known == theme));
        let all = words.t("puzzle.any-theme").to_owned();
        let names: Vec<_> = [all].into_iter().chain(themes.iter().copied().map(theme_name)).collect();
        let prompt = words.t("line.choose");
        match terminal.ask_choice(words.t("puzzle.themes"), &names, names.len(), prompt, 0) {
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
    attempt: Attempt<'a>,
    hints: usize,
    /// Whether every move was found at the first try, without help.
    is_clean: bool,
}

impl<'a, R: BufRead, W: Write> Course<'a, R, W> {
    fn new(terminal: &'a mut Terminal<R, W>, puzzle: &'a Puzzle, title: &str) -> Result<Self, Leave> {
        terminal.say_heading(title)?;
        Ok(Self { terminal, puzzle, attempt: Attempt::new(puzzle), hints: 0, is_clean: true })
    }

    /// Plays the puzzle; returns whether it was solved at the first try.
    fn play(&mut self) -> Result<bool, Leave> {
        self.draw()?;
        self.say_task()?;
        while !self.attempt.is_solved() {
            let prompt = play::move_prompt(self.attempt.game());
            let text = self.terminal.ask(&format!("  {prompt}: "))?;
            match text.to_lowercase().as_str() {
                "" => {}
                "help" | "?" => self.say(play::words().t("line.puzzle-help"))?,
                "hint" => self.hint()?,
                "moves" => {
                    let moves = self.attempt.game().legal_moves().join(" ");
                    self.say(&play::words().fill("line.moves", &[("moves", &moves)]))?;
                }
                "solution" => {
                    let rest = self.attempt.help().map_or_else(String::new, |help| help.solution.join(" "));
                    self.say(&format!("{}: {rest}", play::words().t("puzzle.solution")))?;
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
        let board = play::board_on(self.terminal, self.attempt.game());
        Ok(self.terminal.say(&board)?)
    }

    fn say(&mut self, text: &str) -> Result<(), Leave> {
        Ok(self.terminal.say(&format!("  {text}\n"))?)
    }

    fn say_task(&mut self) -> Result<(), Leave> {
        let Puzzle { goal, depth, rating, .. } = *self.puzzle;
        let words = play::words();
        let (find, task) = match goal {
            Goal::Win if self.puzzle.is_exact() => ("puzzle.find-win", words.t("puzzle.task-win").to_owned()),
            Goal::Win => {
                let own_moves = depth.div_ceil(2).into();
                ("puzzle.find-win", words.count("puzzle.task-win-within", own_moves, &[]))
            }
            Goal::Hold if self.puzzle.is_exact() => {
                ("puzzle.find-hold", words.t("puzzle.task-hold").to_owned())
            }
            Goal::Hold => {
                let opponents_moves = (depth / 2).into();
                ("puzzle.find-hold", words.count("puzzle.task-hold-within", opponents_moves, &[]))
            }
        };
        let you = words.fill("puzzle.you-are", &[("side", &play::side_name(self.attempt.game()))]);
        let rating = words.fill("line.puzzle-rating", &[("rating", &rating.to_string())]);
        self.say(&format!("{you} {}. {task} {rating}", words.t(find)))
    }

    /// Shows a hint: the first names the theme, the second one the move's cell.
    fn hint(&mut self) -> Result<(), Leave> {
        let Some(help) = self.attempt.help() else { return Ok(()) };
        self.is_clean = false;
        self.hints += 1;
        let words = play::words();
        let text = match (self.hints, help.from) {
            (1, _) => {
                let meaning = format!("puzzle-theme-is.{}", help.theme.name());
                format!("{}. {}", theme_name(help.theme), words.t(&meaning))
            }
            (_, Some(from)) => words.fill("puzzle.hint-from", &[("cell", &from.to_string())]),
            (_, None) => words.fill("puzzle.hint-to", &[("cell", &help.to.to_string())]),
        };
        self.say(&words.fill("line.hint", &[("text", &text)]))
    }

    /// Plays a typed move, ignoring case where that is unambiguous.
    fn try_move(&mut self, text: &str) -> Result<(), Leave> {
        let result = self.attempt.play(text);
        let judged = result.or_else(|error| {
            let mut others = play::spellings(text).into_iter();
            others.find_map(|other| self.attempt.play(&other).ok()).ok_or(error)
        });
        match judged {
            Err(error) => Ok(self.terminal.say_error(&error)?),
            Ok(Judged::Wrong { after }) => {
                self.is_clean = false;
                self.refute(&after)
            }
            Ok(Judged::Right { reply }) => {
                self.hints = 0;
                if let Some(reply) = reply {
                    let words = play::words();
                    let reply = words.fill("puzzle.reply", &[("move", &reply)]);
                    self.say(&format!("{} {reply}", words.t("puzzle.right")))?;
                }
                self.draw()
            }
        }
    }

    /// Says why a move is wrong: what follows it.
    fn refute(&mut self, after: &AnyGame) -> Result<(), Leave> {
        let played = after.moves().pop().unwrap_or_default();
        let refutation = self.attempt.refute(after, &system::resources(0), &Stop::default());
        let (words, line) = (play::words(), refutation.line.join(" "));
        let values = [("side", &*play::side_name(after)), ("line", &line)];
        let moves = refutation.moves.unwrap_or_default().into();
        let why = match (refutation.why, self.puzzle.goal) {
            (Why::Ends, _) => words.t("puzzle-why.ends").to_owned(),
            (Why::Loses, _) => words.count("puzzle-why.loses", moves, &values),
            (Why::Draws, _) => words.fill("puzzle-why.draws", &values),
            (Why::Later, _) => words.count("puzzle-why.later", moves, &values),
            (Why::Unclear, Goal::Hold) => words.fill("puzzle-why.fails", &values),
            (Why::Unclear, Goal::Win) => words.count("puzzle-why.unclear", moves, &values),
        };
        let not = words.fill("puzzle.not", &[("move", &played)]);
        self.say(&format!("{not} {why} {}.", words.t("puzzle.again")))
    }

    fn say_end(&mut self) -> Result<(), Leave> {
        let words = play::words();
        let how = match (self.puzzle.goal, self.attempt.game().outcome()) {
            (Goal::Win, Some(_)) => "puzzle.solved-won",
            (Goal::Win, None) => "puzzle.solved-win",
            (Goal::Hold, _) => "puzzle.solved-hold",
        };
        let themes: Vec<_> = self.puzzle.themes.iter().copied().map(theme_name).collect();
        let [solved, how, title] = ["puzzle.solved", how, "puzzle.themes"].map(|key| words.t(key));
        self.say(&format!("{solved} {how} {title}: {}.", themes.join(", ")))
    }
}

/// The name of a theme in the reader's language.
fn theme_name(theme: Theme) -> String {
    play::words().fill(&format!("puzzle-theme.{}", theme.name()), &[])
}

/// Reads a date such as 2026-07-01 as the number of its day.
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

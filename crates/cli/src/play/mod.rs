//! `alinea play` and the menu: games in the terminal, full screen or line by line.

mod course;
mod dialogue;
mod full;
mod original;
mod screen;
mod terminal;

pub(crate) use self::{
    course::spellings,
    full::{Begin, ScreenArgs, Session, run as run_full_screen},
    terminal::{Color, Leave, Terminal, read_language, set_color, set_language, words},
};

use std::{
    io::{BufRead, Write},
    time::Duration,
};

use ::players::{Thought, roster};
use ::study::Verdict;
use anyhow::Result;
use rules::{AnyGame, GameInfo, Illegal, MoveError, PlayError, Spec};
use sentences::{About, Language, program_name, sentences};

use self::{
    course::{Course, Ending},
    dialogue::Begins,
};

/// Play in the terminal; without players it asks who plays. In a game type `help` for the commands: take back,
/// hint, why, resign
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The first player: human, a player listed by `alinea players`, or external:COMMAND for an engine that
    /// speaks UGI. If only one player is given, the other is a person, or beside a person a middle level
    #[arg(long, value_name = "PLAYER")]
    first: Option<String>,
    /// The second player
    #[arg(long, value_name = "PLAYER")]
    second: Option<String>,
    /// Who moves first: the first player, the second, or one at random
    #[arg(long, value_enum, default_value_t = Begins::First)]
    begins: Begins,
    /// The starting position
    #[arg(long, value_name = "P")]
    position: Option<String>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
}

/// Options that stay from game to game.
#[derive(clap::Args, Default)]
struct Options {
    /// Minimum time for a program's move in milliseconds, so that people can follow
    #[arg(long, value_name = "MS")]
    pace: Option<u32>,
    /// The seed of all randomness: the same seed gives the same game
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Options {
    fn pace(&self) -> Option<Duration> {
        self.pace.map(|ms| Duration::from_millis(ms.into()))
    }

    fn rng(&self) -> fastrand::Rng {
        self.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed)
    }
}

pub(crate) fn run(args: Args) -> Result<()> {
    let spec: Spec = args.game.parse()?;
    let mut start = AnyGame::from(spec);
    if let Some(position) = &args.position {
        start.set_position(position)?;
    }
    if args.screen.is_full() {
        return full_screen(args, start);
    }
    let mut terminal = Terminal::standard();
    let mut rng = args.options.rng();
    if args.first.is_none() && args.second.is_none() {
        let asks_size = args.position.is_none() && !args.game.contains(':');
        let start = if asks_size { None } else { Some(start) };
        return finish(play_by_dialogue(&mut terminal, spec, start, args.begins, &args.options, &mut rng));
    }
    let names = seats(args.first, args.second, &start);
    // Validated before anything is drawn.
    for name in &names {
        course::seat(&start, name, 0)?;
        warn_of_slowness(&start, name);
    }
    finish(play_on(&mut terminal, &start, &names, args.begins, &args.options, &mut rng))
}

/// Both players. If one is not given, a person plays against a program of middle level.
fn seats(first: Option<String>, second: Option<String>, start: &AnyGame) -> [String; 2] {
    let human = || "human".to_owned();
    let opponent = |name: &str| match name {
        "human" => format!("level:{}", roster::levels(start).len().div_ceil(2).max(1)),
        _ => human(),
    };
    let first = first.unwrap_or_else(|| second.as_deref().map_or_else(human, opponent));
    let second = second.unwrap_or_else(|| opponent(&first));
    [first, second]
}

/// Warns if the player's number is higher than those offered, because its moves may take minutes.
fn warn_of_slowness(game: &AnyGame, name: &str) {
    if let Some(listing) = roster::players(game).into_iter().find(|listing| listing.is_slow(name)) {
        crate::say(&format!("{name} may take minutes for a move; {listing} are faster"));
    }
}

/// Plays full screen: the game that is given, or its set-up.
fn full_screen(args: Args, start: AnyGame) -> Result<()> {
    let settings = Session { screen: args.screen, pace: args.options.pace(), seed: args.options.seed };
    let is_open = args.first.is_none() && args.second.is_none();
    if is_open && args.position.is_none() && !args.game.contains(':') {
        return full::run(settings, full::Begin::Setup(start.info()));
    }
    let names = seats(args.first, args.second, &start);
    for name in &names {
        course::seat(&start, name, 0)?;
    }
    let names = args.begins.seated(&names, &mut args.options.rng());
    full::run(settings, full::Begin::Play(start, names))
}

pub(crate) fn menu(screen: ScreenArgs) -> Result<()> {
    if screen.is_full() {
        return full::run(Session { screen, pace: None, seed: None }, full::Begin::Home);
    }
    let mut terminal = Terminal::standard();
    let options = Options::default();
    let mut rng = options.rng();
    finish(play_by_menu(&mut terminal, &options, &mut rng))
}

/// The result of a dialogue: leaving the dialogue is not a failure.
pub(crate) fn finish(left: Result<(), Leave>) -> Result<()> {
    match left {
        Err(Leave::Failed(error)) => Err(error.into()),
        Ok(()) | Err(Leave::EndOfInput | Leave::Quit | Leave::Back) => Ok(()),
    }
}

/// The board as text.
pub(crate) fn board(game: &AnyGame) -> String {
    screen::draw(game.info(), &game.view(), &Terminal::standard())
}

/// The board as text, in the colours of a terminal.
pub(crate) fn board_on<R: BufRead, W: Write>(terminal: &Terminal<R, W>, game: &AnyGame) -> String {
    screen::draw(game.info(), &game.view(), terminal)
}

/// The prompt for a move. It asks for what a move of this phase consists of, such as a column.
pub(crate) fn move_prompt(game: &AnyGame) -> String {
    let stage = game.stage();
    let choices = stage.words().iter().map(|word| word.text()).collect::<Vec<_>>().join(" / ");
    if choices.is_empty() {
        return board_prompt(game);
    }
    if stage.may_move() { format!("{} / {choices}", board_prompt(game)) } else { choices }
}

fn board_prompt(game: &AnyGame) -> String {
    let has_hand = game.view().hands[game.turn().index()].iter().any(|&(_, count)| count > 0);
    let phases = game.info().phases;
    let phase = if has_hand { phases.first() } else { phases.last() };
    let what = phase.expect("a game has a phase").asks;
    let key = format!("line.asks.{}", what.replace(' ', "-"));
    if words().has(&key) { words().t(&key).to_owned() } else { words().fill("line.asks", &[("what", what)]) }
}

/// The message for a typed text that is not a legal move.
fn refusal(info: &GameInfo, text: &str, error: &MoveError) -> String {
    let words = words();
    original::refusal(words, info, text, error).unwrap_or_else(|| match (words.language(), error) {
        (_, MoveError::Play(PlayError::Illegal(Illegal::Foul { cell, foul }))) => {
            let made = format!("foul.{}", foul.id());
            words.fill("foul.refuse", &[("cell", &cell.to_string()), ("foul", words.t(&made))])
        }
        // The rules know best why, but only in English.
        (Language::En, error) => error.to_string(),
        _ => words.fill("refuse.typed", &[("text", text)]),
    })
}

/// Whether an answer is a yes.
pub(crate) fn is_yes(answer: &str) -> bool {
    answer.to_lowercase().starts_with(words().t("line.yes"))
}

/// The name of the side to move.
pub(crate) fn side_name(game: &AnyGame) -> String {
    sentences::side_name(words(), game.info(), game.turn())
}

/// A verdict in words, such as "wins in 5" or "about 64 %".
pub(crate) fn verdict(verdict: &Verdict) -> String {
    sentences::verdict_text(words(), verdict, None)
}

/// The reasons for the next move of a game, one sentence each, for a reader who plays neither side.
pub(crate) fn reasons(game: &AnyGame, thought: &Thought) -> Vec<String> {
    let (words, view) = (words(), game.view());
    let about = About { words, spec: game.spec(), view: &view, mover: game.turn(), name: "", you: None };
    sentences(thought, &about).into_iter().map(|sentence| sentence.text).collect()
}

/// Returns the names, first to move first; announces a random choice.
fn seat_by<R: BufRead, W: Write>(
    begins: Begins,
    terminal: &mut Terminal<R, W>,
    names: &[String; 2],
    rng: &mut fastrand::Rng,
) -> Result<[String; 2], Leave> {
    let seated = begins.seated(names, rng);
    if begins == Begins::Random && seated[0] != seated[1] {
        let words = words();
        let name = program_name(words, &seated[0]);
        let key = if seated[0] == "human" { "line.drawn-you" } else { "line.drawn" };
        terminal.say(&format!("\n  {}\n", words.fill(key, &[("name", &name)])))?;
    }
    Ok(seated)
}

/// Plays games until the person declines another; two programs play one game.
fn play_on<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    start: &AnyGame,
    names: &[String; 2],
    begins: Begins,
    options: &Options,
    rng: &mut fastrand::Rng,
) -> Result<(), Leave> {
    loop {
        let seated = seat_by(begins, terminal, names, rng)?;
        let mut course = Course::new(terminal, start, &seated, options.pace(), rng);
        let wants_more = match course.play()? {
            Ending::NewGame => true,
            Ending::Over => names.iter().any(|name| name == "human") && course.wants_more()?,
        };
        if !wants_more {
            return Ok(());
        }
    }
}

/// Prompts for size and program before each game, like the original Connect Four program.
fn play_by_dialogue<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    spec: Spec,
    start: Option<AnyGame>,
    begins: Begins,
    options: &Options,
    rng: &mut fastrand::Rng,
) -> Result<(), Leave> {
    loop {
        dialogue::say_new_game(terminal)?;
        let start = match &start {
            Some(start) => start.clone(),
            None => match dialogue::ask_size(terminal, spec) {
                Err(Leave::Back) => continue,
                size => size?.into(),
            },
        };
        let players = original::in_order(&start);
        let program = match dialogue::ask_program(terminal, &players, original::listed(&start, &players)) {
            Err(Leave::Back) => continue,
            program => program?,
        };
        let seated = seat_by(begins, terminal, &["human".to_owned(), program], rng)?;
        Course::new(terminal, &start, &seated, options.pace(), rng).play()?;
    }
}

fn play_by_menu<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    options: &Options,
    rng: &mut fastrand::Rng,
) -> Result<(), Leave> {
    loop {
        let table = dialogue::ask_table(terminal)?;
        terminal.say(&format!("\n  {}\n", words().t("line.type-help")))?;
        let seated = seat_by(table.begins, terminal, &table.names, rng)?;
        Course::new(terminal, &table.start, &seated, options.pace(), rng).play()?;
    }
}

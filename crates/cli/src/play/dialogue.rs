//! The prompts before a game: game, size, players, who begins.

use std::io::{self, BufRead, Write};

use players::roster::{Listing, Parameter};
use rules::{AnyGame, Bounds, GAMES, SizeInfo, Spec};
use sentences::title;

use super::{
    original,
    terminal::{Leave, Terminal, words},
};

/// Which player moves first.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Begins {
    First,
    Second,
    Random,
}

impl Begins {
    /// The two names, first to move first.
    pub(super) fn seated(self, names: &[String; 2], rng: &mut fastrand::Rng) -> [String; 2] {
        let [first, second] = names.clone();
        let exchanged = match self {
            Self::First => false,
            Self::Second => true,
            Self::Random => rng.bool(),
        };
        if exchanged { [second, first] } else { [first, second] }
    }
}

/// The settings of a game.
pub(super) struct Table {
    pub(super) start: AnyGame,
    pub(super) names: [String; 2],
    pub(super) begins: Begins,
}

pub(super) fn say_new_game<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>) -> io::Result<()> {
    terminal.say_heading(words().t("line.new-game"))
}

/// Which players take part.
const MODES: [&str; 3] = ["line.players.program", "line.players.people", "line.players.programs"];

/// Asks the questions of the main menu. `back` returns to the previous question.
pub(super) fn ask_table<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>) -> Result<Table, Leave> {
    terminal.say_heading("Alinea")?;
    let words = words();
    let quit = words.t("line.quit").to_owned();
    let titles: Vec<_> = GAMES.iter().map(|info| title(words, info)).chain([quit]).collect();
    loop {
        let game = match terminal.ask_choice(
            words.t("line.games"),
            &titles,
            titles.len(),
            words.t("line.choose-game"),
            0,
        ) {
            Err(Leave::Back) => continue,
            game => game?,
        };
        let Some(info) = GAMES.get(game) else {
            return Err(Leave::Quit);
        };
        match ask_players(terminal, info.standard.parse().expect("a standard spec is a spec")) {
            Err(Leave::Back) => {}
            table => return table,
        }
    }
}

/// Asks the questions that follow the choice of a game.
fn ask_players<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>, spec: Spec) -> Result<Table, Leave> {
    let words = words();
    let modes = MODES.map(|key| words.t(key));
    loop {
        let prompt = words.t("line.choose-players");
        let mode = terminal.ask_choice(words.t("line.players"), &modes, modes.len(), prompt, 0)?;
        let begins = if mode == 0 {
            let answers =
                ["you", "program", "random"].map(|who| words.fill(&format!("line.begins.{who}"), &[]));
            let prompt = words.t("line.choose");
            match terminal.ask_choice(words.t("line.begins"), &answers, answers.len(), prompt, 0) {
                Err(Leave::Back) => continue,
                answer => [Begins::First, Begins::Second, Begins::Random][answer?],
            }
        } else {
            Begins::First
        };
        match ask_start(terminal, spec, mode) {
            Err(Leave::Back) => {}
            start => {
                let (start, names) = start?;
                return Ok(Table { start, names, begins });
            }
        }
    }
}

/// Asks for the size and the programs.
fn ask_start<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    spec: Spec,
    mode: usize,
) -> Result<(AnyGame, [String; 2]), Leave> {
    say_new_game(terminal)?;
    let start = AnyGame::from(ask_size(terminal, spec)?);
    let human = || "human".to_owned();
    let players = original::in_order(&start);
    let mut ask = || ask_program(terminal, &players, players.len());
    let names = match mode {
        0 => [human(), ask()?],
        1 => [human(), human()],
        _ => [ask()?, ask()?],
    };
    Ok((start, names))
}

/// Asks for the size of the board, number by number, in games with a choice of sizes.
pub(super) fn ask_size<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    spec: Spec,
) -> Result<Spec, Leave> {
    let SizeInfo { rows, cols, run, run_optional, .. } = spec.info().size;
    if !spec.info().size.has_choice() {
        return Ok(spec);
    }
    let words = words();
    terminal.say(&format!(" {}:\n", words.t("line.size")))?;
    let questions =
        [("line.rows", rows, true), ("line.columns", cols, true), ("line.run", run, !run_optional)];
    loop {
        let mut numbers: Vec<u32> = Vec::new();
        while let Some((key, bounds, is_asked)) = questions.get(numbers.len()) {
            let Bounds { least, most, usual } = *bounds;
            if !is_asked || least == most {
                numbers.push(usual.into());
                continue;
            }
            let prompt = format!("   {:<7} = ", words.t(key));
            match terminal.ask_number(&prompt, least.into()..=most.into(), usual.into()) {
                Err(Leave::Back) if !numbers.is_empty() => {
                    numbers.pop();
                }
                number => numbers.push(number?),
            }
        }
        match format!("{}:{}x{}x{}", spec.name(), numbers[0], numbers[1], numbers[2]).parse() {
            Ok(spec) => return Ok(spec),
            Err(error) => {
                terminal.say("\n")?;
                terminal.say_error(&rules::SpecError::to_string(&error))?;
            }
        }
    }
}

/// Prompts for a program of the game; the first `shown` are listed.
pub(super) fn ask_program<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    players: &[Listing],
    shown: usize,
) -> Result<String, Leave> {
    let words = words();
    let names: Vec<_> = players.iter().map(|listing| listing.name).collect();
    let usual = shown.saturating_sub(1).min(names.len() - 1);
    loop {
        let (title, prompt) = (words.t("line.strategies"), words.t("line.choose-strategy"));
        let player = players[terminal.ask_choice(title, &names, shown, prompt, usual)?];
        let difficulty =
            |advice: &str| format!(" {} = ", words.fill("line.difficulty", &[("advice", advice)]));
        let parameter = match player.parameter {
            Parameter::Number(range) => {
                let key = format!("line.advice.{}", player.name);
                let key = if words.has(&key) { &key } else { "line.advice" };
                terminal
                    .ask_number(&difficulty(words.t(key)), 1..=range.offered, 4.min(range.offered))
                    .map(|n| n.to_string())
            }
            Parameter::Limits(_) => {
                let prompt = format!(" {} = ", words.t("line.seconds"));
                terminal.ask_number(&prompt, 1..=600, 1).map(|seconds| format!("{seconds}s"))
            }
            Parameter::Level(levels) => {
                let [easy, medium, hard] = levels;
                let prompt = difficulty(&format!("1 {easy}, 2 {medium}, 3 {hard}"));
                terminal.ask_number(&prompt, 1..=3, 2).map(|level| levels[level as usize - 1].to_owned())
            }
            _ => return Ok(player.name.to_owned()),
        };
        match parameter {
            Err(Leave::Back) => {}
            parameter => return Ok(format!("{}:{}", player.name, parameter?)),
        }
    }
}

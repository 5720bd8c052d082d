//! The prompts before a game: game, size, players, who begins.

use std::io::{self, BufRead, Write};

use players::roster::{Listing, Parameter};
use rules::{AnyGame, Bounds, GAMES, SizeInfo, Spec};

use super::{
    terminal::{Leave, Terminal},
    words,
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
    terminal.say("\n\t ¡New Game!\n\t————————————\n")
}

/// Which players take part.
const MODES: [&str; 3] = ["you against a program", "two people", "program against program"];

/// The main menu. `back` leads to the question before.
pub(super) fn ask_table<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>) -> Result<Table, Leave> {
    terminal.say("\n\t Alinea\n\t————————\n")?;
    let titles: Vec<_> = GAMES.iter().map(|info| info.title).chain(["quit"]).collect();
    loop {
        let game = match terminal.ask_choice("Games", &titles, titles.len(), "Choose game", 0) {
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

/// The questions after the game is chosen.
fn ask_players<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>, spec: Spec) -> Result<Table, Leave> {
    loop {
        let mode = terminal.ask_choice("Players", &MODES, MODES.len(), "Choose players", 0)?;
        let begins = if mode == 0 {
            let answers = ["you", "the program", "at random"];
            match terminal.ask_choice("Who begins", &answers, answers.len(), "Choose", 0) {
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

/// The size and the programs.
fn ask_start<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    spec: Spec,
    mode: usize,
) -> Result<(AnyGame, [String; 2]), Leave> {
    say_new_game(terminal)?;
    let start = AnyGame::from(ask_size(terminal, spec)?);
    let human = || "human".to_owned();
    let players = words::in_order(&start);
    let mut ask = || ask_program(terminal, &players, players.len());
    let names = match mode {
        0 => [human(), ask()?],
        1 => [human(), human()],
        _ => [ask()?, ask()?],
    };
    Ok((start, names))
}

/// Asks for the size of the board, in games that have a choice: for each number that a spec must state.
pub(super) fn ask_size<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    spec: Spec,
) -> Result<Spec, Leave> {
    let SizeInfo { rows, cols, run, run_optional, .. } = spec.info().size;
    if !spec.info().size.has_choice() {
        return Ok(spec);
    }
    terminal.say(" Board size:\n")?;
    let questions =
        [("   Rows    = ", rows, true), ("   Columns = ", cols, true), ("   Run     = ", run, !run_optional)];
    loop {
        let mut numbers: Vec<u32> = Vec::new();
        while let Some((prompt, bounds, is_asked)) = questions.get(numbers.len()) {
            let Bounds { least, most, usual } = *bounds;
            if !is_asked || least == most {
                numbers.push(usual.into());
                continue;
            }
            match terminal.ask_number(prompt, least.into()..=most.into(), usual.into()) {
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
    let names: Vec<_> = players.iter().map(|listing| listing.name).collect();
    let usual = shown.saturating_sub(1).min(names.len() - 1);
    loop {
        let player =
            players[terminal.ask_choice("AI Strategies", &names, shown, "Choose strategy", usual)?];
        let parameter = match player.parameter {
            Parameter::Number(range) => {
                let advice = words::depth_advice(player.name);
                let prompt = format!(" Difficulty ({advice}) = ");
                terminal.ask_number(&prompt, 1..=range.offered, 4.min(range.offered)).map(|n| n.to_string())
            }
            Parameter::Limits(_) => {
                terminal.ask_number(" Seconds per move = ", 1..=600, 1).map(|seconds| format!("{seconds}s"))
            }
            Parameter::Level(levels) => {
                let [easy, medium, hard] = levels;
                let prompt = format!(" Difficulty (1 {easy}, 2 {medium}, 3 {hard}) = ");
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

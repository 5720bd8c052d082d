//! The prompts before a game: game, size, players, who begins.

use std::io::{self, BufRead, Write};

use players::roster::{self, Listing, Parameter};
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

/// The main menu.
pub(super) fn ask_table<R: BufRead, W: Write>(terminal: &mut Terminal<R, W>) -> Result<Table, Leave> {
    terminal.say("\n\t Alinea\n\t————————\n")?;
    let titles: Vec<_> = GAMES.iter().map(|info| info.title).chain(["quit"]).collect();
    let game = terminal.ask_choice("Games", &titles, "Choose game")?;
    let Some(info) = GAMES.get(game) else {
        return Err(Leave::Quit);
    };
    let spec: Spec = info.standard.parse().expect("a standard spec is a spec");
    let modes = ["you against a program", "two people", "program against program"];
    let mode = terminal.ask_choice("Players", &modes, "Choose players")?;
    let begins = if mode == 0 {
        let answers = ["you", "the program", "at random"];
        [Begins::First, Begins::Second, Begins::Random]
            [terminal.ask_choice("Who begins", &answers, "Choose")?]
    } else {
        Begins::First
    };

    say_new_game(terminal)?;
    let start = AnyGame::from(ask_size(terminal, spec)?);
    let human = || "human".to_owned();
    let players = roster::players(&start);
    let names = match mode {
        0 => [human(), ask_program(terminal, &players)?],
        1 => [human(), human()],
        _ => [ask_program(terminal, &players)?, ask_program(terminal, &players)?],
    };
    Ok(Table { start, names, begins })
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
    loop {
        let mut ask = |prompt: &str, Bounds { least, most, usual }: Bounds, is_asked: bool| {
            if is_asked && least < most {
                terminal.ask_number(prompt, least.into()..=most.into())
            } else {
                Ok(usual.into())
            }
        };
        let rows = ask("   Rows    = ", rows, true)?;
        let cols = ask("   Columns = ", cols, true)?;
        let run = ask("   Run     = ", run, !run_optional)?;
        match format!("{}:{rows}x{cols}x{run}", spec.name()).parse() {
            Ok(spec) => return Ok(spec),
            Err(error) => {
                terminal.say("\n")?;
                terminal.say_error(&rules::SpecError::to_string(&error))?;
            }
        }
    }
}

/// Prompts for a program of the game.
pub(super) fn ask_program<R: BufRead, W: Write>(
    terminal: &mut Terminal<R, W>,
    players: &[Listing],
) -> Result<String, Leave> {
    let names: Vec<_> = players.iter().map(|listing| listing.name).collect();
    let player = players[terminal.ask_choice("AI Strategies", &names, "Choose strategy")?];
    let parameter = match player.parameter {
        Parameter::Number(range) => {
            let advice = words::depth_advice(player.name);
            terminal.ask_number(&format!(" Difficulty ({advice}) = "), 1..=range.offered)?.to_string()
        }
        Parameter::Limits(_) => format!("{}s", terminal.ask_number(" Seconds per move = ", 1..=600)?),
        Parameter::Level(levels) => {
            let [easy, medium, hard] = levels;
            let prompt = format!(" Difficulty (1 {easy}, 2 {medium}, 3 {hard}) = ");
            levels[terminal.ask_number(&prompt, 1..=3)? as usize - 1].to_owned()
        }
        _ => return Ok(player.name.to_owned()),
    };
    Ok(format!("{}:{parameter}", player.name))
}

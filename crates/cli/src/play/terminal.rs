//! Line-based terminal I/O: prompts, errors, and colours where the terminal supports them.

use std::{
    io::{self, BufRead, IsTerminal, Write},
    ops::RangeInclusive,
    sync::OnceLock,
};

use rules::Side;

/// Input and output of a person at a terminal, or of a script.
pub(crate) struct Terminal<R, W> {
    input: R,
    output: W,
    /// Whether the output is a terminal.
    pub(crate) is_interactive: bool,
    has_colours: bool,
}

/// Whether colours are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal that has them, unless NO_COLOR is set.
    #[default]
    Auto,
    Always,
    Never,
}

/// The choice of the command line, for all that is printed.
static COLOR: OnceLock<Color> = OnceLock::new();

/// Chooses whether colours are used; the first choice counts.
pub(crate) fn set_color(color: Color) {
    COLOR.get_or_init(|| color);
}

/// Whether colours are used.
#[cfg(feature = "full-screen")]
pub(super) fn color() -> Color {
    COLOR.get().copied().unwrap_or_default()
}

/// Why a prompt was left.
#[derive(Debug)]
pub(crate) enum Leave {
    /// The person typed `back`.
    Back,
    /// End of input.
    EndOfInput,
    /// The person typed `quit`.
    Quit,
    /// Reading or writing failed.
    Failed(io::Error),
}

impl From<io::Error> for Leave {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl Terminal<io::StdinLock<'static>, io::StdoutLock<'static>> {
    /// Standard input and output.
    pub(crate) fn standard() -> Self {
        let is_interactive = io::stdout().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            input: io::stdin().lock(),
            output: io::stdout().lock(),
            is_interactive,
            has_colours: match COLOR.get().copied().unwrap_or_default() {
                Color::Auto => is_interactive && !no_color && !dumb,
                Color::Always => true,
                Color::Never => false,
            },
        }
    }
}

/// The meaning of a colour.
#[derive(Clone, Copy)]
pub(crate) enum Paint {
    Side(Side),
    WinningPiece(Side),
    Error,
}

impl<R: BufRead, W: Write> Terminal<R, W> {
    /// The text in a colour, if colours are enabled.
    pub(crate) fn paint(&self, text: &str, paint: Paint) -> String {
        let code = match paint {
            _ if !self.has_colours => return text.to_owned(),
            Paint::Side(Side::First) => "36",
            Paint::Side(Side::Second) => "35",
            Paint::WinningPiece(Side::First) => "1;7;36",
            Paint::WinningPiece(Side::Second) => "1;7;35",
            Paint::Error => "31",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        // Prompts and boards must appear before the program waits or thinks.
        self.output.flush()
    }

    pub(crate) fn say_error(&mut self, text: &str) -> io::Result<()> {
        let line = self.paint(&format!("ERROR: {text}"), Paint::Error);
        self.say(&format!("\t{line}\n"))
    }

    /// Prompts for a line and trims it.
    pub(crate) fn ask(&mut self, prompt: &str) -> Result<String, Leave> {
        self.say(prompt)?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            self.say("\n")?;
            return Err(Leave::EndOfInput);
        }
        Ok(String::from_utf8_lossy(&line).trim().to_owned())
    }

    /// Prompts until the answer is a number in the range. Enter alone means the usual one; `help` names both.
    pub(crate) fn ask_number(
        &mut self,
        prompt: &str,
        possible: RangeInclusive<u32>,
        usual: u32,
    ) -> Result<u32, Leave> {
        let (least, most) = (possible.start(), possible.end());
        let help = format!("  A number from {least} to {most}; Enter alone means {usual}.\n");
        self.ask_number_with_help(prompt, possible.clone(), usual, &help)
    }

    fn ask_number_with_help(
        &mut self,
        prompt: &str,
        possible: RangeInclusive<u32>,
        usual: u32,
        help: &str,
    ) -> Result<u32, Leave> {
        loop {
            let line = self.ask(prompt)?;
            match line.to_lowercase().as_str() {
                "" => return Ok(usual),
                "help" | "?" => {
                    self.say(help)?;
                    self.say("  back returns to the question before, quit leaves.\n")?;
                    continue;
                }
                "back" => return Err(Leave::Back),
                "quit" => return Err(Leave::Quit),
                _ => {}
            }
            let is_number = line.strip_prefix('-').unwrap_or(&line).bytes().all(|b| b.is_ascii_digit());
            let problem = match line.parse() {
                Ok(number) if possible.contains(&number) => return Ok(number),
                _ if line == "-" || !is_number => "Should be Integer",
                _ => "Invalid value",
            };
            self.say("\n")?;
            self.say_error(problem)?;
        }
    }

    /// Shows a numbered list and prompts for an item; returns its index from zero. Items after the first `shown` can
    /// be chosen too; `help` names them.
    pub(crate) fn ask_choice(
        &mut self,
        title: &str,
        items: &[&str],
        shown: usize,
        prompt: &str,
        usual: usize,
    ) -> Result<usize, Leave> {
        self.say(&format!("\n {title}:\n"))?;
        let row = |(number, item): (usize, &&str)| format!("   {number}. {item}\n");
        let rows: String = (1..).zip(items).take(shown).map(row).collect();
        self.say(&rows)?;
        let rest: String = (1..).zip(items).skip(shown).map(row).collect();
        let most = items.len() as u32;
        let help = format!("{rest}  A number from 1 to {most}; Enter alone means {}.\n", usual + 1);
        let prompt = format!(" {prompt}: ");
        Ok(self.ask_number_with_help(&prompt, 1..=most, usual as u32 + 1, &help)? as usize - 1)
    }
}

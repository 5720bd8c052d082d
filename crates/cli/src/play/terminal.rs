//! Line-based terminal I/O: prompts, errors, and colours where the terminal supports them.

use std::{
    io::{self, BufRead, IsTerminal, Write},
    ops::RangeInclusive,
    sync::OnceLock,
};

use rules::Side;
use sentences::{Language, Words};

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

/// The choice on the command line, for all output.
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

/// The language of the command line, if it was given.
static LANGUAGE: OnceLock<Language> = OnceLock::new();

/// Chooses the language of all that is printed; the first choice counts.
pub(crate) fn set_language(language: Option<Language>) {
    if let Some(language) = language {
        LANGUAGE.get_or_init(|| language);
    }
}

/// The language of the command line, if it was given.
#[cfg(feature = "full-screen")]
pub(super) fn language() -> Option<Language> {
    LANGUAGE.get().copied()
}

/// Reads the code of a language.
pub(crate) fn read_language(code: &str) -> Result<Language, String> {
    let codes: Vec<_> = Language::ALL.iter().map(|language| language.code()).collect();
    Language::of(code).ok_or_else(|| format!("expected one of {}", codes.join(", ")))
}

/// The words of line mode, in the language of the command line. Without one, a terminal speaks the language of the
/// locale, and scripts read English everywhere.
pub(crate) fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let usual = || if io::stdout().is_terminal() { Language::of_system() } else { Language::default() };
        Words::new(LANGUAGE.get().copied().unwrap_or_else(usual)).with_drawn_sides()
    })
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
        let line = self.paint(&words().fill("line.error", &[("text", text)]), Paint::Error);
        self.say(&format!("\t{line}\n"))
    }

    /// Prints an underlined title.
    pub(crate) fn say_heading(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("\n\t {text}\n\t{}\n", "—".repeat(text.chars().count() + 2)))
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

    /// Prompts until the answer is a number in the range. Enter alone takes the default; `help` names the
    /// range and the default.
    pub(crate) fn ask_number(
        &mut self,
        prompt: &str,
        possible: RangeInclusive<u32>,
        usual: u32,
    ) -> Result<u32, Leave> {
        let help = number_help(&possible, usual);
        self.ask_number_with_help(prompt, possible, usual, &help)
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
                    self.say(&format!("  {}\n", words().t("line.back-help")))?;
                    continue;
                }
                "back" => return Err(Leave::Back),
                "quit" => return Err(Leave::Quit),
                _ => {}
            }
            let is_number = line.strip_prefix('-').unwrap_or(&line).bytes().all(|b| b.is_ascii_digit());
            let problem = match line.parse() {
                Ok(number) if possible.contains(&number) => return Ok(number),
                _ if line == "-" || !is_number => "line.not-a-number",
                _ => "line.not-a-choice",
            };
            self.say("\n")?;
            self.say_error(words().t(problem))?;
        }
    }

    /// Shows a numbered list and prompts for an item; returns its index from zero. Items after the first
    /// `shown` can also be chosen; `help` lists them.
    pub(crate) fn ask_choice(
        &mut self,
        title: &str,
        items: &[impl AsRef<str>],
        shown: usize,
        prompt: &str,
        usual: usize,
    ) -> Result<usize, Leave> {
        self.say(&format!("\n {title}:\n"))?;
        let rows = (1..).zip(items).map(|(number, item)| format!("   {number}. {}\n", item.as_ref()));
        let (rows, rest) =
            (rows.clone().take(shown).collect::<String>(), rows.skip(shown).collect::<String>());
        self.say(&rows)?;
        let (possible, usual) = (1..=items.len() as u32, usual as u32 + 1);
        let help = rest + &number_help(&possible, usual);
        Ok(self.ask_number_with_help(&format!(" {prompt}: "), possible, usual, &help)? as usize - 1)
    }
}

fn number_help(possible: &RangeInclusive<u32>, usual: u32) -> String {
    let [least, most, usual] = [*possible.start(), *possible.end(), usual].map(|number| number.to_string());
    let values = [("least", &*least), ("most", &most), ("usual", &usual)];
    format!("  {}\n", words().fill("line.number-help", &values))
}

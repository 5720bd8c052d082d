//! Lines in and out: prompts, errors, colours only where they can be seen.

use std::io::{self, BufRead, IsTerminal, Write};

use rules::Side;

/// A person at a terminal, or a script in the place of one.
pub(crate) struct Terminal<R, W> {
    input: R,
    output: W,
    /// Whether a person sees the output as it comes.
    pub(crate) is_watched: bool,
    has_colours: bool,
}

/// Why a game is left in the middle.
#[derive(Debug)]
pub(crate) enum Leave {
    /// There is no more input.
    EndOfInput,
    /// The person wants no more.
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
    /// The terminal that the program was started in.
    pub(crate) fn standard() -> Self {
        let is_watched = io::stdout().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self {
            input: io::stdin().lock(),
            output: io::stdout().lock(),
            is_watched,
            has_colours: is_watched && !no_color && !dumb,
        }
    }
}

/// What a colour stands for.
#[derive(Clone, Copy)]
pub(crate) enum Paint {
    Side(Side),
    WinningPiece(Side),
    Error,
}

impl<R: BufRead, W: Write> Terminal<R, W> {
    /// The text in a colour, if colours can be seen.
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
        // Prompts and boards must be seen before the program waits or thinks.
        self.output.flush()
    }

    pub(crate) fn say_error(&mut self, text: &str) -> io::Result<()> {
        let line = self.paint(&format!("ERROR: {text}"), Paint::Error);
        self.say(&format!("\t{line}\n"))
    }

    /// Asks for a line; white space around it does not count.
    pub(crate) fn ask(&mut self, prompt: &str) -> Result<String, Leave> {
        self.say(prompt)?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            self.say("\n")?;
            return Err(Leave::EndOfInput);
        }
        Ok(String::from_utf8_lossy(&line).trim().to_owned())
    }

    /// Asks for a whole number until it is one of those possible.
    pub(crate) fn ask_number(
        &mut self,
        prompt: &str,
        possible: std::ops::RangeInclusive<u32>,
    ) -> Result<u32, Leave> {
        loop {
            let line = self.ask(prompt)?;
            let is_number = line.strip_prefix('-').unwrap_or(&line).bytes().all(|b| b.is_ascii_digit());
            let problem = match line.parse() {
                Ok(number) if possible.contains(&number) => return Ok(number),
                _ if line.is_empty() || line == "-" || !is_number => "Should be Integer",
                _ => "Invalid value",
            };
            self.say("\n")?;
            self.say_error(problem)?;
        }
    }

    /// Shows a numbered list and asks for one of it; the answer counts from zero.
    pub(crate) fn ask_choice(&mut self, title: &str, items: &[&str], prompt: &str) -> Result<usize, Leave> {
        self.say(&format!("\n {title}:\n"))?;
        for (number, item) in (1..).zip(items) {
            self.say(&format!("   {number}. {item}\n"))?;
        }
        Ok(self.ask_number(&format!(" {prompt}: "), 1..=items.len() as u32)? as usize - 1)
    }
}

//! Runs a program in a real pseudo-terminal with tmux: sends keys and clicks, reads the screen.

use std::{
    process::{Command, id},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// Timeout; only a failing test reaches it.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Interval between two reads of the screen.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A tmux session with one pane, killed on drop.
pub struct Tmux {
    socket: String,
}

impl Tmux {
    /// Runs a shell command in a window of this size. The pane stays after the command has ended.
    ///
    /// # Panics
    /// If tmux is not installed: `make test` installs it.
    #[must_use]
    pub fn run(command: &str, variables: &[(&str, &str)], width: u16, height: u16) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let tmux = Self { socket: format!("alinea-{}-{}", id(), NEXT.fetch_add(1, Ordering::Relaxed)) };
        let (width, height) = (width.to_string(), height.to_string());
        let variables: Vec<_> =
            variables.iter().flat_map(|(name, value)| ["-e".to_owned(), format!("{name}={value}")]).collect();
        let mut args = vec!["-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height];
        args.extend(variables.iter().map(String::as_str));
        // A pause at the end keeps the pane for a look at what is left of the screen.
        let command = format!("{command}; printf 'ended:%s:' $?; read -r _");
        args.extend(["sh", "-c", &command]);
        tmux.call(&args);
        tmux
    }

    fn call(&self, args: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-u", "-L", &self.socket])
            .args(args)
            .env("LC_ALL", "C.UTF-8")
            .env_remove("TMUX")
            .output()
            .expect("tmux is installed");
        assert!(output.status.success(), "tmux {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("a screen is text")
    }

    /// Presses a key by its name, such as `Enter`, `Up`, `C-c` or `4`.
    pub fn press(&self, key: &str) {
        self.call(&["send-keys", key]);
    }

    /// Types literal text.
    pub fn type_text(&self, text: &str) {
        self.call(&["send-keys", "-l", text]);
    }

    /// Clicks a cell of the screen, counted from zero.
    pub fn click(&self, x: usize, y: usize) {
        self.type_text(&format!("\x1b[<0;{};{}M\x1b[<0;{0};{1}m", x + 1, y + 1));
    }

    /// Resizes the window.
    pub fn resize(&self, width: u16, height: u16) {
        self.call(&["resize-window", "-x", &width.to_string(), "-y", &height.to_string()]);
    }

    /// Returns the visible text.
    #[must_use]
    pub fn screen(&self) -> String {
        self.call(&["capture-pane", "-p"])
    }

    /// Returns a property of the pane, such as `alternate_on`.
    #[must_use]
    pub fn property(&self, name: &str) -> String {
        self.call(&["display-message", "-p", &format!("#{{{name}}}")]).trim().to_owned()
    }

    /// Waits until the screen has this text.
    pub fn wait_for(&self, text: &str) -> String {
        self.wait_until(text, |screen| screen.contains(text))
    }

    /// Waits until the screen satisfies a condition.
    ///
    /// # Panics
    /// If that does not happen.
    pub fn wait_until(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + TIMEOUT;
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(Instant::now() < until, "waited in vain for {what}:\n{screen}");
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Asserts that the command has ended and restored the terminal.
    ///
    /// # Panics
    /// If something is left over.
    pub fn assert_clean_end(&self, code: &str) {
        let screen = self.wait_for("ended:");
        assert!(screen.contains(&format!("ended:{code}:")), "{screen}");
        for (property, expected) in [("alternate_on", "0"), ("mouse_any_flag", "0"), ("cursor_flag", "1")] {
            assert_eq!(self.property(property), expected, "{property}: {screen}");
        }
        // The shell reads lines again, with echo: the terminal is not raw.
        self.type_text("echoed");
        self.wait_for("echoed");
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.socket, "kill-server"]).output();
    }
}

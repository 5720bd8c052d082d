//! `alinea improve`: what one's own games show, and exercises from them, full screen.

use anyhow::{Result, bail};

use crate::play::{Begin, ScreenArgs, Session, run_full_screen};

/// See what your games against programs show about your play, and solve the positions that you got wrong
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if !cfg!(feature = "full-screen") {
        bail!("this build has no full screen, which exercises need; build it with make release");
    }
    if !args.screen.is_full() {
        bail!(
            "skills and exercises need a terminal and the full screen; puzzles work line by line: alinea puzzles play"
        );
    }
    run_full_screen(Session { screen: args.screen, pace: None, seed: None }, Begin::Improve)
}

//! `alinea online`: play and watch on a server, full screen.

use anyhow::{Result, bail};

use crate::play::{Begin, ScreenArgs, Session, run_full_screen};

/// Play on a server from the terminal: find an opponent, invite a friend, watch
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address of a server, or the link of a game; the server of the last time if not given
    #[arg(value_name = "SERVER")]
    server: Option<String>,
    #[command(flatten)]
    pub(crate) screen: ScreenArgs,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if !cfg!(feature = "full-screen") {
        bail!("this build has no full screen, which online games need; build it with make release");
    }
    if !args.screen.is_full() {
        bail!("online games need a terminal and the full screen");
    }
    let session = Session { screen: args.screen, pace: None, seed: None };
    run_full_screen(session, Begin::Online(args.server))
}

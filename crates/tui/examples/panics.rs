//! A full screen whose programs panic, for the test that the terminal is left clean: `p` in the set-up ends it so.

use alinea_tui::{Depth, Keep, Options, Settings, Start};

fn main() -> anyhow::Result<()> {
    let options = Options {
        start: Start::Setup(rules::GAMES[0]),
        settings: Settings::default(),
        language: None,
        depth: Depth::Basic,
        pace: None,
        seed: 1,
        keep: Keep::at(std::env::temp_dir().join("alinea-panics")),
        make: |_, _, _| panic!("as asked"),
    };
    alinea_tui::run(options, |_| {})
}

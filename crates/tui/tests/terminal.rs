//! A panic leaves the terminal clean, and its message on the screen.

use testkit::Tmux;

#[test]
fn a_panic_leaves_the_terminal_clean() {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("examples/panics");
    assert!(program.exists(), "`cargo test` without a choice of targets builds {}", program.display());
    let tmux = Tmux::run(&program.display().to_string(), &[], 80, 24);
    tmux.wait_for(" q ");
    tmux.press("p");
    tmux.wait_for("as asked");
    tmux.assert_clean_end("101");
}

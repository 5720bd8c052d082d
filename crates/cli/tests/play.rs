//! Whole games in the terminal: people, programs, take back, hint, why, resign, menu, colours.

use std::process::Command;

use crate::common::{alinea, finish};

fn played(args: &[&str], typed: &str) -> String {
    let run = alinea(args, typed);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
    run.stdout
}

#[test]
fn two_people() {
    let screen =
        played(&["play", "tic-tac-toe", "--first", "human", "--second", "human"], "a1\nb1\na2\nb2\na3\nn\n");
    assert!(screen.contains("  Turn of X\n  Choose cell: "));
    assert!(screen.contains("  Turn of O\n"));
    assert!(screen.ends_with("\n  X won. X has 3 in a line up a column, a1 to a3.\n\n\n  New game (y/n): "));
}

#[test]
fn one_player_alone_gets_an_opponent() {
    for (side, player) in [("--first", "human"), ("--second", "human"), ("--first", "greedy")] {
        let screen = played(&["play", "connect-four", side, player, "--seed", "1"], "4\n");
        assert!(screen.contains("AI turn") && screen.contains("Choose column"), "{side} {player}: {screen}");
    }
}

#[test]
fn programs_play_one_game_by_themselves() {
    for (game, first, second) in [
        ("tic-tac-toe", "perfect", "perfect"),
        ("connect-four:5x5", "smart:2", "greedy"),
        ("simplexity", "oizys:2", "random"),
        ("chess-five", "chess-five:medium", "random"),
        ("connect-four:12x12x5", "random", "greedy"),
    ] {
        let args = ["play", game, "--first", first, "--second", second, "--seed", "3"];
        let screen = played(&args, "");
        assert!(screen.contains(" -> "), "{game}");
        let over = screen.contains("  Draw. ") || screen.contains(" won. ");
        assert!(over && !screen.contains("New game"), "{game}: {screen}");
        assert_eq!(screen, played(&args, ""), "the same seed gives the same game");
    }
}

#[test]
fn the_second_player_can_move_first() {
    let args = ["play", "connect-four", "--first", "human", "--second", "greedy", "--begins", "second"];
    let screen = played(&args, "");
    assert!(screen.contains("  AI turn\n  thinking... \n\n  Column -> 1\n"));
}

#[test]
fn the_first_player_is_chosen_by_seed() {
    let who = |seed: &str| {
        let args = [
            "play",
            "connect-four",
            "--first",
            "human",
            "--second",
            "greedy",
            "--begins",
            "random",
            "--seed",
            seed,
        ];
        played(&args, "").contains("AI turn")
    };
    let drawn: Vec<_> = ["1", "2", "3", "4", "5", "6", "7", "8"].map(who).to_vec();
    assert!(drawn.contains(&true) && drawn.contains(&false));
    assert_eq!(who("1"), who("1"));
}

#[test]
fn moves_can_be_taken_back() {
    let args = ["play", "connect-four", "--first", "human", "--second", "greedy"];
    let screen = played(&args, "back\n4\nback\n7\n");
    assert!(screen.contains("\tERROR: there is no move of yours to take back\n"));
    let boards: Vec<_> = screen.split("\n    1   2   3   4   5   6   7   \n").collect();
    // The start, after 4, after the program's reply, the start again.
    assert_eq!(boards[1].split("Your turn").next(), boards[4].split("Your turn").next());
    assert_ne!(boards[1].split("Your turn").next(), boards[3].split("Your turn").next());
}

#[test]
fn two_people_take_back_one_move() {
    let args = ["play", "tic-tac-toe", "--first", "human", "--second", "human"];
    let screen = played(&args, "b2\nback\nb2\na1\nback\na2\n");
    assert_eq!(screen.matches("Turn of X").count(), 4);
}

#[test]
fn hints_and_reasons_are_sentences() {
    let args = ["play", "connect-four", "--first", "human", "--second", "smart:3"];
    let screen = played(&args, "why\n4\nwhy\nhint\nmoves\nhelp\n");
    assert!(screen.contains("\tERROR: there is no move of a program to explain\n"));
    assert!(screen.contains("  It expects this: 4, then "), "{screen}");
    assert!(screen.contains("  Details: 3 moves ahead, "), "{screen}");
    assert!(screen.contains("  Hint: "));
    assert!(screen.contains("  Moves: 1 2 3 4 5 6 7\n"));
    assert!(screen.contains("to take your last move back"));
}

#[test]
fn the_last_move_can_be_explained_after_the_end() {
    let args = ["play", "connect-four", "--first", "human", "--second", "smart:2"];
    let screen = played(&args, "1\nresign\nwhy\nn\n");
    let end = screen.find("New game (y/n)").unwrap_or_else(|| panic!("{screen}"));
    assert!(screen[end..].contains("Details: 2 moves ahead"), "{screen}");
}

#[test]
fn moves_ignore_case() {
    let screen = played(&["play", "tic-tac-toe", "--first", "human", "--second", "human"], "B2\n");
    assert!(screen.contains("Turn of O"));
    let screen = played(&["play", "chess-five", "--first", "human", "--second", "human"], "q@D\n");
    assert!(screen.contains("Turn of Magenta"));
}

#[test]
fn a_random_first_player_is_announced() {
    let args =
        ["play", "tic-tac-toe", "--first", "human", "--second", "oxo", "--begins", "random", "--seed", "1"];
    assert!(played(&args, "").starts_with("\n  Chosen at random: "));
}

#[test]
fn resigning_loses_and_offers_a_new_game() {
    let args = ["play", "connect-four:4x4", "--first", "human", "--second", "greedy"];
    let screen = played(&args, "1\nresign\ny\nresign\nn\n");
    assert_eq!(screen.matches("Game OVER! - You've lost! ").count(), 1);
    // Before both have moved there is nothing to lose.
    assert_eq!(screen.matches("  Aborted. The game ended before both sides had moved.\n").count(), 1);
    assert_eq!(screen.matches("New game (y/n)").count(), 2);
}

#[test]
fn every_language_of_the_page_is_spoken() {
    for (language, greeting, result, refusal) in [
        ("es", "  Turno de X\n  Elige casilla: ", "Ganó X.", "no es una jugada legal"),
        ("pt-PT", "  Vez de X\n  Escolhe a casa: ", "X ganhou.", "não é uma jogada legal"),
        ("pt-BR", "  Vez de X\n  Escolha a casa: ", "X ganhou.", "não é uma jogada legal"),
        ("ca", "  Torn de X\n  Tria casella: ", "Ha guanyat X.", "no és una jugada legal"),
    ] {
        let args =
            ["play", "tic-tac-toe", "--first", "human", "--second", "human", "--plain", "--lang", language];
        let screen = played(&args, "z9\na1\nb1\na2\nb2\na3\nn\n");
        for text in [greeting, result, refusal] {
            assert!(screen.contains(text), "{language}: {text}: {screen}");
        }
    }
    let run = alinea(&["play", "tic-tac-toe", "--lang", "tlh"], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("expected one of en, es, pt-PT, pt-BR, ca"), "{}", run.stderr);
}

#[test]
fn new_and_quit() {
    let args = ["play", "tic-tac-toe", "--first", "human", "--second", "human"];
    let screen = played(&args, "b2\nnew\na1\nquit\nb1\n");
    assert_eq!(screen.matches("Turn of X").count(), 2);
    assert_eq!(screen.matches("Turn of O").count(), 2);
}

#[test]
fn chess_five_asks_for_drops_then_for_moves() {
    let position = "8/8/8/8/3Kk3/3Rr3/1NBRrbn1/1NBQqbn1[] w";
    let drops = played(&["play", "chess-five", "--first", "human", "--second", "human"], "Q@d\n");
    assert!(drops.contains("  Cyan: 2 R, 2 N, 2 B, 1 Q, 1 K\n"));
    assert!(drops.contains("  Choose piece and column: "));
    let moves = played(
        &["play", "chess-five", "--first", "human", "--second", "human", "--position", position],
        "d4d5\ne4e5\n",
    );
    assert!(moves.contains("  Choose move: "));
    assert_eq!(moves.matches("ERROR").count(), 0);
}

#[test]
fn the_menu_leads_to_every_game() {
    // Game, players, first player, then size and program where there is a choice.
    for (typed, prompt) in [
        ("1\n1\n1\n6\n", "  Your turn\n  Choose cell: "),
        ("2\n1\n2\n6\n7\n2\n", "  AI turn\n  thinking... \n\n  Column -> 1\n"),
        ("3\n2\n6\n7\n4\n", "  Turn of White\n  Choose column and shape: "),
        ("4\n1\n1\n3\n1\n", "  Choose piece and column: "),
        ("2\n3\n4\n4\n2\n3\n2\n", "  Turn of ● (Smart 2)\n"),
    ] {
        let screen = played(&[], typed);
        assert!(screen.contains(prompt), "{typed:?}: {screen}");
    }
    assert!(played(&[], "9\n5\n").contains("\tERROR: Invalid value\n"));
}

#[test]
fn every_prompt_has_help_back_quit_and_a_default() {
    // Enter alone takes the usual size and strategy; back leads to the question before.
    let screen = played(&["play", "connect-four"], "help\n\nback\n5\n\nhelp\n4\nback\n\n\nquit\n");
    assert!(screen.contains("  A number from 1 to 64; Enter alone means 6.\n"), "{screen}");
    assert_eq!(
        screen.matches("   Rows    = ").count(),
        3,
        "asked, asked again after help and after back: {screen}"
    );
    assert!(
        screen.contains("   4. level\n"),
        "the players that the original program does not have: {screen}"
    );
    assert!(screen.contains("  Your turn\n"), "{screen}");
    for typed in ["quit\n", "1\nquit\n", "1\n1\nquit\n", "1\n1\nback\n1\nquit\n"] {
        let screen = played(&[], typed);
        assert!(!screen.contains("ERROR"), "{screen}");
    }
}

#[test]
fn simplexity_needs_room_for_a_run() {
    let screen = played(&["play", "simplexity"], "2\n3\n4\n4\n4\n3\n2\n");
    assert!(screen.contains("\tERROR: a run of 4 does not fit a board of 2x3"));
    assert!(screen.contains("  White: 4 round, 4 square\n"));
}

/// Runs the program in a pseudo-terminal.
fn in_terminal(variables: &[(&str, &str)]) -> String {
    let program = env!("CARGO_BIN_EXE_alinea");
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command"]);
    command.arg(format!("'{program}' play connect-four:4x4 --first greedy --second greedy --pace 0 --plain"));
    command.arg("/dev/null").env_remove("NO_COLOR").env("TERM", "xterm").envs(variables.iter().copied());
    finish(&mut command, b"").stdout
}

#[test]
fn colours_only_on_a_terminal_and_never_with_no_color() {
    let coloured = in_terminal(&[]);
    assert!(coloured.contains("\x1b[36m○\x1b[0m"), "{coloured:?}");
    assert!(coloured.contains("\x1b[1;7;3"), "the winning line stands out: {coloured:?}");
    for plain in [in_terminal(&[("NO_COLOR", "1")]), in_terminal(&[("TERM", "dumb")])] {
        assert!(plain.contains('○') && !plain.contains('\x1b'), "{plain:?}");
    }
    let piped = played(&["play", "connect-four:4x4", "--first", "greedy", "--second", "greedy"], "");
    assert!(!piped.contains('\x1b'));
}

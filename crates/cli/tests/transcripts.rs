//! The screens of the original Connect Four program, byte for byte.

use crate::common::alinea;

const PROMPTS: [&str; 5] = [
    "   Rows    = ",
    "   Columns = ",
    " Choose strategy: ",
    " Difficulty (recommended 4 or 5) = ",
    "  Choose column: ",
];

/// Splits a recorded screen, in which the terminal echoed the input, into input and output. At the end of
/// input our program prints a line break where the original failed.
fn split(screen: &str) -> (String, String) {
    let (mut typed, mut printed) = (String::new(), String::new());
    for line in screen.split_inclusive('\n') {
        match PROMPTS.iter().find_map(|prompt| Some((prompt, line.strip_prefix(prompt)?))) {
            None => printed += line,
            Some((prompt, answer)) if answer.contains("end of file") => printed = printed + prompt + "\n",
            Some((prompt, answer)) => {
                printed += prompt;
                typed += answer;
            }
        }
    }
    (typed, printed)
}

fn assert_same_screens(screen: &str, seed: &str) {
    let (typed, printed) = split(screen);
    let run = alinea(&["play", "connect-four", "--seed", seed], typed);
    assert_eq!(run.stdout, printed);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
}

#[test]
fn errors_and_a_tie_against_greedy() {
    assert_same_screens(include_str!("golden/ratlla_errors_tie.txt"), "0");
}

#[test]
fn a_loss_against_smart() {
    assert_same_screens(include_str!("golden/ratlla_loss.txt"), "0");
}

/// With this seed, random plays as in the recording.
#[test]
fn a_win_against_random() {
    assert_same_screens(include_str!("golden/ratlla_win.txt"), "2");
}

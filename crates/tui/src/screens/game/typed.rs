//! Typed moves: `4`, `12`, `b2`, `s4`, `4s`, `Qc`, `Q@c`, `Nd2-e4`, `d2e4`, with the letters of pieces in the language
//! of the reader and in English.

use rules::{AnyGame, Board, Cell, Choice, Coordinates, GameInfo, Kind, with_game};
use sentences::Words;

/// The kind that a typed letter stands for; the reader's language comes first.
pub(super) fn kind_of(words: &Words, info: &GameInfo, letter: char) -> Option<Kind> {
    if info.pieces.len() < 2 {
        return None;
    }
    let typed = letter.to_lowercase().to_string();
    let local = info.pieces.iter().find(|piece| {
        let key = format!("letter.{}", piece.kind.id());
        words.has(&key) && words.t(&key).to_lowercase() == typed
    });
    let own = || {
        info.pieces.iter().find(|piece| match info.coordinates {
            Coordinates::Columns => piece.kind.id().starts_with(&typed),
            _ => piece.letters[0].to_lowercase().to_string() == typed,
        })
    };
    local.or_else(own).map(|piece| piece.kind)
}

/// Splits a word into moves, where several may be written without spaces.
pub(super) fn split(game: &AnyGame, word: &str) -> Vec<String> {
    let moves = with_game!(&game, game => game.position().split_moves(word));
    moves.into_iter().map(str::to_owned).collect()
}

/// Finds the move that a word stands for, among the possible moves. `kind` is the chosen kind of piece.
pub(super) fn find(
    words: &Words,
    info: &GameInfo,
    choices: &[Choice],
    kind: Option<Kind>,
    text: &str,
) -> Option<Choice> {
    let word: String = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '@' | '-' | '–')).collect();
    let is = |other: &str, word: &str| other.to_lowercase() == word.to_lowercase();
    let exact = || choices.iter().find(|choice| is(&choice.text, text.trim())).cloned();
    let drop = |column: u8, kind: Option<Kind>| {
        let fits = |choice: &&Choice| {
            choice.from.is_none() && choice.to.column == column && kind.is_none_or(|kind| choice.kind == kind)
        };
        choices.iter().find(fits).cloned()
    };
    // A step names two cells; the letter of its piece is not needed.
    let step = |word: &str| {
        let fits =
            |choice: &&Choice| choice.from.is_some_and(|from| is(&format!("{from}{}", choice.to), word));
        choices.iter().find(fits).cloned()
    };
    let rest = |word: &str| word.chars().skip(1).collect::<String>();
    if let Some(found) = step(&word).or_else(|| step(&rest(&word))) {
        return Some(found);
    }
    if info.coordinates == Coordinates::Columns {
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        let letters: Vec<char> = word.chars().filter(|c| !c.is_ascii_digit()).collect();
        let column = digits.parse::<u8>().ok()?.checked_sub(1)?;
        return match letters[..] {
            [] => drop(column, kind),
            [letter] => match kind_of(words, info, letter) {
                Some(kind) => drop(column, Some(kind)),
                None => exact(),
            },
            _ => None,
        };
    }
    if info.falls {
        let column = |letters: &str| {
            format!("{}1", letters.to_lowercase()).parse::<Cell>().ok().map(|cell| cell.column)
        };
        let lettered = || {
            let kind = kind_of(words, info, word.chars().next()?)?;
            drop(column(&rest(&word))?, Some(kind))
        };
        return lettered().or_else(|| drop(column(&word)?, kind));
    }
    exact().or_else(|| choices.iter().find(|choice| is(&choice.to.to_string(), &word)).cloned())
}

#[cfg(test)]
mod tests {
    use rules::Spec;
    use sentences::Language;

    use super::*;

    fn read(game: &str, language: Language, text: &str) -> Option<String> {
        let game = AnyGame::from(game.parse::<Spec>().unwrap());
        let choices = game.choices();
        find(&Words::new(language), game.info(), &choices, None, text).map(|choice| choice.text)
    }

    #[test]
    fn every_example_of_every_game_can_be_typed() {
        for info in rules::GAMES {
            let game = AnyGame::from(info.standard.parse::<Spec>().unwrap());
            for m in game.legal_moves() {
                assert_eq!(read(info.standard, Language::En, &m).as_deref(), Some(&*m), "{}", info.id);
            }
        }
    }

    #[test]
    fn letters_are_those_of_the_reader() {
        assert_eq!(read("chess-five", Language::En, "Qd").as_deref(), Some("Q@d"));
        assert_eq!(read("chess-five", Language::Es, "Dd").as_deref(), Some("Q@d"));
        assert_eq!(read("chess-five", Language::Es, "Rd").as_deref(), Some("K@d"));
        assert_eq!(read("simplexity", Language::En, "s4"), read("simplexity", Language::En, "4s"));
        assert_eq!(read("connect-four", Language::En, "9"), None);
    }
}

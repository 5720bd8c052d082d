//! Shapes as SVG.

use std::fmt::{self, Write as _};

use rules::AnyGame;

use super::board::{Board, Colour, Form, Shape};

/// The position on a board, alone.
pub(crate) fn svg(game: &AnyGame) -> String {
    let Board { width, height, shapes } = Board::of(game);
    let mut text = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" stroke-linecap="round" stroke-linejoin="round">"#
    );
    for shape in &shapes {
        let _ = write!(text, "{shape}");
    }
    text + "</svg>"
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.at;
        match &self.form {
            Form::Rect { width, height, radius } => {
                let (left, top) = (x - width / 2, y - height / 2);
                write!(f, r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="{radius}""#)?;
            }
            Form::Circle { radius } => write!(f, r#"<circle cx="{x}" cy="{y}" r="{radius}""#)?,
            Form::Path(path) => write!(f, r#"<path transform="translate({x} {y})" d="{path}""#)?,
        }
        match self.fill {
            Some(fill) => write!(f, r#" fill="{fill}""#)?,
            None => f.write_str(r#" fill="none""#)?,
        }
        if let Some((stroke, width)) = self.stroke {
            write!(f, r#" stroke="{stroke}" stroke-width="{width}""#)?;
        }
        f.write_str("/>")
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use rules::{Side, Spec};

    use super::{super::board::THREAD, *};

    #[test]
    fn a_picture_shows_the_pieces_and_the_last_move() {
        let mut game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
        let empty = svg(&game);
        game.play_all("4 4 3").unwrap();
        let played = svg(&game);
        let count = |colour: Colour| played.matches(&colour.to_string()).count();
        assert_eq!(count(Colour::of(Side::First)), 2);
        assert_eq!(count(Colour::of(Side::Second)), 1);
        assert_eq!(count(THREAD), 1);
        assert!(!empty.contains(&THREAD.to_string()));
    }

    #[test]
    fn shapes_are_written_around_their_places() {
        let shape = |form| Shape { at: (80, 60), form, fill: None, stroke: Some((Colour(0x0a_0b0c), 5)) };
        let ink = r##"fill="none" stroke="#0a0b0c" stroke-width="5"/>"##;
        for (form, start) in [
            (
                Form::Rect { width: 40, height: 20, radius: 3 },
                r#"<rect x="60" y="50" width="40" height="20" rx="3" "#,
            ),
            (Form::Circle { radius: 9 }, r#"<circle cx="80" cy="60" r="9" "#),
            (Form::Path("M0 0L9 9".into()), r#"<path transform="translate(80 60)" d="M0 0L9 9" "#),
        ] {
            assert_eq!(shape(form).to_string(), format!("{start}{ink}"));
        }
    }
}

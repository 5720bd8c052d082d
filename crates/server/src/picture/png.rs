//! Shapes as pixels.

use rules::AnyGame;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use super::board::{BACKGROUND, Board, Colour, Form, Shape};

/// The size that sites expect of a preview.
const CARD: (u32, u32) = (1200, 630);
/// Maximum size of the board in the preview.
const CARD_BOARD: (f32, f32) = (1120.0, 550.0);

/// The position as the preview of a link. Takes some ten milliseconds.
pub(crate) fn card(game: &AnyGame) -> Option<Vec<u8>> {
    pixels(game)?.encode_png().ok()
}

fn pixels(game: &AnyGame) -> Option<Pixmap> {
    let Board { width, height, shapes } = Board::of(game);
    let (width, height) = (width as f32, height as f32);
    let scale = (CARD_BOARD.0 / width).min(CARD_BOARD.1 / height);
    let to_card = Transform::from_translate(
        (CARD.0 as f32 - width * scale) / 2.0,
        (CARD.1 as f32 - height * scale) / 2.0,
    )
    .pre_scale(scale, scale);
    let mut pixels = Pixmap::new(CARD.0, CARD.1)?;
    pixels.fill(BACKGROUND.into());
    for shape in &shapes {
        paint(shape, to_card, &mut pixels)?;
    }
    Some(pixels)
}

fn paint(shape: &Shape, to_card: Transform, pixels: &mut Pixmap) -> Option<()> {
    let path = outline(&shape.form)?;
    let to_card = to_card.pre_translate(shape.at.0 as f32, shape.at.1 as f32);
    let mut paint = Paint::default();
    if let Some(fill) = shape.fill {
        paint.set_color(fill.into());
        pixels.fill_path(&path, &paint, FillRule::Winding, to_card, None);
    }
    if let Some((colour, width)) = shape.stroke {
        paint.set_color(colour.into());
        let stroke = Stroke {
            width: width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        pixels.stroke_path(&path, &paint, &stroke, to_card, None);
    }
    Some(())
}

impl From<Colour> for Color {
    fn from(Colour(rgb): Colour) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self::from_rgba8(red, green, blue, 255)
    }
}

fn outline(form: &Form) -> Option<Path> {
    match *form {
        Form::Rect { width, height, radius } => rounded(width as f32, height as f32, radius as f32),
        // Closer to a circle than `PathBuilder::from_circle`, whose error shows at this scale.
        Form::Circle { radius } => rounded(2.0 * radius as f32, 2.0 * radius as f32, radius as f32),
        Form::Path(ref text) => parse(text),
    }
}

fn rounded(width: f32, height: f32, radius: f32) -> Option<Path> {
    let (x, y) = (width / 2.0, height / 2.0);
    // Where the sides end, and where the control points of a cubic curve are that passes for a quarter of a circle.
    let (end_x, end_y) = (x - radius, y - radius);
    let (curve_x, curve_y) = (end_x + 0.5523 * radius, end_y + 0.5523 * radius);
    let mut path = PathBuilder::new();
    path.move_to(-end_x, -y);
    path.line_to(end_x, -y);
    path.cubic_to(curve_x, -y, x, -curve_y, x, -end_y);
    path.line_to(x, end_y);
    path.cubic_to(x, curve_y, curve_x, y, end_x, y);
    path.line_to(-end_x, y);
    path.cubic_to(-curve_x, y, -x, curve_y, -x, end_y);
    path.line_to(-x, -end_y);
    path.cubic_to(-x, -curve_y, -curve_x, -y, -end_x, -y);
    path.close();
    path.finish()
}

/// Reads the part of SVG's path data that `Form::Path` is written in.
fn parse(text: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let mut rest = text.trim_start();
    while let Some(command) = rest.chars().next() {
        rest = &rest[command.len_utf8()..];
        let (numbers, next) = rest.split_at(rest.find(char::is_alphabetic).unwrap_or(rest.len()));
        rest = next;
        let numbers = numbers.split_whitespace().map(|number| number.parse().ok());
        match (command, &*numbers.collect::<Option<Vec<f32>>>()?) {
            ('M', &[x, y]) => path.move_to(x, y),
            ('L', &[x, y]) => path.line_to(x, y),
            ('H', &[x]) => path.line_to(x, path.last_point()?.y),
            ('V', &[y]) => path.line_to(path.last_point()?.x, y),
            ('Q', &[x1, y1, x, y]) => path.quad_to(x1, y1, x, y),
            ('C', &[x1, y1, x2, y2, x, y]) => path.cubic_to(x1, y1, x2, y2, x, y),
            ('Z', &[]) => path.close(),
            _ => return None,
        }
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use rules::{GAMES, Side, Spec};

    use super::{
        super::board::{THREAD, drawing},
        *,
    };

    fn game(spec: &str, moves: &str) -> AnyGame {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        game
    }

    #[test]
    fn every_game_has_a_card_of_the_size_that_sites_expect() {
        for info in GAMES {
            let mut game = game(info.standard, "");
            for _ in 0..5 {
                let Some(first) = game.legal_moves().first().cloned() else { break };
                game.play(&first).unwrap();
            }
            let card = card(&game).unwrap();
            assert!(card.starts_with(b"\x89PNG"), "{}", game.spec());
            assert_eq!(card[16..24], [1200_u32.to_be_bytes(), 630_u32.to_be_bytes()].concat());
        }
    }

    #[test]
    fn pieces_and_the_winning_line_are_where_they_belong() {
        // Three cells of 100 in a frame of 30, at a scale of 550/360; the middle of the board in the middle of the card.
        let at = |game: &AnyGame, col: f32, row: f32| {
            let scale = 550.0 / 360.0 * 100.0;
            let pixel =
                pixels(game).unwrap().pixel((600.0 + col * scale) as u32, (315.0 + row * scale) as u32);
            let pixel = pixel.unwrap();
            u32::from_be_bytes([0, pixel.red(), pixel.green(), pixel.blue()])
        };
        let played = game("tic-tac-toe", "b2 a1");
        assert_eq!(at(&played, 0.0, 0.0), Colour::of(Side::First).0, "a cross");
        assert_eq!(at(&played, -1.29, 1.0), Colour::of(Side::Second).0, "a ring");
        assert_eq!(at(&played, -1.0, -1.0), at(&played, -1.0, 1.0), "a hole and the hole of a ring");
        let won = game("tic-tac-toe", "a1 b1 b2 c1 c3");
        assert_eq!(at(&won, 0.5, -0.5), THREAD.0);
    }

    #[test]
    fn every_piece_can_be_painted() {
        for piece in GAMES.iter().flat_map(|info| info.pieces) {
            for (glyph, side) in piece.glyphs.into_iter().zip([Side::First, Side::Second]) {
                assert!(outline(&drawing(glyph, side, (0, 0)).form).is_some(), "{glyph}");
            }
        }
    }

    #[test]
    fn path_data_is_read_command_by_command() {
        let path = parse("M1 2L3 4H5V6Q7 8 9 10C11 12 13 14 15 16Z").unwrap();
        let points = path.points().iter().map(|point| (point.x as i32, point.y as i32));
        let expected = [(1, 2), (3, 4), (5, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 14), (15, 16)];
        assert!(points.eq(expected), "{path:?}");
    }

    #[test]
    fn path_data_outside_of_the_subset_is_refused() {
        for text in [
            "",
            "Z",
            "M1",
            "M1 2L3",
            "M1 2 3 4",
            "M1 2l3 4",
            "H1",
            "M1 2LNaN 4",
            "M1 2A1 1 0 0 0 3 4",
            "ÿ",
            "1 2",
        ] {
            assert!(parse(text).is_none(), "{text}");
        }
    }
}

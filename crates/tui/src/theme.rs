//! The colours of the three themes at every depth of colour, and the two sets of glyphs.

use std::env;

use ratatui::style::{Color, Modifier, Style};
use rules::Side;
use serde::{Deserialize, Serialize};

use crate::system;

/// A set of colours, as on the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// Bright on dark.
    #[default]
    Neon,
    /// Dark on light.
    Light,
    /// Safe for every kind of colour vision.
    ColourSafe,
}

/// How many colours the terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// True colour: 24 bits.
    True,
    /// The 256 indexed colours.
    Indexed,
    /// The 16 basic colours.
    Basic,
    /// No colours, only shapes and marks.
    None,
}

/// The characters that may be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Glyphs {
    /// Blocks, discs and chess pieces.
    #[default]
    Unicode,
    /// Printable ASCII only.
    Ascii,
}

/// The nearest printable ASCII character; letters of words stay as they are.
pub(crate) fn to_ascii(c: char) -> char {
    match c {
        '♜' | '♖' => 'R',
        '♞' | '♘' => 'N',
        '♝' | '♗' => 'B',
        '♛' | '♕' => 'Q',
        '♚' | '♔' => 'K',
        '●' | '○' => 'r',
        '■' | '□' => 's',
        '–' | '—' | '−' => '-',
        '…' | '·' | '•' => '.',
        '“' | '”' => '"',
        '‘' | '’' => '\'',
        '×' => 'x',
        '◂' => '<',
        '→' => '>',
        _ if c.is_alphabetic() => c,
        _ => '#',
    }
}

/// The role of a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ink {
    Ground,
    Panel,
    Text,
    Muted,
    First,
    Second,
    Face,
    Hole,
    TileLight,
    TileDark,
    /// Accents: a win, the last move, the selection.
    Thread,
    /// Text on the thread.
    OnThread,
}

impl Ink {
    pub(crate) const fn of(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Neon, Self::Light, Self::ColourSafe];

    /// The last part of its message key.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Neon => "theme.neon",
            Self::Light => "theme.light",
            Self::ColourSafe => "theme.colour-safe",
        }
    }

    const fn rgb(self, ink: Ink) -> u32 {
        let [neon, light, safe] = match ink {
            Ink::Ground => [0x0d_0c22, 0xf6_f1e9, 0x0f_1319],
            Ink::Panel => [0x21_1f4d, 0xe6_deef, 0x23_2d3b],
            Ink::Text => [0xf4_f2ff, 0x22_1d3d, 0xf4_f6fa],
            Ink::Muted => [0xb4_b1dc, 0x5d_5678, 0xb7_c0cf],
            Ink::First => [0x3f_f5ee, 0x00_3d50, 0x5d_b8ee],
            Ink::Second => [0xfb_2bff, 0xc8_1e9a, 0xff_b000],
            Ink::Face => [0x40_3aa6, 0xa1_9ae2, 0x44_5166],
            Ink::Hole => [0x12_1033, 0xfb_f7f0, 0x0e_131a],
            Ink::TileLight => [0x2b_2870, 0xf7_f3ee, 0x37_424f],
            Ink::TileDark => [0x19_1745, 0xdc_d6f1, 0x1d_242e],
            Ink::Thread => [0xff_d166, 0xf0_a400, 0xff_ffff],
            Ink::OnThread => [0x2b_1d00, 0x2b_1d00, 0x10_151c],
        };
        match self {
            Self::Neon => neon,
            Self::Light => light,
            Self::ColourSafe => safe,
        }
    }

    const fn basic(self, ink: Ink) -> Color {
        let is_light = matches!(self, Self::Light);
        match ink {
            Ink::Ground if is_light => Color::White,
            Ink::Text | Ink::OnThread if is_light => Color::Black,
            Ink::Ground | Ink::Hole | Ink::OnThread => Color::Black,
            Ink::Panel if is_light => Color::Gray,
            Ink::Panel => Color::DarkGray,
            Ink::Text => Color::White,
            Ink::Muted if is_light => Color::DarkGray,
            Ink::Muted => Color::Gray,
            Ink::First => match self {
                Self::Neon => Color::LightCyan,
                Self::Light => Color::Blue,
                Self::ColourSafe => Color::LightBlue,
            },
            Ink::Second => match self {
                Self::Neon => Color::LightMagenta,
                Self::Light => Color::Magenta,
                Self::ColourSafe => Color::Yellow,
            },
            Ink::Face => Color::Blue,
            Ink::TileLight => Color::DarkGray,
            Ink::TileDark => Color::Black,
            Ink::Thread if matches!(self, Self::ColourSafe) => Color::White,
            Ink::Thread => Color::LightYellow,
        }
    }
}

impl Depth {
    /// Capabilities of the terminal, from the environment.
    #[must_use]
    pub fn of_terminal() -> Self {
        let is = |name: &str, test: &dyn Fn(&str) -> bool| env::var(name).is_ok_and(|value| test(&value));
        if is("NO_COLOR", &|value| !value.is_empty()) {
            Self::None
        } else if is("COLORTERM", &|value| matches!(value, "truecolor" | "24bit")) {
            Self::True
        } else if is("TERM", &|value| value.contains("256color") || value.contains("kitty")) {
            Self::Indexed
        } else if system::HAS_TRUE_COLOUR && env::var_os("TERM").is_none() {
            Self::True
        } else {
            Self::Basic
        }
    }
}

/// Colours ready to be drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Palette {
    pub(crate) theme: Theme,
    pub(crate) depth: Depth,
}

impl Palette {
    pub(crate) fn color(self, ink: Ink) -> Color {
        match self.depth {
            Depth::True => rgb(self.theme.rgb(ink)),
            Depth::Indexed => Color::Indexed(nearest(self.theme.rgb(ink))),
            Depth::Basic => self.theme.basic(ink),
            Depth::None => Color::Reset,
        }
    }

    /// A mix of `share` percent of one ink with another: for ghosts, tints, and pieces beside a winning line.
    pub(crate) fn mix(self, ink: Ink, share: u32, on: Ink) -> Color {
        let (a, b) = (self.theme.rgb(ink), self.theme.rgb(on));
        let part = |shift: u32| {
            let mixed = ((a >> shift & 255) * share + (b >> shift & 255) * (100 - share)) / 100;
            mixed << shift
        };
        let mixed = part(16) | part(8) | part(0);
        match self.depth {
            Depth::True => rgb(mixed),
            Depth::Indexed => Color::Indexed(nearest(mixed)),
            Depth::Basic if share >= 50 => self.theme.basic(ink),
            Depth::Basic => Color::DarkGray,
            Depth::None => Color::Reset,
        }
    }

    pub(crate) fn style(self, ink: Ink, on: Ink) -> Style {
        Style::new().fg(self.color(ink)).bg(self.color(on))
    }

    /// Plain text on the ground.
    pub(crate) fn text(self) -> Style {
        self.style(Ink::Text, Ink::Ground)
    }

    /// Text of less importance.
    pub(crate) fn muted(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::DIM),
            _ => self.style(Ink::Muted, Ink::Ground),
        }
    }

    /// The selected item of a list.
    pub(crate) fn chosen(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::REVERSED),
            _ => self.style(Ink::OnThread, Ink::Thread),
        }
    }

    /// A key in the bar at the bottom.
    pub(crate) fn key(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::BOLD),
            _ => self.style(Ink::Thread, Ink::Panel),
        }
    }

    pub(crate) fn bar(self) -> Style {
        match self.depth {
            Depth::None => Style::new(),
            _ => self.style(Ink::Text, Ink::Panel),
        }
    }

    pub(crate) fn side(self, side: Side) -> Style {
        self.style(Ink::of(side), Ink::Ground).add_modifier(Modifier::BOLD)
    }
}

const fn rgb(value: u32) -> Color {
    Color::Rgb((value >> 16) as u8, (value >> 8) as u8, value as u8)
}

/// The nearest of the 256 colours, from the 6×6×6 cube and the greys.
fn nearest(value: u32) -> u8 {
    const STEPS: [i32; 6] = [0, 95, 135, 175, 215, 255];
    let parts = [16, 8, 0].map(|shift| (value >> shift & 255) as i32);
    let distance = |other: [i32; 3]| -> i32 { parts.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum() };
    let step = |part: i32| (0..6).min_by_key(|&i| (STEPS[i] - part).abs()).unwrap_or(0);
    let cube = parts.map(step);
    let grey = ((parts.iter().sum::<i32>() / 3 - 8 + 5) / 10).clamp(0, 23);
    if distance(cube.map(|i| STEPS[i])) <= distance([8 + 10 * grey; 3]) {
        (16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8
    } else {
        232 + grey as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexed_colours_are_the_nearest() {
        assert_eq!(nearest(0xff_0000), 196);
        assert_eq!(nearest(0x00_0000), 16);
        assert_eq!(nearest(0x80_8080), 244);
    }

    #[test]
    fn the_sides_differ_in_every_theme_and_depth() {
        for theme in Theme::ALL {
            for depth in [Depth::True, Depth::Indexed, Depth::Basic] {
                let palette = Palette { theme, depth };
                assert_ne!(palette.color(Ink::First), palette.color(Ink::Second));
                assert_ne!(palette.color(Ink::Ground), palette.color(Ink::Text));
            }
        }
    }
}

//! How a player is listed and made from its name: `smart:5` is the player `smart` with the number 5.

use std::fmt;

use crate::{
    control::{NoClock, Resources},
    player::BoxedPlayer,
};

/// A player of a game, created on request.
pub(crate) struct Entry<P> {
    pub(crate) name: &'static str,
    make: Make<P>,
    /// Creates the player with any search depth; `None` if it has no fixed search depth.
    at_depth: Option<MakeAtDepth<P>>,
}

/// How a player is made from what follows the colon of its name.
enum Make<P> {
    Plain(fn(&Resources) -> BoxedPlayer<P>),
    Number { range: Range, default: u32, make: Box<MakeNumbered<P>> },
    Strength { most: u32, default: u32, make: Box<MakeNumbered<P>> },
    Level { names: [&'static str; 3], default: usize, make: fn(usize, &Resources) -> BoxedPlayer<P> },
    Limits { form: &'static str, make: MakeLimited<P> },
}

/// Makes a player with limits that it reads itself.
type MakeLimited<P> = fn(Option<&str>, &Resources) -> Result<BoxedPlayer<P>, Refusal>;

/// Why a player cannot be made.
pub(crate) enum Refusal {
    /// It does not take this parameter.
    Parameter,
    /// Its time is limited, and there is no clock.
    NoClock,
}

impl From<NoClock> for Refusal {
    fn from(NoClock: NoClock) -> Self {
        Self::NoClock
    }
}

/// Makes a player with a number.
type MakeNumbered<P> = dyn Fn(u32, &Resources) -> BoxedPlayer<P>;

/// Makes a player that searches to a depth.
type MakeAtDepth<P> = fn(u32) -> BoxedPlayer<P>;

impl<P: 'static> Entry<P> {
    fn new(name: &'static str, make: Make<P>) -> Self {
        Self { name, make, at_depth: None }
    }

    /// A player without a parameter.
    pub(crate) fn plain(name: &'static str, make: fn(&Resources) -> BoxedPlayer<P>) -> Self {
        Self::new(name, Make::Plain(make))
    }

    /// A player with a number from 1 to `most`.
    pub(crate) fn with_number(
        name: &'static str,
        most: u32,
        default: u32,
        make: impl Fn(u32, &Resources) -> BoxedPlayer<P> + 'static,
    ) -> Self {
        let range = Range { offered: most, most };
        Self::new(name, Make::Number { range, default, make: Box::new(make) })
    }

    /// A player with a strength from 1 to `most`, which is computed rather than chosen.
    pub(crate) fn with_strength(
        name: &'static str,
        most: u32,
        default: u32,
        make: impl Fn(u32, &Resources) -> BoxedPlayer<P> + 'static,
    ) -> Self {
        Self::new(name, Make::Strength { most, default, make: Box::new(make) })
    }

    /// A player that searches to a depth of the range.
    pub(crate) fn with_depth(
        name: &'static str,
        range: Range,
        default: u32,
        at_depth: fn(u32) -> BoxedPlayer<P>,
    ) -> Self {
        let make = Box::new(move |depth, _: &Resources| at_depth(depth));
        Self { at_depth: Some(at_depth), ..Self::new(name, Make::Number { range, default, make }) }
    }

    /// A player with three named levels.
    pub(crate) fn with_level(
        name: &'static str,
        names: [&'static str; 3],
        default: usize,
        make: fn(usize, &Resources) -> BoxedPlayer<P>,
    ) -> Self {
        Self::new(name, Make::Level { names, default, make })
    }

    /// Adds the search itself to a player whose levels search to fixed depths.
    pub(crate) fn searching(self, at_depth: fn(u32) -> BoxedPlayer<P>) -> Self {
        Self { at_depth: Some(at_depth), ..self }
    }

    /// A player with limits that it reads itself.
    pub(crate) fn with_limits(name: &'static str, form: &'static str, make: MakeLimited<P>) -> Self {
        Self::new(name, Make::Limits { form, make })
    }

    pub(crate) fn listing(&self) -> Listing {
        let parameter = match self.make {
            Make::Plain(_) => Parameter::None,
            Make::Number { range, .. } => Parameter::Number(range),
            Make::Strength { most, .. } => Parameter::Strength(most),
            Make::Level { names, .. } => Parameter::Level(names),
            Make::Limits { form, .. } => Parameter::Limits(form),
        };
        Listing { name: self.name, parameter }
    }

    /// The player with this search depth; `None` if it has no fixed search depth.
    pub(crate) fn at_depth(&self, depth: u32) -> Option<BoxedPlayer<P>> {
        self.at_depth.map(|make| make(depth))
    }

    /// The player with what follows the colon of its name.
    pub(crate) fn player(
        &self,
        parameter: Option<&str>,
        resources: &Resources,
    ) -> Result<BoxedPlayer<P>, Refusal> {
        let made = match (&self.make, parameter) {
            (Make::Plain(make), None) => Some(make(resources)),
            (Make::Plain(_), Some(_)) => None,
            (Make::Number { default, make, .. } | Make::Strength { default, make, .. }, None) => {
                Some(make(*default, resources))
            }
            (Make::Number { range, make, .. }, Some(text)) => {
                range.read(text).map(|number| make(number, resources))
            }
            (Make::Strength { most, make, .. }, Some(text)) => {
                number_up_to(*most, text).map(|strength| make(strength, resources))
            }
            (Make::Level { default, make, .. }, None) => Some(make(*default, resources)),
            (Make::Level { names, make, .. }, Some(text)) => {
                names.iter().position(|&name| name == text).map(|level| make(level, resources))
            }
            (Make::Limits { make, .. }, parameter) => return make(parameter, resources),
        };
        made.ok_or(Refusal::Parameter)
    }
}

/// A player that a game has, with what can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listing {
    /// Its name.
    pub name: &'static str,
    /// What may follow the colon.
    pub parameter: Parameter,
}

/// What may follow the colon of a player's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Parameter {
    /// Nothing.
    None,
    /// A number from one, the weakest.
    Number(Range),
    /// A strength from one to this number, in eighths of a level: computed from results, not offered for choice.
    Strength(u32),
    /// A level, from the weakest to the strongest.
    Level([&'static str; 3]),
    /// Limits of thinking, in this form.
    Limits(&'static str),
}

/// The numbers of a player, from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The greatest number that is offered: on the standard board of the game a move takes ten seconds at
    /// most.
    pub offered: u32,
    /// The greatest number that may be written; beyond those offered a move may take minutes.
    pub most: u32,
}

impl Range {
    /// Reads a number of the range, written without leading zeros.
    fn read(self, text: &str) -> Option<u32> {
        number_up_to(self.most, text)
    }
}

/// Reads a number from one, written without leading zeros.
fn number_up_to(most: u32, text: &str) -> Option<u32> {
    (1..=most).find(|number| number.to_string() == text)
}

impl Listing {
    /// Whether this player is written with a number beyond those offered, so that its moves may take minutes.
    #[must_use]
    pub fn is_slow(&self, player: &str) -> bool {
        let number = player.strip_prefix(self.name).and_then(|rest| rest.strip_prefix(':'));
        match (self.parameter, number) {
            (Parameter::Number(range), Some(text)) => range.read(text).is_some_and(|n| n > range.offered),
            _ => false,
        }
    }
}

/// As it may be written: `smart:1…8`.
impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.parameter {
            Parameter::None => f.write_str(self.name),
            Parameter::Number(Range { offered, most }) => {
                write!(f, "{}:1…{offered}", self.name)?;
                if most > offered { write!(f, " (slowly up to {most})") } else { Ok(()) }
            }
            Parameter::Strength(most) => write!(f, "{}:1…{most}", self.name),
            Parameter::Level(names) => write!(f, "{}:{}", self.name, names.join("|")),
            Parameter::Limits(form) => write!(f, "{}[:{form}]", self.name),
        }
    }
}

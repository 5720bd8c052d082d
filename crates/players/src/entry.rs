//! How a player is listed and made from its name: `smart:5` is the player `smart` with the number 5.

use std::fmt;

use crate::{control::Resources, player::BoxedPlayer};

/// A player of a game, made when asked for.
pub(crate) struct Entry<P> {
    pub(crate) name: &'static str,
    make: Make<P>,
}

/// How a player is made from what follows the colon of its name.
enum Make<P> {
    Plain(fn(&Resources) -> BoxedPlayer<P>),
    Number { most: u32, default: u32, make: Box<MakeNumbered<P>> },
    Level { names: [&'static str; 3], default: usize, make: fn(usize, &Resources) -> BoxedPlayer<P> },
    Limits { form: &'static str, make: fn(Option<&str>, &Resources) -> Option<BoxedPlayer<P>> },
}

/// Makes a player with a number.
type MakeNumbered<P> = dyn Fn(u32, &Resources) -> BoxedPlayer<P>;

impl<P> Entry<P> {
    /// A player without a parameter.
    pub(crate) fn plain(name: &'static str, make: fn(&Resources) -> BoxedPlayer<P>) -> Self {
        Self { name, make: Make::Plain(make) }
    }

    /// A player with a number from 1 to `most`.
    pub(crate) fn with_number(
        name: &'static str,
        most: u32,
        default: u32,
        make: impl Fn(u32, &Resources) -> BoxedPlayer<P> + 'static,
    ) -> Self {
        Self { name, make: Make::Number { most, default, make: Box::new(make) } }
    }

    /// A player with three named levels.
    pub(crate) fn with_level(
        name: &'static str,
        names: [&'static str; 3],
        default: usize,
        make: fn(usize, &Resources) -> BoxedPlayer<P>,
    ) -> Self {
        Self { name, make: Make::Level { names, default, make } }
    }

    /// A player with limits that it reads itself.
    pub(crate) fn with_limits(
        name: &'static str,
        form: &'static str,
        make: fn(Option<&str>, &Resources) -> Option<BoxedPlayer<P>>,
    ) -> Self {
        Self { name, make: Make::Limits { form, make } }
    }

    pub(crate) fn listing(&self) -> Listing {
        let parameter = match self.make {
            Make::Plain(_) => Parameter::None,
            Make::Number { most, .. } => Parameter::Number(most),
            Make::Level { names, .. } => Parameter::Level(names),
            Make::Limits { form, .. } => Parameter::Limits(form),
        };
        Listing { name: self.name, parameter }
    }

    /// `None` if the player does not take this parameter.
    pub(crate) fn player(&self, parameter: Option<&str>, resources: &Resources) -> Option<BoxedPlayer<P>> {
        match (&self.make, parameter) {
            (Make::Plain(make), None) => Some(make(resources)),
            (Make::Plain(_), Some(_)) => None,
            (Make::Number { default, make, .. }, None) => Some(make(*default, resources)),
            (Make::Number { most, make, .. }, Some(text)) => {
                (1..=*most).find(|number| number.to_string() == text).map(|number| make(number, resources))
            }
            (Make::Level { default, make, .. }, None) => Some(make(*default, resources)),
            (Make::Level { names, make, .. }, Some(text)) => {
                names.iter().position(|&name| name == text).map(|level| make(level, resources))
            }
            (Make::Limits { make, .. }, parameter) => make(parameter, resources),
        }
    }
}

/// A player that a game has, with what can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listing {
    /// What it is called.
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
    /// A number from one, the weakest, to this one.
    Number(u32),
    /// A level, from the weakest to the strongest.
    Level([&'static str; 3]),
    /// Limits of thinking, in this form.
    Limits(&'static str),
}

/// As it may be written: `smart:1…8`.
impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.parameter {
            Parameter::None => f.write_str(self.name),
            Parameter::Number(most) => write!(f, "{}:1…{most}", self.name),
            Parameter::Level(names) => write!(f, "{}:{}", self.name, names.join("|")),
            Parameter::Limits(form) => write!(f, "{}[:{form}]", self.name),
        }
    }
}

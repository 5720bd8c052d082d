//! With the feature `serde`: a type with a text form is that text in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{Cell, Outcome, Side, Spec, excerpt};

macro_rules! text_in_json {
    ($($type:ty: $read:expr,)*) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let read: fn(&str) -> Result<Self, String> = $read;
                    read(&String::deserialize(deserializer)?).map_err(D::Error::custom)
                }
            }
        )*
    };
}

text_in_json! {
    Cell: |text| text.parse().map_err(|_| not(text, "a cell; expected one such as b2")),
    Outcome: |text| match text {
        "first" => Ok(Self::Win(Side::First)),
        "second" => Ok(Self::Win(Side::Second)),
        "draw" => Ok(Self::Draw),
        _ => Err(not(text, "a result; expected first, second or draw")),
    },
    Spec: |text| text.parse().map_err(|error: crate::SpecError| error.to_string()),
}

fn not(text: &str, expected: &str) -> String {
    format!("“{}” is not {expected}", excerpt(text))
}

/// How these texts are described. Cells and kinds of pieces are any text, so that clients accept those of games that
/// they have never heard of.
#[cfg(feature = "schema")]
pub(crate) mod schema {
    use ts_rs::{Config, TS};

    macro_rules! any_text {
        ($($type:ty)*) => {
            $(impl TS for $type {
                type WithoutGenerics = Self;
                type OptionInnerType = Self;

                fn name(config: &Config) -> String {
                    String::name(config)
                }

                fn inline(config: &Config) -> String {
                    String::inline(config)
                }
            })*
        };
    }

    any_text!(crate::Cell crate::Kind);

    /// How a game ended by its rules: the winning side, or a draw.
    #[derive(TS, utoipa::ToSchema)]
    #[ts(rename = "Outcome", rename_all = "lowercase")]
    #[schema(as = Outcome, rename_all = "lowercase")]
    #[allow(dead_code, reason = "describes the text of `crate::Outcome`")]
    pub(crate) enum OutcomeText {
        First,
        Second,
        Draw,
    }
}

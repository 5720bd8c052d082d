//! With the feature `serde`: what has a text form is that text in JSON too.

use serde::{Serialize, Serializer};

use crate::{Cell, Outcome, Spec};

macro_rules! serialize_as_text {
    ($($type:ty)*) => {
        $(impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })*
    };
}

serialize_as_text!(Cell Outcome Spec);

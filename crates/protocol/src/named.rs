//! Deserializes a message whose name is separate from its fields, straight from the text of the fields: most messages
//! are moves, and they need no intermediate JSON tree.

use std::borrow::Cow;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, VariantAccess,
    Visitor, value::CowStrDeserializer,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Error;

/// Reads the variant of this name.
pub(crate) fn read<'de, T: Deserialize<'de>>(name: &'de str, fields: &'de str) -> Result<T, Error> {
    T::deserialize(Named { name, fields, table: None })
}

/// Reads the variant of this name from fields that also contain a `table`, which is not a field of the variant.
pub(crate) fn read_with_table<'de, T: Deserialize<'de>>(
    name: &'de str,
    fields: &'de str,
) -> Result<(Option<String>, T), Error> {
    let mut table = None;
    let message = T::deserialize(Named { name, fields, table: Some(&mut table) })?;
    Ok((table, message))
}

struct Named<'de, 't> {
    name: &'de str,
    fields: &'de str,
    /// Receives the table.
    table: Option<&'t mut Option<String>>,
}

impl<'de> Deserializer<'de> for Named<'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Named<'de, '_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let variant = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.name))?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Named<'de, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Err(Error::custom("a message without fields"))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        let mut json = serde_json::Deserializer::from_str(self.fields);
        let value = seed.deserialize(&mut json)?;
        json.end().map(|()| value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("a message with fields that have no names"))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut json = serde_json::Deserializer::from_str(self.fields);
        // An array would be accepted as the fields in their order; only objects are allowed.
        let value = match self.table {
            None => json.deserialize_map(visitor)?,
            Some(table) => json.deserialize_map(Without { table, inner: visitor })?,
        };
        json.end().map(|()| value)
    }
}

/// Removes the table from the fields that a visitor sees.
struct Without<'t, T> {
    table: &'t mut Option<String>,
    inner: T,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Without<'_, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.expecting(formatter)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Without { table: self.table, inner: fields })
    }
}

/// The name of a field, copied only if it contains escapes.
#[derive(Deserialize)]
struct Field<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Without<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(Field(name)) = self.inner.next_key()? {
            if name != "table" {
                return seed.deserialize(CowStrDeserializer::new(name)).map(Some);
            }
            if self.table.replace(self.inner.next_value()?).is_some() {
                return Err(A::Error::duplicate_field("table"));
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}

//! The rows as Parquet. It is written at the end from the lines of JSON, group by group, so memory stays bounded and an
//! interrupted run begins the file again.

use std::{fs::File, path::Path, sync::Arc};

use ::study::dataset::{GameRow, PositionRow, Value};
use anyhow::{Context, Result, anyhow};
use parquet::{
    basic::Compression,
    data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type},
    file::{
        properties::WriterProperties,
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::parser::parse_message_type,
};
use serde::de::DeserializeOwned;

use super::folder::{GAMES, POSITIONS, each_line};

/// Maximum number of rows in a group, and of bytes of their JSON; a group is held in memory.
const GROUP_ROWS: usize = 4096;
const GROUP_BYTES: usize = 8 << 20;

/// Writes both files, and returns their names.
pub(super) fn write(folder: &Path) -> Result<[&'static str; 2]> {
    let names = ["games.parquet", "positions.parquet"];
    let [games, positions] = names.map(|name| folder.join(name));
    convert::<GameRow>(&folder.join(GAMES), &games)
        .with_context(|| format!("cannot write {}", games.display()))?;
    convert::<PositionRow>(&folder.join(POSITIONS), &positions)
        .with_context(|| format!("cannot write {}", positions.display()))?;
    Ok(names)
}

fn convert<R: Row>(lines: &Path, path: &Path) -> Result<()> {
    let schema = Arc::new(parse_message_type(R::SCHEMA)?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("alinea".to_owned())
        .build();
    let mut writer = SerializedFileWriter::new(File::create(path)?, schema, Arc::new(properties))?;
    let (mut rows, mut bytes) = (Vec::<R>::new(), 0);
    each_line(lines, |line| {
        rows.push(serde_json::from_str(line)?);
        bytes += line.len();
        if rows.len() == GROUP_ROWS || bytes >= GROUP_BYTES {
            write_group(&mut writer, &rows)?;
            rows.clear();
            bytes = 0;
        }
        Ok(())
    })?;
    if !rows.is_empty() {
        write_group(&mut writer, &rows)?;
    }
    writer.finish()?;
    Ok(writer.inner().sync_all()?)
}

fn write_group<R: Row>(writer: &mut SerializedFileWriter<File>, rows: &[R]) -> Result<()> {
    let mut group = writer.next_row_group()?;
    for leaf in R::leaves(rows) {
        let mut column = group.next_column()?.ok_or_else(|| anyhow!("more columns than the schema has"))?;
        leaf.write(&mut column)?;
        column.close()?;
    }
    group.close()?;
    Ok(())
}

/// A type of row.
trait Row: DeserializeOwned {
    const SCHEMA: &str;

    /// The columns in the order of the schema.
    fn leaves(rows: &[Self]) -> Vec<Leaf>;
}

impl Row for GameRow {
    const SCHEMA: &str = "message games {
        required int64 number;
        required binary split (UTF8);
        required binary game (UTF8);
        optional binary first (UTF8);
        optional binary second (UTF8);
        optional binary start (UTF8);
        required binary moves (UTF8);
        optional binary result (UTF8);
    }";

    fn leaves(rows: &[Self]) -> Vec<Leaf> {
        vec![
            required(rows, Values::Long, |row| row.number as i64),
            required(rows, Values::Text, |row| text(&row.split)),
            required(rows, Values::Text, |row| text(&row.game)),
            optional(rows, Values::Text, |row| row.first.as_deref().map(text)),
            optional(rows, Values::Text, |row| row.second.as_deref().map(text)),
            optional(rows, Values::Text, |row| row.text.start.as_deref().map(text)),
            required(rows, Values::Text, |row| text(&row.text.moves)),
            optional(rows, Values::Text, |row| row.result.as_deref().map(text)),
        ]
    }
}

impl Row for PositionRow {
    const SCHEMA: &str = "message positions {
        required int64 number;
        required binary split (UTF8);
        required binary game (UTF8);
        optional binary start (UTF8);
        required binary moves (UTF8);
        required int32 ply;
        required binary position (UTF8);
        required binary turn (UTF8);
        optional binary proven (UTF8);
        optional int32 plies;
        optional int32 score;
        required double chance;
        optional int32 depth;
        optional int64 nodes;
        required group best (LIST) { repeated group list { required binary element (UTF8); } }
        required group policy (LIST) { repeated group list { required group element {
            required binary move (UTF8);
            optional binary proven (UTF8);
            optional int32 plies;
            optional int32 score;
            required double chance;
        } } }
        optional binary played (UTF8);
        optional binary result (UTF8);
    }";

    fn leaves(rows: &[Self]) -> Vec<Leaf> {
        let value = |row: &Self| row.valued.value.clone();
        let policy = |row: &Self| row.valued.policy.clone();
        vec![
            required(rows, Values::Long, |row| row.number as i64),
            required(rows, Values::Text, |row| text(&row.split)),
            required(rows, Values::Text, |row| text(&row.game)),
            optional(rows, Values::Text, |row| row.text.start.as_deref().map(text)),
            required(rows, Values::Text, |row| text(&row.text.moves)),
            required(rows, Values::Int, |row| i32::from(row.valued.ply)),
            required(rows, Values::Text, |row| text(&row.valued.position)),
            required(rows, Values::Text, |row| text(&row.valued.turn)),
            optional(rows, Values::Text, |row| proven(&value(row))),
            optional(rows, Values::Int, |row| plies(&value(row))),
            optional(rows, Values::Int, |row| value(row).score),
            required(rows, Values::Double, |row| value(row).chance),
            optional(rows, Values::Int, |row| row.valued.depth.map(u32::cast_signed)),
            optional(rows, Values::Long, |row| row.valued.nodes.map(u64::cast_signed)),
            list(rows, Values::Text, |row| row.valued.best.clone(), |m| text(m)),
            list(rows, Values::Text, policy, |m| text(&m.text)),
            list_of_optional(rows, Values::Text, policy, |m| proven(&m.value)),
            list_of_optional(rows, Values::Int, policy, |m| plies(&m.value)),
            list_of_optional(rows, Values::Int, policy, |m| m.value.score),
            list(rows, Values::Double, policy, |m| m.value.chance),
            optional(rows, Values::Text, |row| row.played.as_deref().map(text)),
            optional(rows, Values::Text, |row| row.result.as_deref().map(text)),
        ]
    }
}

fn text(text: &str) -> ByteArray {
    text.into()
}

fn proven(value: &Value) -> Option<ByteArray> {
    value.proven.as_deref().map(text)
}

fn plies(value: &Value) -> Option<i32> {
    value.plies.map(u32::cast_signed)
}

/// A column of a group: its values without nulls and, where the schema needs them, the definition level (how
/// much of the path exists) and the repetition level (whether the value continues a list) of each place.
struct Leaf {
    values: Values,
    definition: Option<Vec<i16>>,
    repetition: Option<Vec<i16>>,
}

enum Values {
    Text(Vec<ByteArray>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Double(Vec<f64>),
}

impl Leaf {
    fn write(&self, column: &mut SerializedColumnWriter) -> Result<()> {
        let (definition, repetition) = (self.definition.as_deref(), self.repetition.as_deref());
        match &self.values {
            Values::Text(values) => {
                column.typed::<ByteArrayType>().write_batch(values, definition, repetition)?
            }
            Values::Int(values) => column.typed::<Int32Type>().write_batch(values, definition, repetition)?,
            Values::Long(values) => {
                column.typed::<Int64Type>().write_batch(values, definition, repetition)?
            }
            Values::Double(values) => {
                column.typed::<DoubleType>().write_batch(values, definition, repetition)?
            }
        };
        Ok(())
    }
}

fn required<R, T>(rows: &[R], wrap: fn(Vec<T>) -> Values, value: impl Fn(&R) -> T) -> Leaf {
    Leaf { values: wrap(rows.iter().map(value).collect()), definition: None, repetition: None }
}

fn optional<R, T>(rows: &[R], wrap: fn(Vec<T>) -> Values, value: impl Fn(&R) -> Option<T>) -> Leaf {
    let values: Vec<_> = rows.iter().map(value).collect();
    let definition = values.iter().map(|value| value.is_some().into()).collect();
    Leaf {
        values: wrap(values.into_iter().flatten().collect()),
        definition: Some(definition),
        repetition: None,
    }
}

fn list<R, I, T>(
    rows: &[R],
    wrap: fn(Vec<T>) -> Values,
    items: impl Fn(&R) -> Vec<I>,
    value: impl Fn(&I) -> T,
) -> Leaf {
    lists(rows, wrap, items, |item| (Some(value(item)), 1))
}

fn list_of_optional<R, I, T>(
    rows: &[R],
    wrap: fn(Vec<T>) -> Values,
    items: impl Fn(&R) -> Vec<I>,
    value: impl Fn(&I) -> Option<T>,
) -> Leaf {
    lists(rows, wrap, items, |item| {
        let value = value(item);
        let definition = 1 + i16::from(value.is_some());
        (value, definition)
    })
}

/// A column with a list per row. `value` returns an item and its definition level, which is 0 for an empty
/// list.
fn lists<R, I, T>(
    rows: &[R],
    wrap: fn(Vec<T>) -> Values,
    items: impl Fn(&R) -> Vec<I>,
    value: impl Fn(&I) -> (Option<T>, i16),
) -> Leaf {
    let (mut values, mut definition, mut repetition) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let items = items(row);
        if items.is_empty() {
            definition.push(0);
            repetition.push(0);
        }
        for (place, item) in items.iter().enumerate() {
            let (value, defined) = value(item);
            values.extend(value);
            definition.push(defined);
            repetition.push((place > 0).into());
        }
    }
    Leaf { values: wrap(values), definition: Some(definition), repetition: Some(repetition) }
}

//! Finds the values of some keys in a JSON object, with `serde_json`. Values are checked and not stored.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use crate::format::Malformed;

/// The keys that lead to a value, each of an object within the one before.
pub(super) type KeyPath = Vec<String>;

/// Calls `each` with the index in `paths` and the JSON text of each value at one of these paths; `None` if only the first
/// key exists. If a key occurs twice, so does the call: the last value counts, as in most programs.
///
/// # Errors
///
/// If the record is not one JSON object. There may have been calls before that.
pub(super) fn read_values<'a>(
    record: &'a [u8],
    paths: &[KeyPath],
    mut each: impl FnMut(usize, Option<&'a str>),
) -> Result<(), Malformed> {
    read(record, |key, json| {
        for (index, path) in paths.iter().enumerate().filter(|(_, path)| path[0] == key) {
            each(index, value_within(json, &path[1..]));
        }
    })
}

/// The value at a path within a value.
fn value_within<'a>(json: &'a str, path: &[String]) -> Option<&'a str> {
    let [key, rest @ ..] = path else { return Some(json) };
    let mut value = None;
    read(json.as_bytes(), |other, json| value = if other == key { Some(json) } else { value }).ok()?;
    value_within(value?, rest)
}

/// The keys of an object with the JSON texts of their values.
///
/// # Errors
///
/// As [`read_values`].
pub(super) fn members(record: &[u8]) -> Result<Vec<(String, &str)>, Malformed> {
    let mut members = vec![];
    read(record, |key, json| members.push((key.to_owned(), json)))?;
    Ok(members)
}

/// The text of a JSON string; `None` if it has an escape for half a character.
pub(super) fn string_text(json: &str) -> Option<Cow<'_, str>> {
    let text = json.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return Some(Cow::Borrowed(text));
    }
    serde_json::from_str(json).ok().map(Cow::Owned)
}

/// The text of a JSON string, with U+FFFD for each escape for half a character.
pub(super) fn lossy_text(json: &str) -> String {
    serde_json::Deserializer::from_str(json).deserialize_bytes(LossyVisitor).unwrap_or_default()
}

/// Visits a string whose escapes may stand for halves of characters.
struct LossyVisitor;

impl Visitor<'_> for LossyVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    /// Half a character has three bytes, like every character of its range.
    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<String, E> {
        let chunks = bytes.utf8_chunks().filter(|chunk| !matches!(chunk.invalid(), [0x80..=0xBF]));
        Ok(chunks.flat_map(|chunk| [chunk.valid(), if chunk.invalid().is_empty() { "" } else { "\u{FFFD}" }]).collect())
    }
}

/// The text of a record that is any JSON value.
pub(super) fn json(record: &[u8]) -> Result<&str, Malformed> {
    serde_json::from_str::<&RawValue>(text_of(record)?).map(RawValue::get).map_err(|error| reason_of(&error))
}

/// Reads a record that is an object. Calls `each` with each key and the JSON text of its value.
fn read<'a>(record: &'a [u8], each: impl FnMut(&str, &'a str)) -> Result<(), Malformed> {
    let mut deserializer = serde_json::Deserializer::from_str(text_of(record)?);
    let read = deserializer.deserialize_map(ObjectVisitor(each)).and_then(|()| deserializer.end());
    read.map_err(|error| reason_of(&error))
}

fn text_of(record: &[u8]) -> Result<&str, Malformed> {
    str::from_utf8(record).map_err(|error| Malformed::InvalidJson { column: error.valid_up_to() + 1 })
}

fn reason_of(error: &serde_json::Error) -> Malformed {
    match error.classify() {
        // The JSON is valid, and an object is the only type that was requested.
        Category::Data => Malformed::NotAnObject,
        // At the end of the text, the column is its length.
        _ => Malformed::InvalidJson { column: error.column().max(1) },
    }
}

/// Visits the members of an object.
struct ObjectVisitor<E>(E);

impl<'a, E: FnMut(&str, &'a str)> Visitor<'a> for ObjectVisitor<E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(mut self, mut map: M) -> Result<(), M::Error> {
        while let Some((BorrowedKey(key), value)) = map.next_entry::<BorrowedKey<'a>, &RawValue>()? {
            (self.0)(&key, value.get());
        }
        Ok(())
    }
}

/// A key. It is copied only if it has escapes.
#[derive(Deserialize)]
struct BorrowedKey<'a>(#[serde(borrow)] Cow<'a, str>);

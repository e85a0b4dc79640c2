//! Finds the values of some keys in a JSON object, with `serde_json`. Other values are checked and not stored.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer as _, IgnoredAny, MapAccess, Visitor};
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
    let first = |key: &str| paths.iter().position(|path| path[0] == key);
    read(record, first, |first, json| {
        for (index, path) in (first..).zip(&paths[first..]).filter(|(_, path)| path[0] == paths[first][0]) {
            each(index, value_within(json, &path[1..]));
        }
    })
}

/// The value at a path within a value.
fn value_within<'a>(json: &'a str, path: &[String]) -> Option<&'a str> {
    let [key, rest @ ..] = path else { return Some(json) };
    let mut value = None;
    read(json.as_bytes(), |other| (other == key).then_some(0), |_, json| value = Some(json)).ok()?;
    value_within(value?, rest)
}

/// The keys of an object with the JSON texts of their values.
///
/// # Errors
///
/// As [`read_values`].
pub(super) fn members(record: &[u8]) -> Result<Vec<(String, &str)>, Malformed> {
    let (mut keys, mut values) = (vec![], vec![]);
    let add = |key: &str| {
        keys.push(key.to_owned());
        Some(0)
    };
    read(record, add, |_, json| values.push(json))?;
    Ok(keys.into_iter().zip(values).collect())
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

/// Reads a record that is an object. Calls `find` with each key, and `each` with the value of each key that is found.
fn read<'a>(
    record: &'a [u8],
    find: impl FnMut(&str) -> Option<usize>,
    each: impl FnMut(usize, &'a str),
) -> Result<(), Malformed> {
    let mut deserializer = serde_json::Deserializer::from_str(text_of(record)?);
    deserializer
        .deserialize_map(ObjectVisitor { find, each })
        .and_then(|()| deserializer.end())
        .map_err(|error| reason_of(&error))
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

/// Visits the keys of an object, and the values of some of them.
struct ObjectVisitor<F, E> {
    find: F,
    each: E,
}

impl<'a, F: FnMut(&str) -> Option<usize>, E: FnMut(usize, &'a str)> Visitor<'a> for ObjectVisitor<F, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(mut self, mut map: M) -> Result<(), M::Error> {
        while let Some(found) = map.next_key_seed(KeySeed(&mut self.find))? {
            match found {
                Some(index) => (self.each)(index, map.next_value::<&RawValue>()?.get()),
                None => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}

/// Finds a key. It is copied only if it has escapes.
struct KeySeed<'f, F>(&'f mut F);

impl<'a, F: FnMut(&str) -> Option<usize>> DeserializeSeed<'a> for KeySeed<'_, F> {
    type Value = Option<usize>;

    fn deserialize<D: serde::Deserializer<'a>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<F: FnMut(&str) -> Option<usize>> Visitor<'_> for KeySeed<'_, F> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Option<usize>, E> {
        Ok((self.0)(key))
    }
}

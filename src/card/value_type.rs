//! The types of the columns of a file: from its schema, or from its values.

use serde_json::Value;

#[cfg(feature = "parquet")]
use crate::arrow::DataType;

/// The type of the values of a column, by its name on the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueType {
    pub(super) name: &'static str,
    /// Whether each value is a list of this type.
    pub(super) is_list: bool,
}

impl ValueType {
    pub(super) const TEXT: ValueType = ValueType::of("string");

    const fn of(name: &'static str) -> ValueType {
        ValueType { name, is_list: false }
    }

    /// The type in Croissant: a type of schema.org.
    pub(super) fn of_schema(self) -> &'static str {
        match self.name {
            "string" => "sc:Text",
            "bool" => "sc:Boolean",
            name if name.starts_with("float") => "sc:Float",
            _ => "sc:Integer",
        }
    }

    /// The type in words.
    pub(super) fn in_words(self) -> String {
        let name = if self.name == "string" { "text" } else { self.name };
        if self.is_list { format!("list of {name}") } else { name.to_owned() }
    }

    #[cfg(feature = "parquet")]
    /// The type of an Arrow column; `None` unless it has numbers, texts or lists of them.
    pub(super) fn of_arrow(data_type: &DataType) -> Option<ValueType> {
        Some(ValueType::of(match data_type {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "string",
            DataType::Boolean => "bool",
            DataType::Int8 => "int8",
            DataType::Int16 => "int16",
            DataType::Int32 => "int32",
            DataType::Int64 => "int64",
            DataType::UInt8 => "uint8",
            DataType::UInt16 => "uint16",
            DataType::UInt32 => "uint32",
            DataType::UInt64 => "uint64",
            DataType::Float32 => "float32",
            DataType::Float64 => "float64",
            DataType::List(item) => {
                let item = ValueType::of_arrow(item.data_type()).filter(|item| !item.is_list)?;
                return Some(ValueType { is_list: true, ..item });
            }
            _ => return None,
        }))
    }
}

/// The kind of all values of a column so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SeenValues {
    kind: Option<Kind>,
    is_list: bool,
    has_gaps: bool,
}

/// The kind of a value, or of the values in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Truth,
    Integer,
    Decimal,
    Text,
    /// Objects, lists of lists, or values of several kinds.
    Other,
}

impl SeenValues {
    /// Adds a field of CSV, which has no types: digits without a leading zero are a number, as in all readers.
    pub(super) fn add_field(&mut self, field: &[u8]) {
        let text = str::from_utf8(field).unwrap_or("?");
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_plain = digits.as_bytes().first().is_some_and(u8::is_ascii_digit)
            && (digits.len() == 1 || !digits.starts_with('0') || digits.starts_with("0."));
        let kind = match text {
            "" => None,
            text if is_plain && text.parse::<i64>().is_ok() => Some(Kind::Integer),
            text if is_plain && text.contains('.') && text.parse::<f64>().is_ok() => Some(Kind::Decimal),
            _ => Some(Kind::Text),
        };
        self.add(kind, |one, other| if one == Kind::Text || other == Kind::Text { Kind::Text } else { Kind::Decimal });
    }

    /// Adds a value of JSON.
    pub(super) fn add_value(&mut self, value: &Value) {
        let kind = |value: &Value| match value {
            Value::Null => None,
            Value::Bool(_) => Some(Kind::Truth),
            Value::Number(number) if number.is_i64() => Some(Kind::Integer),
            Value::Number(_) => Some(Kind::Decimal),
            Value::String(_) => Some(Kind::Text),
            Value::Array(_) | Value::Object(_) => Some(Kind::Other),
        };
        let mix = |one, other| match (one, other) {
            (Kind::Integer, Kind::Decimal) | (Kind::Decimal, Kind::Integer) => Kind::Decimal,
            _ => Kind::Other,
        };
        let Value::Array(values) = value else {
            let kind = if self.is_list && !value.is_null() { Some(Kind::Other) } else { kind(value) };
            return self.add(kind, mix);
        };
        if !self.is_list && self.kind.is_some() {
            self.kind = Some(Kind::Other);
        }
        self.is_list = true;
        for value in values {
            self.add(kind(value), mix);
        }
    }

    fn add(&mut self, kind: Option<Kind>, mix: impl Fn(Kind, Kind) -> Kind) {
        self.has_gaps |= kind.is_none();
        self.kind = match (self.kind, kind) {
            (Some(one), Some(other)) if one != other => Some(mix(one, other)),
            (one, other) => one.or(other),
        };
    }

    /// The type that a reader gives the column; `None` if there is no common type. In CSV, numbers with gaps are
    /// decimals.
    pub(super) fn value_type(self, is_csv: bool) -> Option<ValueType> {
        let name = match self.kind {
            Some(Kind::Integer) if !(is_csv && self.has_gaps) => "int64",
            Some(Kind::Integer | Kind::Decimal) => "float64",
            Some(Kind::Truth) => "bool",
            Some(Kind::Text) | None => "string",
            Some(Kind::Other) => return None,
        };
        Some(ValueType { name, is_list: self.is_list })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_of_csv_are_numbers_or_texts() {
        for (fields, name) in [
            (&["1", "-20", "0"][..], "int64"),
            (&["1", ""], "float64"),
            (&["1", "2.5"], "float64"),
            (&["0.5", "-1.25"], "float64"),
            (&["1", "x"], "string"),
            (&["007"], "string"),
            (&["1.", "+1", "1e5"], "string"),
            (&["123412341234123412341234"], "string"),
            (&["1.3..........4.2"], "string"),
            (&["", ""], "string"),
            (&[], "string"),
        ] {
            let mut seen = SeenValues::default();
            for field in fields {
                seen.add_field(field.as_bytes());
            }
            assert_eq!(seen.value_type(true), Some(ValueType::of(name)), "{fields:?}");
        }
    }

    #[test]
    fn values_of_json_have_types() {
        for (values, name) in [
            (json!([1, null]), Some("int64")),
            (json!([1, 2.5]), Some("float64")),
            (json!(["1"]), Some("text")),
            (json!([true, null]), Some("bool")),
            (json!([[1, 2], [3], null]), Some("list of int64")),
            (json!([["a"], []]), Some("list of text")),
            (json!([1, "1"]), None),
            (json!([{ "a": 1 }]), None),
            (json!([1, [1]]), None),
            (json!([[1], 1]), None),
            (json!([[[1]]]), None),
        ] {
            let mut seen = SeenValues::default();
            values.as_array().unwrap().iter().for_each(|value| seen.add_value(value));
            let found = seen.value_type(false).map(|found| found.in_words().replace("string", "text"));
            assert_eq!(found.as_deref(), name, "{values}");
        }
    }
}

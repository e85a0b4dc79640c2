//! The `NumPy` format for arrays: the header, and how to read and write it.
//!
//! An array is "\x93NUMPY", the version in two bytes, the length of the header in two bytes (in four, from version 2 on),
//! and the header: a Python dictionary with the type, the order of the axes and the shape, padded with spaces to a multiple
//! of 64 bytes. The numbers follow.

use std::io::{self, Read};

/// The first bytes of an array.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// The longest header that is read.
const MAX_HEADER: usize = 1 << 16;

/// The longest text of an array, in bytes.
const MAX_TEXT: usize = 1 << 22;

/// The type of the items of an array: numbers or texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) kind: Kind,
    /// The number of bytes.
    pub(crate) width: usize,
    pub(crate) is_big_endian: bool,
}

/// The kinds of items, with their letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Signed = b'i',
    Unsigned = b'u',
    Float = b'f',
    /// Texts of bytes, padded with zeros.
    Bytes = b'S',
    /// Texts of code points in four bytes each, padded with zeros.
    Unicode = b'U',
}

/// The description of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) number: Number,
    /// Whether the first index changes fastest, instead of the last one.
    pub(crate) is_fortran: bool,
    pub(crate) shape: Vec<u64>,
}

impl Number {
    /// Bytes.
    pub(crate) const U8: Number = Number { kind: Kind::Unsigned, width: 1, is_big_endian: false };
    /// Signed integers of two bytes, little endian.
    pub(crate) const I16: Number = Number { kind: Kind::Signed, width: 2, is_big_endian: false };
    /// Signed integers of four bytes, little endian.
    pub(crate) const I32: Number = Number { kind: Kind::Signed, width: 4, is_big_endian: false };

    /// The number of characters; `None` if it is a number.
    pub(crate) fn characters(self) -> Option<usize> {
        match self.kind {
            Kind::Signed | Kind::Unsigned | Kind::Float => None,
            Kind::Bytes => Some(self.width),
            Kind::Unicode => Some(self.width / 4),
        }
    }

    fn name(self) -> String {
        let end = match self.width {
            1 => '|',
            _ if self.is_big_endian => '>',
            _ => '<',
        };
        format!("{end}{}{}", char::from(self.kind as u8), self.characters().unwrap_or(self.width))
    }

    /// Reads a type such as `<i8`.
    fn parse(text: &str) -> Option<Number> {
        let is_big_endian = text.starts_with('>') || cfg!(target_endian = "big") && text.starts_with('=');
        let (kind, width) = text.strip_prefix(['<', '>', '=', '|']).unwrap_or(text).split_at_checked(1)?;
        let width: usize = width.parse().ok()?;
        let (kind, width) = match (kind, width) {
            ("i", 1 | 2 | 4 | 8) => (Kind::Signed, width),
            ("u", 1 | 2 | 4 | 8) => (Kind::Unsigned, width),
            ("f", 2 | 4 | 8) => (Kind::Float, width),
            ("S", 1..=MAX_TEXT) => (Kind::Bytes, width),
            ("U", 1..=MAX_TEXT) => (Kind::Unicode, 4 * width),
            _ => return None,
        };
        Some(Number { kind, width, is_big_endian })
    }
}

impl Header {
    /// The length of [`Header::to_bytes`].
    pub(crate) const LENGTH: usize = 128;

    /// The start of an array. It is as long for any number of rows, so it can be replaced.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let lengths: Vec<String> = self.shape.iter().map(u64::to_string).collect();
        let (last, order) = (if lengths.len() == 1 { "," } else { "" }, if self.is_fortran { "True" } else { "False" });
        let (descr, shape) = (self.number.name(), lengths.join(", ") + last);
        let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({shape}), }}");

        let length = Header::LENGTH - MAGIC.len() - 4;
        let mut bytes = [MAGIC, b"\x01\x00", &(length as u16).to_le_bytes()].concat();
        bytes.extend_from_slice(format!("{text:<padded$}\n", padded = length - 1).as_bytes());
        bytes
    }

    /// Reads the start of an array, up to its numbers.
    pub(crate) fn read(mut input: impl Read) -> Result<Header, HeaderError> {
        let mut start = [0; 8];
        input.read_exact(&mut start)?;
        let [magic @ .., major, _] = start;
        if magic != *MAGIC {
            return Err(HeaderError::NoArray);
        }
        let mut length = [0; 4];
        input.read_exact(&mut length[..if major == 1 { 2 } else { 4 }])?;
        let length = u32::from_le_bytes(length) as usize;
        if !(1..=3).contains(&major) || length > MAX_HEADER {
            return Err(HeaderError::Damaged);
        }
        let mut text = vec![0; length];
        input.read_exact(&mut text)?;
        Header::parse(&String::from_utf8_lossy(&text))
    }

    /// Reads the dictionary.
    fn parse(text: &str) -> Result<Header, HeaderError> {
        let value = |key: &str| {
            let quoted = ['\'', '"'].map(|quote| format!("{quote}{key}{quote}"));
            let (_, rest) = quoted.iter().find_map(|key| text.split_once(key.as_str()))?;
            rest.trim_start().strip_prefix(':').map(str::trim_start)
        };
        // The type of a structure is a list.
        let of_type = value("descr").ok_or(HeaderError::Damaged)?;
        let name = of_type.strip_prefix(['\'', '"']).and_then(|name| name.split(['\'', '"']).next());
        let name = name.unwrap_or("of a structure");
        let number = Number::parse(name).ok_or_else(|| HeaderError::OtherType(name.to_owned()))?;

        let shape = value("shape").and_then(|shape| shape.strip_prefix('(')?.split(')').next());
        // Python 2 wrote `3L`.
        let lengths = shape.ok_or(HeaderError::Damaged)?.split(',').map(|length| length.trim().trim_end_matches('L'));
        let lengths = lengths.filter(|length| !length.is_empty()).map(str::parse);
        let shape = lengths.collect::<Result<_, _>>().map_err(|_| HeaderError::Damaged)?;
        let order = value("fortran_order").ok_or(HeaderError::Damaged)?;
        let is_fortran = order.starts_with("True");
        // There are no other keys.
        if !(is_fortran || order.starts_with("False")) || text.matches(':').count() != 3 {
            return Err(HeaderError::Damaged);
        }
        Ok(Header { number, is_fortran, shape })
    }
}

/// The error for an array that cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HeaderError {
    #[error(transparent)]
    Read(io::Error),
    #[error("it is not a NumPy array")]
    NoArray,
    #[error("the header of the NumPy array is damaged")]
    Damaged,
    #[error(
        "the NumPy array has the type {0}; write numbers with .astype('uint8'), texts with .astype(str), and a field of a \
         structure alone"
    )]
    OtherType(String),
}

/// A header that ends early is damaged.
impl From<io::Error> for HeaderError {
    fn from(error: io::Error) -> HeaderError {
        if error.kind() == io::ErrorKind::UnexpectedEof { HeaderError::Damaged } else { HeaderError::Read(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_are_written() {
        for kind in [Kind::Signed, Kind::Unsigned, Kind::Float, Kind::Bytes, Kind::Unicode] {
            for width in [1, 2, 4, 8] {
                for (is_big_endian, is_fortran) in [(false, false), (true, true)] {
                    let width = match kind {
                        Kind::Float => width.max(2),
                        Kind::Unicode => 81 * 4 * width,
                        _ => width,
                    };
                    let number = Number { kind, width, is_big_endian: is_big_endian && width > 1 };
                    for shape in [vec![], vec![7], vec![u64::MAX, 81], vec![3, 16, 16]] {
                        let header = Header { number, is_fortran, shape };
                        let bytes = header.to_bytes();
                        assert_eq!(bytes.len(), Header::LENGTH);
                        assert_eq!(Header::read(&*bytes).unwrap(), header);
                    }
                }
            }
        }
    }

    #[test]
    fn headers_of_others_are_read() {
        for (text, expected) in [
            ("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 81), }", "|u1 false [2, 81]"),
            ("{'descr':'>i4','fortran_order':True,'shape':(2,9,9)}", ">i4 true [2, 9, 9]"),
            ("{\"shape\": (2L, 81L), \"descr\": \"<i8\", \"fortran_order\": False}", "<i8 false [2, 81]"),
            ("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 81), }", "<f8 false [2, 81]"),
            ("{'descr': '|S81', 'fortran_order': False, 'shape': (2,), }", "<S81 false [2]"),
            ("{'descr': '<U81', 'fortran_order': False, 'shape': (2,), }", "<U81 false [2]"),
            ("{'descr': '<f16', 'fortran_order': False, 'shape': (2, 81), }", "! has the type <f16;"),
            ("{'descr': '<U0', 'fortran_order': False, 'shape': (2,), }", "! has the type <U0;"),
            ("{'descr': '<U99999999', 'fortran_order': False, 'shape': (2,), }", "! has the type <U99999999;"),
            ("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 81), }", "! has the type <c8;"),
            ("{'descr': '|O', 'fortran_order': False, 'shape': (2, 81), }", "! has the type |O;"),
            ("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 81), }", "! has the type |b1;"),
            ("{'descr': [('x', '<i8')], 'fortran_order': False, 'shape': (2,), }", "! of a structure;"),
            ("{'descr': '<i8', 'fortran_order': False, 'shape': (-2, 81), }", "! damaged"),
            ("{'descr': '<i8', 'shape': (2, 81), }", "! damaged"),
            ("{'descr': '<i8', 'fortran_order': Frue, 'shape': (2, 81), }", "! damaged"),
            ("{'descr': '<i8', 'fortran_order': True, 'shape': (2, 81), 'shapd': (3, 81)}", "! damaged"),
            ("{'fortran_order': False, 'shape': (2, 81), }", "! damaged"),
            ("", "! damaged"),
        ] {
            for major in [1, 2, 3] {
                let length = (text.len() as u32).to_le_bytes();
                let length = if major == 1 { &length[..2] } else { &length };
                let bytes = [MAGIC, &[major, 0], length, text.as_bytes()].concat();
                let found = match Header::read(&*bytes) {
                    Ok(Header { number, is_fortran, shape }) => format!("{} {is_fortran} {shape:?}", number.name()),
                    Err(error) => format!("! {error}"),
                };
                match expected.strip_prefix("! ") {
                    Some(expected) => assert!(found.starts_with('!') && found.contains(expected), "{text}: {found}"),
                    None => assert_eq!(found, expected),
                }
                assert!(Header::read(&bytes[..bytes.len() / 2]).is_err());
            }
        }
    }
}

//! Reads the header of an array of `NumPy`.

use std::io::{self, Read};

use super::{Header, MAGIC, Number};

/// The longest header that is read.
const MAX_HEADER: usize = 1 << 16;

/// Why an array cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HeaderError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("it is no NumPy array")]
    NoArray,
    #[error("the header of the NumPy array is damaged")]
    Damaged,
    #[error("the NumPy array has the type {0}; puzzles are arrays of integers")]
    NoIntegers(String),
}

impl Number {
    /// Reads a type such as `<i8`.
    fn parse(text: &str) -> Option<Number> {
        let (is_big_endian, rest) = match text.split_at_checked(1)? {
            ("<" | "|", rest) => (false, rest),
            (">", rest) => (true, rest),
            ("=", rest) => (cfg!(target_endian = "big"), rest),
            _ => (false, text),
        };
        let (kind, width) = rest.split_at_checked(1)?;
        let is_signed = match kind {
            "i" => true,
            "u" => false,
            _ => return None,
        };
        let width = width.parse().ok().filter(|width| [1, 2, 4, 8].contains(width))?;
        Some(Number { is_signed, width, is_big_endian })
    }
}

impl Header {
    /// Reads the start of an array, up to its numbers.
    pub(crate) fn read(mut input: impl Read) -> Result<Header, HeaderError> {
        let mut start = [0; 8];
        read_exact(&mut input, &mut start)?;
        let [magic @ .., major, _] = start;
        if magic != *MAGIC {
            return Err(HeaderError::NoArray);
        }
        let mut length = [0; 4];
        read_exact(&mut input, &mut length[..if major == 1 { 2 } else { 4 }])?;
        let length = u32::from_le_bytes(length) as usize;
        if !(1..=3).contains(&major) || length > MAX_HEADER {
            return Err(HeaderError::Damaged);
        }
        let mut text = vec![0; length];
        read_exact(&mut input, &mut text)?;
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
        let name = match of_type.chars().next() {
            Some(quote @ ('\'' | '"')) => of_type[1..].split(quote).next().unwrap_or_default(),
            _ => "of a structure",
        };
        let number = Number::parse(name).ok_or_else(|| HeaderError::NoIntegers(name.to_owned()))?;

        let shape = value("shape").and_then(|shape| shape.strip_prefix('(')?.split(')').next());
        // Python 2 wrote `3L`.
        let lengths = shape.ok_or(HeaderError::Damaged)?.split(',').map(|length| length.trim().trim_end_matches('L'));
        let lengths = lengths.filter(|length| !length.is_empty()).map(str::parse);
        let shape = lengths.collect::<Result<_, _>>().map_err(|_| HeaderError::Damaged)?;
        let is_fortran = match value("fortran_order") {
            Some(order) if order.starts_with("True") => true,
            Some(order) if order.starts_with("False") => false,
            _ => return Err(HeaderError::Damaged),
        };
        // There are no other keys.
        if text.matches(':').count() != 3 {
            return Err(HeaderError::Damaged);
        }
        Ok(Header { number, is_fortran, shape })
    }
}

/// Reads all bytes; fewer are a damaged header.
fn read_exact(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), HeaderError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => HeaderError::Damaged,
        _ => error.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_are_written() {
        for is_signed in [false, true] {
            for width in [1, 2, 4, 8] {
                for (is_big_endian, is_fortran) in [(false, false), (true, true)] {
                    let number = Number { is_signed, width, is_big_endian: is_big_endian && width > 1 };
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
            ("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 81), }", "! has the type <f8;"),
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

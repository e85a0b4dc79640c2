//! The format of `NumPy` for an array: its header, and how it is written.
//!
//! An array is "\x93NUMPY", the version in two bytes, the length of the header in two bytes (in four, from version 2 on),
//! and the header: a Python dictionary with the type, the order of the axes and the shape, padded with spaces to a multiple
//! of 64 bytes. The numbers follow.

#[cfg(feature = "arrow")]
mod read;

#[cfg(feature = "arrow")]
pub(crate) use self::read::HeaderError;

/// The first bytes of an array.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// The type of the numbers of an array: integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) is_signed: bool,
    /// The number of bytes: 1, 2, 4 or 8.
    pub(crate) width: usize,
    pub(crate) is_big_endian: bool,
}

/// What an array says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) number: Number,
    /// Whether the first index changes fastest, and not the last one.
    pub(crate) is_fortran: bool,
    pub(crate) shape: Vec<u64>,
}

impl Number {
    /// Bytes.
    pub(crate) const U8: Number = Number { is_signed: false, width: 1, is_big_endian: false };
    /// Signed integers of two bytes, little endian.
    pub(crate) const I16: Number = Number { is_signed: true, width: 2, is_big_endian: false };
    /// Signed integers of four bytes, little endian.
    pub(crate) const I32: Number = Number { is_signed: true, width: 4, is_big_endian: false };

    fn name(self) -> String {
        let end = match self.width {
            1 => '|',
            _ if self.is_big_endian => '>',
            _ => '<',
        };
        format!("{end}{}{}", if self.is_signed { 'i' } else { 'u' }, self.width)
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
}

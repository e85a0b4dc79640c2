//! Walks through Thrift's compact protocol, in which Parquet writes its metadata, without building anything.
//!
//! Every function returns `None` if the bytes end too early, or are no such structure.

/// How deep values may be nested.
const MAX_DEPTH: usize = 64;

/// The type of a field or an item, of those that need to be known.
pub(super) mod kind {
    pub(crate) const I32: u8 = 5;
    pub(crate) const BINARY: u8 = 8;
    pub(crate) const LIST: u8 = 9;
    pub(crate) const STRUCT: u8 = 12;
}

/// What is left of some bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thrift<'a>(pub(super) &'a [u8]);

/// A field of a structure. Its value follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) id: i64,
    pub(super) kind: u8,
}

impl Thrift<'_> {
    /// Calls a function with each field of a structure, up to its end. The function has to read or
    /// [skip](Thrift::skip) the value. Fields come in ascending order, so none can come twice.
    pub(super) fn fields(&mut self, mut each: impl FnMut(&mut Self, Field) -> Option<()>) -> Option<()> {
        let mut id = 0;
        loop {
            let header = self.byte()?;
            if header == 0 {
                return Some(());
            }
            let before = id;
            id = if header >> 4 == 0 { self.integer()? } else { id + i64::from(header >> 4) };
            if id <= before {
                return None;
            }
            each(self, Field { id, kind: header & 0x0f })?;
        }
    }

    /// The type of the items of a list, and their number: at most as many as bytes are left.
    pub(super) fn list(&mut self) -> Option<(u8, usize)> {
        let header = self.byte()?;
        let length = match header >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            length => usize::from(length),
        };
        (length <= self.0.len()).then_some((header & 0x0f, length))
    }

    /// The number of structures in a list of them.
    pub(super) fn structures(&mut self) -> Option<usize> {
        let (kind, length) = self.list()?;
        (kind == kind::STRUCT || length == 0).then_some(length)
    }

    /// An integer of 16, 32 or 64 bits.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let zigzag = self.varint()?;
        Some((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// An unsigned integer: seven bits a byte, the lowest first.
    pub(super) fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// The length of a text, which is skipped.
    pub(super) fn binary(&mut self) -> Option<usize> {
        let length = usize::try_from(self.varint()?).ok()?;
        self.bytes(length).map(<[u8]>::len)
    }

    /// Skips the value of a field.
    pub(super) fn skip(&mut self, kind: u8) -> Option<()> {
        // The values of a field with a boolean are in its type.
        if matches!(kind, 1 | 2) { Some(()) } else { self.skip_item(kind, MAX_DEPTH) }
    }

    fn skip_item(&mut self, kind: u8, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            1..=3 => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            7 => self.bytes(8).map(drop),
            kind::BINARY => self.binary().map(drop),
            kind::LIST | 10 => {
                let (kind, length) = self.list()?;
                (0..length).try_for_each(|_| self.skip_item(kind, depth))
            }
            11 => {
                let length = self.varint()?;
                let kinds = if length == 0 { 0 } else { self.byte()? };
                (0..length).try_for_each(|_| {
                    self.skip_item(kinds >> 4, depth)?;
                    self.skip_item(kinds & 0x0f, depth)
                })
            }
            kind::STRUCT => self.fields(|thrift, field| match field.kind {
                1 | 2 => Some(()),
                kind => thrift.skip_item(kind, depth),
            }),
            13 => self.bytes(16).map(drop),
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    fn bytes(&mut self, length: usize) -> Option<&[u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_or_skipped() {
        // 1: -3; 2: "ab"; 3: [1, 2] in 32 bits; 4: true; 20: {1: 300}.
        let bytes = [0x15, 5, 0x18, 2, b'a', b'b', 0x19, 0x25, 2, 4, 0x11, 0x0c, 40, 0x15, 0xd8, 4, 0, 0];
        let (mut thrift, mut seen) = (Thrift(&bytes), vec![]);
        thrift
            .fields(|thrift, field| {
                match field.kind {
                    kind::I32 => seen.push((field.id, thrift.integer()?)),
                    kind => {
                        seen.push((field.id, -1));
                        thrift.skip(kind)?;
                    }
                }
                Some(())
            })
            .unwrap();
        assert_eq!(seen, [(1, -3), (2, -1), (3, -1), (4, -1), (20, -1)]);
        assert!(thrift.0.is_empty());

        for end in 0..bytes.len() {
            assert_eq!(Thrift(&bytes[..end]).fields(|thrift, field| thrift.skip(field.kind)), None, "{end}");
        }
    }

    #[test]
    fn what_claims_to_be_longer_or_deeper_than_it_can_be_is_refused() {
        assert_eq!(Thrift(&[0xf5, 0xff, 0xff, 0xff, 0x07, 0]).list(), None);
        assert_eq!(Thrift(&[0xff; 11]).varint(), None);
        assert_eq!(Thrift(&[0x1c; 1000]).fields(|thrift, field| thrift.skip(field.kind)), None);
        // The second field has the number of the first.
        assert_eq!(Thrift(&[0x15, 2, 0x05, 2, 2, 0]).fields(|thrift, field| thrift.skip(field.kind)), None);
    }
}

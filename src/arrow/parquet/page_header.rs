//! What the header of a page says of its size.

use super::thrift::{Thrift, kind};

/// The sizes of a page, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageSize {
    /// When it is decompressed.
    pub(super) uncompressed: usize,
    /// Of its levels, if these are not compressed.
    pub(super) levels: usize,
}

impl PageSize {
    /// Reads a header, which something else may follow; `None` if the bytes are no complete header.
    pub(super) fn read(header: &[u8]) -> Option<PageSize> {
        let (mut uncompressed, mut levels) = (None, 0);
        let size = |thrift: &mut Thrift<'_>| usize::try_from(thrift.integer()?).ok();
        Thrift(header).fields(|thrift, field| match (field.id, field.kind) {
            (2, kind::I32) => size(thrift).map(|size| uncompressed = Some(size)),
            // The second version of a page with data, in which the lengths of the levels are the fifth and the sixth field.
            (8, kind::STRUCT) => thrift.fields(|thrift, field| match (field.id, field.kind) {
                (5 | 6, kind::I32) => size(thrift).map(|size| levels += size),
                (_, kind) => thrift.skip(kind),
            }),
            (_, kind) => thrift.skip(kind),
        })?;
        Some(PageSize { uncompressed: uncompressed?, levels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_both_versions() {
        // A dictionary page, and a page of the second version with levels of 3 and 4 bytes.
        let dictionary = [0x15, 4, 0x15, 200, 1, 0x15, 20, 0x4c, 0x15, 2, 0x15, 0, 0, 0];
        let size = PageSize { uncompressed: 100, levels: 0 };
        assert_eq!(PageSize::read(&dictionary), Some(size));
        for end in 0..dictionary.len() {
            assert_eq!(PageSize::read(&dictionary[..end]), None);
        }

        let data = [0x15, 6, 0x15, 200, 1, 0x15, 20, 0x5c, 0x15, 2, 0x15, 0, 0x15, 2, 0x15, 0, 0x15, 6, 0x15, 8, 0, 0];
        assert_eq!(PageSize::read(&data), Some(PageSize { uncompressed: 100, levels: 7 }));
        // A negative size.
        assert_eq!(PageSize::read(&[0x15, 4, 0x15, 1, 0x15, 20, 0]), None);
    }
}

//! A seeded hash for reproducible random choices.

use lexical_core::FormattedSize;
use sha2::{Digest, Sha256};

use crate::canon::Key;

/// The first 8 bytes, as a big-endian number, of the SHA-256 of `SEED:TEXT`.
///
/// The text is a key, as its 32 hexadecimal digits, the position of a record, from 1, as a decimal number, or the value
/// of a column. Divided by 2^64, the hash is a number in [0, 1):
///
/// ```text
/// $ printf '%s' 1:059919c19f08f4d4833232c3fc79745c | sha256sum | cut -c1-16
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyedHash {
    seed: u64,
}

impl KeyedHash {
    /// The hash with this seed.
    pub(crate) fn new(seed: u64) -> KeyedHash {
        KeyedHash { seed }
    }

    /// The hash of a group.
    pub(crate) fn of_key(self, key: Key) -> u64 {
        self.of_value(&key.digits())
    }

    /// The hash of the record at a position, from 1.
    pub(crate) fn of_position(self, position: u64) -> u64 {
        self.of_value(lexical_core::write(position, &mut [0; u64::FORMATTED_SIZE_DECIMAL]))
    }

    /// The hash of the value of a column.
    pub(crate) fn of_value(self, value: &[u8]) -> u64 {
        let mut hash = Sha256::new();
        hash.update(lexical_core::write(self.seed, &mut [0; u64::FORMATTED_SIZE_DECIMAL]));
        hash.update(b":");
        hash.update(value);
        let hash: [u8; 32] = hash.finalize().into();
        u64::from_be_bytes(std::array::from_fn(|byte| hash[byte]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash is the same as with `sha256sum`.
    #[test]
    fn others_can_compute_the_hash() {
        let key = "059919c19f08f4d4833232c3fc79745c".parse().unwrap();
        assert_eq!(KeyedHash::new(1).of_key(key), 0x0bad_ed22_faae_62d9);
        assert_eq!(KeyedHash::new(77).of_position(4711), 0xe5da_5d7a_5933_cfe5);
    }
}

//! Sets of candidates of one state, as words of bits.

/// A set of up to `64 * W` candidates.
pub(super) type Bits<const W: usize> = [u64; W];

pub(super) fn has<const W: usize>(bits: &Bits<W>, index: usize) -> bool {
    bits[index / 64] >> (index % 64) & 1 == 1
}

pub(super) fn insert<const W: usize>(bits: &mut Bits<W>, index: usize) {
    bits[index / 64] |= 1 << (index % 64);
}

pub(super) fn remove<const W: usize>(bits: &mut Bits<W>, index: usize) {
    bits[index / 64] &= !(1 << (index % 64));
}

pub(super) fn and<const W: usize>(a: &Bits<W>, b: &Bits<W>) -> Bits<W> {
    std::array::from_fn(|word| a[word] & b[word])
}

/// The members of `a` that are not in the first words of the larger set `b`.
pub(super) fn without<const W: usize>(a: &Bits<W>, b: &[u64]) -> Bits<W> {
    std::array::from_fn(|word| a[word] & !b[word])
}

pub(super) fn or_into<const W: usize>(a: &mut Bits<W>, b: &Bits<W>) {
    for (a, b) in a.iter_mut().zip(b) {
        *a |= b;
    }
}

pub(super) fn is_empty<const W: usize>(bits: &Bits<W>) -> bool {
    bits.iter().fold(0, |any, word| any | word) == 0
}

/// The members in ascending order.
pub(super) fn members<const W: usize>(bits: &Bits<W>) -> impl Iterator<Item = usize> + use<'_, W> {
    bits.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                index * 64 + bit
            })
        })
    })
}

//! Adds the length of a chain to its difficulty.

/// The number of implications of a chain from which on each tenth is added.
const LADDER: [u32; 23] =
    [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192];

/// The difficulty of chains of `complexity` statements, as the reference program computes it: in floating point, with
/// tenths added one by one.
///
/// Its order of chains follows these numbers to the last bit: 6.6 and one tenth is 6.699999999999999, less than 6.5 and
/// two tenths, 6.7.
pub(super) fn difficulty(base: f64, complexity: u32) -> f64 {
    let length = complexity.saturating_sub(2);
    let rungs = LADDER.iter().take_while(|&&rung| length > rung).count();
    base + (0..rungs).fold(0.0, |added, _| added + 0.1)
}

/// A difficulty as it is printed, in tenths.
pub(super) fn tenths(difficulty: f64) -> u16 {
    ((difficulty + 0.05) * 10.0) as u16
}

#[cfg(test)]
mod tests {
    use super::{difficulty, tenths};

    #[test]
    fn a_tenth_is_added_beyond_each_rung() {
        let printed = |complexity| tenths(difficulty(7.0, complexity));
        assert_eq!([2, 6, 7, 8, 9, 10, 11, 14, 15].map(printed), [70, 70, 71, 71, 72, 72, 73, 73, 74]);
        assert_eq!(tenths(difficulty(8.5, 8195)), 85 + 23);
    }

    #[test]
    fn the_order_is_that_of_floating_point() {
        assert!(difficulty(6.6, 7) < difficulty(6.5, 10));
        assert_eq!(tenths(difficulty(6.6, 7)), tenths(difficulty(6.5, 10)));
    }
}

//! Property: any grid of candidates is rated, with the same result step by step and with all hidden singles at once.

use gridmill::rating::{Candidates, Difficulty, DigitSet, Rater, RatingEnd, RatingGoal, RatingOptions};

/// Rates a grid of candidates, which may be contradictory or have many solutions: two bytes for a cell. The first byte is
/// the bound in tenths, 9.4 at most, because the dearest searches take seconds under a sanitizer.
pub fn rate_any_grid(bytes: &[u8]) {
    let Some((&bound, bytes)) = bytes.split_first() else { return };
    let cell = |cell: usize| -> DigitSet {
        let bits = [0, 1].map(|half| u16::from(bytes.get(2 * cell + half).copied().unwrap_or(0xff)));
        (0..9).filter(|&digit| (bits[0] | bits[1] << 8) >> digit & 1 == 1).collect()
    };
    let candidates = Candidates::from_digits(&std::array::from_fn(cell));
    let rate = |goal| {
        let max_er = Some(Difficulty::from_tenths(u16::from(bound.min(94))));
        let mut left = (0..81).map(|cell| candidates.digits(cell).len()).sum::<usize>();
        let mut rater = Rater::with_options(RatingOptions { goal, max_er });
        rater.rate_candidates(candidates.clone(), |grid, step| {
            let now = (0..81).map(|cell| grid.digits(cell).len()).sum::<usize>();
            assert!(now <= left, "a step adds no candidate");
            left = now;
            assert!(step.placement.is_some() || !step.eliminations.is_empty(), "a step does something");
        })
    };
    let [steps, counts] = [RatingGoal::Steps, RatingGoal::Counts].map(rate);
    // The order of singles does not matter in a grid with a solution, and such a grid is solved or ends at the bound.
    if steps.end == RatingEnd::Solved && counts.end == RatingEnd::Solved && steps.singles_at_once == 0 {
        assert!(steps.er <= Difficulty::from_tenths(94) && counts.er <= Difficulty::from_tenths(94));
    }
}

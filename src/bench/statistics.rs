//! Statistics that are robust against a few disturbed runs: quartiles, and the ratio of two series of paired runs.

/// The quartiles of some values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    /// The lower quartile: a quarter of the values is below.
    pub low: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile: a quarter of the values is above.
    pub high: f64,
}

impl Quartiles {
    /// The quartiles of `values`.
    ///
    /// # Panics
    ///
    /// If there is no value.
    pub(super) fn new(values: &[f64]) -> Quartiles {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share| quantile(&sorted, share);
        Quartiles { low: at(0.25), median: at(0.5), high: at(0.75) }
    }
}

/// An estimate from several measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the width of the 95 % confidence interval.
    pub uncertainty: f64,
}

fn median(values: &[f64]) -> f64 {
    Quartiles::new(values).median
}

/// The ratio of the speed of the runs `other` to the speed of the runs `first`. Both are times, taken in pairs.
///
/// A disturbance of the machine affects both runs of a pair, so the ratio is taken for each pair. The value is the
/// median of these ratios. The standard error of a median is `sqrt(pi / 2) * sigma / sqrt(n)`, with `sigma` from the
/// median absolute deviation, which for normal values is `0.6745 * sigma`; the interval is 1.96 standard errors to both
/// sides.
///
/// # Panics
///
/// If there is no pair, or one series is longer than the other.
pub(super) fn ratio(first: &[f64], other: &[f64]) -> Estimate {
    assert_eq!(first.len(), other.len(), "runs come in pairs");
    let ratios: Vec<f64> = first.iter().zip(other).map(|(first, other)| first / other).collect();
    let value = median(&ratios);
    let deviations: Vec<f64> = ratios.iter().map(|ratio| (ratio - value).abs()).collect();
    let sigma = median(&deviations) / 0.6745;
    let standard_error = std::f64::consts::FRAC_PI_2.sqrt() * sigma / (ratios.len() as f64).sqrt();
    Estimate { value, uncertainty: 1.96 * standard_error }
}

/// The sum of `first` divided by the sum of `other`, and the standard error of its logarithm. Each pair is for a random
/// sample of puzzles, so the error covers the choice of the puzzles.
///
/// The error comes from a jackknife: it compares the ratios without one pair each. Times of puzzles often differ by
/// orders of magnitude, and then the logarithm is closer to a normal distribution than the ratio.
pub(super) fn ratio_of_sums(first: &[f64], other: &[f64]) -> (f64, f64) {
    let [first_sum, other_sum] = [first, other].map(|values| values.iter().sum::<f64>());
    let without = |(first, other): (&f64, &f64)| ((first_sum - first) / (other_sum - other)).ln();
    let without: Vec<f64> = first.iter().zip(other).map(without).collect();
    let count = without.len() as f64;
    let mean = without.iter().sum::<f64>() / count;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    (first_sum / other_sum, (squares * (count - 1.0) / count).sqrt())
}

/// Like [`ratio`], but for the blocks of a random sample. The uncertainty is the larger half of the interval, which is
/// not symmetric after the logarithm is undone.
pub(super) fn ratio_of_samples(first: &[f64], other: &[f64]) -> Estimate {
    let (value, error) = ratio_of_sums(first, other);
    Estimate { value, uncertainty: value * ((STUDENT_95 * error).exp() - 1.0) }
}

/// The speed on a random sample; each block has the same number of puzzles. The true speed is between the quartiles
/// with a probability of one half.
pub(super) fn rate_of_sample(puzzles: f64, seconds: &[f64]) -> Quartiles {
    let (median, error) = ratio_of_sums(&vec![puzzles; seconds.len()], seconds);
    let factor = (STUDENT_50 * error).exp();
    Quartiles { low: median / factor, median, high: median * factor }
}

/// The half widths of the 95 % and the 50 % interval in standard errors: Student's distribution for 16 blocks.
const STUDENT_95: f64 = 2.131;
const STUDENT_50: f64 = 0.691;

/// The quantile of some sorted values for a share from 0 to 1, interpolated between two values.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    below + (above - below) * position.fract()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[track_caller]
    fn assert_near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6, "{value} is not {expected}");
    }

    #[test]
    fn quartiles_do_not_depend_on_the_order_of_the_values() {
        for (values, [low, median, high]) in [
            (&[7.0][..], [7.0, 7.0, 7.0]),
            (&[4.0, 2.0], [2.5, 3.0, 3.5]),
            (&[3.0, 1.0, 2.0], [1.5, 2.0, 2.5]),
            (&[5.0, 1.0, 4.0, 2.0, 1000.0], [2.0, 4.0, 5.0]),
        ] {
            assert_eq!(Quartiles::new(values), Quartiles { low, median, high });
            assert_near(super::median(values), median);
        }
    }

    #[test]
    fn a_ratio_is_taken_pair_by_pair() {
        // The machine was five times as slow in the second pair.
        let estimate = ratio(&[2.0, 10.0, 2.0, 2.0], &[1.0, 5.0, 1.0, 1.0]);
        assert_eq!(estimate, Estimate { value: 2.0, uncertainty: 0.0 });
        // Ratios 1, 2, 3, 4, 5: the deviations' median is 1, so sigma is 1.4826 and the error 1.2533 * 1.4826 / 2.2361.
        let estimate = ratio(&[3.0, 1.0, 5.0, 4.0, 2.0], &[1.0; 5]);
        assert_near(estimate.value, 3.0);
        assert!((estimate.uncertainty - 1.6287).abs() < 1e-4, "{estimate:?}");
        // One outlier has no effect.
        let outlier = ratio(&[3.0, 1.0, 500.0, 4.0, 2.0], &[1.0; 5]);
        assert_eq!(outlier, estimate);
    }

    /// A slow solver takes e^0 to e^8 for a puzzle, the other one nearly the same for each.
    #[test]
    fn the_interval_of_a_sample_covers_the_choice_of_puzzles() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let puzzles: Vec<[f64; 2]> = (0..20_000)
            .map(|_| [1.0 + rng.random::<f64>(), ((0..4).map(|_| rng.random::<f64>()).sum::<f64>() * 2.0).exp()])
            .collect();
        let sum = |puzzles: &[[f64; 2]], solver: usize| puzzles.iter().map(|times| times[solver]).sum::<f64>();
        let truth = sum(&puzzles, 0) / sum(&puzzles, 1);
        let held = (0..300)
            .filter(|_| {
                let blocks: Vec<Vec<[f64; 2]>> =
                    (0..16).map(|_| (0..8).map(|_| puzzles[rng.random_range(0..puzzles.len())]).collect()).collect();
                let [first, other] =
                    [0, 1].map(|solver| blocks.iter().map(|block| sum(block, solver)).collect::<Vec<_>>());
                let Estimate { value, uncertainty } = ratio_of_samples(&first, &other);
                (value - truth).abs() <= uncertainty
            })
            .count();
        assert!((270..300).contains(&held), "{held}");
    }

    /// The noise is normal, as sums of uniform values.
    #[test]
    fn the_confidence_interval_holds_the_true_ratio_in_95_of_100_cases() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut noise = || 1.0 + 0.01 * ((0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0);
        let held = (0..1000)
            .filter(|_| {
                let (first, other): (Vec<f64>, Vec<f64>) = (0..40).map(|_| (3.0 * noise(), noise())).unzip();
                let Estimate { value, uncertainty } = ratio(&first, &other);
                (value - 3.0).abs() <= uncertainty
            })
            .count();
        assert!((900..=980).contains(&held), "{held}");
    }
}

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

/// How many times as fast as `first` the runs `other` were; both are times, taken in pairs.
///
/// A disturbance of the machine affects both runs of a pair, so the ratio is taken for each pair. The value is the
/// median of these ratios. Its standard error is that of a median, `sqrt(pi / 2) * sigma / sqrt(n)`, with `sigma` from
/// the median absolute deviation, which for normal values is `0.6745 * sigma`; the interval is 1.96 standard errors to
/// both sides.
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

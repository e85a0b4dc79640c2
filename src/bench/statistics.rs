//! Speeds from the times of blocks, and quotients of speeds, with 95 % confidence intervals.
//!
//! A block is a part of a sample, or some rounds in a row. Rounds are correlated, because the speed of a machine changes
//! slowly; means of several in a row are nearly independent.

use super::set::BLOCKS;

/// An estimate with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The speed of a solver, as the times of some blocks.
#[derive(Clone, Debug)]
pub struct Speed {
    /// The number of puzzles in a block.
    puzzles: f64,
    /// The time of each block.
    seconds: Vec<f64>,
    pairing: Pairing,
}

/// Which times belong together: a disturbance of the machine affects all solvers in a round, and a hard puzzle slows all
/// solvers down, in any run. What they have in common cancels in a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// The rounds of a run.
    Rounds {
        /// The number of the run, if several are compared.
        run: u8,
    },
    /// The blocks of the same sample, whose size is its name.
    Sample {
        /// The number of its puzzles.
        puzzles: usize,
    },
}

impl Speed {
    /// The speed of a solver that takes these times for `puzzles` puzzles each; a sample has a time for each of its
    /// blocks.
    ///
    /// # Panics
    ///
    /// If there are fewer than two times.
    pub fn new(puzzles: f64, seconds: &[f64], pairing: Pairing) -> Speed {
        assert!(seconds.len() > 1, "an interval needs two times");
        let blocks = seconds.len().min(BLOCKS);
        let start = |block: usize| block * seconds.len() / blocks;
        let block = |block| mean(&seconds[start(block)..start(block + 1)]).max(f64::MIN_POSITIVE);
        Speed { puzzles, seconds: (0..blocks).map(block).collect(), pairing }
    }

    fn logarithm(&self) -> f64 {
        (self.puzzles / mean(&self.seconds)).ln()
    }

    /// How much the mean of the logarithm depends on each block: by a jackknife, from the logarithms without one block each.
    fn influences(&self) -> Vec<f64> {
        let sum: f64 = self.seconds.iter().sum();
        let without: Vec<f64> = self.seconds.iter().map(|seconds| -(sum - seconds).ln()).collect();
        let (mean, rest) = (mean(&without), without.len() as f64 - 1.0);
        without.iter().map(|logarithm| rest * (mean - logarithm)).collect()
    }
}

/// The product of the speeds `over` divided by the product of the speeds `under`.
///
/// The error comes from a jackknife over the blocks, of all paired speeds at once, and covers the choice of a sample's
/// puzzles. The times of puzzles differ by orders of magnitude, and then the logarithm is closer to a normal distribution
/// than the quotient.
pub fn quotient(over: &[&Speed], under: &[&Speed]) -> Estimate {
    let signed = over.iter().map(|speed| (1.0, speed)).chain(under.iter().map(|speed| (-1.0, speed)));
    let (mut logarithm, mut groups) = (0.0, Vec::<(Pairing, Vec<Vec<f64>>)>::new());
    for (sign, speed) in signed {
        logarithm += sign * speed.logarithm();
        let influences: Vec<f64> = speed.influences().into_iter().map(|influence| sign * influence).collect();
        let is_paired = |(pairing, group): &&mut (Pairing, Vec<Vec<f64>>)| {
            *pairing == speed.pairing && group[0].len() == influences.len()
        };
        match groups.iter_mut().find(is_paired) {
            Some((_, group)) => group.push(influences),
            None => groups.push((speed.pairing, vec![influences])),
        }
    }

    let (mut variance, mut blocks) = (0.0, BLOCKS);
    for (pairing, group) in groups {
        let mut sums: Vec<f64> =
            (0..group[0].len()).map(|block| group.iter().map(|speed| speed[block]).sum()).collect();
        // What is not paired has the drift of the machine, so only longer blocks are nearly independent.
        if group.len() == 1 && matches!(pairing, Pairing::Rounds { .. }) && sums.len() == BLOCKS {
            sums = sums.chunks(2).map(mean).collect();
        }
        let count = sums.len() as f64;
        variance += sums.iter().map(|sum| sum * sum).sum::<f64>() / (count * (count - 1.0));
        blocks = blocks.min(sums.len());
    }
    let (value, factor) = (logarithm.exp(), (STUDENT_95[blocks - 2] * variance.sqrt()).exp());
    Estimate { value, low: value / factor, high: value * factor }
}

/// Half the width of the 95 % interval in standard errors, for two to ten blocks: Student's distribution.
const STUDENT_95: [f64; BLOCKS - 1] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const ROUNDS: Pairing = Pairing::Rounds { run: 0 };

    fn random() -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(11)
    }

    #[test]
    fn common_disturbances_cancel() {
        let speed = |seconds: &[f64], pairing| Speed::new(6.0, seconds, pairing);
        // The machine was five times as slow in the second round.
        let [first, other] = [speed(&[2.0, 10.0, 2.0], ROUNDS), speed(&[1.0, 5.0, 1.0], ROUNDS)];
        let Estimate { value, low, high } = quotient(&[&other], &[&first]);
        assert!([value, low, high].iter().all(|value| (value - 2.0).abs() < 1e-9), "{value} {low} {high}");
        // Not in another run.
        let of_another_run = speed(&[1.0, 5.0, 1.0], Pairing::Rounds { run: 1 });
        let Estimate { value, low, high } = quotient(&[&of_another_run], &[&first]);
        assert!((value - 2.0).abs() < 1e-9 && low < 0.5 && high > 4.0, "{value} {low} {high}");
        // Three blocks of 2, 3 and 4 s; without one each, 7, 6 and 5 s.
        let Estimate { value, low, high } = quotient(&[&speed(&[2.0, 3.0, 4.0], ROUNDS)], &[]);
        let logarithms = [7.0, 6.0, 5.0_f64].map(f64::ln);
        let mean = logarithms.iter().sum::<f64>() / 3.0;
        let error = (logarithms.map(|value| (value - mean).powi(2)).iter().sum::<f64>() * 2.0 / 3.0).sqrt();
        assert!((value - 2.0).abs() < 1e-9 && ((high / value).ln() / error - 4.303).abs() < 1e-6, "{low} {high}");
    }

    /// How many of 400 intervals hold the truth.
    fn held(truth: f64, mut estimate: impl FnMut() -> Estimate) -> usize {
        (0..400).map(|_| estimate()).filter(|estimate| estimate.low <= truth && truth <= estimate.high).count()
    }

    /// Each round is as disturbed as the one before, apart from a third.
    #[test]
    fn intervals_of_correlated_rounds_hold_the_truth() {
        let mut rng = random();
        let mut disturbance = 0.0;
        let mut round = |seconds: f64| {
            disturbance = disturbance * 2.0 / 3.0 + rng.random::<f64>() - 0.5;
            seconds * (1.0 + 0.02 * disturbance)
        };
        let held = held(3.0, || {
            let seconds: Vec<f64> = (0..40).map(|_| round(2.0)).collect();
            quotient(&[&Speed::new(6.0, &seconds, ROUNDS)], &[])
        });
        assert!((360..400).contains(&held), "{held}");
    }

    /// A slow solver takes e^0 to e^8 for a puzzle, the other one nearly the same for each.
    #[test]
    fn intervals_of_samples_cover_the_choice_of_puzzles() {
        let mut rng = random();
        let puzzles: Vec<[f64; 2]> = (0..20_000)
            .map(|_| [1.0 + rng.random::<f64>(), ((0..4).map(|_| rng.random::<f64>()).sum::<f64>() * 2.0).exp()])
            .collect();
        let sum = |puzzles: &[[f64; 2]], solver: usize| puzzles.iter().map(|times| times[solver]).sum::<f64>();
        let truth = sum(&puzzles, 0) / sum(&puzzles, 1);
        let held = held(truth, || {
            let blocks: Vec<Vec<[f64; 2]>> =
                (0..10).map(|_| (0..12).map(|_| puzzles[rng.random_range(0..puzzles.len())]).collect()).collect();
            let speed = |solver| {
                let seconds: Vec<f64> = blocks.iter().map(|block| sum(block, solver)).collect();
                Speed::new(12.0, &seconds, Pairing::Sample { puzzles: 120 })
            };
            quotient(&[&speed(1)], &[&speed(0)])
        });
        assert!((360..400).contains(&held), "{held}");
    }
}

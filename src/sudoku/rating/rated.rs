//! The rating of a puzzle, with its steps counted.

use super::{Difficulty, Rating, Step, Technique};

/// The rating of a puzzle, with its steps.
#[derive(Clone, Debug)]
pub(crate) struct Rated {
    pub(crate) rating: Rating,
    pub(crate) steps: StepCounts,
}

impl Rated {
    /// A rating with its steps counted. `steps` lacks the singles that were placed all at once.
    pub(crate) fn new(rating: Rating, mut steps: StepCounts) -> Rated {
        steps.add_singles(rating.singles_at_once);
        Rated { rating, steps }
    }
}

/// The number of steps by technique.
#[derive(Clone, Debug, Default)]
pub(crate) struct StepCounts {
    /// In the order of techniques.
    counts: Vec<(Technique, u64)>,
    total: u64,
    hardest: Option<HardestStep>,
}

/// The first of the hardest steps.
#[derive(Clone, Copy, Debug)]
struct HardestStep {
    difficulty: Difficulty,
    technique: Technique,
}

impl StepCounts {
    /// Counts a step.
    pub(crate) fn add(&mut self, step: &Step) {
        self.total += 1;
        match self.counts.binary_search_by_key(&step.technique, |count| count.0) {
            Ok(index) => self.counts[index].1 += 1,
            Err(index) => self.counts.insert(index, (step.technique, 1)),
        }
        let &Step { difficulty, technique, .. } = step;
        if self.hardest.is_none_or(|hardest| hardest.difficulty < difficulty) {
            self.hardest = Some(HardestStep { difficulty, technique });
        }
    }

    /// Counts hidden singles that were placed all at once.
    fn add_singles(&mut self, singles: u32) {
        if singles == 0 {
            return;
        }
        self.total += u64::from(singles);
        let is_single = |(technique, _): &(Technique, u64)| *technique == Technique::HiddenSingle;
        match self.counts.first_mut().filter(|count| is_single(count)) {
            Some((_, count)) => *count += u64::from(singles),
            // The first technique in the order of the list.
            None => self.counts.insert(0, (Technique::HiddenSingle, singles.into())),
        }
        // All other techniques are harder.
        let (difficulty, technique) = (Difficulty::default(), Technique::HiddenSingle);
        self.hardest.get_or_insert(HardestStep { difficulty, technique });
    }

    /// The technique of the first of the hardest steps.
    pub(crate) fn hardest(&self) -> Option<Technique> {
        self.hardest.map(|hardest| hardest.technique)
    }

    /// The number of steps.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The number of steps by technique, in the order of techniques.
    pub(crate) fn counts(&self) -> &[(Technique, u64)] {
        &self.counts
    }

    /// The techniques of the steps.
    pub(crate) fn techniques(&self) -> impl Iterator<Item = Technique> {
        self.counts.iter().map(|count| count.0)
    }
}

//! Copies and new puzzles as batches in memory are those of the jobs that write them.

use std::num::{NonZeroU64, NonZeroUsize};

use gridmill::corpus::Corpus;
use gridmill::jobs::augment::ExampleSet;
use gridmill::jobs::generate::{BatchNumbers, Generator, Target};
use gridmill::jobs::{Augment, Execution, Generate};
use gridmill::puzzle::Size;

fn examples(path: &str, seed: u64) -> ExampleSet {
    let corpus = Corpus::open_path(path).unwrap();
    Augment::new(0).seed(seed).examples(corpus, &Execution::new().threads(2)).unwrap().0
}

/// The puzzles and the solutions at some positions of an epoch.
fn copies(set: &ExampleSet, epoch: u64, is_shuffled: bool, first: usize, count: usize) -> (Vec<u8>, Vec<u8>) {
    let cells = count * set.size().cells();
    let (mut puzzles, mut solutions) = (vec![0; cells], vec![0; cells]);
    set.epoch(epoch, is_shuffled).write(first, &mut puzzles, &mut solutions);
    (puzzles, solutions)
}

/// Puzzles of 4x4 have so few isomorphs that the job draws again.
#[test]
fn the_copies_of_an_epoch_are_those_of_the_job() {
    for name in ["easy", "16x16", "25x25"] {
        let path = format!("data/{name}.txt");
        let set = examples(&path, 3);
        let mut rows = Vec::new();
        let corpus = Corpus::open_path(&path).unwrap();
        let job = Augment::new(2).seed(3).header(false);
        let report = job.run(corpus, &mut rows, &Execution::new()).unwrap().report;
        assert_eq!(report.copies, 2 * set.len() as u64, "{name}");

        let rows: Vec<&str> = std::str::from_utf8(&rows).unwrap().lines().collect();
        for epoch in 0..2 {
            let (puzzles, _) = copies(&set, epoch as u64, false, 0, set.len());
            for (row, puzzle) in rows.iter().skip(epoch).step_by(2).zip(puzzles.chunks(set.size().cells())) {
                let symbol = |&value: &u8| match value {
                    0 => '.',
                    value if set.size() == Size::TwentyFive => char::from(b'A' + value - 1),
                    value => char::from_digit(value.into(), 36).unwrap().to_ascii_uppercase(),
                };
                assert_eq!(*row, puzzle.iter().map(symbol).collect::<String>(), "{name}");
            }
        }
    }
}

#[test]
fn positions_can_be_taken_in_any_pieces() {
    let set = examples("data/easy.txt", 1);
    for is_shuffled in [false, true] {
        let (puzzles, solutions) = copies(&set, 7, is_shuffled, 0, set.len());
        for (first, count) in [(0, 1), (3, 7), (5, 8), (11, 30), (set.len() - 9, 9), (set.len(), 0)] {
            let range = first * 81..(first + count) * 81;
            let expected = (puzzles[range.clone()].to_vec(), solutions[range].to_vec());
            assert_eq!(copies(&set, 7, is_shuffled, first, count), expected);
        }
    }
}

#[test]
fn a_set_can_be_made_of_the_cells_of_another() {
    for name in ["4x4", "minimal"] {
        let set = examples(&format!("data/{name}.txt"), 1);
        let mut other = ExampleSet::new(set.size(), set.kinds(), set.seed());
        assert!(other.is_empty());
        for (number, packed) in set.numbers().zip(set.cells().chunks(set.size().cells())) {
            other.add(number, packed);
        }
        assert_eq!(copies(&other, 4, true, 0, set.len()), copies(&set, 4, true, 0, set.len()));
    }
}

#[test]
fn batches_have_the_puzzles_of_their_numbers() {
    let (first, step, size) = (2, NonZeroU64::new(3).unwrap(), NonZeroUsize::new(5).unwrap());
    let job = Generate::new(0).seed(4).skip(100);
    let mut batches = job.batches(BatchNumbers { first, step, size }).unwrap();
    let mut generator = Generator::new(Size::Nine, 4, Target::Minimal).unwrap();
    for batch in 0..40 {
        let (mut puzzles, mut solutions) = (vec![0; 5 * 81], vec![0; 5 * 81]);
        generator.puzzles(100 + (2 + 3 * batch) * 5, &mut puzzles, &mut solutions).unwrap();
        let made = batches.next().unwrap().unwrap();
        assert_eq!((made.puzzles, made.solutions), (puzzles, solutions));
    }
}

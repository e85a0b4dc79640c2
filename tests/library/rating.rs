//! Compares ratings with those of Sudoku Explainer 1.2.1 (serate 1.2.1.2), and with each other.
//!
//! `tests/ratings` has its figures: ER, EP and ED of minimal puzzles made at random and of easy ones, and how often it
//! used each technique.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use gridmill::jobs::Stop;
use gridmill::puzzle::{Grid, Isomorph, Size};
use gridmill::rating::{Candidates, Difficulty, Level, Rater, Rating, RatingEnd, RatingGoal, RatingOptions};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A puzzle with the figures of the reference.
struct Reference {
    puzzle: Grid,
    /// ER, EP and ED.
    difficulties: [String; 3],
    techniques: String,
}

fn references(set: &str) -> Vec<Reference> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ratings").join(set);
    let text = fs::read_to_string(path).unwrap();
    let reference = |line: &str| {
        let [puzzle, er, ep, ed, techniques] = line.split(',').collect::<Vec<_>>().try_into().expect("five fields");
        let difficulties = [er, ep, ed].map(str::to_owned);
        Reference { puzzle: grid(puzzle), difficulties, techniques: techniques.to_owned() }
    };
    text.lines().skip(1).map(reference).collect()
}

fn grid(text: &str) -> Grid {
    let cells: Vec<u8> = text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    cells.try_into().expect("81 cells")
}

fn printed(rating: &Rating) -> [String; 3] {
    [rating.er, rating.ep, rating.ed].map(|difficulty| difficulty.to_string())
}

/// Every figure of the reference, step by step and with all hidden singles at once.
#[test]
fn ratings_and_techniques_are_those_of_the_reference() {
    for set in ["easy.csv", "minimal.csv"] {
        for goal in [RatingGoal::Steps, RatingGoal::Counts] {
            let mut rater = Rater::with_options(RatingOptions { goal, ..RatingOptions::default() });
            for Reference { puzzle, difficulties, techniques } in references(set) {
                let mut counts = BTreeMap::new();
                let rating = rater.rate(&puzzle, |_, step| *counts.entry(step.technique.to_string()).or_insert(0) += 1);
                if rating.singles_at_once > 0 {
                    counts.insert("Hidden Single".to_owned(), rating.singles_at_once);
                }
                let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{name}:{count}")).collect();
                assert_eq!((printed(&rating), counts.join(";")), (difficulties, techniques), "{puzzle:?}");
                assert_eq!(rating.end, RatingEnd::Solved);
            }
        }
    }
}

/// The steps lead from the puzzle to its solution, and none removes a digit of the solution.
#[test]
fn steps_lead_to_the_solution() {
    let mut rater = Rater::new();
    for Reference { puzzle, .. } in references("minimal.csv").into_iter().step_by(7) {
        let text: String = puzzle.iter().map(|&value| char::from(b'0' + value)).collect();
        let solution = gridmill::solve(&text).unwrap();
        let digit = |cell: usize| usize::from(solution.cells()[cell]) - 1;
        let mut left = Candidates::of(&puzzle).blanks().len();
        rater.rate(&puzzle, |grid, step| {
            assert_eq!(grid.blanks().len(), left);
            for elimination in &step.eliminations {
                assert!(!elimination.digits.contains(digit(elimination.cell)), "{step:?}");
                assert!(elimination.digits.and(grid.digits(elimination.cell)) == elimination.digits, "{step:?}");
            }
            if let Some(placement) = step.placement {
                assert_eq!(placement.digit, digit(placement.cell), "{step:?}");
                left -= 1;
            }
            assert!(step.placement.is_some() || !step.eliminations.is_empty(), "{step:?}");
            assert!(!step.cells.is_empty() && !step.digits.is_empty(), "{step:?}");
        });
        assert_eq!(left, 0);
    }
}

/// A bound ends a rating, and changes nothing below it: neither step by step nor with all hidden singles at once.
#[test]
fn a_bound_ends_a_rating() {
    for tenths in [10, 12, 20, 26, 44, 70, 82] {
        let bound = Difficulty::from_tenths(tenths);
        for Reference { puzzle, difficulties, .. } in references("minimal.csv").into_iter().step_by(5) {
            let [rating, at_once] = [RatingGoal::Steps, RatingGoal::Counts].map(|goal| {
                let (mut rater, mut steps) = (Rater::with_options(RatingOptions { goal, max_er: Some(bound) }), 0);
                let rating = rater.rate(&puzzle, |_, step| {
                    assert!(step.difficulty <= bound);
                    steps += 1;
                });
                (Rating { singles_at_once: 0, ..rating }, steps + rating.singles_at_once)
            });
            assert_eq!(rating, at_once, "{puzzle:?}");

            let (rating, _) = rating;
            let er: f64 = difficulties[0].parse().unwrap();
            if er * 10.0 > f64::from(tenths) + 0.5 {
                assert_eq!((rating.end, rating.er), (RatingEnd::AboveBound, bound));
            } else {
                assert_eq!(printed(&rating), difficulties);
            }
        }
    }
}

/// The stop comes in the first step and is overdue in the second.
#[test]
fn a_stop_interrupts_a_rating() {
    let Reference { puzzle, .. } = references("minimal.csv").swap_remove(0);
    let stop = Stop::new();
    let mut taken = 0;
    let rating = Rater::new().stop(stop.clone()).rate(&puzzle, |_, _| {
        taken += 1;
        stop.trigger();
        thread::sleep(2 * Stop::GRACE);
    });
    assert_eq!((rating.end, taken), (RatingEnd::Interrupted, 1));
}

#[test]
fn levels_have_the_bounds_of_their_documentation() {
    let level = |tenths| Level::of(Difficulty::from_tenths(tenths)).to_string();
    assert_eq!([10, 15].map(level), ["easy", "easy"]);
    assert_eq!([17, 28].map(level), ["medium", "medium"]);
    assert_eq!([30, 34].map(level), ["hard", "hard"]);
    assert_eq!([36, 50].map(level), ["very hard", "very hard"]);
    assert_eq!([52, 70].map(level), ["fiendish", "fiendish"]);
    assert_eq!([71, 119, 200].map(level), ["extreme", "extreme", "extreme"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// To give other names to the digits changes no difficulty.
    #[test]
    fn relabelled_digits_do_not_change_the_rating(index in 0..1200_usize, seed in any::<u64>()) {
        let Reference { puzzle, difficulties, .. } = references("minimal.csv").swap_remove(index);
        let mut digits: Vec<u8> = (1..=9).collect();
        digits.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let relabelled = puzzle.map(|value| if value == 0 { 0 } else { digits[usize::from(value) - 1] });
        prop_assert_eq!(printed(&Rater::new().rate(&relabelled, |_, _| ())), difficulties);
    }

    /// An isomorph has the same rating, but for the order of steps that are equally hard: of 2,720 isomorphs of the
    /// reference sets, 6 differed, by 0.4 at most.
    #[test]
    fn an_isomorph_differs_little(index in 0..1200_usize, seed in any::<u64>()) {
        let Reference { puzzle, difficulties, .. } = references("minimal.csv").swap_remove(index);
        let isomorph = Isomorph::random(Size::Nine, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let rating = Rater::new().rate(&isomorph.apply(&puzzle), |_, _| ());
        let er: f64 = difficulties[0].parse().unwrap();
        prop_assert!((f64::from(rating.er.tenths()) / 10.0 - er).abs() < 1.0, "{} and {er}", rating.er);
    }
}

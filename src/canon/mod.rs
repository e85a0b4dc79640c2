//! The canonical form of a 9x9 puzzle: the isomorph that represents all of its isomorphs.
//!
//! Two puzzles are isomorphic if an [isomorphism](crate::puzzle::Isomorph) maps one to the other. They are isomorphic if
//! and only if they have the same canonical form. Grids are compared row by row from the top left, and a blank, 0, is
//! smaller than any digit.
//!
//! * **A puzzle with one solution.** Consider all isomorphisms that map its solution to the smallest isomorph of the
//!   solution. The canonical form is the smallest grid that one of them makes of the puzzle. There are as many of these
//!   isomorphisms as the solution has automorphisms (isomorphisms that do not change it), and all of them have to be
//!   tried: nearly all grids have one, but the most symmetric grid has 648, and with a single one of these, chosen
//!   arbitrarily, isomorphic puzzles on that grid would get hundreds of different forms.
//! * **A puzzle with no solution or several.** The canonical form is the smallest of all its isomorphs.
//!
//! The two kinds of form are disjoint: a form is an isomorph of its puzzle, so the form of a puzzle with one solution has
//! one solution, and that of any other puzzle has not. A [`Class`] therefore is the hash of a form of either kind.
//!
//! # Test vectors
//!
//! ```
//! use gridmill::canon::{Canonicaliser, Class};
//! use gridmill::puzzle::Grid;
//!
//! fn grid(text: &str) -> Grid {
//!     let cells: Vec<u8> = text.bytes().map(|c| if c == b'.' { 0 } else { c - b'0' }).collect();
//!     cells.try_into().unwrap()
//! }
//!
//! let mut canonicaliser = Canonicaliser::new();
//!
//! // A puzzle with one solution.
//! let form = canonicaliser.of_unique(
//!     &grid(".9.1...........59..24..51..478........2.9..8..192........5.83.....62.....35.....2"),
//!     &grid("593167248167842593824935176478356921352791684619284735246578319981623457735419862"),
//! );
//! assert_eq!(form.puzzle, grid("1.....7..4.67....2...2.1.....4..5.1.7.1...4..965......3.2.4..........84....3..2.5"));
//! assert_eq!(form.automorphisms, 1);
//! assert_eq!(Class::of(&form.puzzle).to_string(), "059919c19f08f4d4833232c3fc79745c");
//!
//! // A puzzle on the most symmetric grid: one isomorphism alone probably gives another form.
//! let form = canonicaliser.of_unique(
//!     &grid("8.9..34...4.....5....6......9..15...47..8...33......8......1..7.13.46..9...92...."),
//!     &grid("829153476647892351135674298298315764476289513351467982982531647513746829764928135"),
//! );
//! assert_eq!(form.puzzle, grid("........9.5....1..7...23.....1.64..75.489.......2...6.3.2.4.9......7...297......5"));
//! assert_eq!(
//!     form.solution,
//!     grid("123456789456789123789123456231564897564897231897231564312645978645978312978312645"),
//! );
//! assert_eq!(form.automorphisms, 648);
//! assert_eq!(Class::of(&form.puzzle).to_string(), "21af4e909b70507602847a5cd72f02ec");
//!
//! // The same without its first clue, the 8: it has several solutions.
//! let form = canonicaliser.of_clues(
//!     &grid("..9..34...4.....5....6......9..15...47..8...33......8......1..7.13.46..9...92...."),
//!     Canonicaliser::BOUND,
//! )?;
//! assert_eq!(form, grid("........1.....2.3..45.6........16.....6.....5..754..1..783....65.....8..9.172...."));
//! assert_eq!(Class::of(&form).to_string(), "1d7edbf096143dfde5d8d6ca0f58b500");
//! # Ok::<(), gridmill::canon::OutOfBoundError>(())
//! ```

mod class;
mod clues;
mod form;
mod key;
mod lines;
mod minlex;
mod pairs;

pub use self::class::Class;
pub use self::clues::OutOfBoundError;
#[cfg(feature = "corpus")]
pub(crate) use self::form::CanonicalForm;
#[cfg(feature = "corpus")]
pub(crate) use self::key::Key;
use self::lines::{PackedLine, PackedLines};
pub use self::minlex::Canonical;
use self::minlex::{LineIsomorph, Minlex};
use crate::puzzle::Grid;

/// Finds canonical forms. Each thread owns one and reuses it: there is no allocation per puzzle.
#[derive(Debug)]
pub struct Canonicaliser {
    minlex: Minlex,
    clues: clues::ClueSearch,
}

impl Canonicaliser {
    /// A bound for [`of_clues`](Canonicaliser::of_clues) that stops it after about a tenth of a second. No known puzzle
    /// needs more than a fifth of it.
    pub const BOUND: u64 = 1 << 20;

    /// A canonicaliser. The first puzzle with one solution in a process takes two milliseconds more, to build tables.
    pub fn new() -> Canonicaliser {
        Canonicaliser { minlex: Minlex::default(), clues: clues::ClueSearch::default() }
    }

    /// The canonical form of a puzzle that has `solution` and no other.
    ///
    /// The caller is responsible that `solution` obeys the rules, agrees with the clues and is the only one: it is not
    /// checked.
    ///
    /// # Panics
    ///
    /// If a value of `puzzle` is above 9. If `solution` is not a solution, it may panic or return a meaningless result.
    pub fn of_unique(&mut self, puzzle: &Grid, solution: &Grid) -> Canonical {
        assert!(puzzle.iter().fold(0, |largest, &value| value.max(largest)) <= 9, "a value is above 9");
        let ways = self.minlex.search(solution);
        let (automorphisms, puzzle_automorphisms) = (ways.len() as u32, 1);
        let mut form = Canonical { puzzle: [0; 81], solution: [0; 81], automorphisms, puzzle_automorphisms };
        ways[0].apply(puzzle, solution, &mut form);
        if ways.len() > 1 {
            let mut smallest = [PackedLine::MAX; 9];
            for way in ways {
                lower(&mut smallest, (0..9).map(|row| way.line(puzzle, row)));
            }
            form.puzzle = lines::grid(&smallest);
            // Two isomorphisms that make the same of the puzzle differ by one that does not change it.
            let makes_form = |way: &&LineIsomorph| (0..9).all(|row| way.line(puzzle, row) == smallest[row]);
            form.puzzle_automorphisms = ways.iter().filter(makes_form).count() as u32;
        }
        form
    }

    /// The canonical form of a puzzle that has no solution or several: the smallest of its isomorphs.
    ///
    /// The clues may contradict each other. The work is counted in steps of some tens of nanoseconds: most puzzles take a
    /// few hundred, the most symmetric ones a hundred thousand. It is the same for all isomorphs of a puzzle, so either
    /// all of them keep within a bound or none does.
    ///
    /// # Errors
    ///
    /// If it takes more work than `bound`.
    ///
    /// # Panics
    ///
    /// If a value of `puzzle` is above 9.
    pub fn of_clues(&mut self, puzzle: &Grid, bound: u64) -> Result<Grid, OutOfBoundError> {
        let lines = self.clues.search(puzzle, bound)?;
        Ok(lines::grid(&lines))
    }
}

impl Default for Canonicaliser {
    fn default() -> Canonicaliser {
        Canonicaliser::new()
    }
}

/// Replaces `smallest` by the lines of another grid if that is smaller. Reads no more of the lines than necessary.
fn lower(smallest: &mut PackedLines, lines: impl Iterator<Item = PackedLine>) {
    let mut smaller = false;
    for (best, line) in smallest.iter_mut().zip(lines) {
        smaller |= line < *best;
        if smaller {
            *best = line;
        } else if line > *best {
            return;
        }
    }
}

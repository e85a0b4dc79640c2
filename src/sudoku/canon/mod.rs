//! The canonical form of a 4x4, 6x6 or 9x9 puzzle: the isomorph that represents all of its isomorphs.
//!
//! Two puzzles are isomorphic if an [isomorphism](crate::puzzle::Isomorph) maps one to the other. They are isomorphic if
//! and only if they have the same canonical form. Grids are compared row by row from the top left, and a blank, 0, is
//! smaller than any digit. The definition is the same for all sizes; other sizes than these three have no forms here.
//!
//! * **A puzzle with one solution.** Consider all isomorphisms that map its solution to the smallest isomorph of the
//!   solution. The canonical form is the smallest grid that one of them makes of the puzzle. There are as many of these
//!   isomorphisms as the solution has automorphisms (isomorphisms that do not change it), and all of them have to be
//!   tried: nearly all 9x9 grids have one, but the most symmetric grid has 648, and with a single one of these, chosen
//!   arbitrarily, isomorphic puzzles on that grid would get hundreds of different forms.
//! * **A puzzle with no solution or several.** The canonical form is the smallest of all its isomorphs.
//!
//! The two kinds of form are disjoint: a form is an isomorph of its puzzle, so the form of a puzzle with one solution
//! has one solution, and no other form has. Therefore a [`Class`] is the hash of a form of either kind.
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
//! assert_eq!(
//!     form.puzzle.to_string(),
//!     "1.....7..4.67....2...2.1.....4..5.1.7.1...4..965......3.2.4..........84....3..2.5",
//! );
//! assert_eq!(form.automorphisms, 1);
//! assert_eq!(Class::of(&form.puzzle).to_string(), "059919c19f08f4d4833232c3fc79745c");
//!
//! // A puzzle on the most symmetric grid: one isomorphism alone probably gives another form.
//! let form = canonicaliser.of_unique(
//!     &grid("8.9..34...4.....5....6......9..15...47..8...33......8......1..7.13.46..9...92...."),
//!     &grid("829153476647892351135674298298315764476289513351467982982531647513746829764928135"),
//! );
//! assert_eq!(
//!     form.puzzle.to_string(),
//!     "........9.5....1..7...23.....1.64..75.489.......2...6.3.2.4.9......7...297......5",
//! );
//! assert_eq!(
//!     form.solution.to_string(),
//!     "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
//! );
//! assert_eq!(form.automorphisms, 648);
//! assert_eq!(Class::of(&form.puzzle).to_string(), "21af4e909b70507602847a5cd72f02ec");
//!
//! // The same without its first clue, the 8: it has several solutions.
//! let form = canonicaliser.of_clues(
//!     &grid("..9..34...4.....5....6......9..15...47..8...33......8......1..7.13.46..9...92...."),
//!     Canonicaliser::BOUND,
//! )?;
//! assert_eq!(
//!     form.to_string(),
//!     "........1.....2.3..45.6........16.....6.....5..754..1..783....65.....8..9.172....",
//! );
//! assert_eq!(Class::of(&form).to_string(), "1d7edbf096143dfde5d8d6ca0f58b500");
//! # Ok::<(), gridmill::canon::OutOfBoundError>(())
//! ```

mod bands;
mod clues;
mod form;
mod key;
mod line_isomorph;
mod lines;
mod minlex;
mod pairs;
mod two_stacks;

pub(crate) use self::bands::{BandClass, band_classes, band_numbers};
pub use self::clues::OutOfBoundError;
pub use self::form::{Canonical, Form};
pub use self::key::Class;
#[cfg(feature = "corpus")]
pub(crate) use self::key::Key;

use self::clues::ClueSearch;
use self::minlex::Minlex;
use self::two_stacks::TwoStacks;
use crate::puzzle::{Isomorph, Size};

/// Finds canonical forms. Each thread owns one and reuses it: there is no allocation per puzzle.
///
/// The class of a solved grid is the class of its form:
///
/// ```
/// use gridmill::canon::{Canonicaliser, Class};
///
/// let mut canonicaliser = Canonicaliser::new();
/// let grid = [4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2, 1, 2, 3, 4];
/// let form = canonicaliser.of_unique(&grid, &grid);
/// assert_eq!(form.solution.to_string(), "1234341221434321");
/// assert_eq!(form.automorphisms, 32);
/// assert_eq!(Class::of(&form.solution).to_string(), "b0a0d1edc0fb5b75770a5dcbe7b0d4fb");
/// ```
#[derive(Debug, Default)]
pub struct Canonicaliser {
    four: (TwoStacks<4>, ClueSearch<4, 2>),
    six: (TwoStacks<6>, ClueSearch<6, 2>),
    nine: (Minlex, ClueSearch<9, 3>),
}

impl Canonicaliser {
    /// A bound for [`of_clues`](Canonicaliser::of_clues) that stops it after about a tenth of a second. No known puzzle
    /// needs more than a fifth of it.
    pub const BOUND: u64 = 1 << 20;

    /// A canonicaliser. The first 9x9 puzzle with one solution in a process takes two milliseconds more, to build tables.
    pub fn new() -> Canonicaliser {
        Canonicaliser::default()
    }

    /// Whether puzzles of a size have canonical forms: 4x4, 6x6 and 9x9.
    pub const fn has_forms(size: Size) -> bool {
        matches!(size, Size::Four | Size::Six | Size::Nine)
    }

    /// The canonical form of a puzzle that has `solution` and no other. For the form of a solved grid, give the grid as both.
    ///
    /// The caller is responsible that `solution` obeys the rules, agrees with the clues and is the only one: it is not
    /// checked.
    ///
    /// # Panics
    ///
    /// If the puzzle has a size [without forms](Canonicaliser::has_forms), the solution has another size, or a value of
    /// `puzzle` is above the side. If `solution` is not a solution, it may panic or return a meaningless result.
    pub fn of_unique(&mut self, puzzle: &[u8], solution: &[u8]) -> Canonical {
        match size_of(puzzle) {
            Size::Four => {
                let [puzzle, solution] = [puzzle, solution].map(cells::<16>);
                line_isomorph::form(Size::Four, self.four.0.search(solution), puzzle, solution)
            }
            Size::Six => {
                let [puzzle, solution] = [puzzle, solution].map(cells::<36>);
                line_isomorph::form(Size::Six, self.six.0.search(solution), puzzle, solution)
            }
            _ => {
                let [puzzle, solution] = [puzzle, solution].map(cells::<81>);
                line_isomorph::form(Size::Nine, self.nine.0.search(solution), puzzle, solution)
            }
        }
    }

    /// An isomorphism that makes the [form](Canonicaliser::of_unique) of a puzzle that has `solution` and no other. Its
    /// inverse takes solutions, candidates and steps of the form back.
    ///
    /// ```
    /// use gridmill::canon::Canonicaliser;
    ///
    /// let grid = [4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2, 1, 2, 3, 4];
    /// let mut canonicaliser = Canonicaliser::new();
    /// let isomorph = canonicaliser.isomorph_of_unique(&grid, &grid);
    /// let form = isomorph.apply(&grid);
    /// assert_eq!(form[..], canonicaliser.of_unique(&grid, &grid).solution[..]);
    /// assert_eq!(isomorph.inverse().apply(&form), grid);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`Canonicaliser::of_unique`].
    pub fn isomorph_of_unique(&mut self, puzzle: &[u8], solution: &[u8]) -> Isomorph {
        match size_of(puzzle) {
            Size::Four => line_isomorph::isomorph(self.four.0.search(cells::<16>(solution)), cells::<16>(puzzle)),
            Size::Six => line_isomorph::isomorph(self.six.0.search(cells::<36>(solution)), cells::<36>(puzzle)),
            _ => line_isomorph::isomorph(self.nine.0.search(cells::<81>(solution)), cells::<81>(puzzle)),
        }
    }

    /// An isomorphism that makes the [form](Canonicaliser::of_clues) of a puzzle that has no solution or several.
    ///
    /// # Errors
    ///
    /// If it takes more work than `bound`.
    ///
    /// # Panics
    ///
    /// As [`Canonicaliser::of_clues`].
    pub fn isomorph_of_clues(&mut self, puzzle: &[u8], bound: u64) -> Result<Isomorph, OutOfBoundError> {
        match size_of(puzzle) {
            Size::Four => self.four.1.isomorph(cells::<16>(puzzle), bound),
            Size::Six => self.six.1.isomorph(cells::<36>(puzzle), bound),
            _ => self.nine.1.isomorph(cells::<81>(puzzle), bound),
        }
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
    /// If the puzzle has a size [without forms](Canonicaliser::has_forms), or a value is above the side.
    pub fn of_clues(&mut self, puzzle: &[u8], bound: u64) -> Result<Form, OutOfBoundError> {
        let size = size_of(puzzle);
        Ok(match size {
            Size::Four => lines::form(size, &self.four.1.search(cells::<16>(puzzle), bound)?),
            Size::Six => lines::form(size, &self.six.1.search(cells::<36>(puzzle), bound)?),
            _ => lines::form(size, &self.nine.1.search(cells::<81>(puzzle), bound)?),
        })
    }
}

/// The size of a puzzle that has a form.
fn size_of(puzzle: &[u8]) -> Size {
    let size = Size::from_cells(puzzle.len()).filter(|&size| Canonicaliser::has_forms(size));
    let size = size.unwrap_or_else(|| panic!("puzzles of {} cells have no canonical form", puzzle.len()));
    let largest = puzzle.iter().fold(0, |largest, &value| value.max(largest));
    assert!(usize::from(largest) <= size.side(), "a value is above {}", size.side());
    size
}

/// The cells of a grid whose size is known.
fn cells<const CELLS: usize>(grid: &[u8]) -> &[u8; CELLS] {
    grid.try_into().expect("a puzzle and its solution have one size")
}

/// The canonical form of a puzzle of any size whose solutions were counted, or the reason why it has no form.
#[derive(Clone, Debug)]
pub(crate) enum CanonicalForm {
    /// The puzzle has one solution.
    Unique(Canonical),
    /// It has none or several: the form of the clues.
    Clues(Form),
    /// It is not known how many solutions it has.
    Undecided,
    /// The form of the clues takes too much work.
    OutOfBound(OutOfBoundError),
    /// Its size has no forms.
    OtherSize,
}

impl CanonicalForm {
    /// Finds the form of a puzzle.
    ///
    /// `solutions` were counted up to two at least; `None` if their number is not known. If there is one, `solution` has
    /// its cells, and otherwise it is not read.
    pub(crate) fn find(
        puzzle: &[u8],
        solutions: Option<u64>,
        solution: &[u8],
        canonicaliser: &mut Canonicaliser,
    ) -> CanonicalForm {
        if !Size::from_cells(puzzle.len()).is_some_and(Canonicaliser::has_forms) {
            return CanonicalForm::OtherSize;
        }
        match solutions {
            None => CanonicalForm::Undecided,
            Some(1) => CanonicalForm::Unique(canonicaliser.of_unique(puzzle, &solution[..puzzle.len()])),
            Some(_) => match canonicaliser.of_clues(puzzle, Canonicaliser::BOUND) {
                Ok(form) => CanonicalForm::Clues(form),
                Err(out_of_bound) => CanonicalForm::OutOfBound(out_of_bound),
            },
        }
    }

    /// The form as a puzzle.
    pub(crate) fn puzzle(&self) -> Option<&Form> {
        match self {
            CanonicalForm::Unique(canonical) => Some(&canonical.puzzle),
            CanonicalForm::Clues(form) => Some(form),
            CanonicalForm::Undecided | CanonicalForm::OutOfBound(_) | CanonicalForm::OtherSize => None,
        }
    }

    /// The form with its solution, if there is one.
    pub(crate) fn unique(&self) -> Option<&Canonical> {
        if let CanonicalForm::Unique(canonical) = self { Some(canonical) } else { None }
    }

    /// An isomorphism that makes the form of the puzzle.
    pub(crate) fn isomorph(
        &self,
        puzzle: &[u8],
        solution: &[u8],
        canonicaliser: &mut Canonicaliser,
    ) -> Option<Isomorph> {
        match self {
            CanonicalForm::Unique(_) => Some(canonicaliser.isomorph_of_unique(puzzle, &solution[..puzzle.len()])),
            CanonicalForm::Clues(_) => canonicaliser.isomorph_of_clues(puzzle, Canonicaliser::BOUND).ok(),
            CanonicalForm::Undecided | CanonicalForm::OutOfBound(_) | CanonicalForm::OtherSize => None,
        }
    }

    /// The number of the first band of the form, if it is a 9x9 puzzle with one solution.
    pub(crate) fn band(&self) -> Option<u16> {
        let solution = &self.unique()?.solution;
        Some(band_numbers(solution[..].try_into().ok()?)[0])
    }

    /// The class of the puzzle.
    pub(crate) fn class(&self) -> Option<Class> {
        self.puzzle().map(|form| Class::of(form))
    }

    /// The class of its solution, if it has one.
    pub(crate) fn solution_class(&self) -> Option<Class> {
        self.unique().map(|canonical| Class::of(&canonical.solution))
    }
}

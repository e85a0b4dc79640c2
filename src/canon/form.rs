//! The canonical form of a puzzle of any size whose solutions were counted, or why it has none.

use std::fmt;
use std::ops::Deref;

use super::{Canonicaliser, Class, OutOfBoundError};
use crate::puzzle::{Grid, Size};

/// The canonical form of a puzzle, or why there is none.
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

    /// The class of the puzzle.
    pub(crate) fn class(&self) -> Option<Class> {
        self.puzzle().map(|form| Class::of(form))
    }

    /// The class of its solution, if it has one.
    pub(crate) fn solution_class(&self) -> Option<Class> {
        self.unique().map(|canonical| Class::of(&canonical.solution))
    }
}

/// The cells of a canonical form, row by row: 0 is a blank. It is read as a slice of 16, 36 or 81 cells, and printed as that
/// many digits, `.` for a blank.
///
/// ```
/// use gridmill::canon::Canonicaliser;
///
/// let form = Canonicaliser::new().of_clues(&[0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0], 1000)?;
/// assert_eq!(form.to_string(), "...............1");
/// assert_eq!((form.len(), form[15]), (16, 1));
/// # Ok::<(), gridmill::canon::OutOfBoundError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    size: Size,
    /// Those of a smaller grid come first; the others are 0.
    cells: Grid,
}

impl Form {
    /// An empty grid.
    pub(super) fn new(size: Size) -> Form {
        Form { size, cells: [0; 81] }
    }

    /// The grid of these cells, each changed by `change`.
    pub(super) fn of<const CELLS: usize>(size: Size, cells: &[u8; CELLS], change: impl Fn(u8) -> u8) -> Form {
        let mut form = Form::new(size);
        for (to, &from) in form.cells.iter_mut().zip(cells) {
            *to = change(from);
        }
        form
    }

    /// The size of the grid.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The rows, of as many cells as the side of the grid.
    pub(super) fn rows_mut<const SIDE: usize>(&mut self) -> impl Iterator<Item = &mut [u8; SIDE]> {
        self.cells.as_chunks_mut().0.iter_mut().take(SIDE)
    }
}

impl Deref for Form {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.cells[..self.size.cells()]
    }
}

/// Digits, and `.` for a blank.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|&value| if value == 0 { f.write_str(".") } else { write!(f, "{value}") })
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Form({self})")
    }
}

/// The canonical form of a puzzle with one solution, and properties of the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The canonical form of the puzzle.
    pub puzzle: Form,
    /// Its solution: the smallest isomorph of the puzzle's solution.
    pub solution: Form,
    /// The number of isomorphisms that do not change the solution, at least 1.
    pub automorphisms: u32,
    /// The number of those that do not change the puzzle either, at least 1.
    pub puzzle_automorphisms: u32,
}

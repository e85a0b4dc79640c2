//! Describes the puzzles to generate, and refuses specs that no puzzle can meet.

use std::fmt;
use std::str::FromStr;

use crate::options::{ParseError, parse_count};
use crate::puzzle::{ForEachSize, Orbits, Size, Symmetry};
use crate::rating::{ErRange, Rated, TechniqueName};

/// The cells that may have clues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Anywhere.
    Any,
    /// Their pattern has a symmetry.
    Symmetric(Symmetry),
    /// In exactly these cells.
    Pattern(Pattern),
}

/// The properties of the puzzles to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleSpec {
    /// The size.
    pub size: Size,
    /// The cells that may have clues.
    pub shape: Shape,
    /// The number of clues, or whether all have to be needed.
    pub target: Target,
    /// The range of difficulties for a person; any ER if `None`.
    pub er: Option<ErRange>,
    /// Techniques that a person needs: the rater finds a step of each, at a point where no easier technique finds one.
    pub techniques: Vec<TechniqueName>,
}

impl PuzzleSpec {
    /// Puzzles with clues anywhere.
    pub fn new(size: Size, target: Target) -> PuzzleSpec {
        PuzzleSpec { size, shape: Shape::Any, target, er: None, techniques: vec![] }
    }

    /// The numbers of clues that a puzzle may have.
    pub(super) fn clues(&self) -> ClueRange {
        match self.target {
            Target::Clues(clues) => ClueRange { fewest: clues, most: clues },
            Target::Range(range) | Target::MinimalRange(range) => range,
            Target::Minimal | Target::Fewest | Target::Weighted | Target::Unbiased => {
                ClueRange { fewest: 0, most: self.size.cells() }
            }
        }
    }

    /// Whether every single clue has to be needed.
    pub(crate) fn is_minimal(&self) -> bool {
        matches!(self.target, Target::Minimal | Target::MinimalRange(_)) || self.has_known_probability()
    }

    /// Whether the probability of each puzzle is known.
    pub(crate) fn has_known_probability(&self) -> bool {
        self.target.has_known_probability()
    }

    /// Whether only puzzles with some rating meet the spec.
    pub(crate) fn needs_rating(&self) -> bool {
        self.er.is_some() || !self.techniques.is_empty()
    }

    /// Whether a puzzle with this rating meets the spec.
    pub(super) fn takes(&self, rated: &Rated) -> bool {
        let is_needed = |name: &TechniqueName| rated.steps.techniques().any(|technique| name.includes(technique));
        self.er.is_none_or(|er| er.contains(&rated.rating)) && self.techniques.iter().all(is_needed)
    }

    /// Whether a puzzle that meets the spec can be derived from any grid.
    pub(super) fn fits_any_grid(&self) -> bool {
        match self.shape {
            _ if self.needs_rating() => false,
            Shape::Any => matches!(self.target, Target::Minimal | Target::Fewest),
            Shape::Symmetric(_) => self.target == Target::Fewest,
            Shape::Pattern(_) => false,
        }
    }

    /// The cells that lose their clues together.
    pub(super) fn orbits(&self) -> Orbits {
        let symmetry = if let Shape::Symmetric(symmetry) = self.shape { Some(symmetry) } else { None };
        Orbits::new(self.size, symmetry)
    }

    /// Target clue counts; one is drawn per grid. 0 means "remove as many as possible".
    pub(super) fn floors(&self) -> Vec<usize> {
        match self.target {
            Target::Clues(_) | Target::Range(_) => {
                let ClueRange { fewest, most } = self.clues();
                let sums = self.orbits().sums();
                (fewest.max(fewest_clues(self.size))..=most).filter(|&clues| sums[clues]).collect()
            }
            _ => vec![0],
        }
    }
}

/// The words after "no": `minimal 9x9 puzzle with rot180 symmetry and 24 clues`.
impl fmt::Display for PuzzleSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} puzzle", if self.is_minimal() { "minimal " } else { "" }, self.size)?;

        let shape = match &self.shape {
            Shape::Any => None,
            Shape::Symmetric(symmetry) => Some(format!("{symmetry} symmetry")),
            Shape::Pattern(_) => Some("this pattern of clues".to_owned()),
        };
        // A pattern has its number of clues.
        let is_pattern = matches!(self.shape, Shape::Pattern(_));
        let has_clues = matches!(self.target, Target::Clues(_) | Target::Range(_) | Target::MinimalRange(_));
        let clues = (has_clues && !is_pattern).then(|| self.clues().in_words());
        let er = self.er.map(|er| format!("an ER of {er}"));
        let properties: Vec<String> = [shape, clues, er].into_iter().flatten().collect();
        if !properties.is_empty() {
            write!(f, " with {}", properties.join(" and "))?;
        }

        let names = self.techniques.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
        if names.is_empty() { Ok(()) } else { write!(f, " that needs {names}") }
    }
}

/// The minimum number of clues of a unique puzzle. Up to 9x9, it is proved ("There is no 16-Clue Sudoku", Experimental
/// Mathematics 23, 2014); for larger sizes, it is the lowest known number (Wikipedia, "Mathematics of Sudoku").
pub(super) fn fewest_clues(size: Size) -> usize {
    match size {
        Size::Four => 4,
        Size::Six => 8,
        Size::Eight => 14,
        Size::Nine => 17,
        Size::Ten => 22,
        Size::Twelve => 30,
        Size::Sixteen => 55,
        Size::TwentyFive => 151,
    }
}

/// The number of clues, or whether all have to be needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Exactly this number.
    Clues(usize),
    /// A number drawn from the range for each grid or, if more clues are needed, more, up to the end of the range.
    Range(ClueRange),
    /// Every clue is needed: without any one of them, there are several solutions.
    Minimal,
    /// Every clue that is left is needed, and their number is in a range.
    MinimalRange(ClueRange),
    /// As many as possible are removed: every orbit of a symmetry is needed. With clues anywhere, that is
    /// [`Minimal`](Target::Minimal).
    Fewest,
    /// Every clue that is left is needed, and the probability of each puzzle is known: it is in inverse proportion to the
    /// weight in the row. Only for 9x9 puzzles with clues anywhere. Searches have no bound.
    Weighted,
    /// As [`Weighted`](Target::Weighted), but all puzzles of up to 32 clues have the same probability. Takes some thirty
    /// times as long.
    Unbiased,
}

impl Target {
    /// Whether the probability of each puzzle is known.
    pub(super) fn has_known_probability(self) -> bool {
        matches!(self, Target::Weighted | Target::Unbiased)
    }

    /// The target for an optional range of clues and the wish for minimal puzzles. Without either, puzzles are minimal,
    /// or have as few clues as their shape allows.
    #[doc(hidden)]
    pub fn of(clues: Option<ClueRange>, minimal: bool, is_shaped: bool) -> Target {
        match (clues, minimal) {
            (Some(clues), true) => Target::MinimalRange(clues),
            (Some(ClueRange { fewest, most }), false) if fewest == most => Target::Clues(most),
            (Some(clues), false) => Target::Range(clues),
            (None, false) if is_shaped => Target::Fewest,
            (None, _) => Target::Minimal,
        }
    }
}

/// A range of numbers of clues, both ends included: `24..28`, or one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClueRange {
    /// The lower end.
    pub fewest: usize,
    /// The upper end.
    pub most: usize,
}

impl ClueRange {
    /// The range in words: `24 to 28 clues`.
    pub(crate) fn in_words(self) -> String {
        match self.most {
            1 => "1 clue".to_owned(),
            most if most == self.fewest => format!("{most} clues"),
            most => format!("{} to {most} clues", self.fewest),
        }
    }

    /// Whether a number is in the range.
    pub(super) fn contains(self, clues: usize) -> bool {
        (self.fewest..=self.most).contains(&clues)
    }
}

/// Reads `24..28`; a single number is both ends.
impl FromStr for ClueRange {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<ClueRange, ParseError> {
        let (fewest, most) = text.split_once("..").unwrap_or((text, text));
        let number = |text| parse_count(text).and_then(|clues| usize::try_from(clues).ok());
        match (number(fewest), number(most)) {
            (Some(fewest), Some(most)) if fewest <= most => Ok(ClueRange { fewest, most }),
            (Some(_), Some(_)) => Err(ParseError::new("the first number must not be the larger one")),
            _ => Err(ParseError::new("neither a number, as in 24, nor two, as in 24..28")),
        }
    }
}

/// Prints `24..28`, or one number.
impl fmt::Display for ClueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ClueRange { fewest, most } if fewest == most => write!(f, "{most}"),
            ClueRange { fewest, most } => write!(f, "{fewest}..{most}"),
        }
    }
}

as_text!(ClueRange);

/// The cells that have clues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    is_clue: Vec<bool>,
}

impl Pattern {
    /// The size of the grid.
    pub fn size(&self) -> Size {
        Size::from_cells(self.is_clue.len()).expect("checked when it was made")
    }

    /// Whether a cell has a clue.
    pub fn is_clue(&self, cell: usize) -> bool {
        self.is_clue[cell]
    }

    /// The cells with clues.
    pub(super) fn cells(&self) -> impl Iterator<Item = usize> {
        self.is_clue.iter().enumerate().filter(|&(_, &is_clue)| is_clue).map(|(cell, _)| cell)
    }

    /// Two rows of a band, or two columns of a stack, without clues, counted from 1. Swapping them in a solution gives
    /// another solution, so no puzzle with the pattern has a single one.
    pub(super) fn blank_lines(&self) -> Option<(&'static str, [usize; 2])> {
        let (size, side) = (self.size(), self.size().side());
        let kinds = [("rows", side, 1, size.box_rows()), ("columns", 1, side, size.box_columns())];
        kinds.into_iter().find_map(|(kind, line_step, cell_step, lines_of_band)| {
            let is_blank = |&line: &usize| (0..side).all(|i| !self.is_clue[line * line_step + i * cell_step]);
            (0..side).step_by(lines_of_band).find_map(|band| {
                let mut blank = (band..band + lines_of_band).filter(is_blank);
                Some((kind, [blank.next()? + 1, blank.next()? + 1]))
            })
        })
    }
}

/// Reads a grid of `x`, `X`, `*`, `#`, digits or letters for clues and `.`, `0` or `_` for blanks, so a puzzle is a
/// pattern, too. White space and the lines between boxes, `|`, `-` and `+`, do not matter.
impl FromStr for Pattern {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Pattern, ParseError> {
        let mut is_clue = Vec::new();
        for character in text.chars() {
            match character {
                '.' | '0' | '_' => is_clue.push(false),
                '*' | '#' | '1'..='9' | 'a'..='z' | 'A'..='Z' => is_clue.push(true),
                '|' | '-' | '+' => {}
                other if other.is_whitespace() => {}
                other => {
                    return Err(ParseError::new(format!(
                        "the character {other:?} is neither a clue, as x, *, #, digits and letters, nor a blank, as . 0 and _"
                    )));
                }
            }
        }
        if Size::from_cells(is_clue.len()).is_none() {
            let (cells, sizes) = (is_clue.len(), ForEachSize(Size::cells));
            return Err(ParseError::new(format!("it has {cells} cells, but a grid has {sizes}")));
        }
        Ok(Pattern { is_clue })
    }
}

/// Prints the grid in one line, with `x` for clues and `.` for blanks.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.is_clue.iter().try_for_each(|&is_clue| f.write_str(if is_clue { "x" } else { "." }))
    }
}

as_text!(Pattern);

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(shape: Shape, target: Target) -> PuzzleSpec {
        PuzzleSpec { shape, ..PuzzleSpec::new(Size::Nine, target) }
    }

    #[test]
    fn specs_that_no_puzzle_can_meet_are_refused() {
        let error = |shape, target| spec(shape, target).check().unwrap_err().to_string();
        let range = |fewest, most| ClueRange { fewest, most };
        let rot90 = || Shape::Symmetric(Symmetry::Rot90);
        assert_eq!(error(rot90(), Target::Clues(26)), "no pattern with rot90 symmetry has 26 clues");
        assert_eq!(error(rot90(), Target::Range(range(26, 27))), "no pattern with rot90 symmetry has 26 to 27 clues");
        assert_eq!(spec(rot90(), Target::Range(range(20, 26))).check(), Ok(()));
        assert_eq!(spec(rot90(), Target::Range(range(0, 26))).floors(), [17, 20, 21, 24, 25]);
        let pattern = |text: String| Shape::Pattern(text.parse().unwrap());
        assert!(error(pattern("x".repeat(16) + &".".repeat(65)), Target::Fewest).contains("has 16 clues"));
        let blank_columns = "...xxxxxx".repeat(9);
        assert!(error(pattern(blank_columns), Target::Fewest).contains("columns 1 and 2 have no clue"));
        let blank_rows = "x".repeat(54) + &".".repeat(9) + "x........" + &".".repeat(9);
        assert!(error(pattern(blank_rows), Target::Fewest).contains("rows 7 and 9 have no clue"));
    }

    #[test]
    fn specs_are_named() {
        let range = ClueRange { fewest: 24, most: 28 };
        assert_eq!(spec(Shape::Any, Target::Clues(18)).to_string(), "9x9 puzzle with 18 clues");
        assert_eq!(
            spec(Shape::Symmetric(Symmetry::Full), Target::MinimalRange(range)).to_string(),
            "minimal 9x9 puzzle with full symmetry and 24 to 28 clues"
        );
        let er = "3.0..4.5".parse().ok();
        let rated = |shape| PuzzleSpec { er, ..spec(shape, Target::Clues(18)) }.to_string();
        assert_eq!(rated(Shape::Any), "9x9 puzzle with 18 clues and an ER of 3.0..4.5");
        assert_eq!(
            rated(Shape::Pattern("x".repeat(81).parse().unwrap())),
            "9x9 puzzle with this pattern of clues and an ER of 3.0..4.5"
        );
        let techniques = ["x-wing", "bug"].map(|name| name.parse().unwrap()).to_vec();
        assert_eq!(
            PuzzleSpec { er, techniques, ..spec(Shape::Any, Target::Minimal) }.to_string(),
            "minimal 9x9 puzzle with an ER of 3.0..4.5 that needs X-Wing and BUG"
        );
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!("24..28".parse(), Ok(ClueRange { fewest: 24, most: 28 }));
        assert_eq!("30".parse(), Ok(ClueRange { fewest: 30, most: 30 }));
        assert_eq!("2_4..3e1".parse(), Ok(ClueRange { fewest: 24, most: 30 }));
        for wrong in ["", "28..24", "24..", "a..b", "-1"] {
            assert!(wrong.parse::<ClueRange>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn patterns_are_read() {
        let boxed = "x.|.#\n3_|0A\n--+--\n..|..\nX.|.*\n";
        let pattern: Pattern = boxed.parse().unwrap();
        assert_eq!(pattern.cells().collect::<Vec<_>>(), [0, 3, 4, 7, 12, 15]);
        for (text, error) in [("x..", "it has 3 cells"), ("x?", "the character '?'")] {
            assert!(text.parse::<Pattern>().unwrap_err().to_string().starts_with(error));
        }
    }
}

//! Finds out whether one puzzle can be arranged to become another, by colours of its lines, bands and digits.
//!
//! Things that no arrangement exchanges should get different colours. They start with a colour by what the kinds let
//! change; then each takes on the colours of what it meets, until there are no more different ones. If lines have the
//! same colour in the end, one of them is told apart by a colour of its own, and must take the place of each line of the
//! other puzzle with its colour in turn. A colour is a hash of the colours around, so those of two puzzles can be compared.

use super::super::Size;
use super::arrangement::{LineKinds, Part};
use super::permutation::mix;

const MAX_LINES: usize = 2 * Size::MAX_SIDE;
const MAX_BANDS: usize = 2 * Size::MAX_BOX_SIDE;

/// The clues of a puzzle, and what may change in it.
#[derive(Clone, Debug)]
pub(super) struct Clues {
    kinds: LineKinds,
    renames_digits: bool,
    given: Vec<Clue>,
}

/// A digit in a row and a column, which are lines: columns are numbered after rows.
#[derive(Clone, Copy, Debug)]
struct Clue {
    row: usize,
    column: usize,
    digit: usize,
}

/// The colours of a puzzle.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    lines: [u64; MAX_LINES],
    /// Of the bands and, after them, the stacks.
    bands: [u64; MAX_BANDS],
    digits: [u64; Size::MAX_SIDE + 1],
}

impl Clues {
    /// The clues of a grid.
    pub(super) fn new(kinds: LineKinds, renames_digits: bool, grid: &[u8]) -> Clues {
        let side = kinds.size.side();
        let mut given = Vec::with_capacity(grid.len());
        for (row, cells) in grid.chunks(side).enumerate() {
            let clues = (side..).zip(cells).filter(|(_, digit)| **digit > 0);
            given.extend(clues.map(|(column, &digit)| Clue { row, column, digit: digit.into() }));
        }
        Clues { kinds, renames_digits, given }
    }

    /// The colours that tell apart as much as is seen without a search.
    pub(super) fn colours(&self) -> Colours {
        self.colours_from(|(axis, place)| 2 * place + axis as u64)
    }

    /// Whether it is seen without a search that no arrangement keeps the clues, and none that comes after a reflection
    /// either, if the grid is reflected.
    pub(super) fn are_asymmetric(&self, is_reflected: bool) -> bool {
        let colours = match is_reflected {
            false => self.colours(),
            true if self.kinds.are_same_for_columns() => self.colours_from(|(_, place)| place),
            true => return false,
        };
        colours.are_different(self.kinds.lines())
    }

    /// Colours that start from the places that lines may come to.
    fn colours_from(&self, of_place: impl Fn((usize, u64)) -> u64) -> Colours {
        let mut colours = Colours { lines: [0; MAX_LINES], bands: [1; MAX_BANDS], digits: [1; Size::MAX_SIDE + 1] };
        for (line, colour) in colours.lines.iter_mut().take(self.kinds.lines()).enumerate() {
            *colour = mix(of_place(self.kinds.fixed_place(line)));
        }
        if !self.renames_digits {
            colours.digits = std::array::from_fn(|digit| mix(digit as u64));
        }
        self.refine(&mut colours);
        if !colours.are_different(self.kinds.lines()) {
            self.compare_pairs(&mut colours);
            self.refine(&mut colours);
        }
        colours
    }

    /// Gives lines different colours if they differ in what they have in common with others.
    ///
    /// In a full grid, every line meets the same. But from the digits of one line to those that stand beside them in
    /// another, and on to those beside these, it takes so many steps until they end or return.
    fn compare_pairs(&self, colours: &mut Colours) {
        let side = self.kinds.size.side();
        let mut digits = [[0; Size::MAX_SIDE]; MAX_LINES];
        for &Clue { row, column, digit } in &self.given {
            digits[row][column - side] = digit;
            digits[column][row] = digit;
        }
        for (a, b) in (0..self.kinds.lines()).flat_map(|a| (a / side * side..a).map(move |b| (a, b))) {
            let mut beside = [0; Size::MAX_SIDE + 1];
            for (&from, &to) in digits[a].iter().zip(&digits[b]).filter(|(from, to)| **from > 0 && **to > 0) {
                beside[from] = to;
            }
            let steps = |start: usize| {
                let next = |&digit: &usize| Some(beside[digit]).filter(|&next| next > 0 && next != start);
                std::iter::successors(Some(start), next).take(side).count() as u64
            };
            let are_in_one_band = self.kinds.band_of(a) == self.kinds.band_of(b);
            let common = (1..=side).fold(are_in_one_band.into(), |sum: u64, start| sum.wrapping_add(mix(steps(start))));
            for line in [a, b] {
                colours.lines[line] = colours.lines[line].wrapping_add(mix(common));
            }
        }
    }

    /// Whether an arrangement that keeps the colours makes `other` of these clues.
    pub(super) fn can_become(&self, mut colours: Colours, other: &Clues, mut other_colours: Colours) -> bool {
        self.refine(&mut colours);
        other.refine(&mut other_colours);
        let lines = self.kinds.lines();
        if colours.sorted(lines) != other_colours.sorted(lines) {
            return false;
        }
        let (own, others) = (&colours.lines[..lines], &other_colours.lines[..lines]);
        // A row and a column tell a digit apart, two rows need not.
        let is_ambiguous = |&line: &usize| own.iter().filter(|&&colour| colour == own[line]).count() > 1;
        let side = self.kinds.size.side();
        let ambiguous = [0..side, side..lines].map(|axis| axis.filter(is_ambiguous).collect::<Vec<_>>());
        let Some(&line) = ambiguous.iter().rev().max_by_key(|lines| lines.len()).and_then(|lines| lines.first()) else {
            let place = |line: usize| others.iter().position(|&colour| colour == own[line]);
            let places: Option<Vec<usize>> = (0..lines).map(place).collect();
            return places.is_some_and(|places| self.is_arranged_as(other, &places));
        };

        let mut told_apart = colours.clone();
        told_apart.tell_apart(Part::Line(line));
        let mut candidates = (0..lines).filter(|&place| others[place] == own[line]);
        candidates.any(|place| {
            let mut placed = other_colours.clone();
            placed.tell_apart(Part::Line(place));
            self.can_become(told_apart.clone(), other, placed)
        })
    }

    /// Whether these clues stay the same if two parts are exchanged, such as two blank rows, and nothing else moves.
    pub(super) fn stay_with_exchanged(&self, a: Part, b: Part) -> bool {
        let mut places: [usize; MAX_LINES] = std::array::from_fn(|line| line);
        let lines_of = |band| self.kinds.lines_of_bands().nth(band).into_iter().flatten();
        match (a, b) {
            (Part::Line(a), Part::Line(b)) => places.swap(a, b),
            (Part::Band(a), Part::Band(b)) => lines_of(a).zip(lines_of(b)).for_each(|(a, b)| places.swap(a, b)),
            (Part::Line(_), Part::Band(_)) | (Part::Band(_), Part::Line(_)) => return false,
        }
        self.is_arranged_as(self, &places[..self.kinds.lines()])
    }

    /// Whether `other` are these clues with each line in its place, except for the names of digits if these may change.
    fn is_arranged_as(&self, other: &Clues, places: &[usize]) -> bool {
        let side = self.kinds.size.side();
        let mut cells = [0; Size::MAX_CELLS];
        for clue in &other.given {
            cells[clue.row * side + clue.column - side] = clue.digit;
        }
        let mut names = [0; Size::MAX_SIDE + 1];
        let mut digits = [0; Size::MAX_SIDE + 1];
        self.kinds.allow(places)
            && self.given.len() == other.given.len()
            && self.given.iter().all(|clue| {
                let name = cells[places[clue.row] * side + places[clue.column] - side];
                let is_new = names[clue.digit] == 0 && digits[name] == 0;
                if is_new {
                    (names[clue.digit], digits[name]) = (name, clue.digit);
                }
                name > 0
                    && names[clue.digit] == name
                    && digits[name] == clue.digit
                    && (self.renames_digits || name == clue.digit)
            })
    }

    /// Gives lines different colours if they meet different things, until that tells no more of them apart.
    ///
    /// A clue adds to the colour of its row the product of those of its digit and of its column, and so on. This does not
    /// depend on the order of the clues.
    pub(super) fn refine(&self, colours: &mut Colours) {
        let lines = self.kinds.lines();
        let mut number = colours.number(lines);
        while number < lines {
            for (colour, own) in colours.bands.iter_mut().zip(self.kinds.lines_of_bands()) {
                *colour = colours.lines[own].iter().fold(mix(*colour), |sum, &line| sum.wrapping_add(mix(line)));
            }
            let mut met = Colours { lines: [0; MAX_LINES], bands: colours.bands, digits: [0; Size::MAX_SIDE + 1] };
            for &Clue { row, column, digit } in &self.given {
                let [of_row, of_column] = [row, column].map(|line| colours.lines[line]);
                let of_digit = colours.digits[digit];
                let add = |colour: &mut u64, a: u64, b: u64| *colour = colour.wrapping_add(a.wrapping_mul(b));
                add(&mut met.lines[row], of_digit, of_column);
                add(&mut met.lines[column], of_digit, of_row);
                add(&mut met.digits[digit], of_row, of_column);
            }
            for (line, colour) in colours.lines.iter_mut().take(lines).enumerate() {
                *colour =
                    mix(colour.wrapping_mul(3) ^ met.lines[line] ^ met.bands[self.kinds.band_of(line)].rotate_left(1));
            }
            for (colour, met) in colours.digits.iter_mut().zip(met.digits).take(self.kinds.size.side() + 1) {
                *colour = mix(colour.wrapping_mul(3) ^ met);
            }

            let more = colours.number(lines);
            if more == number {
                return;
            }
            number = more;
        }
    }
}

impl Colours {
    /// Gives a part a colour that follows from its own and that no other part has.
    pub(super) fn tell_apart(&mut self, part: Part) {
        let colour = match part {
            Part::Line(line) => &mut self.lines[line],
            Part::Band(band) => &mut self.bands[band],
        };
        *colour = mix(!*colour);
    }

    /// Whether all lines have different colours, so that no arrangement keeps them.
    pub(super) fn are_different(&self, lines: usize) -> bool {
        self.number(lines) == lines
    }

    /// Whether two parts have the same colour.
    pub(super) fn are_same(&self, a: Part, b: Part) -> bool {
        let colour = |part| match part {
            Part::Line(line) => self.lines[line],
            Part::Band(band) => self.bands[band],
        };
        colour(a) == colour(b)
    }

    /// The number of different colours of lines.
    fn number(&self, lines: usize) -> usize {
        (0..lines).filter(|&line| !self.lines[..line].contains(&self.lines[line])).count()
    }

    fn sorted(&self, lines: usize) -> [u64; MAX_LINES] {
        let mut sorted = self.lines;
        sorted[..lines].sort_unstable();
        sorted
    }
}

//! Finds out whether one puzzle can be arranged to become another, by colours of its lines, bands and digits.
//!
//! Things that no arrangement exchanges should get different colours. They start with a colour by what the kinds let
//! change; then each takes on the colours of what it meets, until there are no more different ones. If lines have the
//! same colour in the end, one of them is told apart by a colour of its own, and must take the place of each line of the
//! other puzzle with its colour in turn. A colour is a hash of the colours around, so those of two puzzles can be compared.

use super::super::Order;
use super::arrangement::{LineKinds, Part};
use super::permutation::mix;

const MAX_LINES: usize = 2 * Order::MAX_SIDE;
const MAX_BANDS: usize = 2 * Order::Five.get();

/// The clues of a puzzle, and what may change in it.
#[derive(Clone, Debug)]
pub(super) struct Clues {
    kinds: LineKinds,
    renames_digits: bool,
    clues: Vec<Clue>,
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
    digits: [u64; Order::MAX_SIDE + 1],
}

impl Clues {
    /// The clues of a grid.
    pub(super) fn new(kinds: LineKinds, renames_digits: bool, grid: &[u8]) -> Clues {
        let side = kinds.order.side();
        let clue = |(cell, &digit): (usize, &u8)| {
            (digit > 0).then_some(Clue { row: cell / side, column: side + cell % side, digit: digit.into() })
        };
        Clues { kinds, renames_digits, clues: grid.iter().enumerate().filter_map(clue).collect() }
    }

    /// The colours that tell apart as much as is seen without a search.
    pub(super) fn colours(&self) -> Colours {
        let mut colours = Colours { lines: [0; MAX_LINES], bands: [0; MAX_BANDS], digits: [0; Order::MAX_SIDE + 1] };
        for (line, colour) in colours.lines.iter_mut().enumerate() {
            *colour = mix(self.kinds.fixed_place(line));
        }
        if !self.renames_digits {
            colours.digits = std::array::from_fn(|digit| digit as u64);
        }
        self.refine(&mut colours);
        colours
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
        let is_ambiguous = |colour: &u64| own.iter().filter(|&other| other == colour).count() > 1;
        let Some(line) = own.iter().position(|colour| is_ambiguous(colour)) else {
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
        let n = self.kinds.order.get();
        let mut places: [usize; MAX_LINES] = std::array::from_fn(|line| line);
        match (a, b) {
            (Part::Line(a), Part::Line(b)) => places.swap(a, b),
            (Part::Band(a), Part::Band(b)) => (0..n).for_each(|line| places.swap(a * n + line, b * n + line)),
            (Part::Line(_), Part::Band(_)) | (Part::Band(_), Part::Line(_)) => return false,
        }
        self.is_arranged_as(self, &places[..self.kinds.lines()])
    }

    /// Whether `other` are these clues with each line in its place, except for the names of digits if these may change.
    fn is_arranged_as(&self, other: &Clues, places: &[usize]) -> bool {
        let side = self.kinds.order.side();
        let mut cells = [0; Order::MAX_CELLS];
        for clue in &other.clues {
            cells[clue.row * side + clue.column - side] = clue.digit;
        }
        let mut names = [0; Order::MAX_SIDE + 1];
        let mut digits = [0; Order::MAX_SIDE + 1];
        self.kinds.allow(places)
            && self.clues.len() == other.clues.len()
            && self.clues.iter().all(|clue| {
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
    pub(super) fn refine(&self, colours: &mut Colours) {
        let (order, lines) = (self.kinds.order, self.kinds.lines());
        let mut number = colours.number(lines);
        while number < lines {
            for (band, colour) in colours.bands.iter_mut().take(2 * order.get()).enumerate() {
                let own = &colours.lines[band * order.get()..(band + 1) * order.get()];
                *colour = own.iter().fold(mix(*colour), |sum, &line| sum.wrapping_add(mix(line)));
            }
            let before = colours.clone();
            for (line, colour) in colours.lines.iter_mut().take(lines).enumerate() {
                *colour = mix(*colour ^ mix(before.bands[line / order.get()]));
            }
            colours.digits.iter_mut().for_each(|colour| *colour = mix(*colour));
            for &Clue { row, column, digit } in &self.clues {
                let [of_row, of_column] = [before.lines[row], before.lines[column]];
                let met = mix(before.digits[digit]);
                let add = |colour: &mut u64, what: u64| *colour = colour.wrapping_add(mix(what));
                add(&mut colours.lines[row], met ^ of_column);
                add(&mut colours.lines[column], met ^ of_row);
                add(&mut colours.digits[digit], of_row ^ mix(of_column));
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
        let sorted = self.sorted(lines);
        1 + sorted[..lines].windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    fn sorted(&self, lines: usize) -> [u64; MAX_LINES] {
        let mut sorted = self.lines;
        sorted[..lines].sort_unstable();
        sorted
    }
}

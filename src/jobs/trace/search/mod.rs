//! A search with all its events: singles to the end, then a guess.
//!
//! ```text
//!   a blank cell has no candidate      fail, back     the first such cell
//!   a value has no place in a house    fail, back     the first such house, the lowest value
//!   a cell has one candidate           place          the first such cell
//!   a value has one place in a house   place          the first such house, the lowest value
//!   otherwise                          guess          the first cell with the fewest candidates, the lowest of them
//! ```
//!
//! Cells are in the order of rows; houses are the rows, the columns, the boxes. The first line that applies is done, then
//! all are looked at again. To go back is to undo everything since the last guess, and the guess: its value is no
//! candidate of its cell any more.

use super::events::Events;
use super::words::EventKind;
use crate::puzzle::{House, Pencilmarks, Size, with_constant};
use crate::rating::Technique;
use crate::stop::{InterruptedError, Stop};

/// What is given of a puzzle to search.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    Clues(&'a [u8]),
    Pencilmarks(&'a Pencilmarks),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchEnd {
    Solved,
    /// There is no solution.
    Unsolvable,
    /// It would take another guess.
    TooManyGuesses,
}

/// Searches for the first solution with at most so many guesses, and adds what happens to `events`.
pub(super) fn search(
    size: Size,
    start: Start<'_>,
    max_guesses: u64,
    stop: &Stop,
    events: &mut Events,
) -> Result<SearchEnd, InterruptedError> {
    with_constant!(size, SIZE => {
        const ROWS: usize = SIZE.box_rows();
        const COLUMNS: usize = SIZE.box_columns();
        State::<ROWS, COLUMNS, { SIZE.side() }>::new(start).search(max_guesses, stop, events)
    })
}

/// A partly filled grid with boxes of `ROWS` rows and `COLUMNS` columns. Values are bits, the lowest for 1.
#[derive(Clone, Copy)]
struct State<const ROWS: usize, const COLUMNS: usize, const SIDE: usize> {
    /// The candidates of each blank, by row and column; none of a filled cell.
    candidates: [[u32; SIDE]; SIDE],
    /// The columns of the blanks of each row.
    blanks: [u32; SIDE],
    /// The values that the rows, the columns and the boxes have.
    placed: [[u32; SIDE]; 3],
}

/// What is to be done next.
enum Next {
    Solved,
    NoCandidate(usize, usize),
    NoPlace(u32, House),
    NakedSingle(usize, usize),
    HiddenSingle(u32, House),
    Guess(usize, usize),
}

impl<const ROWS: usize, const COLUMNS: usize, const SIDE: usize> State<ROWS, COLUMNS, SIDE> {
    /// All values of a house.
    const ALL: u32 = (1 << SIDE) - 1;

    /// The grid of a puzzle without conflicts.
    fn new(start: Start<'_>) -> Self {
        let mut state =
            State { candidates: [[Self::ALL; SIDE]; SIDE], blanks: [Self::ALL; SIDE], placed: [[0; SIDE]; 3] };
        match start {
            Start::Clues(cells) => {
                for (cell, &value) in cells.iter().enumerate().filter(|(_, value)| **value > 0) {
                    state.place(cell / SIDE, cell % SIDE, 1 << (value - 1));
                }
            }
            Start::Pencilmarks(puzzle) => {
                for (cell, candidates) in state.candidates.as_flattened_mut().iter_mut().enumerate() {
                    *candidates = puzzle.digits(cell).into();
                }
            }
        }
        state
    }

    fn search(mut self, max_guesses: u64, stop: &Stop, events: &mut Events) -> Result<SearchEnd, InterruptedError> {
        // The grid before each guess, and the guess.
        let mut guesses: Vec<(Self, (usize, usize), u32)> = vec![];
        let mut left = max_guesses;
        let cell = |(row, column): (usize, usize)| Some(SIDE * row + column);
        let value = |bit: u32| Some(bit.trailing_zeros() as u8 + 1);

        events.add(EventKind::Start, None, None, None, None);
        loop {
            match self.next() {
                Next::Solved => {
                    events.add(EventKind::Solved, None, None, None, None);
                    return Ok(SearchEnd::Solved);
                }
                Next::NakedSingle(row, column) => {
                    let bit = self.candidates[row][column];
                    let technique = Some(Technique::NakedSingle);
                    events.add(EventKind::Place, cell((row, column)), value(bit), technique, None);
                    self.place(row, column, bit);
                    continue;
                }
                Next::HiddenSingle(bit, house) => {
                    let at = self.first_place(bit, house);
                    let technique = Some(Technique::HiddenSingle);
                    events.add(EventKind::Place, cell(at), value(bit), technique, Some(house));
                    self.place(at.0, at.1, bit);
                    continue;
                }
                Next::Guess(row, column) => {
                    if left == 0 {
                        return Ok(SearchEnd::TooManyGuesses);
                    }
                    left -= 1;
                    let candidates = self.candidates[row][column];
                    let bit = candidates & candidates.wrapping_neg();
                    guesses.push((self, (row, column), bit));
                    events.add(EventKind::Guess, cell((row, column)), value(bit), None, None);
                    self.place(row, column, bit);
                    continue;
                }
                Next::NoPlace(bit, house) => events.add(EventKind::Fail, None, value(bit), None, Some(house)),
                Next::NoCandidate(row, column) => {
                    events.add(EventKind::Fail, cell((row, column)), None, None, None);
                }
            }

            stop.check()?;
            let Some((before, at, bit)) = guesses.pop() else { return Ok(SearchEnd::Unsolvable) };
            events.add(EventKind::Back, cell(at), value(bit), None, None);
            self = before;
            self.candidates[at.0][at.1] &= !bit;
        }
    }

    /// Gives a cell a value, which is no candidate of its peers then.
    fn place(&mut self, row: usize, column: usize, bit: u32) {
        let (top, left) = (row / ROWS * ROWS, column / COLUMNS * COLUMNS);
        self.candidates[row][column] = 0;
        self.blanks[row] &= !(1 << column);
        self.placed[0][row] |= bit;
        self.placed[1][column] |= bit;
        self.placed[2][Self::box_of(row, column)] |= bit;

        for candidates in &mut self.candidates[row] {
            *candidates &= !bit;
        }
        for cells in &mut self.candidates {
            cells[column] &= !bit;
        }
        for cells in &mut self.candidates[top..top + ROWS] {
            for candidates in &mut cells[left..left + COLUMNS] {
                *candidates &= !bit;
            }
        }
    }

    /// The box of a cell: there are as many in a band as a box has rows.
    fn box_of(row: usize, column: usize) -> usize {
        row / ROWS * ROWS + column / COLUMNS
    }

    fn next(&self) -> Next {
        let mut naked = None;
        let mut is_filled = true;
        for (row, cells) in self.candidates.iter().enumerate() {
            let mut blanks = self.blanks[row];
            is_filled &= blanks == 0;
            while blanks != 0 {
                let column = blanks.trailing_zeros() as usize;
                blanks &= blanks - 1;
                let candidates = cells[column];
                if candidates == 0 {
                    return Next::NoCandidate(row, column);
                }
                if naked.is_none() && candidates.is_power_of_two() {
                    naked = Some((row, column));
                }
            }
        }
        if is_filled {
            return Next::Solved;
        }

        match (self.houses(), naked) {
            (Houses { no_place: Some((bit, house)), .. }, _) => Next::NoPlace(bit, house),
            (_, Some((row, column))) => Next::NakedSingle(row, column),
            (Houses { single: Some((bit, house)), .. }, None) => Next::HiddenSingle(bit, house),
            (Houses { .. }, None) => {
                let (row, column) = self.fewest();
                Next::Guess(row, column)
            }
        }
    }

    /// Looks at the places that values have in houses.
    fn houses(&self) -> Houses {
        // The values with a place, and with several.
        let (mut some, mut several) = ([[0; SIDE]; 3], [[0; SIDE]; 3]);
        for (row, cells) in self.candidates.iter().enumerate() {
            for (column, &candidates) in cells.iter().enumerate() {
                for (kind, house) in [row, column, Self::box_of(row, column)].into_iter().enumerate() {
                    several[kind][house] |= some[kind][house] & candidates;
                    some[kind][house] |= candidates;
                }
            }
        }

        let mut found = Houses { no_place: None, single: None };
        let lowest = |values: u32| values & values.wrapping_neg();
        for (kind, name) in [House::Row, House::Column, House::Box].into_iter().enumerate() {
            for index in 0..SIDE {
                let none = Self::ALL & !(self.placed[kind][index] | some[kind][index]);
                if none != 0 {
                    return Houses { no_place: Some((lowest(none), name(index))), ..found };
                }
                let one = some[kind][index] & !several[kind][index];
                if one != 0 && found.single.is_none() {
                    found.single = Some((lowest(one), name(index)));
                }
            }
        }
        found
    }

    /// The first cell of a house that may have a value.
    fn first_place(&self, bit: u32, house: House) -> (usize, usize) {
        let cell = |place: usize| match house {
            House::Row(row) => (row, place),
            House::Column(column) => (place, column),
            House::Box(index) => (index / ROWS * ROWS + place / COLUMNS, index % ROWS * COLUMNS + place % COLUMNS),
        };
        let has = |&(row, column): &(usize, usize)| self.candidates[row][column] & bit != 0;
        (0..SIDE).map(cell).find(has).expect("the value has a place")
    }

    /// The first blank with the fewest candidates.
    fn fewest(&self) -> (usize, usize) {
        let cells = self.candidates.iter().enumerate();
        let cells =
            cells.flat_map(|(row, cells)| cells.iter().enumerate().map(move |(column, cell)| (row, column, cell)));
        let (row, column, _) =
            cells.filter(|cell| *cell.2 != 0).min_by_key(|cell| cell.2.count_ones()).expect("there is a blank");
        (row, column)
    }
}

/// What the houses say: the first with a value that has no place, and the first with a value that has one.
struct Houses {
    no_place: Option<(u32, House)>,
    single: Option<(u32, House)>,
}

#[cfg(test)]
mod tests;

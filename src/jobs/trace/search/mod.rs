//! A search that records all its events: all singles first, then a guess.
//!
//! ```text
//!   a blank cell has no candidate      fail, back     the first such cell
//!   a value has no place in a house    fail, back     the first such house, the lowest value
//!   a cell has one candidate           place          the first such cell
//!   a value has one place in a house   place          the first such house, the lowest value
//!   otherwise                          guess          the first cell with the fewest candidates, the lowest of them
//! ```
//!
//! Cells are visited row by row; houses in the order rows, columns, boxes. The first line that applies is executed, and
//! then all are checked again. Going back undoes everything since the last guess, and the guess itself: its value is
//! removed from the candidates of its cell.

use super::events::Events;
use super::words::EventKind;
use crate::puzzle::{House, Pencilmarks, Size, members, with_constant};
use crate::rating::Technique;
use crate::stop::{InterruptedError, Stop};

/// The start of a search: a puzzle.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    Clues(&'a [u8]),
    Pencilmarks(&'a Pencilmarks),
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchEnd {
    Solved,
    /// There is no solution.
    Unsolvable,
    /// It would need another guess.
    TooManyGuesses,
}

/// Searches for the first solution with a limited number of guesses, and adds the events to `events`.
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
        SearchState::<ROWS, COLUMNS, { SIZE.side() }>::new(start).search(max_guesses, stop, events)
    })
}

/// A partly filled grid with boxes of `ROWS` rows and `COLUMNS` columns. Values are bits, the lowest for 1, and so are
/// the columns of a row and the places of a house.
///
/// A removed candidate never comes back, so singles and failures are noted when a candidate is removed.
#[derive(Clone, Copy)]
struct SearchState<const ROWS: usize, const COLUMNS: usize, const SIDE: usize> {
    /// The candidates of each blank, by row and column; empty for a filled cell.
    candidates: [[u32; SIDE]; SIDE],
    /// The blanks of each row, and the blanks with one candidate.
    blanks: [u32; SIDE],
    naked: [u32; SIDE],
    /// The places of each value in the rows, the columns and the boxes.
    places: [[[u32; SIDE]; SIDE]; 3],
    /// The values that the rows, the columns and the boxes already have, and the values that have one place there.
    placed: [[u32; SIDE]; 3],
    hidden: [[u32; SIDE]; 3],
    /// Whether a blank has no candidate, or a value has no place.
    has_failed: bool,
}

/// A row and a column.
type RowColumn = (usize, usize);

/// The next action. Values are bits.
enum Next {
    Solved,
    Fail(Option<RowColumn>, Option<u32>, Option<House>),
    Place(RowColumn, u32, Option<House>),
    Guess(RowColumn, u32),
}

impl<const ROWS: usize, const COLUMNS: usize, const SIDE: usize> SearchState<ROWS, COLUMNS, SIDE> {
    /// All values of a house.
    const ALL: u32 = (1 << SIDE) - 1;

    /// The grid of a puzzle without conflicts.
    fn new(start: Start<'_>) -> Self {
        let none = [[0; SIDE]; 3];
        let mut state = SearchState {
            candidates: [[Self::ALL; SIDE]; SIDE],
            blanks: [Self::ALL; SIDE],
            naked: [0; SIDE],
            places: [[[0; SIDE]; SIDE]; 3],
            placed: none,
            hidden: none,
            has_failed: false,
        };

        match start {
            Start::Clues(cells) => {
                for (cell, &value) in cells.iter().enumerate().filter(|(_, value)| **value > 0) {
                    state.fill((cell / SIDE, cell % SIDE), 1 << (value - 1));
                }
                for (row, column) in Self::cells() {
                    let houses = (0..3).zip(Self::houses_of((row, column)));
                    let taken = houses.fold(0, |taken, (kind, (house, _))| taken | state.placed[kind][house]);
                    let is_blank = state.blanks[row] >> column & 1 == 1;
                    state.candidates[row][column] = if is_blank { Self::ALL & !taken } else { 0 };
                }
            }
            Start::Pencilmarks(puzzle) => {
                for (cell, candidates) in state.candidates.as_flattened_mut().iter_mut().enumerate() {
                    *candidates = puzzle.digits(cell).into();
                }
            }
        }

        for cell in Self::cells() {
            for value in members(state.candidates[cell.0][cell.1]) {
                for (kind, (house, place)) in Self::houses_of(cell).into_iter().enumerate() {
                    state.places[kind][house][value] |= 1 << place;
                }
            }
            state.note_cell(cell);
        }
        for (house, value) in Self::cells() {
            (0..3).for_each(|kind| state.note_value(kind, house, value));
        }
        state
    }

    fn search(mut self, max_guesses: u64, stop: &Stop, events: &mut Events) -> Result<SearchEnd, InterruptedError> {
        // The grid before each guess, and the guess.
        let mut guesses: Vec<(Self, RowColumn, u32)> = vec![];
        let mut left = max_guesses;
        let cell = |(row, column): RowColumn| SIDE * row + column;
        let value = |bit: u32| Some(bit.trailing_zeros() as u8 + 1);

        events.add(EventKind::Start, None, None, None, None);
        loop {
            match self.next() {
                Next::Solved => {
                    events.add(EventKind::Solved, None, None, None, None);
                    return Ok(SearchEnd::Solved);
                }
                Next::Place(at, bit, house) => {
                    let technique = if house.is_some() { Technique::HiddenSingle } else { Technique::NakedSingle };
                    events.add(EventKind::Place, Some(cell(at)), value(bit), Some(technique), house);
                    self.place(at, bit);
                    continue;
                }
                Next::Guess(at, bit) => {
                    if left == 0 {
                        return Ok(SearchEnd::TooManyGuesses);
                    }
                    left -= 1;
                    guesses.push((self, at, bit));
                    events.add(EventKind::Guess, Some(cell(at)), value(bit), None, None);
                    self.place(at, bit);
                    continue;
                }
                Next::Fail(at, bit, house) => {
                    events.add(EventKind::Fail, at.map(cell), bit.and_then(value), None, house);
                }
            }

            stop.check()?;
            let Some((before, at, bit)) = guesses.pop() else { return Ok(SearchEnd::Unsolvable) };
            events.add(EventKind::Back, Some(cell(at)), value(bit), None, None);
            self = before;
            self.remove(at, bit.trailing_zeros() as usize);
        }
    }

    /// Gives a cell a value, and removes it from the candidates of its peers.
    fn place(&mut self, at: RowColumn, bit: u32) {
        self.fill(at, bit);
        members(self.candidates[at.0][at.1]).for_each(|value| self.remove(at, value));
        let value = bit.trailing_zeros() as usize;
        for (kind, (house, _)) in Self::houses_of(at).into_iter().enumerate() {
            for place in members(self.places[kind][house][value]) {
                self.remove(Self::cell_at(kind, house, place), value);
            }
        }
    }

    /// Gives a cell a value, without checking its candidates.
    fn fill(&mut self, at: RowColumn, bit: u32) {
        self.blanks[at.0] &= !(1 << at.1);
        for (kind, (house, _)) in Self::houses_of(at).into_iter().enumerate() {
            self.placed[kind][house] |= bit;
        }
    }

    /// Removes a candidate, by its value from 0.
    fn remove(&mut self, at: RowColumn, value: usize) {
        self.candidates[at.0][at.1] &= !(1 << value);
        self.note_cell(at);
        for (kind, (house, place)) in Self::houses_of(at).into_iter().enumerate() {
            self.places[kind][house][value] &= !(1 << place);
            self.note_value(kind, house, value);
        }
    }

    /// Notes whether a cell has one candidate, or none.
    fn note_cell(&mut self, (row, column): RowColumn) {
        let candidates = self.candidates[row][column];
        self.naked[row] = self.naked[row] & !(1 << column) | u32::from(candidates.is_power_of_two()) << column;
        self.has_failed |= candidates == 0 && self.blanks[row] >> column & 1 == 1;
    }

    /// Notes whether a value has one place in a house, or none.
    fn note_value(&mut self, kind: usize, house: usize, value: usize) {
        let (places, hidden) = (self.places[kind][house][value], &mut self.hidden[kind][house]);
        *hidden = *hidden & !(1 << value) | u32::from(places.is_power_of_two()) << value;
        self.has_failed |= places == 0 && self.placed[kind][house] >> value & 1 == 0;
    }

    /// All cells, or each house of a kind with each value.
    fn cells() -> impl Iterator<Item = RowColumn> {
        (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)))
    }

    /// The row, the column and the box of a cell, each with the place of the cell in it. A band has as many boxes as a
    /// box has rows.
    fn houses_of((row, column): RowColumn) -> [(usize, usize); 3] {
        let in_box = row % ROWS * COLUMNS + column % COLUMNS;
        [(row, column), (column, row), (row / ROWS * ROWS + column / COLUMNS, in_box)]
    }

    /// The cell at a place of a house.
    fn cell_at(kind: usize, house: usize, place: usize) -> RowColumn {
        match kind {
            0 => (house, place),
            1 => (place, house),
            _ => (house / ROWS * ROWS + place / COLUMNS, house % ROWS * COLUMNS + place % COLUMNS),
        }
    }

    fn next(&self) -> Next {
        if self.has_failed {
            return self.failure();
        }
        if self.blanks == [0; SIDE] {
            return Next::Solved;
        }
        if let Some(row) = self.naked.iter().position(|&naked| naked != 0) {
            let column = self.naked[row].trailing_zeros() as usize;
            return Next::Place((row, column), self.candidates[row][column], None);
        }
        for (kind, name) in KINDS.into_iter().enumerate() {
            if let Some(house) = self.hidden[kind].iter().position(|&hidden| hidden != 0) {
                let value = self.hidden[kind][house].trailing_zeros();
                let place = self.places[kind][house][value as usize].trailing_zeros() as usize;
                return Next::Place(Self::cell_at(kind, house, place), 1 << value, Some(name(house)));
            }
        }

        let candidates = |&(row, column): &RowColumn| self.candidates[row][column];
        let blanks = Self::cells().filter(|cell| candidates(cell) != 0);
        let fewest = blanks.min_by_key(|cell| candidates(cell).count_ones()).expect("there is a blank");
        Next::Guess(fewest, candidates(&fewest) & candidates(&fewest).wrapping_neg())
    }

    /// The first blank without a candidate, or the first house with a value that has no place.
    fn failure(&self) -> Next {
        let is_blank = |&(row, column): &RowColumn| self.blanks[row] >> column & 1 == 1;
        if let Some(cell) = Self::cells().filter(is_blank).find(|&(row, column)| self.candidates[row][column] == 0) {
            return Next::Fail(Some(cell), None, None);
        }
        let of_kind = |(kind, name): (usize, fn(usize) -> House)| {
            let has_no_place = |&(house, value): &RowColumn| {
                self.places[kind][house][value] == 0 && self.placed[kind][house] >> value & 1 == 0
            };
            let (house, value) = Self::cells().find(has_no_place)?;
            Some(Next::Fail(None, Some(1 << value), Some(name(house))))
        };
        KINDS.into_iter().enumerate().find_map(of_kind).expect("a value has no place")
    }
}

/// The kinds of houses.
const KINDS: [fn(usize) -> House; 3] = [House::Row, House::Column, House::Box];

#[cfg(test)]
mod tests;

//! Inferences without guessing: naked singles, hidden singles and locked candidates.

use std::cmp::Ordering;

use super::{Bitmask, BlankCell, Contradiction, HOUSES};

impl Bitmask {
    /// Places all singles and eliminates by locked candidates, until nothing changes.
    pub(super) fn propagate<const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        start: usize,
    ) -> Result<(), Contradiction> {
        while start < self.blanks.len() {
            let naked = self.place_naked_singles::<ROWS, COLUMNS>(start)?;
            let hidden = self.place_hidden_singles::<ROWS, COLUMNS>(start)?;
            if !naked && !hidden && !self.eliminate_locked::<ROWS, COLUMNS>(start)? {
                break;
            }
        }
        Ok(())
    }

    /// Places the naked singles and records the candidates of the other cells in `seen`. Returns whether it placed any.
    #[inline]
    fn place_naked_singles<const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        start: usize,
    ) -> Result<bool, Contradiction> {
        let before = self.blanks.len();
        self.seen.iter_mut().for_each(|kind| kind[..ROWS * COLUMNS].fill([0; 4]));

        let mut index = start;
        while index < self.blanks.len() {
            let blank = self.blanks[index];
            let candidates = self.candidates(blank);
            if candidates & candidates.wrapping_sub(1) == 0 {
                if candidates == 0 {
                    (0..3).for_each(|kind| self.weights[kind][blank.houses()[kind]] += 1);
                    return Err(Contradiction);
                }
                self.place(index, candidates);
                continue;
            }

            for (kind, house) in blank.houses().into_iter().enumerate() {
                let [one, two, ..] = &mut self.seen[kind][house];
                *two |= *one & candidates;
                *one |= candidates;
            }
            index += 1;
        }
        Ok(self.blanks.len() < before)
    }

    /// Places the hidden singles: the digits that have one place in a house according to `seen`. Returns whether there are
    /// any.
    ///
    /// Naked singles that were placed since then may have removed candidates that `seen` still has. That does no harm:
    /// `seen` only has too many candidates, so a digit with one place there has no other place.
    #[inline]
    fn place_hidden_singles<const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        start: usize,
    ) -> Result<bool, Contradiction> {
        let mut any = 0;
        for kind in 0..3 {
            for house in 0..ROWS * COLUMNS {
                let free = self.free[kind][house];
                let [one, two, ..] = self.seen[kind][house];
                if free & !one != 0 {
                    self.weights[kind][house] += 3;
                    return Err(Contradiction);
                }
                let singles = free & !two;
                any |= singles;
                // The first set is not needed again before the next round, so it takes the singles of the house.
                self.seen[kind][house][0] = singles;
            }
        }

        if any == 0 {
            return Ok(false);
        }

        let mut index = start;
        while index < self.blanks.len() {
            let blank = self.blanks[index];
            let [row, column, box_] = blank.houses();
            let hidden = self.seen[0][row][0] | self.seen[1][column][0] | self.seen[2][box_][0];
            let single = hidden & self.candidates(blank);
            if single == 0 {
                index += 1;
            // With two hidden singles, the cell would need both digits.
            } else if single.is_power_of_two() {
                self.place(index, single);
            } else {
                return Err(Contradiction);
            }
        }
        Ok(true)
    }

    /// Eliminates candidates by locked candidates, and returns whether there were any.
    ///
    /// The cells that a line (a row or a column) shares with a box are a segment. If all places of a digit in a box lie
    /// in one segment, the digit is excluded from the rest of the line; if all its places in a line lie in one segment,
    /// it is excluded from the rest of the box. A segment with as many such digits as blank cells has no other
    /// candidates; with more digits than cells, it is a contradiction.
    fn eliminate_locked<const ROWS: usize, const COLUMNS: usize>(
        &mut self,
        start: usize,
    ) -> Result<bool, Contradiction> {
        let by_rows = self.eliminate_locked_in::<0, ROWS, COLUMNS>(start)?;
        let by_columns = self.eliminate_locked_in::<1, COLUMNS, ROWS>(start)?;
        Ok(by_rows || by_columns)
    }

    /// The same for rows (`KIND` 0) or columns (`KIND` 1). A box has `LINES` of them; the grid has `BANDS` bands, with
    /// `LINES` lines and `LINES` boxes each.
    fn eliminate_locked_in<const KIND: usize, const LINES: usize, const BANDS: usize>(
        &mut self,
        start: usize,
    ) -> Result<bool, Contradiction> {
        // By box, then by line within the box.
        let mut blanks = [[0; LINES]; HOUSES];
        let mut segments = [[0; LINES]; HOUSES];
        let mut closed = [[0; LINES]; HOUSES];

        let place = |blank: BlankCell| (blank.houses()[2], blank.houses()[KIND] % LINES);
        for &blank in &self.blanks[start..] {
            let (box_, line) = place(blank);
            segments[box_][line] |= self.candidates(blank);
            blanks[box_][line] += 1;
        }

        // The digits that each segment excludes from the other segments of its box and line.
        for band in 0..BANDS {
            let boxes: [usize; LINES] =
                std::array::from_fn(|i| if KIND == 0 { band * LINES + i } else { i * BANDS + band });
            for (box_, line) in boxes.into_iter().flat_map(|box_| (0..LINES).map(move |line| (box_, line))) {
                let segment = segments[box_][line];
                let other_lines = (0..LINES).filter(|&other| other != line);
                let other_boxes = boxes.into_iter().filter(|&other| other != box_);
                let in_other_lines = other_lines.clone().fold(0, |any, other| any | segments[box_][other]);
                let in_other_boxes = other_boxes.clone().fold(0, |any, other| any | segments[other][line]);

                other_boxes.for_each(|other| closed[other][line] |= segment & !in_other_lines);
                other_lines.for_each(|other| closed[box_][other] |= segment & !in_other_boxes);

                let locked = segment & !(in_other_lines & in_other_boxes);
                match locked.count_ones().cmp(&blanks[box_][line]) {
                    Ordering::Less => {}
                    Ordering::Equal => closed[box_][line] |= !locked,
                    Ordering::Greater => return Err(Contradiction),
                }
            }
        }

        let mut eliminated = 0;
        for index in start..self.blanks.len() {
            let (box_, line) = place(self.blanks[index]);
            let out = self.candidates(self.blanks[index]) & closed[box_][line];
            self.blanks[index].open &= !out;
            eliminated |= out;
        }
        Ok(eliminated != 0)
    }
}

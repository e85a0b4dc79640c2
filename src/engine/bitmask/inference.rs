//! What follows without a guess: singles and locked candidates.

use std::cmp::Ordering;

use super::{Bitmask, Blank, Contradiction, HOUSES};

impl Bitmask {
    /// Places all singles and strikes out what is locked out, until nothing moves.
    pub(super) fn propagate<const ORDER: usize>(&mut self, start: usize) -> Result<(), Contradiction> {
        while start < self.blanks.len() {
            let naked = self.place_naked_singles::<ORDER>(start)?;
            let hidden = self.place_hidden_singles::<ORDER>(start)?;
            if !naked && !hidden && !self.strike_locked_out::<ORDER>(start)? {
                break;
            }
        }
        Ok(())
    }

    /// Places the naked singles, notes what the other cells can be in `seen`, and says whether it placed any.
    #[inline]
    fn place_naked_singles<const ORDER: usize>(&mut self, start: usize) -> Result<bool, Contradiction> {
        let before = self.blanks.len();
        self.seen.iter_mut().for_each(|kind| kind[..ORDER * ORDER].fill([0; 4]));
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
                let [once, twice, ..] = &mut self.seen[kind][house];
                *twice |= *once & candidates;
                *once |= candidates;
            }
            index += 1;
        }
        Ok(self.blanks.len() < before)
    }

    /// Places the digits that `seen` has only one place for in a house, and says whether there are any.
    ///
    /// What `seen` noted may have shrunk since, by naked singles that came later. Nothing is placed wrongly for that:
    /// no blank cell can be more than was seen.
    #[inline]
    fn place_hidden_singles<const ORDER: usize>(&mut self, start: usize) -> Result<bool, Contradiction> {
        let mut any = 0;
        for kind in 0..3 {
            for house in 0..ORDER * ORDER {
                let free = self.free[kind][house];
                let [once, twice, ..] = self.seen[kind][house];
                if free & !once != 0 {
                    self.weights[kind][house] += 3;
                    return Err(Contradiction);
                }
                let singles = free & !twice;
                any |= singles;
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
            } else if single.is_power_of_two() {
                self.place(index, single);
            } else {
                return Err(Contradiction);
            }
        }
        Ok(true)
    }

    /// Strikes out what is locked out, and says whether there was anything.
    ///
    /// Where a line (a row or a column) crosses a box is a segment. A digit that a box has in one segment only is not
    /// elsewhere in that line; a digit that a line has in one segment only is not elsewhere in that box. And a segment
    /// with as many such digits as blank cells has no other digits; it cannot have more.
    fn strike_locked_out<const ORDER: usize>(&mut self, start: usize) -> Result<bool, Contradiction> {
        let mut struck = 0;
        for kind in 0..2 {
            // By box, then by line within the box.
            let mut blanks = [[0; ORDER]; HOUSES];
            let mut segments = [[0; ORDER]; HOUSES];
            let mut closed = [[0; ORDER]; HOUSES];
            let place = |blank: Blank| (blank.houses()[2], blank.houses()[kind] % ORDER);
            for &blank in &self.blanks[start..] {
                let (box_, line) = place(blank);
                segments[box_][line] |= self.candidates(blank);
                blanks[box_][line] += 1;
            }
            for band in 0..ORDER {
                let boxes: [usize; ORDER] =
                    std::array::from_fn(|i| if kind == 0 { band * ORDER + i } else { i * ORDER + band });
                for (box_, line) in boxes.into_iter().flat_map(|box_| (0..ORDER).map(move |line| (box_, line))) {
                    let segment = segments[box_][line];
                    let other_lines = (0..ORDER).filter(|&other| other != line);
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
            for index in start..self.blanks.len() {
                let (box_, line) = place(self.blanks[index]);
                let out = self.candidates(self.blanks[index]) & closed[box_][line];
                self.blanks[index].open &= !out;
                struck |= out;
            }
        }
        Ok(struck != 0)
    }
}

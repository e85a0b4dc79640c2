//! Inferences without guessing in large grids: singles and locked candidates.

use super::{CONSTRAINTS, Candidate, Contradiction, LargeSearch, bits};

impl LargeSearch {
    /// Places all singles and eliminates by locked candidates, until nothing changes.
    pub(super) fn propagate<const ORDER: usize>(&mut self) -> Result<(), Contradiction> {
        loop {
            while let Some(single) = self.singles.pop() {
                let single = usize::from(single) % CONSTRAINTS;
                let candidate = Candidate::new::<ORDER>(single, self.constraints[single].first());
                // A candidate that is placed is the single of four constraints.
                let is_single =
                    |(constraint, _): (usize, usize)| self.constraints[constraint % CONSTRAINTS].number() == 1;
                if !candidate.constraints::<ORDER>().into_iter().all(is_single) {
                    self.place::<ORDER>(candidate)?;
                }
            }
            if !self.eliminate_locked::<ORDER>()? {
                return Ok(());
            }
        }
    }

    /// Eliminates all other options of the four constraints of a candidate.
    pub(super) fn place<const ORDER: usize>(&mut self, candidate: Candidate) -> Result<(), Contradiction> {
        for (constraint, option) in candidate.constraints::<ORDER>() {
            let others = self.constraints[constraint % CONSTRAINTS].set() & !(1 << option);
            for other in bits(others) {
                self.eliminate::<ORDER>(Candidate::new::<ORDER>(constraint, other))?;
            }
        }
        Ok(())
    }

    /// Eliminates a candidate.
    #[inline]
    pub(super) fn eliminate<const ORDER: usize>(&mut self, candidate: Candidate) -> Result<(), Contradiction> {
        for (constraint, option) in candidate.constraints::<ORDER>() {
            let constraint = constraint % CONSTRAINTS;
            let options = &mut self.constraints[constraint];
            options.remove(option);
            let number = options.number();
            if number <= 1 {
                if number == 0 {
                    self.weights[constraint] += 1;
                    return Err(Contradiction);
                }
                self.singles.push(constraint as u16);
            }
            // Locked candidates have so few places at most.
            let may_be_locked = u64::from(number <= ORDER as u32);
            self.changed[constraint / 64] |= may_be_locked << (constraint % 64);
        }
        Ok(())
    }

    /// Eliminates candidates by locked candidates, and returns whether there were any.
    ///
    /// A digit that has its places in a box in one row or column only is excluded from the rest of that line; a digit that
    /// has its places in a line in one box only is excluded from the rest of that box.
    fn eliminate_locked<const ORDER: usize>(&mut self) -> Result<bool, Contradiction> {
        let (side, cells) = (ORDER * ORDER, ORDER.pow(4));
        // The places of a box in its first row and its first column; the places of a line in its first box.
        let (box_row, box_column) = ((1 << ORDER) - 1, (0..ORDER).fold(0, |set, row| set | 1 << (row * ORDER)));
        let segment: u32 = box_row;
        let mut any = false;
        for word in cells / 64..(4 * cells).div_ceil(64) {
            let mut changed = std::mem::take(&mut self.changed[word]);
            while changed != 0 {
                let constraint = word * 64 + changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let options = self.constraints[constraint % CONSTRAINTS];
                if constraint < cells || options.number() < 2 || options.number() > ORDER as u32 {
                    continue;
                }
                let (kind, house, digit) = (constraint / cells, constraint % cells / side, constraint % side);
                let (first, set) = (options.first(), options.set());
                let (band, within) = (house / ORDER * ORDER, house % ORDER);
                // The other constraint with all of these places, and its places that they leave.
                let (other, out) = if kind == 3 {
                    let (row, column) = (first / ORDER, first % ORDER);
                    if set & !(box_row << (row * ORDER)) == 0 {
                        (cells + (band + row) * side + digit, !(segment << (within * ORDER)))
                    } else if set & !(box_column << column) == 0 {
                        (2 * cells + (within * ORDER + column) * side + digit, !(segment << band))
                    } else {
                        continue;
                    }
                } else {
                    let box_in_line = first / ORDER;
                    if set & !(segment << (box_in_line * ORDER)) != 0 {
                        continue;
                    }
                    if kind == 1 {
                        (3 * cells + (band + box_in_line) * side + digit, !(box_row << (within * ORDER)))
                    } else {
                        (3 * cells + (box_in_line * ORDER + band / ORDER) * side + digit, !(box_column << within))
                    }
                };
                let out = self.constraints[other % CONSTRAINTS].set() & out;
                any |= out != 0;
                for place in bits(out) {
                    self.eliminate::<ORDER>(Candidate::new::<ORDER>(other, place))?;
                }
            }
        }
        Ok(any)
    }
}

//! Finds the links between the candidates of a state, once for all searches on it.
//!
//! Candidates are numbered in the order of cells and, within a cell, of digits. Two candidates have a weak link if they
//! cannot both be true: they share a cell, or have the same digit in a house. A group is the candidates of a cell, or
//! of a digit in a house: one of them is true. If only two are left, they have a strong link: each is true if the other
//! is false.
//!
//! ```text
//! groups    0 ..  80   cells
//! groups   81 .. 323   digits in houses: 81 + 9 * house + digit
//! ```

use super::super::candidates::Candidates;
use super::super::houses::{CELLS, HOUSE_CELLS, HOUSES, HOUSES_OF, PEERS};
use super::bits::{Bits, insert, or_into, remove};

/// The index of a candidate of the state.
pub(super) type CandidateIndex = usize;

/// The number of groups: 81 cells and nine digits in 27 houses.
pub(super) const GROUPS: usize = 81 + 9 * HOUSES;

/// The maximum number of candidates of a state.
pub(super) const MAX_CANDIDATES: usize = 729;

/// A set of candidates of any state.
pub(super) type CandidateSet = Bits<{ MAX_CANDIDATES.div_ceil(64) }>;

/// A cell, or a digit in a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CandidateGroup(pub(super) u16);

impl CandidateGroup {
    pub(super) const fn of_cell(cell: usize) -> CandidateGroup {
        CandidateGroup(cell as u16)
    }

    pub(super) const fn of_house(house: usize, digit: usize) -> CandidateGroup {
        CandidateGroup((81 + 9 * house + digit) as u16)
    }

    pub(super) const fn of_index(index: usize) -> CandidateGroup {
        CandidateGroup(index as u16)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The house of the group, if it is not a cell.
    pub(super) const fn house(self) -> Option<usize> {
        if self.0 < 81 { None } else { Some((self.0 as usize - 81) / 9) }
    }

    /// The members in a grid, as cells with digits, in the order of digits or of places.
    pub(super) fn members(self, grid: &Candidates) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        (0..9)
            .map(move |place| match self.house() {
                None => (self.index(), place),
                Some(house) => (usize::from(CELLS[house][place]), (self.index() - 81) % 9),
            })
            .filter(|&(cell, digit)| grid.digits(cell).contains(digit))
    }
}

/// A set of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroupSet([u64; GROUPS.div_ceil(64)]);

impl GroupSet {
    pub(super) const EMPTY: GroupSet = GroupSet([0; GROUPS.div_ceil(64)]);
    pub(super) const ALL: GroupSet = GroupSet([u64::MAX; GROUPS.div_ceil(64)]);

    pub(super) fn contains(&self, group: CandidateGroup) -> bool {
        self.0[group.index() / 64] >> (group.index() % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, group: CandidateGroup) {
        self.0[group.index() / 64] |= 1 << (group.index() % 64);
    }
}

/// The candidates of a state and their links.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// The cell and the digit of each candidate.
    cells: Vec<u8>,
    digits: Vec<u8>,
    /// The index of each candidate, or `MAX_CANDIDATES`.
    indices: [[u16; 9]; 81],
    /// Weak links of all candidates, in the reference order: the cell, then the box, the row and the column.
    weak: Vec<u16>,
    /// The starts of each candidate's weak links: in the cell, and in houses.
    starts: Vec<[u32; 2]>,
    /// The groups of each candidate and, for groups of two, the other member.
    groups: Vec<[CandidateGroup; 4]>,
    strong: Vec<[u16; 4]>,
    /// The members of each group.
    pub(super) members: [Members; GROUPS],
}

/// The number of members of a group, in the upper bits, and the exclusive or of their indices, in the lower bits. With
/// one member, that is its index; with two, removing one of them leaves the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Members(u16);

impl Members {
    /// The count of one member. The bits below it can hold any index of a candidate, and the bits above it the number of
    /// members, at most nine.
    const ONE: u16 = 1 << 12;

    fn add(&mut self, candidate: CandidateIndex) {
        self.0 = (self.0 + Members::ONE) ^ candidate as u16;
    }

    /// Removes a member.
    #[inline]
    pub(super) fn remove(&mut self, candidate: CandidateIndex) {
        self.0 = (self.0 - Members::ONE) ^ candidate as u16;
    }

    pub(super) fn len(self) -> usize {
        usize::from(self.0 / Members::ONE)
    }

    /// The only member, or [`MAX_CANDIDATES`] if there is not exactly one.
    #[inline]
    pub(super) fn only(self) -> u16 {
        if self.len() == 1 { self.0 % Members::ONE } else { MAX_CANDIDATES as u16 }
    }

    /// The other member of two, or [`MAX_CANDIDATES`] if there are not exactly two.
    pub(super) fn other(mut self, candidate: CandidateIndex) -> u16 {
        // The candidate is a member, so the count does not wrap.
        self.remove(candidate);
        self.only()
    }
}

impl Default for Links {
    fn default() -> Links {
        Links {
            cells: Vec::new(),
            digits: Vec::new(),
            indices: [[MAX_CANDIDATES as u16; 9]; 81],
            weak: Vec::new(),
            starts: Vec::new(),
            groups: Vec::new(),
            strong: Vec::new(),
            members: [Members::default(); GROUPS],
        }
    }
}

impl Links {
    /// Finds the links of a state.
    pub(super) fn build(&mut self, grid: &Candidates) {
        self.cells.clear();
        self.digits.clear();
        self.weak.clear();
        self.starts.clear();
        self.groups.clear();
        self.strong.clear();
        self.members = [Members::default(); GROUPS];

        // Number the candidates.
        for cell in 0..81 {
            self.indices[cell] = [MAX_CANDIDATES as u16; 9];
            for digit in grid.digits(cell) {
                self.indices[cell][digit] = self.cells.len() as u16;
                self.cells.push(cell as u8);
                self.digits.push(digit as u8);
            }
        }

        // Find the groups and the weak links of each candidate.
        for candidate in 0..self.len() {
            let (cell, digit) = (self.cell(candidate), self.digit(candidate));
            let [of_box, of_column, of_row] =
                HOUSES_OF[cell].map(|house| CandidateGroup::of_house(usize::from(house), digit));
            let groups = [CandidateGroup::of_cell(cell), of_box, of_row, of_column];
            for group in groups {
                self.members[group.index()].add(candidate);
            }
            self.groups.push(groups);

            let in_cell = self.weak.len() as u32;
            for other in grid.digits(cell) {
                if other != digit {
                    self.weak.push(self.indices[cell][other]);
                }
            }
            self.starts.push([in_cell, self.weak.len() as u32]);

            // Peers in the box come first, and are not repeated in the row and the column.
            let peers = PEERS[cell].and(grid.cells(digit));
            let [in_box, _, in_row] = HOUSES_OF[cell].map(|house| HOUSE_CELLS[usize::from(house)]);
            let parts = [peers.and(in_box), peers.and(in_row).without(in_box), peers.without(in_box).without(in_row)];
            for part in parts {
                for peer in part {
                    self.weak.push(self.indices[peer][digit]);
                }
            }
        }
        // A candidate's links end where the next candidate's links start, so the last one needs a successor.
        let end = self.weak.len() as u32;
        self.starts.push([end, end]);

        // Find the strong links, now that the sizes of all groups are known.
        for (candidate, groups) in self.groups.iter().enumerate() {
            self.strong.push(groups.map(|group| self.members[group.index()].other(candidate)));
        }
    }

    /// The number of candidates.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn cell(&self, candidate: CandidateIndex) -> usize {
        usize::from(self.cells[candidate])
    }

    pub(super) fn digit(&self, candidate: CandidateIndex) -> usize {
        usize::from(self.digits[candidate])
    }

    /// The index of a candidate that is in the state.
    pub(super) fn index(&self, cell: usize, digit: usize) -> CandidateIndex {
        usize::from(self.indices[cell][digit])
    }

    /// The index of a candidate, if it is in the state.
    pub(super) fn find(&self, cell: usize, digit: usize) -> Option<CandidateIndex> {
        let index = self.index(cell, digit);
        (index < MAX_CANDIDATES).then_some(index)
    }

    /// The candidates that are false if this one is true: in its cell, then with its digit in the box, the row and the
    /// column.
    pub(super) fn weak(&self, candidate: CandidateIndex) -> &[u16] {
        &self.weak[self.starts[candidate][0] as usize..self.starts[candidate + 1][0] as usize]
    }

    /// The weak links that stay within the digit.
    pub(super) fn weak_of_digit(&self, candidate: CandidateIndex) -> &[u16] {
        &self.weak[self.starts[candidate][1] as usize..self.starts[candidate + 1][0] as usize]
    }

    /// The groups of a candidate in the reference order: its cell, and its digit in the box, the row and the column.
    pub(super) fn groups(&self, candidate: CandidateIndex) -> [CandidateGroup; 4] {
        self.groups[candidate]
    }

    /// For each group of a candidate, the other member of two, or [`MAX_CANDIDATES`] if there are not two.
    pub(super) fn strong(&self, candidate: CandidateIndex) -> [u16; 4] {
        self.strong[candidate]
    }

    /// The members of a group, in the order of digits or of places.
    pub(super) fn members(&self, group: CandidateGroup) -> impl Iterator<Item = CandidateIndex> + Clone + use<'_> {
        (0..9).filter_map(move |place| match group.house() {
            None => self.find(group.index(), place),
            Some(house) => self.find(usize::from(CELLS[house][place]), (group.index() - 81) % 9),
        })
    }
}

/// The kinds of links that a chain may use, in the order of the reference program's searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LinkKinds {
    /// Links of one digit.
    X,
    /// Strong links in cells.
    Y,
    /// All links.
    Xy,
}

impl LinkKinds {
    /// The weak links of these kinds, in the reference order.
    pub(super) fn weak(self, links: &Links, candidate: CandidateIndex) -> &[u16] {
        if self == LinkKinds::X { links.weak_of_digit(candidate) } else { links.weak(candidate) }
    }

    /// The candidates that are true if this one is false, each only once, in the reference order: by the cell, the box,
    /// the row and the column. [`MAX_CANDIDATES`] where there is none.
    pub(super) fn strong(self, links: &Links, candidate: CandidateIndex) -> [u16; 4] {
        const NONE: u16 = MAX_CANDIDATES as u16;
        let [in_cell, in_box, in_row, in_column] = links.strong(candidate);
        let in_cell = if self == LinkKinds::X { NONE } else { in_cell };
        if self == LinkKinds::Y {
            return [in_cell, NONE, NONE, NONE];
        }
        // A link in a cell leads to a different digit than links in houses, so only these can repeat each other.
        let in_row = if in_row == in_box { NONE } else { in_row };
        let in_column = if in_column == in_box { NONE } else { in_column };
        [in_cell, in_box, in_row, in_column]
    }
}

/// For each group of a state, its members as a row of bits.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupRows<const W: usize>(Vec<Bits<W>>);

impl<const W: usize> GroupRows<W> {
    pub(super) fn build(&mut self, links: &Links) {
        self.0.clear();
        self.0.resize(GROUPS, [0; W]);
        for candidate in 0..links.len() {
            for group in links.groups(candidate) {
                insert(&mut self.0[group.index()], candidate);
            }
        }
    }

    /// The candidates that are false if this one is true, by weak links of some kinds.
    pub(super) fn weak(&self, links: &Links, link_kinds: LinkKinds, candidate: CandidateIndex) -> Bits<W> {
        let [in_cell, in_box, in_row, in_column] = links.groups(candidate).map(|group| &self.0[group.index()]);
        let mut weak = std::array::from_fn(|word| in_box[word] | in_row[word] | in_column[word]);
        if link_kinds != LinkKinds::X {
            or_into(&mut weak, in_cell);
        }
        remove(&mut weak, candidate);
        weak
    }
}

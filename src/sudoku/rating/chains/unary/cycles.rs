//! Finds the cycles through a candidate, step by step, in the reference order.

use super::rows::Rows;
use crate::rating::candidates::Candidates;
use crate::rating::chains::bits::{Bits, has, insert};
use crate::rating::chains::links::{CandidateIndex, LinkKinds, Links, MAX_CANDIDATES};
use crate::rating::chains::statement::Literal;
use crate::rating::houses::PEERS;
use crate::rating::sets::CellSet;

/// The memory of a search for cycles.
#[derive(Clone, Debug, Default)]
pub(super) struct Cycles<const W: usize> {
    /// Pairs of a weak and a strong link: the false candidate, then the true one. `parts` has the range of each
    /// candidate's pairs.
    links: Vec<[u16; 2]>,
    parts: Vec<[u32; 2]>,
    tree: Vec<TrueNode>,
}

/// A true candidate in the tree of a search for cycles.
#[derive(Clone, Copy, Debug)]
struct TrueNode {
    candidate: u16,
    /// The false candidate that it follows from, and the node before that.
    via: u16,
    parent: u16,
}

/// The part of a candidate whose links were not listed yet.
const UNLISTED: [u32; 2] = [u32::MAX; 2];

/// The parent of the root.
const ROOT: u16 = u16::MAX;

impl<const W: usize> Cycles<W> {
    /// Begins the search with some kinds of links.
    pub(super) fn begin(&mut self, links: &Links) {
        self.links.clear();
        self.parts.clear();
        self.parts.resize(links.len(), UNLISTED);
    }

    /// The cycles of `2 * layers` statements through a candidate, in the reference order. Each begins with the
    /// candidate and goes back along the chain.
    ///
    /// Cycles through candidates that `rows` leaves out are missing: they remove nothing.
    pub(super) fn through(
        &mut self,
        links: &Links,
        link_kinds: LinkKinds,
        rows: &Rows<W>,
        source: CandidateIndex,
        layers: usize,
    ) -> Vec<Vec<Literal>> {
        let mut cycles = Vec::new();
        let mut visited: Bits<W> = [0; W];
        insert(&mut visited, source);
        self.tree.clear();
        self.tree.push(TrueNode { candidate: source as u16, via: ROOT, parent: ROOT });

        let mut layer_start = 0;
        for layer in 1..=layers {
            let layer_end = self.tree.len();
            for parent in layer_start..layer_end {
                let candidate = usize::from(self.tree[parent].candidate);
                let [start, end] = self.links_of(links, link_kinds, rows, candidate);
                for index in start..end {
                    let [via, on] = self.links[index];
                    let closes = usize::from(on) == source && layer == layers;
                    // Like the reference program, reach each candidate by one path only, the first. So not all cycles
                    // are found.
                    let is_new = layer < layers && !has(&visited, usize::from(on));
                    if (closes || is_new) && !self.is_on_path(parent, via) {
                        if closes {
                            cycles.push(self.path(source, usize::from(via), parent));
                        } else {
                            insert(&mut visited, usize::from(on));
                            self.tree.push(TrueNode { candidate: on, via, parent: parent as u16 });
                        }
                    }
                }
            }
            layer_start = layer_end;
        }
        cycles
    }

    /// The range of the links from a candidate, which are listed on first use.
    fn links_of(
        &mut self,
        links: &Links,
        link_kinds: LinkKinds,
        rows: &Rows<W>,
        candidate: CandidateIndex,
    ) -> [usize; 2] {
        if self.parts[candidate] == UNLISTED {
            let start = self.links.len();
            let is_within = |on| usize::from(on) < MAX_CANDIDATES && has(&rows.within, usize::from(on));
            for &off in link_kinds.weak(links, candidate) {
                if has(&rows.ends, usize::from(off)) {
                    let strong = link_kinds.strong(links, usize::from(off)).into_iter();
                    self.links.extend(strong.filter(|&on| is_within(on)).map(|on| [off, on]));
                }
            }
            self.parts[candidate] = [start as u32, self.links.len() as u32];
        }
        self.parts[candidate].map(|at| at as usize)
    }

    /// Whether the chain to a node contains the statement that `candidate` is false.
    fn is_on_path(&self, mut node: usize, candidate: u16) -> bool {
        loop {
            let TrueNode { via, parent, .. } = self.tree[node];
            if via == candidate {
                return true;
            }
            if parent == ROOT {
                return false;
            }
            node = usize::from(parent);
        }
    }

    /// The statements of a cycle, from its end back to its start, which equals the end and is not repeated.
    fn path(&self, source: CandidateIndex, via: CandidateIndex, mut node: usize) -> Vec<Literal> {
        let mut path = vec![Literal::new(source, true), Literal::new(via, false)];
        while self.tree[node].parent != ROOT {
            let TrueNode { candidate, via, parent } = self.tree[node];
            path.push(Literal { candidate, on: true });
            path.push(Literal { candidate: via, on: false });
            node = usize::from(parent);
        }
        path
    }
}

/// For each digit, the cells that a cycle removes it from: they are not part of the cycle, and see a true and a false
/// statement about the digit.
pub(super) fn removed_by(grid: &Candidates, links: &Links, path: &[Literal]) -> [CellSet; 9] {
    let mut seen_by = [[CellSet::EMPTY; 2]; 9];
    let mut cells = CellSet::EMPTY;
    for literal in path {
        let (cell, digit) = (links.cell(literal.index()), links.digit(literal.index()));
        cells.insert(cell);
        let seen = &mut seen_by[digit][usize::from(literal.on)];
        *seen = seen.or(PEERS[cell]);
    }
    std::array::from_fn(|digit| seen_by[digit][0].and(seen_by[digit][1]).and(grid.cells(digit)).without(cells))
}

//! The naive solver: slow, short, and independent of the engines that it judges.

use gridmill::puzzle::{Geometry, Size, rules};

/// The solutions of a puzzle in lexicographic order; if there are more than `limit`, any `limit` of them.
pub fn solutions(size: Size, puzzle: &[u8], limit: usize) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    if rules::conflict(size, puzzle).is_none() {
        search(Geometry::of(size), &mut puzzle.to_vec(), limit, &mut found);
    }
    found.sort_unstable();
    found
}

/// How many solutions a puzzle has, up to `limit`.
pub fn count(size: Size, puzzle: &[u8], limit: u64) -> u64 {
    solutions(size, puzzle, usize::try_from(limit).unwrap_or(usize::MAX)).len() as u64
}

/// Tries every digit that the peers allow in the blank that has the fewest of them.
fn search(geometry: &Geometry, grid: &mut Vec<u8>, limit: usize, found: &mut Vec<Vec<u8>>) {
    let side = geometry.size().side() as u32;
    let seen = |cell: usize| geometry.peers(cell).iter().fold(1_u32, |seen, &peer| seen | 1 << grid[usize::from(peer)]);
    let blanks = (0..grid.len()).filter(|&cell| grid[cell] == 0).map(|cell| (cell, seen(cell)));
    let Some((cell, seen)) = blanks.min_by_key(|(_, seen)| seen.count_zeros()) else { return found.push(grid.clone()) };
    for digit in (1..=side).filter(|digit| seen >> digit & 1 == 0) {
        grid[cell] = digit as u8;
        search(geometry, grid, limit, found);
        if found.len() == limit {
            break;
        }
    }
    grid[cell] = 0;
}

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

/// Tries the ways to fill a blank or to place a digit in a house, whichever has the fewest. If it looked at blanks only,
/// one in a thousand sets of random clues would take minutes to hours.
fn search(geometry: &Geometry, grid: &mut Vec<u8>, limit: usize, found: &mut Vec<Vec<u8>>) {
    let cells = 0..grid.len();
    let digits = 1..=geometry.size().side() as u8;
    let excluded = |cell: usize| match grid[cell] {
        0 => geometry.peers(cell).iter().fold(0, |digits, &peer| digits | 1_u32 << grid[usize::from(peer)]),
        _ => u32::MAX,
    };
    let excluded: Vec<u32> = cells.clone().map(excluded).collect();
    let fits = |&(cell, digit): &(usize, u8)| excluded[cell] >> digit & 1 == 0;

    let mut choices: Vec<Vec<(usize, u8)>> = Vec::new();
    for cell in cells.filter(|&cell| grid[cell] == 0) {
        choices.push(digits.clone().map(|digit| (cell, digit)).filter(fits).collect());
    }
    for (_, house) in geometry.houses() {
        for digit in digits.clone().filter(|&digit| house.iter().all(|&cell| grid[usize::from(cell)] != digit)) {
            choices.push(house.iter().map(|&cell| (usize::from(cell), digit)).filter(fits).collect());
        }
    }

    let Some(fewest) = choices.into_iter().min_by_key(Vec::len) else { return found.push(grid.clone()) };
    for (cell, digit) in fewest {
        grid[cell] = digit;
        search(geometry, grid, limit, found);
        grid[cell] = 0;
        if found.len() == limit {
            break;
        }
    }
}

//! Compares the lanes engine, in every width that this machine has, with the bitmask engine on a million mixed grids.
//!
//! ```text
//! cargo run --release --bin differential -- 1000000 [SEED]
//! ```
//!
//! Counts must agree, solutions must be solutions, and all widths must agree on everything but the time and which of
//! several solutions they give. A quarter of the batches have a bound on the branches; there, the verdicts on grids that
//! both engines decide must agree. At the end come the grids with the longest searches: what is worst for the engine is
//! found here.

use strum::VariantArray;

use gridmill::puzzle::Batch;
use gridmill::engine::bitmask::Bitmask;
use gridmill::engine::lanes::{Lanes, Simd};
use gridmill::engine::{Bounds, Engine, Limit, SearchEnd, Verdicts};
use gridmill::puzzle::Size;
use gridmill::puzzle::rules;

/// Grids in a batch.
const BATCH: usize = 1000;

type Cells = [u8; 81];

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a number"));
    let (count, seed) = (arguments.next().unwrap_or(1_000_000), arguments.next().unwrap_or(1));
    let mut random = Random(seed);
    let mut engines: Vec<Lanes> = Simd::VARIANTS[1..].iter().filter_map(|&simd| Lanes::new(simd).ok()).collect();
    let mut bitmask = Bitmask::new();
    let mut grids = FullGrids { bitmask: Bitmask::new(), grid: [0; 81], uses: 0 };
    let mut worst: Vec<(u64, Cells)> = vec![];
    let mut counts = [0u64; 4];
    for first in (0..count).step_by(BATCH) {
        let limit = match random.below(16) {
            0..11 => Limit::UNIQUE,
            11..15 => Limit::FIRST,
            _ => Limit::new(30.try_into().expect("not 0")),
        };
        let mut batch = Batch::new(Size::Nine);
        for number in first..count.min(first + BATCH as u64) {
            batch.push(&grid(&mut random, &mut grids, number));
        }
        let bounds = Bounds::new(limit);
        let bounds = if random.below(4) == 0 { bounds.max_branches([0, 3, 20][random.below(3)]) } else { bounds };
        let mut expected = Verdicts::new();
        bitmask.solve(&batch, bounds, &mut expected);
        let mut narrower: Option<Verdicts> = None;
        for lanes in &mut engines {
            let mut verdicts = Verdicts::new();
            lanes.solve(&batch, bounds, &mut verdicts);
            for (n, (verdict, expected)) in verdicts.iter().zip(expected.iter()).enumerate() {
                let puzzle = batch.puzzle(n);
                let case = || format!("{} with {} within {bounds:?}", line(puzzle), lanes.simd());
                if verdict.end != SearchEnd::GaveUp && expected.end != SearchEnd::GaveUp {
                    assert_eq!(verdict.solutions, expected.solutions, "{}", case());
                }
                if let Some(solution) = verdict.solution {
                    assert!(rules::is_solution(Size::Nine, puzzle, solution), "{}", case());
                }
                if let Some(narrower) = &narrower {
                    let other = narrower.get(n);
                    assert_eq!((verdict.solutions, verdict.end), (other.solutions, other.end), "{}", case());
                    assert_eq!(verdict.cost.branches, other.cost.branches, "{}", case());
                } else {
                    let kind = if verdict.end == SearchEnd::GaveUp { 3 } else { verdict.solutions.min(2) };
                    counts[kind as usize] += 1;
                    worst.push((verdict.cost.branches.unwrap_or_default(), puzzle.try_into().expect("81 cells")));
                }
            }
            narrower = Some(verdicts);
        }
        worst.sort_by_key(|&(branches, _)| std::cmp::Reverse(branches));
        worst.truncate(10);
    }
    let [none, one, several, gave_up] = counts;
    println!("{count} grids, {none} without a solution, {one} with one found, {several} with several, {gave_up} given up:");
    println!("all agree");
    for (branches, puzzle) in worst {
        println!("{branches:8} branches  {}", line(&puzzle));
    }
}

/// A grid of the kind that `number` says.
fn grid(random: &mut Random, grids: &mut FullGrids, number: u64) -> Cells {
    // Grids with few clues take the bitmask engine many times as long, so they are a small part.
    match number % 32 {
        0..14 => part_of_solution(random, grids, 24, 60),
        14..24 => {
            let mut cells = part_of_solution(random, grids, 22, 81);
            for _ in 0..=random.below(2) {
                cells[random.below(81)] = random.below(10) as u8;
            }
            cells
        }
        24..28 => clues(random, 31, 9),
        28 => clues(random, 10, 1),
        29 => clues(random, 24, 3),
        30 => part_of_solution(random, grids, 17, 40),
        _ => part_of_solution(random, grids, 0, 26),
    }
}

/// Fewer than `most` clues anywhere, of the first `digits` digits.
fn clues(random: &mut Random, most: usize, digits: usize) -> Cells {
    let mut cells = [0; 81];
    for _ in 0..random.below(most) {
        cells[random.below(81)] = random.below(digits) as u8 + 1;
    }
    cells
}

/// From `fewest` to `most` cells of a full grid.
fn part_of_solution(random: &mut Random, grids: &mut FullGrids, fewest: usize, most: usize) -> Cells {
    let full = grids.next(random);
    let mut places: Vec<usize> = (0..81).collect();
    random.shuffle(&mut places);
    let mut cells = [0; 81];
    for &place in &places[..fewest + random.below(most - fewest + 1)] {
        cells[place] = full[place];
    }
    cells
}

/// Random full grids: one that the bitmask engine has filled, then some with its digits and the rows of its bands shuffled.
struct FullGrids {
    bitmask: Bitmask,
    grid: Cells,
    uses: usize,
}

impl FullGrids {
    fn next(&mut self, random: &mut Random) -> Cells {
        if self.uses % 50 == 0 {
            self.fill(random);
        }
        self.uses += 1;
        let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        random.shuffle(&mut digits);
        let mut rows = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        rows.chunks_mut(3).for_each(|band| random.shuffle(band));
        std::array::from_fn(|cell| digits[usize::from(self.grid[9 * rows[cell / 9] + cell % 9]) - 1])
    }

    /// Fills three boxes at random, and has the others filled.
    fn fill(&mut self, random: &mut Random) {
        let mut start = [0; 81];
        for number in 0..3 {
            let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
            random.shuffle(&mut digits);
            for (n, digit) in digits.into_iter().enumerate() {
                start[30 * number + 9 * (n / 3) + n % 3] = digit;
            }
        }
        let mut batch = Batch::new(Size::Nine);
        batch.push(&start);
        let mut verdicts = Verdicts::new();
        self.bitmask.solve(&batch, Bounds::new(Limit::FIRST), &mut verdicts);
        let full = verdicts.get(0).solution.expect("three boxes on the diagonal can be filled up");
        self.grid.copy_from_slice(full);
    }
}

fn line(cells: &[u8]) -> String {
    cells.iter().map(|&value| if value == 0 { '.' } else { char::from(b'0' + value) }).collect()
}

/// SplitMix64: good enough to mix grids, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

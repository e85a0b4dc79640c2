//! Canonical forms of random isomorphs of a few minimal puzzles, after a check that isomorphs have one form.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridmill::canon::{Canonicaliser, Class};
use gridmill::puzzle::{Isomorph, Size, rules};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Puzzles with their solutions, made for this bench: random grids without the clues that are not needed.
const PUZZLES: [(&str, &str); 12] = [
    (
        ".9.1...........59..24..51..478........2.9..8..192........5.83.....62.....35.....2",
        "593167248167842593824935176478356921352791684619284735246578319981623457735419862",
    ),
    (
        "49..........1..4.7..2..3...2.....7....9..4.3.5..37.21..8..........7213.....58.6..",
        "491657823853192467672843195238915746719264538546378219187436952965721384324589671",
    ),
    (
        "2....14..........8.6.2.4....9.4...6..7..8..1..5..7.9...........5.7.....23...9.6..",
        "239851476415967238768234159193425867672389514854176923926543781547618392381792645",
    ),
    (
        "4...........8.....5....9287......1....9.7.....5..82.937.6.3..1..8.6....4.412....5",
        "468721359972853461513469287837945126129376548654182793796534812285617934341298675",
    ),
    (
        ".8...5.73....4......1..8.....8.37....1.......79..84.2........6.2.6....8..7....1.9",
        "982615473567349812341728695628537941413962758795184326159873264236491587874256139",
    ),
    (
        "3.....7.1..14......9....6..4..95....23..8......5....74.....316....7.....8...6.927",
        "384526791651479382792831645418957236237684519965312874579243168126798453843165927",
    ),
    (
        "93...8.46........9..1...7...8752.1..........34...1..8.............2..3...269....5",
        "932178546574362819861495732687523194219847653453619287145736928798254361326981475",
    ),
    (
        "8..1...464...5.....61....2..8.34..........4......6..95.9....3.1.2...9....7.48...2",
        "859132746432657819761894523985341267617925438243768195594276381328519674176483952",
    ),
    (
        "1...5.83..23.6...54.....9.....5..6...8.......3..1897..5...1..8....4..5...3..7...6",
        "196754832823961475457328961741532698985647213362189754574216389618493527239875146",
    ),
    (
        "...2..4....793.68.3.64.....95......66...4..7..7.....4.8......5......2..7..5.61...",
        "518276439247935681396418725954827316683149572172653948861794253439582167725361894",
    ),
    (
        ".12....6.........9.78..3......689..3.3.2.......1.....4..4..59.7.5.4....8.....8...",
        "912874365543126789678953421425689173739241856861537294284365917157492638396718542",
    ),
    (
        ".84..3...21..6....9.....8.23....6...7.....1...4.9.16...234....1..5..7486........9",
        "584123967217869534936574812351746298769382145842951673623498751195237486478615329",
    ),
];

/// A puzzle on the grid with 648 automorphisms, and the grid.
const SYMMETRIC: (&str, &str) = (
    "8.9..34...4.....5....6......9..15...47..8...33......8......1..7.13.46..9...92....",
    "829153476647892351135674298298315764476289513351467982982531647513746829764928135",
);

/// A puzzle of a smaller size, and its solution.
const FOUR: (&str, &str) = ("1.3..........4.2", "1234432121433412");
const SIX: (&str, &str) = ("3....44.1......5....4.6.6.........21", "365214421356136542254163612435543621");

const ISOMORPHS: usize = 100;

fn grid(text: &str) -> Vec<u8> {
    text.bytes().map(|c| if c == b'.' { 0 } else { c - b'0' }).collect()
}

/// The size of some puzzles.
fn size_of(puzzles: &[(&str, &str)]) -> Size {
    Size::from_cells(puzzles[0].0.len()).expect("the cells of a size")
}

/// Isomorphs of puzzles and of their solutions: one of each puzzle, then another of each, and so on.
fn isomorphs(puzzles: &[(&str, &str)]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let size = size_of(puzzles);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut isomorphs = Vec::new();
    for (puzzle, solution) in puzzles.repeat(ISOMORPHS) {
        let isomorph = Isomorph::random(size, &mut random);
        let image = |text| {
            let mut image = vec![0; size.cells()];
            isomorph.apply_into(&grid(text), &mut image);
            image
        };
        isomorphs.push((image(puzzle), image(solution)));
    }
    isomorphs
}

/// Checks that isomorphs have the form of their puzzle, by its solution and by its clues.
fn check(canonicaliser: &mut Canonicaliser, puzzles: &[(&str, &str)], isomorphs: &[(Vec<u8>, Vec<u8>)]) {
    for ((puzzle, solution), (isomorph, solved)) in puzzles.iter().cycle().zip(isomorphs) {
        let form = canonicaliser.of_unique(&grid(puzzle), &grid(solution));
        assert!(rules::is_solution(size_of(puzzles), &form.puzzle, &form.solution), "{puzzle}");
        assert_eq!(canonicaliser.of_unique(isomorph, solved), form, "{puzzle}");
        let by_clues = canonicaliser.of_clues(&grid(puzzle), Canonicaliser::BOUND).expect("a form within the bound");
        assert_eq!(canonicaliser.of_clues(isomorph, Canonicaliser::BOUND), Ok(by_clues), "{puzzle}");
    }
}

fn canon(c: &mut Criterion) {
    let mut canonicaliser = Canonicaliser::new();
    let first = canonicaliser.of_unique(&grid(PUZZLES[0].0), &grid(PUZZLES[0].1));
    assert_eq!(Class::of(&first.puzzle).to_string(), "059919c19f08f4d4833232c3fc79745c");
    let symmetric = canonicaliser.of_unique(&grid(SYMMETRIC.0), &grid(SYMMETRIC.1));
    assert_eq!((first.automorphisms, symmetric.automorphisms), (1, 648));

    let mut group = c.benchmark_group("canon");
    for (name, originals) in [("random", &PUZZLES[..]), ("symmetric", &[SYMMETRIC]), ("4x4", &[FOUR]), ("6x6", &[SIX])]
    {
        let puzzles = isomorphs(originals);
        check(&mut canonicaliser, originals, &puzzles);
        group.throughput(Throughput::Elements(puzzles.len() as u64));
        group.bench_function(format!("of_unique/{name}"), |b| {
            b.iter(|| {
                for (puzzle, solution) in &puzzles {
                    black_box(canonicaliser.of_unique(puzzle, solution));
                }
            });
        });
        group.bench_function(format!("of_clues/{name}"), |b| {
            b.iter(|| {
                for (puzzle, _) in &puzzles {
                    black_box(canonicaliser.of_clues(puzzle, Canonicaliser::BOUND).expect("a form within the bound"));
                }
            });
        });
    }
    let puzzles = isomorphs(&PUZZLES);
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function("class", |b| {
        b.iter(|| {
            for (puzzle, _) in &puzzles {
                black_box(Class::of(puzzle));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, canon);
criterion_main!(benches);

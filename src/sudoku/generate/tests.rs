use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::*;
use crate::canon::Canonicaliser;
use crate::puzzle::{Grid, rules};

/// Random grids of a size, from the seed 1.
fn grids(size: Size, count: usize) -> impl Iterator<Item = Vec<u8>> {
    let (mut grids, mut rng) = (RandomGrids::new(size), Xoshiro256PlusPlus::seed_from_u64(1));
    (0..count).map(move |_| {
        let mut grid = vec![0; size.cells()];
        grids.fill(&mut rng, &mut grid);
        grid
    })
}

#[test]
fn grids_obey_the_rules_and_differ() {
    let counts = [50, 200, 200, 200, 20, 10, 3, 2];
    for (size, count) in Size::ALL.into_iter().zip(counts) {
        let blank = vec![0; size.cells()];
        let mut all: Vec<Vec<u8>> = grids(size, count).collect();
        assert!(all.iter().all(|grid| rules::is_solution(size, &blank, grid)), "{size}");
        all.sort();
        all.dedup();
        // There are 288 grids of 4x4.
        assert!(all.len() == count || size == Size::Four && all.len() > 30, "{} of {size}", all.len());
    }
}

/// Chi-square of counts and their expectations.
fn chi_square(counts: &[(u64, f64)]) -> f64 {
    counts.iter().map(|&(count, expected)| (count as f64 - expected).powi(2) / expected).sum()
}

/// By how many standard deviations chi-square of some counts differs from its mean, which is nearly normal if the counts are
/// many. Each draw adds to one of the counts.
fn deviation(counts: &[(u64, f64)]) -> f64 {
    let freedom = counts.len() as f64 - 1.0;
    (chi_square(counts) - freedom) / (2.0 * freedom).sqrt()
}

/// The deviations of 9x9 grids from uniform ones: of bands and of stacks, of the digits of each cell, and of the number of
/// grids with automorphisms, if there are enough.
fn deviations(grids: impl Iterator<Item = Vec<u8>>) -> Vec<(&'static str, f64)> {
    /// By the number of automorphisms, the number of classes of grids (Russell and Jarvis, 2006).
    const AUTOMORPHIC: [(f64, f64); 14] = [
        (2.0, 548_449.0),
        (3.0, 7_336.0),
        (4.0, 2_826.0),
        (6.0, 1_257.0),
        (8.0, 29.0),
        (9.0, 42.0),
        (12.0, 92.0),
        (18.0, 85.0),
        (27.0, 2.0),
        (36.0, 15.0),
        (54.0, 11.0),
        (72.0, 2.0),
        (108.0, 3.0),
        (162.0, 1.0),
    ];

    /// `9! * 6^8 * 2`.
    const ISOMORPHISMS: f64 = 1_218_998_108_160.0;

    let (mut bands, mut digits, mut automorphic, mut count) = (BandCounts::default(), vec![[0_u64; 9]; 81], 0_u64, 0.0);
    let mut canonicaliser = Canonicaliser::new();
    for grid in grids {
        let grid: &Grid = grid[..].try_into().unwrap();
        bands.add(grid);
        for (counts, digit) in digits.iter_mut().zip(grid) {
            counts[usize::from(digit - 1)] += 1;
        }
        automorphic += u64::from(canonicaliser.of_unique(grid, grid).automorphisms > 1);
        count += 1.0;
    }

    let names = ["top bands", "middle bands", "bottom bands", "left stacks", "middle stacks", "right stacks"];
    let of_digits = digits.iter().flatten().map(|&number| (number, count / 9.0)).collect::<Vec<_>>();
    let found = bands.compare(chi_square(&of_digits)).unwrap();
    let of_bands = names.into_iter().zip(found.bands.unwrap());
    let classes = 1.0 / 648.0 + AUTOMORPHIC.iter().map(|(order, classes)| classes / order).sum::<f64>();
    let expected = classes * ISOMORPHISMS / BandShare::GRIDS as f64 * count;
    let of_automorphisms = (automorphic as f64 - expected) / expected.sqrt();
    of_bands.chain([("digits by cell", found.digits), ("automorphisms", of_automorphisms)]).collect()
}

/// `GRIDMILL_GRIDS` is another number of grids, or a file of grids, for `scripts/check-uniform`.
#[test]
fn grids_of_9x9_are_uniform() {
    let asked = std::env::var("GRIDMILL_GRIDS").unwrap_or("20000".to_owned());
    let found = if let Ok(count) = asked.parse() {
        deviations(grids(Size::Nine, count))
    } else {
        let text = std::fs::read_to_string(asked).unwrap();
        deviations(text.lines().map(|line| line.bytes().map(|digit| digit - b'0').collect()))
    };
    for (name, deviation) in found {
        println!("{name}: {deviation:+.2} standard deviations");
        assert!(deviation.abs() < 4.0, "{name}: {deviation:+.2} standard deviations");
    }
}

/// One grid in twenty is an isomorph of the same one, so the classes of its bands are too frequent.
#[test]
fn grids_that_are_not_uniform_are_found_out() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let grid: Grid = grids(Size::Nine, 1).next().unwrap().try_into().unwrap();
    let biased = grids(Size::Nine, 5000).enumerate().map(|(index, other)| {
        if index % 20 == 0 { Isomorph::random(Size::Nine, &mut rng).apply(&grid).to_vec() } else { other }
    });
    let (name, largest) = deviations(biased).into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!(largest > 8.0, "{name}: {largest:+.2} standard deviations");
}

#[test]
fn all_4x4_grids_are_equally_frequent() {
    let mut counts = std::collections::HashMap::new();
    grids(Size::Four, 28_800).for_each(|grid| *counts.entry(grid).or_insert(0) += 1);
    assert_eq!(counts.len(), 288);
    let deviation = deviation(&counts.into_values().map(|count| (count, 100.0)).collect::<Vec<_>>());
    assert!(deviation.abs() < 4.0, "{deviation}");
}

/// The numbers of grids are known; the grids of the list are different, and renaming and exchanging rows makes all of them.
#[test]
fn the_list_of_small_grids_stands_for_all() {
    for (size, exchanges, all) in [(Size::Four, 2, 288), (Size::Six, 8, 28_200_960)] {
        let names: usize = (1..=size.side()).product();
        let listed = SmallGrids::get(size).grids().collect::<std::collections::HashSet<_>>();
        assert_eq!(listed.len() * names * exchanges, all, "{size}");
        assert!(listed.iter().all(|grid| rules::is_solution(size, &vec![0; size.cells()], grid)));
    }
}

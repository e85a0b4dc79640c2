//! Compares the search with the simplest implementation of its description.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::*;
use crate::puzzle::{Geometry, Isomorph, shifted_grid};

/// An event in words, such as `place 4 3 box 1`.
type Words = String;

/// The candidates of each cell; empty for a filled cell.
#[derive(Clone)]
struct Naive {
    size: Size,
    values: Vec<u8>,
    candidates: Vec<BTreeSet<u8>>,
}

impl Naive {
    fn new(size: Size, candidates: Vec<BTreeSet<u8>>) -> Naive {
        Naive { size, values: vec![0; size.cells()], candidates }
    }

    fn of_clues(size: Size, clues: &[u8]) -> Naive {
        let all: BTreeSet<u8> = (1..=size.side() as u8).collect();
        let mut grid = Naive::new(size, vec![all; size.cells()]);
        for (cell, &value) in clues.iter().enumerate().filter(|(_, value)| **value > 0) {
            grid.place(cell, value);
        }
        grid
    }

    fn place(&mut self, cell: usize, value: u8) {
        self.values[cell] = value;
        self.candidates[cell].clear();
        for &peer in Geometry::of(self.size).peers(cell) {
            self.candidates[usize::from(peer)].remove(&value);
        }
    }

    /// The next event, with the cell and the value that it fills; `None` for a failure.
    fn next(&self) -> (Words, Option<(usize, u8)>) {
        let blanks: Vec<usize> = (0..self.values.len()).filter(|&cell| self.values[cell] == 0).collect();
        if blanks.is_empty() {
            return ("solved".into(), None);
        }
        if let Some(cell) = blanks.iter().find(|&&cell| self.candidates[cell].is_empty()) {
            return (format!("fail {cell}"), None);
        }

        // The missing values of each house, with their places.
        let places = Geometry::of(self.size).houses().flat_map(|(house, cells)| {
            (1..=self.size.side() as u8).filter_map(move |value| {
                if cells.iter().any(|&cell| self.values[usize::from(cell)] == value) {
                    return None;
                }
                let places = cells.iter().map(|&cell| usize::from(cell));
                let places: Vec<usize> = places.filter(|&cell| self.candidates[cell].contains(&value)).collect();
                Some((house, value, places))
            })
        });
        let places: Vec<(House, u8, Vec<usize>)> = places.collect();
        if let Some((house, value, _)) = places.iter().find(|(.., places)| places.is_empty()) {
            return (format!("fail {value} {house}"), None);
        }

        let first = |cell: usize| *self.candidates[cell].first().unwrap();
        if let Some(&cell) = blanks.iter().find(|&&cell| self.candidates[cell].len() == 1) {
            return (format!("place {cell} {} Naked Single", first(cell)), Some((cell, first(cell))));
        }
        if let Some((house, value, places)) = places.iter().find(|(.., places)| places.len() == 1) {
            return (format!("place {} {value} Hidden Single {house}", places[0]), Some((places[0], *value)));
        }
        let cell = *blanks.iter().min_by_key(|&&cell| self.candidates[cell].len()).unwrap();
        (format!("guess {cell} {}", first(cell)), Some((cell, first(cell))))
    }

    /// All events, unless there are more guesses than `max_guesses`.
    fn search(mut self, max_guesses: usize) -> (Vec<Words>, SearchEnd) {
        let (mut all, mut guesses, mut left) = (vec!["start".to_owned()], vec![], max_guesses);
        loop {
            let (words, filled) = self.next();
            if words.starts_with("guess") {
                if left == 0 {
                    return (all, SearchEnd::TooManyGuesses);
                }
                left -= 1;
                guesses.push((self.clone(), filled.unwrap()));
            }
            all.push(words);
            if let Some((cell, value)) = filled {
                self.place(cell, value);
                continue;
            }
            if all.last().unwrap() == "solved" {
                return (all, SearchEnd::Solved);
            }
            let Some((before, (cell, value))) = guesses.pop() else { return (all, SearchEnd::Unsolvable) };
            all.push(format!("back {cell} {value}"));
            self = before;
            self.candidates[cell].remove(&value);
        }
    }
}

/// The events of a search, in the same words.
fn in_words(events: &Events) -> Vec<Words> {
    let all = events.all.iter().map(|event| {
        let words = [
            Some(<&str>::from(event.kind).to_owned()),
            event.cell.map(|cell| cell.to_string()),
            event.value.map(|value| value.to_string()),
            events.technique(event).map(|technique| technique.to_string()),
            events.houses(event).first().map(ToString::to_string),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    });
    all.collect()
}

/// A full grid, drawn by `seed`.
fn solution(size: Size, seed: u64) -> Vec<u8> {
    let mut grid = vec![0; size.cells()];
    Isomorph::random(size, &mut Xoshiro256PlusPlus::seed_from_u64(seed)).apply_into(&shifted_grid(size), &mut grid);
    grid
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Includes puzzles with several solutions, or none.
    #[test]
    fn a_search_is_what_its_description_says(
        size in proptest::sample::select(&Size::ALL[..3]),
        seed in any::<u64>(),
        kept in proptest::collection::vec(0..100_u8, Size::Sixteen.cells()),
        percent in 25..60_u8,
        wrong in proptest::option::of(0..81_usize),
        max_guesses in 0..30_usize,
    ) {
        let mut clues = solution(size, seed);
        for (cell, kept) in clues.iter_mut().zip(&kept) {
            *cell = if *kept < percent { *cell } else { 0 };
        }
        // A clue that agrees with all clues, but probably not with the solution.
        if let Some(cell) = wrong.filter(|&cell| clues.get(cell) == Some(&0)) {
            let grid = Naive::of_clues(size, &clues);
            clues[cell] = grid.candidates[cell].last().copied().unwrap_or(0);
        }

        let (expected, end) = Naive::of_clues(size, &clues).search(max_guesses);
        let mut events = Events::new(false);
        let found = search(size, Start::Clues(&clues), max_guesses as u64, &Stop::new(), &mut events);
        prop_assert_eq!(found, Ok(end));
        prop_assert_eq!(in_words(&events), expected);
    }

    #[test]
    fn pencilmark_puzzles_are_searched_by_their_candidates(
        seed in any::<u64>(),
        extra in proptest::collection::vec(0..0x200_u16, 81),
        max_guesses in 0..30_usize,
    ) {
        let candidates: Vec<u16> =
            solution(Size::Nine, seed).iter().zip(extra).map(|(value, extra)| 1 << (value - 1) | extra & extra >> 3).collect();
        let symbol = |(digits, index): (u16, u8)| if digits >> index & 1 == 1 { char::from(b'1' + index) } else { '.' };
        let text: String =
            candidates.iter().flat_map(|&digits| (0..9).map(move |index| (digits, index))).map(symbol).collect();
        let puzzle: Pencilmarks = text.parse().unwrap();
        let sets = candidates.iter().map(|digits| (1..=9).filter(|value| digits >> (value - 1) & 1 == 1).collect());

        let (expected, end) = Naive::new(Size::Nine, sets.collect()).search(max_guesses);
        let mut events = Events::new(false);
        let found = search(Size::Nine, Start::Pencilmarks(&puzzle), max_guesses as u64, &Stop::new(), &mut events);
        prop_assert_eq!(found, Ok(end));
        prop_assert_eq!(in_words(&events), expected);
    }
}

//! A book of puzzles to print: some on each page, the solutions at the end.

use serde::Serialize;

use super::grid::Grid;
use super::rendered;

/// A book of puzzles.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Book {
    pub(crate) title: String,
    version: &'static str,
    /// How puzzles are laid out.
    layout: Layout,
    /// How solutions are.
    solution_layout: Layout,
    puzzles: Vec<Vec<Numbered>>,
    solutions: Vec<Vec<Numbered>>,
}

/// A grid with its number in the book.
#[derive(Clone, Debug, Serialize)]
struct Numbered {
    number: usize,
    grid: Grid,
}

/// How many times as many solutions as puzzles stand on a page at most.
const SOLUTIONS: usize = 4;

/// The least side of a cell of a solution in millimetres, so that one can read its digit.
const SMALLEST_CELL: usize = 3;

impl Book {
    /// A book of puzzles with their solutions, with so many puzzles on a page.
    pub(crate) fn new(title: &str, grids: Vec<(Grid, Grid)>, per_page: usize) -> Book {
        let number = |grids: Vec<Grid>| -> Vec<Numbered> {
            (1..).zip(grids).map(|(number, grid)| Numbered { number, grid }).collect()
        };
        let (puzzles, solutions): (Vec<Grid>, Vec<Grid>) = grids.into_iter().unzip();
        let side = puzzles.iter().map(Grid::side).max().unwrap_or(0);
        let is_readable = |&count: &usize| Layout::new(count).size >= side * SMALLEST_CELL;
        let per_solution_page = (per_page..=per_page * SOLUTIONS).rev().find(is_readable).unwrap_or(per_page);
        let pages = |grids: Vec<Numbered>, size: usize| grids.chunks(size).map(<[_]>::to_vec).collect();
        Book {
            title: title.to_owned(),
            version: env!("CARGO_PKG_VERSION"),
            layout: Layout::new(per_page),
            solution_layout: Layout::new(per_solution_page),
            puzzles: pages(number(puzzles), per_page),
            solutions: pages(number(solutions), per_solution_page),
        }
    }

    /// The book as HTML that is also XML.
    pub(crate) fn html(&self) -> anyhow::Result<String> {
        rendered(include_str!("sheet.html"), self)
    }
}

/// How grids are laid out on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Layout {
    /// How many stand beside each other.
    columns: usize,
    /// The side of a grid in millimetres.
    size: usize,
}

impl Layout {
    /// The space for grids on a page of A4 or Letter below a title, in millimetres.
    const WIDTH: usize = 175;
    const HEIGHT: usize = 225;

    /// The space between grids, with the numbers above them.
    const BETWEEN: usize = 14;

    /// The layout in which so many grids are largest.
    fn new(per_page: usize) -> Layout {
        let size = |columns: usize| {
            let rows = per_page.div_ceil(columns);
            (Layout::WIDTH / columns).min(Layout::HEIGHT / rows).saturating_sub(Layout::BETWEEN)
        };
        let columns = (1..=per_page).rev().max_by_key(|&columns| size(columns)).unwrap_or(1);
        Layout { columns, size: size(columns) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_can_be_read() {
        let book = |per_page, side: usize| {
            let grid = || Grid::parse(&".".repeat(side * side), "").unwrap();
            Book::new("", vec![(grid(), grid())], per_page).solution_layout
        };
        for (per_page, side, size) in
            [(1, 9, 73), (6, 9, 29), (12, 9, 29), (6, 4, 23), (2, 16, 61), (6, 16, 61), (1, 25, 98)]
        {
            assert_eq!(book(per_page, side).size, size, "{per_page} of side {side}");
        }
    }

    #[test]
    fn grids_are_as_large_as_the_page_allows() {
        for (per_page, columns, size) in [(1, 1, 161), (2, 1, 98), (4, 2, 73), (6, 2, 61), (24, 4, 23)] {
            assert_eq!(Layout::new(per_page), Layout { columns, size }, "{per_page}");
        }
    }
}

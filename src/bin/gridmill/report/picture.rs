//! Draws puzzles as one SVG picture: one puzzle, or several with their numbers above them.

use serde::Serialize;

use super::grid::Grid;
use super::rendered;

/// The most puzzles that a picture has.
pub(crate) const MAX_GRIDS: usize = 100;

/// The side of a grid, and of the space around it, in the units of the picture.
const SIDE: usize = 360;
const SPACE: usize = 20;

/// The space for a number above a grid.
const NUMBER: usize = 26;

/// A picture of puzzles.
#[derive(Debug, Serialize)]
pub(crate) struct Picture {
    width: usize,
    height: usize,
    side: usize,
    puzzles: Vec<Placed>,
}

/// A puzzle with its place in the picture.
#[derive(Debug, Serialize)]
struct Placed {
    x: usize,
    y: usize,
    /// Its number, if there are several.
    number: Option<usize>,
    /// The side of a cell.
    cell: f64,
    grid: Grid,
}

impl Picture {
    /// Places puzzles in rows, so that the picture is about as wide as it is high.
    pub(crate) fn new(grids: Vec<Grid>) -> Picture {
        let count = grids.len();
        let columns = (1..=count).find(|columns| columns * columns >= count).unwrap_or(1);
        let above = if count > 1 { NUMBER } else { 0 };
        let (step_x, step_y) = (SIDE + SPACE, SIDE + SPACE + above);
        let place = |(index, grid): (usize, Grid)| Placed {
            x: SPACE + index % columns * step_x,
            y: SPACE + above + index / columns * step_y,
            number: (count > 1).then_some(index + 1),
            cell: SIDE as f64 / grid.side() as f64,
            grid,
        };
        Picture {
            width: SPACE + columns * step_x,
            height: SPACE + count.div_ceil(columns) * step_y,
            side: SIDE,
            puzzles: grids.into_iter().enumerate().map(place).collect(),
        }
    }

    /// The picture as SVG.
    pub(crate) fn svg(&self) -> anyhow::Result<String> {
        rendered(include_str!("picture.svg"), self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_of_all_sizes_are_drawn_in_their_places() {
        for (count, columns, rows) in [(1, 1, 1), (2, 2, 1), (5, 3, 2), (MAX_GRIDS, 10, 10)] {
            for side in [4_usize, 9, 16, 25] {
                let cells = format!("1{}", ".".repeat(side * side - 1));
                let picture = Picture::new(vec![Grid::parse(&cells, "").unwrap(); count]);
                let above = if count > 1 { NUMBER } else { 0 };
                assert_eq!(picture.width, SPACE + columns * (SIDE + SPACE));
                assert_eq!(picture.height, SPACE + rows * (SIDE + SPACE + above));
                let svg = picture.svg().unwrap();
                assert_eq!(svg.matches("<g transform").count(), count);
                assert_eq!(svg.matches(">1</text>").count(), count + usize::from(count > 1), "{svg}");
            }
        }
    }
}

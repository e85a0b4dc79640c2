//! Lays out a book: the positions of its grids, numbers, hints and page numbers.

use super::drawing::{Anchor, Figure, Line, Page, PageSize, Style, Text, width, wrapped};
use super::{Book, BookPuzzle};

/// The margin around the content of a page, in millimetres like all lengths here.
const MARGIN: f32 = 15.0;

/// The space for the title. All pages leave it free, so that grids are at the same positions.
const TITLE: f32 = 12.0;

/// The space between grids, with the number above one and the label below it.
const BETWEEN: f32 = 14.0;

/// The minimum side of a cell in a solution, so that its digit is readable.
const SMALLEST_CELL: f32 = 3.0;

/// The maximum number of solutions on a page, as a multiple of the number of puzzles.
const SOLUTIONS: usize = 4;

/// The size of numbers, labels and hints.
const SMALL: f32 = 3.5;

/// The distance between lines of hints.
const LEADING: f32 = 5.0;

/// The minimum width of each of two columns of hints.
const LEAST_COLUMN: f32 = 75.0;

/// The height of a digit above the baseline, as a fraction of the size of the font.
const CAP_HEIGHT: f32 = 0.72;

/// The explanation of the notation of hints.
const NOTATION: &str = "r4c5 is the cell in row 4 and column 5. r4c5=7 says that it is 7, and r4c5<>{1,2} that it is neither 1 nor 2. {4,7} are the digits of a pattern.";

/// The pages of a book.
pub(super) fn pages(book: &Book) -> Vec<Page> {
    let PageSize { width, height } = book.paper.size();
    let paper = PageSize { width: width - book.binding, height };
    let side = book.puzzles.iter().map(|puzzle| puzzle.size.side()).max().unwrap_or(0);
    let is_readable = |&count: &usize| Arrangement::new(paper, count).size >= side as f32 * SMALLEST_CELL;
    let most = book.per_page * SOLUTIONS;
    let per_solution_page = (book.per_page..=most).rev().find(is_readable).unwrap_or(book.per_page);

    let (arrangement, mut pages, mut start) = (Arrangement::new(paper, book.per_page), vec![], 0);
    for puzzles in book.puzzles.chunk_by(|one, next| !book.by_level || one.level == next.level) {
        let level = puzzles[0].level.filter(|_| book.by_level).map(|level| format!(": {level}"));
        let title = format!("{}{}", book.title, level.unwrap_or_default());
        let id = if start == 0 { "title".to_owned() } else { format!("title-{}", start + 1) };
        pages.extend(grid_pages(start, puzzles, &arrangement, GridKind::Puzzle, titled(&id, &title, paper)));
        start += puzzles.len();
    }
    if book.puzzles.iter().any(|puzzle| !puzzle.hints.is_empty()) {
        pages.extend(hint_pages(&book.puzzles, paper));
    }
    let arrangement = Arrangement::new(paper, per_solution_page);
    let first = titled("solutions", "Solutions", paper);
    pages.extend(grid_pages(0, &book.puzzles, &arrangement, GridKind::Solution, first));

    for (number, page) in (1..).zip(&mut pages) {
        let mut foot = Figure::new(format!("page-{number}"));
        let at = [paper.width / 2.0, paper.height - MARGIN / 2.0];
        foot.texts.push(Text {
            content: number.to_string(),
            at,
            size: SMALL,
            anchor: Anchor::Middle,
            style: Style::Plain,
        });
        page.figures.push(foot);
        // Odd pages are on the right, and are bound on their left side.
        if number % 2 == 1 {
            page.figures.iter_mut().for_each(|figure| figure.shift(book.binding));
        }
    }
    pages
}

/// The arrangement of grids on a page. They are as large as it allows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Arrangement {
    /// The number of grids.
    count: usize,
    /// The number of grids in a row.
    columns: usize,
    /// The space for each grid, its number and its label.
    space: [f32; 2],
    /// The side of a grid.
    size: f32,
}

impl Arrangement {
    fn new(paper: PageSize, count: usize) -> Arrangement {
        let (width, height) = (paper.width - 2.0 * MARGIN, paper.height - 2.0 * MARGIN - TITLE);
        let of_columns = |columns: usize| {
            let space = [width / columns as f32, height / count.div_ceil(columns) as f32];
            Arrangement { count, columns, space, size: space[0].min(space[1]) - BETWEEN }
        };
        let largest = (1..=count).rev().map(of_columns).max_by(|one, other| one.size.total_cmp(&other.size));
        largest.expect("a page has a grid")
    }

    /// The top left corner of a grid, by its index on the page.
    fn corner(&self, index: usize) -> [f32; 2] {
        let [width, height] = self.space;
        let (row, column) = ((index / self.columns) as f32, (index % self.columns) as f32);
        let left = MARGIN + column * width + (width - self.size) / 2.0;
        [left, MARGIN + TITLE + row * height + BETWEEN / 2.0]
    }
}

/// The parts of a puzzle to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GridKind {
    Puzzle,
    Solution,
}

/// Pages of grids, whose numbers follow `start`. The first page has a title.
fn grid_pages(
    start: usize,
    puzzles: &[BookPuzzle],
    arrangement: &Arrangement,
    kind: GridKind,
    mut page: Page,
) -> Vec<Page> {
    let mut pages = vec![];
    for (start, puzzles) in (start..).step_by(arrangement.count).zip(puzzles.chunks(arrangement.count)) {
        for (index, puzzle) in puzzles.iter().enumerate() {
            page.figures.push(figure(puzzle, start + index + 1, kind, arrangement.corner(index), arrangement.size));
        }
        pages.push(std::mem::take(&mut page));
    }
    pages
}

/// A page with a title. A long title is printed smaller.
fn titled(id: &str, title: &str, paper: PageSize) -> Page {
    let mut figure = Figure::new(id.to_owned());
    let fitting = (paper.width - 2.0 * MARGIN) / width(title, 1.0, Style::Strong);
    let (at, size) = ([MARGIN, MARGIN + TITLE / 2.0], fitting.min(6.0));
    figure.texts.push(Text { content: title.to_owned(), at, size, anchor: Anchor::Start, style: Style::Strong });
    Page { figures: vec![figure] }
}

/// A grid with its number, and its label if it is a puzzle.
fn figure(puzzle: &BookPuzzle, number: usize, kind: GridKind, corner: [f32; 2], size: f32) -> Figure {
    let (id, cells) = match kind {
        GridKind::Puzzle => (format!("puzzle-{number}"), &puzzle.cells),
        GridKind::Solution => (format!("solution-{number}"), &puzzle.solution),
    };
    let mut figure = Figure::new(id);
    let [left, top] = corner;
    let centred = |content: String, at: [f32; 2], size: f32, style: Style| {
        // The middle of the digit is at this position.
        let at = [at[0], at[1] + CAP_HEIGHT / 2.0 * size];
        Text { content, at, size, anchor: Anchor::Middle, style }
    };

    // Draw the lines between cells, then the lines between boxes over them.
    let columns = puzzle.size.side();
    let cell = size / columns as f32;
    for is_border in [false, true] {
        let width = if is_border { 0.5 } else { 0.12 };
        // The corners of the frame are square.
        let over = width / 2.0;
        let along = |lines_of_band: usize| {
            let lines = (0..=columns).filter(move |&index| (index % lines_of_band == 0) == is_border);
            lines.map(|index| index as f32 * cell)
        };
        for down in along(puzzle.size.box_rows()) {
            let [from, to] = [[left - over, top + down], [left + size + over, top + down]];
            figure.lines.push(Line { from, to, width });
        }
        for right in along(puzzle.size.box_columns()) {
            let [from, to] = [[left + right, top - over], [left + right, top + size + over]];
            figure.lines.push(Line { from, to, width });
        }
    }

    let middle = left + size / 2.0;
    figure.texts.push(centred(number.to_string(), [middle, top - 3.0], SMALL, Style::Plain));
    for (index, (&value, &clue)) in cells.iter().zip(&puzzle.cells).enumerate() {
        if value != 0 {
            let at = [index % columns, index / columns].map(|position| (position as f32 + 0.5) * cell);
            let style = if clue == 0 { Style::Faint } else { Style::Strong };
            let symbol = char::from(puzzle.alphabet.symbol(value)).to_string();
            figure.texts.push(centred(symbol, [left + at[0], top + at[1]], 0.62 * cell, style));
        }
    }
    if let (GridKind::Puzzle, Some(label)) = (kind, &puzzle.label) {
        figure.texts.push(centred(label.clone(), [middle, top + size + 3.2], SMALL, Style::Faint));
    }
    figure
}

/// Pages of hints, each under the number of its puzzle. Wide pages have two columns.
fn hint_pages(puzzles: &[BookPuzzle], paper: PageSize) -> Vec<Page> {
    let text = |content: String, y: f32, style: Style| Text {
        content,
        at: [MARGIN, y],
        size: SMALL,
        anchor: Anchor::Start,
        style,
    };
    let width = paper.width - 2.0 * MARGIN;
    let (mut top, bottom) = (MARGIN + TITLE + LEADING, paper.height - 2.0 * MARGIN);
    let mut first = titled("hints", "Hints", paper);
    for line in wrapped(NOTATION, SMALL, width) {
        first.figures[0].texts.push(text(line, top, Style::Faint));
        top += LEADING;
    }

    let per_page = if width < 2.0 * LEAST_COLUMN { 1 } else { 2 };
    let column_width = (width + LEADING) / per_page as f32 - LEADING;
    let (mut columns, mut y) = (vec![vec![]], top);
    for (number, puzzle) in (1..).zip(puzzles).filter(|(_, puzzle)| !puzzle.hints.is_empty()) {
        let hints = puzzle.hints.iter().flat_map(|hint| wrapped(hint, SMALL, column_width));
        let lines: Vec<_> =
            [(number.to_string(), Style::Strong)].into_iter().chain(hints.map(|hint| (hint, Style::Plain))).collect();
        y += LEADING / 2.0;
        // Keep the hints of a puzzle in one column, or at least the number with the first line.
        let height = LEADING * (lines.len() - 1) as f32;
        if y + if top + height <= bottom { height } else { LEADING } > bottom {
            columns.push(vec![]);
            y = top;
        }

        let mut figure = Figure::new(format!("hints-{number}"));
        for (index, (line, style)) in lines.into_iter().enumerate() {
            if y > bottom {
                let rest = Figure::new(format!("hints-{number}-line-{index}"));
                columns.last_mut().expect("there is a column").push(std::mem::replace(&mut figure, rest));
                columns.push(vec![]);
                y = top;
            }
            figure.texts.push(text(line, y, style));
            y += LEADING;
        }
        columns.last_mut().expect("there is a column").push(figure);
    }

    let mut pages = vec![first];
    pages.resize(columns.len().div_ceil(per_page), Page::default());
    for (index, column) in columns.into_iter().enumerate() {
        for mut figure in column {
            figure.shift((index % per_page) as f32 * (column_width + LEADING));
            pages[index / per_page].figures.push(figure);
        }
    }
    pages
}

#[cfg(test)]
mod tests {
    use gridmill::rating::Level;
    use gridmill::{Alphabet, Size};

    use super::super::Paper;
    use super::*;

    fn book(size: Size, puzzles: usize, per_page: usize, paper: Paper) -> Book {
        let puzzle = BookPuzzle {
            size,
            alphabet: Alphabet::for_size(size).next().unwrap(),
            cells: vec![0; size.cells()],
            solution: vec![1; size.cells()],
            level: Some(Level::VeryHard),
            label: Some("very hard, ER 4.5".to_owned()),
            hints: vec!["1. Naked Pair (3.0): {4,7} in r4c5 r4c6 of row 4: r4c1<>{4}, r4c2<>{4,7} ".repeat(3); 5],
        };
        let title = "A long title of a book, ".repeat(5);
        Book { title, paper, binding: 12.0, by_level: true, per_page, puzzles: vec![puzzle; puzzles] }
    }

    #[test]
    fn grids_are_as_large_as_the_page_allows() {
        for (count, columns, size) in [(1, 1, 166.0), (2, 1, 113.5), (4, 2, 76.0), (6, 2, 71.0), (24, 4, 28.5)] {
            let arrangement = Arrangement::new(Paper::A4.size(), count);
            assert_eq!((arrangement.columns, arrangement.size), (columns, size), "{count}");
        }
    }

    #[test]
    fn solutions_can_be_read() {
        for (per_page, size, least) in [
            (1, Size::Nine, 27.0),
            (6, Size::Nine, 27.0),
            (12, Size::Nine, 27.0),
            (6, Size::Sixteen, 48.0),
            (1, Size::TwentyFive, 75.0),
        ] {
            let pages = pages(&book(size, per_page * SOLUTIONS, per_page, Paper::Letter));
            let mut figures = pages.last().unwrap().figures.iter();
            let solution = figures.find(|figure| figure.id.starts_with("solution-") && !figure.lines.is_empty());
            let line = solution.unwrap().lines[0];
            assert!(line.to[0] - line.from[0] >= least, "{per_page} of {size}");
        }
    }

    #[test]
    fn everything_is_on_the_page() {
        for paper in [Paper::A4, Paper::A5, Paper::Letter] {
            let nine = [6, 7, 12].map(|per_page| (Size::Nine, per_page));
            let others = [(Size::Four, 1), (Size::Six, 6), (Size::Sixteen, 2), (Size::TwentyFive, 1)];
            for (size, per_page) in nine.into_iter().chain(others) {
                let pages = pages(&book(size, 40, per_page, paper));
                let PageSize { width: most, height } = paper.size();
                let is_inside = |[x, y]: [f32; 2]| {
                    (MARGIN / 3.0..=most - MARGIN / 3.0).contains(&x) && (MARGIN / 3.0..height).contains(&y)
                };
                for figure in pages.iter().flat_map(|page| &page.figures) {
                    assert!(figure.lines.iter().all(|line| is_inside(line.from) && is_inside(line.to)));
                    for text in &figure.texts {
                        let half = if text.anchor == Anchor::Middle {
                            width(&text.content, text.size, text.style) / 2.0
                        } else {
                            0.0
                        };
                        let end = text.at[0] + width(&text.content, text.size, text.style) - half;
                        assert!(is_inside(text.at) && is_inside([end, text.at[1]]), "{text:?}");
                    }
                }
                let numbers = (1..).map(|number| format!("page-{number}"));
                assert!(pages.iter().zip(numbers).all(|(page, number)| page.figures.last().unwrap().id == number));
            }
        }
    }
}

//! Lays out a book: the positions of its grids, numbers, hints and page numbers.

use std::ops::Range;

use anyhow::bail;

use super::drawing::{Anchor, Figure, Line, Page, PageSize, Style, Text, width, wrapped};
use super::{Book, BookPuzzle};
use crate::cli::ui::printable::in_one_line;

/// The margin around the content of a page, in millimetres like all lengths here.
const MARGIN: f32 = 12.7;

/// The inner margin that printers ask for, by the highest number of pages.
const INNER_MARGINS: [(usize, f32); 4] = [(300, MARGIN), (500, 15.9), (700, 19.1), (usize::MAX, 22.3)];

/// The space for the title. All pages leave it free, so that grids are at the same positions.
const TITLE: f32 = 12.0;

/// The space between grids in a row.
const BETWEEN: f32 = 8.0;

/// The space above and below a grid, with its number and its label.
const AROUND: f32 = 14.0;

/// The minimum side of a cell, so that its digit is readable, and fits in.
const SMALLEST_CELL: f32 = 3.0;

/// The minimum size of a digit: 7 pt.
const SMALLEST_DIGIT: f32 = 2.5;

/// The minimum width of a line.
const THINNEST: f32 = 0.3;

/// The maximum number of solutions on a page, as a multiple of the number of puzzles.
const SOLUTIONS: usize = 4;

/// The distance of the page number from the edge.
const FOOT: f32 = 8.0;

/// The size of numbers, labels and hints.
const SMALL: f32 = 3.5;

/// The distance between lines of hints.
const LEADING: f32 = 5.0;

/// The minimum width of each of two columns of hints.
const LEAST_COLUMN: f32 = 75.0;

/// The height of a digit above the baseline, as a fraction of the size of the font.
const CAP_HEIGHT: f32 = 0.72;

/// The pages of a book.
///
/// # Errors
///
/// If its grids are too small.
pub(super) fn pages(book: &Book<'_>) -> anyhow::Result<Vec<Page>> {
    // A wider margin may need more pages.
    for (most, inner) in INNER_MARGINS {
        let pages = bound_pages(book, book.args.binding.map_or(inner - MARGIN, f32::from))?;
        if book.args.binding.is_some() || pages.len() <= most {
            return Ok(pages);
        }
    }
    unreachable!("the last margin is for any number of pages")
}

/// The pages of a book with this additional margin.
fn bound_pages(book: &Book<'_>, binding: f32) -> anyhow::Result<Vec<Page>> {
    let (size, per_page) = (book.args.paper.0, usize::from(book.args.per_page));
    let paper = PageSize { width: size.width - binding, ..size };
    let side = book.puzzles.iter().map(|puzzle| puzzle.size.side()).max().unwrap_or(0);
    let is_readable = |&count: &usize| Arrangement::new(paper, count).size >= side as f32 * SMALLEST_CELL;
    if !is_readable(&per_page) {
        bail!("digits below 7 pt cannot be read: use a smaller --per-page, or a larger --paper");
    }

    let (mut pages, mut start) = (vec![], 0);
    if book.args.title_page || book.args.author.is_some() {
        pages.extend([title_page(book, paper), Page::default()]);
    }
    let first_page = pages.len();
    let arrangement = Arrangement::new(paper, per_page);
    for puzzles in book.puzzles.chunk_by(|one, next| !book.args.by_level || one.level == next.level) {
        let level = puzzles[0].level.filter(|_| book.args.by_level);
        let level = level.map(|level| format!(": {}", book.texts.get(level.into())));
        let title = format!("{}{}", book.title(), level.unwrap_or_default());
        let id = if start == 0 { "title".to_owned() } else { format!("title-{}", start + 1) };
        let first = titled(&id, &title, paper);
        pages.extend(grid_pages(book, start..start + puzzles.len(), &arrangement, GridKind::Puzzle, first));
        start += puzzles.len();
    }
    if book.puzzles.iter().any(|puzzle| !puzzle.hints.is_empty()) {
        pages.extend(hint_pages(book, paper));
    }
    let first_solution = pages.len() + 1;
    let solutions = (per_page..=per_page * SOLUTIONS).rev().find(is_readable).unwrap_or(per_page);
    if !book.args.no_solutions {
        let (arrangement, first) = (Arrangement::new(paper, solutions), book.texts.get("solutions"));
        let (all, first) = (0..book.puzzles.len(), titled("solutions", first, paper));
        pages.extend(grid_pages(book, all, &arrangement, GridKind::Solution, first));
    }

    for (number, page) in (1..).zip(&mut pages) {
        let mut foot = Figure::new(format!("page-{number}"));
        let y = paper.height - FOOT;
        let text = |content, x, anchor| Text { content, at: [x, y], size: SMALL, anchor, style: Style::Plain };
        if number > first_page {
            foot.texts.push(text(number.to_string(), paper.width / 2.0, Anchor::Middle));
        }
        if number < first_solution && !page.puzzles.is_empty() && !book.args.no_solutions {
            let page_of = |puzzle: usize| first_solution + puzzle / solutions;
            let (first, last) = (page_of(page.puzzles.start), page_of(page.puzzles.end - 1));
            let to = if first == last { String::new() } else { format!("–{last}") };
            let note = format!("{} {first}{to}", book.texts.get("solutions on page"));
            let left = paper.width - MARGIN - width(&note, SMALL, Style::Plain);
            foot.texts.push(text(note, left, Anchor::Start));
        }
        page.figures.push(foot);
        // Odd pages are on the right, and are bound on their left side.
        if number % 2 == 1 {
            page.figures.iter_mut().for_each(|figure| figure.shift(binding));
        }
    }
    Ok(pages)
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
            Arrangement { count, columns, space, size: (space[0] - BETWEEN).min(space[1] - AROUND) }
        };
        let largest = (1..=count).rev().map(of_columns).max_by(|one, other| one.size.total_cmp(&other.size));
        largest.expect("a page has a grid")
    }

    /// The top left corner of a grid, by its index on the page.
    fn corner(&self, index: usize) -> [f32; 2] {
        let [width, height] = self.space;
        let (row, column) = ((index / self.columns) as f32, (index % self.columns) as f32);
        let middle = [MARGIN + (column + 0.5) * width, MARGIN + TITLE + (row + 0.5) * height];
        middle.map(|middle| middle - self.size / 2.0)
    }
}

/// The parts of a puzzle to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GridKind {
    Puzzle,
    Solution,
}

/// Pages of grids. The first page has a title.
fn grid_pages(
    book: &Book<'_>,
    puzzles: Range<usize>,
    arrangement: &Arrangement,
    kind: GridKind,
    mut page: Page,
) -> Vec<Page> {
    let mut pages = vec![];
    for start in puzzles.clone().step_by(arrangement.count) {
        let on_page = start..puzzles.end.min(start + arrangement.count);
        for (index, number) in on_page.clone().enumerate() {
            let (puzzle, corner) = (&book.puzzles[number], arrangement.corner(index));
            page.figures.push(figure(puzzle, book.args.start.get() as usize + number, kind, corner, arrangement.size));
        }
        page.puzzles = on_page;
        pages.push(std::mem::take(&mut page));
    }
    pages
}

/// The first page of a book, with its title and its author.
fn title_page(book: &Book<'_>, paper: PageSize) -> Page {
    let size = paper.width / 15.0;
    let title = wrapped(&book.title(), size, Style::Strong, paper.width - 2.0 * MARGIN);
    let author = book.args.author.iter().map(|author| (in_one_line(author), size / 2.0, Style::Plain));
    let mut figure = Figure::new("title-page".to_owned());
    for (index, (content, size, style)) in
        title.into_iter().map(|line| (line, size, Style::Strong)).chain(author).enumerate()
    {
        let at = [paper.width / 2.0, paper.height / 3.0 + 0.1 * paper.width * index as f32];
        figure.texts.push(Text { content, at, size, anchor: Anchor::Middle, style });
    }
    Page { figures: vec![figure], ..Page::default() }
}

/// A page with a title. A long title is printed smaller.
fn titled(id: &str, title: &str, paper: PageSize) -> Page {
    let mut figure = Figure::new(id.to_owned());
    let fitting = (paper.width - 2.0 * MARGIN) / width(title, 1.0, Style::Strong);
    let (at, size) = ([MARGIN, MARGIN + TITLE / 2.0], fitting.min(6.0));
    figure.texts.push(Text { content: title.to_owned(), at, size, anchor: Anchor::Start, style: Style::Strong });
    Page { figures: vec![figure], ..Page::default() }
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
    for (is_border, width) in [(false, (0.02 * cell).clamp(THINNEST, 0.5)), (true, (0.07 * cell).clamp(0.7, 1.4))] {
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
            let style = if clue == 0 { Style::Plain } else { Style::Strong };
            let symbol = char::from(puzzle.alphabet.symbol(value)).to_string();
            figure.texts.push(centred(symbol, [left + at[0], top + at[1]], SMALLEST_DIGIT.max(0.62 * cell), style));
        }
    }
    if let (GridKind::Puzzle, Some(label)) = (kind, &puzzle.label) {
        figure.texts.push(centred(label.clone(), [middle, top + size + 3.2], SMALL, Style::Faint));
    }
    figure
}

/// Pages of hints, each under the number of its puzzle. Wide pages have two columns.
fn hint_pages(book: &Book<'_>, paper: PageSize) -> Vec<Page> {
    let text = |content: String, y: f32, style: Style| Text {
        content,
        at: [MARGIN, y],
        size: SMALL,
        anchor: Anchor::Start,
        style,
    };
    let width = paper.width - 2.0 * MARGIN;
    let (mut top, bottom) = (MARGIN + TITLE + LEADING, paper.height - 2.0 * MARGIN);
    let mut first = titled("hints", book.texts.get("hints"), paper);
    for line in wrapped(book.texts.get("notation"), SMALL, Style::Plain, width) {
        first.figures[0].texts.push(text(line, top, Style::Faint));
        top += LEADING;
    }

    let per_page = if width < 2.0 * LEAST_COLUMN { 1 } else { 2 };
    let column_width = (width + LEADING) / per_page as f32 - LEADING;
    let (mut columns, mut y) = (vec![vec![]], top);
    for (number, puzzle) in (book.args.start.get()..).zip(&book.puzzles).filter(|(_, puzzle)| !puzzle.hints.is_empty())
    {
        let hints = puzzle.hints.iter().flat_map(|hint| wrapped(hint, SMALL, Style::Plain, column_width));
        let lines: Vec<_> =
            [(number.to_string(), Style::Strong)].into_iter().chain(hints.map(|hint| (hint, Style::Plain))).collect();
        y += LEADING / 2.0;
        // Keep the hints of a puzzle in one column, or at least the number with the first line.
        let height = LEADING * (lines.len() - 1) as f32;
        if y + if top + height <= bottom { height } else { LEADING } > bottom {
            columns.push(vec![]);
            y = top + LEADING / 2.0;
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

    use clap::Parser;

    use super::super::{BookArgs, Paper, Texts};
    use super::*;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        book: BookArgs,
    }

    fn args(per_page: usize, paper: &str, more: &str) -> BookArgs {
        let line = format!("sheet --per-page {per_page} --paper {paper} --by-level {more}");
        let title = ["--title", &"A long title of a book, ".repeat(5)].map(str::to_owned);
        Arguments::parse_from(line.split_whitespace().map(str::to_owned).chain(title)).book
    }

    fn book(args: &BookArgs, size: Size, puzzles: usize) -> Book<'_> {
        let puzzle = BookPuzzle {
            size,
            alphabet: Alphabet::for_size(size).next().unwrap(),
            cells: vec![0; size.cells()],
            solution: vec![1; size.cells()],
            level: Some(Level::VeryHard),
            label: Some("very hard, ER 4.5".to_owned()),
            hints: vec!["1. Naked Pair (3.0): {4,7} in r4c5 r4c6 of row 4: r4c1<>{4}, r4c2<>{4,7} ".repeat(3); 5],
        };
        Book { args, texts: Texts::read("de").unwrap(), puzzles: vec![puzzle; puzzles] }
    }

    #[test]
    fn grids_are_as_large_as_the_page_allows() {
        for (count, columns, size) in [(1, 1, 176.6), (2, 1, 115.8), (4, 2, 84.3), (6, 2, 72.53), (24, 4, 29.27)] {
            let arrangement = Arrangement::new("a4".parse::<Paper>().unwrap().0, count);
            assert_eq!(arrangement.columns, columns, "{count}");
            assert!((arrangement.size - size).abs() < 0.01, "{count}: {}", arrangement.size);
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
            let args = args(per_page, "letter", "");
            let pages = pages(&book(&args, size, per_page * SOLUTIONS)).unwrap();
            let mut figures = pages.last().unwrap().figures.iter();
            let solution = figures.find(|figure| figure.id.starts_with("solution-") && !figure.lines.is_empty());
            let line = solution.unwrap().lines[0];
            assert!(line.to[0] - line.from[0] >= least, "{per_page} of {size}");
        }
    }

    #[test]
    fn everything_is_on_the_page_and_can_be_printed() {
        for paper in ["a4", "A5", "letter", "6x9in", "170x240mm"] {
            let nine = [6, 7, 12].map(|per_page| (Size::Nine, per_page));
            let others = [(Size::Four, 1), (Size::Six, 6), (Size::Sixteen, 2), (Size::TwentyFive, 1)];
            for (size, per_page) in nine.into_iter().chain(others) {
                let args = args(per_page, paper, "--author Me --binding 12");
                let (pages, PageSize { width: most, height }) = (pages(&book(&args, size, 40)).unwrap(), args.paper.0);
                let is_inside = |[x, y]: [f32; 2]| {
                    (MARGIN - 0.5..=most - MARGIN + 0.5).contains(&x) && (MARGIN..=height - FOOT).contains(&y)
                };
                for figure in pages.iter().flat_map(|page| &page.figures) {
                    assert!(figure.lines.iter().all(|line| is_inside(line.from) && is_inside(line.to)));
                    assert!(figure.lines.iter().all(|line| line.width >= 0.3));
                    for text in &figure.texts {
                        let half = if text.anchor == Anchor::Middle {
                            width(&text.content, text.size, text.style) / 2.0
                        } else {
                            0.0
                        };
                        let end = text.at[0] + width(&text.content, text.size, text.style) - half;
                        assert!(is_inside(text.at) && is_inside([end, text.at[1]]), "{text:?}");
                        // 7 pt.
                        assert!(text.size >= 7.0 * 25.4 / 72.0 || figure.id.starts_with("title"), "{text:?}");
                    }
                }
                let numbers = (1..).map(|number| format!("page-{number}"));
                assert!(pages.iter().zip(numbers).all(|(page, number)| page.figures.last().unwrap().id == number));
            }
        }
        let error = pages(&book(&args(9, "a5", ""), Size::TwentyFive, 9)).unwrap_err().to_string();
        assert_eq!(error, "digits below 7 pt cannot be read: use a smaller --per-page, or a larger --paper");
    }

    /// The inner margin is wider than the outer one if the book has more than 300 pages.
    #[test]
    fn thick_books_have_wide_inner_margins() {
        for (puzzles, expected) in [(100, MARGIN), (320, 15.9), (500, 19.1), (700, 22.3)] {
            let args = args(1, "6x9in", "--title-page");
            let mut book = book(&args, Size::Nine, puzzles);
            book.puzzles.iter_mut().for_each(|puzzle| puzzle.hints.clear());
            let pages = pages(&book).unwrap();
            let left = |page: &Page| page.figures[0].lines.iter().map(|line| line.from[0]).fold(f32::MAX, f32::min);
            // Both have a puzzle without a heading.
            let shift = left(&pages[4]) - left(&pages[3]);
            assert!((shift - (expected - MARGIN)).abs() < 0.01, "{puzzles}: {} pages, {shift}", pages.len());
        }
    }
}

//! Draws the puzzles of a corpus as one SVG picture: one puzzle, or several with their numbers above them.

use std::io::Write;
use std::time::Instant;

use super::ConvertCounts;
use crate::corpus::Corpus;
use crate::format::{Alphabet, Alphabets, Malformed};
use crate::output::{OutputError, OutputFile, OutputTarget, RunFiles};
use crate::pipeline::End;
use crate::puzzle::Puzzle;
use crate::run::{Finished, JobError, ReadRecord, read_records};
use crate::stats::Run;

/// The largest number of puzzles in a picture.
const MAX_PUZZLES: usize = 100;

/// Stands for the line of the puzzle, in the name of a picture of each puzzle.
const LINE: &str = "{line}";

/// The side of a grid, and the margin around it, in the units of the picture.
const SIDE: usize = 360;
const SPACE: usize = 20;

/// The space for a number above a grid.
const NUMBER: usize = 26;

/// Draws a corpus; `skipped` is called with each record that is not drawn.
pub(super) fn draw(
    corpus: Corpus,
    target: &OutputTarget,
    mut skipped: impl FnMut(&ReadRecord<'_>, Malformed),
) -> Result<Finished<ConvertCounts>, JobError> {
    let start = Instant::now();
    target.check_inputs(RunFiles::new().corpus(corpus.origins()))?;
    let (mut grids, mut counts, mut last_line) = (vec![], ConvertCounts::default(), 0);
    let is_single = corpus.origins().len() == 1;
    let template = target.path.as_ref().and_then(|path| path.to_str()).filter(|path| path.contains(LINE));
    read_records(corpus, |record| {
        let (size, cells) = match record.clues() {
            Ok(puzzle) => puzzle,
            Err(reason) => {
                counts.malformed += 1;
                skipped(&record, reason);
                return Ok(());
            }
        };
        let grid = Grid { alphabet: record.alphabet(size), cells: cells.to_vec() };
        counts.puzzles += 1;

        // All puzzles of one picture are drawn at the end; a picture of its own is written at once.
        let Some(template) = template else {
            if grids.len() == MAX_PUZZLES {
                return Err(JobError::of_run(format!(
                    "a picture has at most {MAX_PUZZLES} puzzles, and the input has more; `sheet` makes a book"
                )));
            }
            grids.push(grid);
            return Ok(());
        };
        if record.line == last_line || !is_single {
            return Err(JobError::of_run(
                "{line} names a picture for each line, so there has to be one input with one puzzle on a line",
            ));
        }
        last_line = record.line;
        let path = Some(template.replace(LINE, &record.line.to_string()).into());
        Ok::<_, JobError>(write(&[grid], &OutputTarget { path, ..target.clone() })?)
    })?;

    if counts.puzzles == 0 {
        return Err(JobError::of_run("no puzzle was found to draw"));
    }
    if template.is_none() {
        write(&grids, target)?;
    }

    let run = Run { wall: start.elapsed(), threads: 1, ..Run::default() };
    Ok(Finished::new(counts, run, End::Complete, None))
}

/// Writes a picture.
fn write(grids: &[Grid], target: &OutputTarget) -> Result<(), OutputError> {
    let mut output = OutputFile::create(target, 1)?;
    output.write_all(svg(grids).as_bytes()).map_err(OutputError::Write)?;
    output.finish()
}

/// A picture of one puzzle.
pub(super) fn of_puzzle(puzzle: &Puzzle) -> String {
    svg(&[Grid { alphabet: Alphabets::default().for_printing(puzzle.size()), cells: puzzle.cells().to_vec() }])
}

/// A puzzle to draw.
struct Grid {
    alphabet: Alphabet,
    cells: Vec<u8>,
}

/// The picture: rows of puzzles, so that it is about as wide as high.
fn svg(grids: &[Grid]) -> String {
    let columns = (1..=grids.len()).find(|columns| columns * columns >= grids.len()).unwrap_or(1);
    let above = if grids.len() > 1 { NUMBER } else { 0 };
    let (step_x, step_y) = (SIDE + SPACE, SIDE + SPACE + above);
    let (width, height) = (SPACE + columns * step_x, SPACE + grids.len().div_ceil(columns) * step_y);
    let drawn = grids.iter().enumerate().map(|(index, grid)| {
        let (x, y) = (SPACE + index % columns * step_x, SPACE + above + index / columns * step_y);
        let number = match grids.len() {
            1 => String::new(),
            _ => format!("\n<text x=\"0\" y=\"-8\" font-size=\"18\" text-anchor=\"start\">{}</text>", index + 1),
        };
        format!("\n<g transform=\"translate({x} {y})\">{number}{}{}\n</g>", grid.lines(), grid.clues())
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>{}\n</svg>\n",
        drawn.collect::<String>()
    )
}

impl Grid {
    /// The side of a cell.
    fn cell(&self) -> f64 {
        SIDE as f64 / self.alphabet.size().side() as f64
    }

    /// The lines between cells, and thicker ones around boxes.
    fn lines(&self) -> String {
        let (size, cell) = (self.alphabet.size(), self.cell());
        // Lines at these distances, in cells: vertical ones, and horizontal ones.
        let lines = |columns: usize, rows: usize| {
            let at = |step: usize| (0..=size.side()).step_by(step).map(|number| number as f64 * cell);
            let vertical = at(columns).map(|at| format!("M{at:?} 0V{SIDE}"));
            vertical.chain(at(rows).map(|at| format!("M0 {at:?}H{SIDE}"))).collect::<String>()
        };
        let (thin, thick) = (lines(1, 1), lines(size.box_columns(), size.box_rows()));
        format!(
            "\n<path fill=\"none\" stroke=\"#999\" stroke-width=\"1\" d=\"{thin}\"/>\
             \n<path fill=\"none\" stroke=\"black\" stroke-width=\"2.5\" stroke-linecap=\"square\" d=\"{thick}\"/>"
        )
    }

    /// The symbols of the clues.
    fn clues(&self) -> String {
        let (in_row, cell) = (self.alphabet.size().side(), self.cell());
        let clue = |(index, &value): (usize, &u8)| {
            let (x, y) = (((index % in_row) as f64 + 0.5) * cell, ((index / in_row) as f64 + 0.72) * cell);
            let (size, symbol) = (cell * 0.62, char::from(self.alphabet.symbol(value)));
            format!("\n<text x=\"{x:?}\" y=\"{y:?}\" font-size=\"{size:?}\">{symbol}</text>")
        };
        self.cells.iter().enumerate().filter(|(_, value)| **value != 0).map(clue).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Size;

    #[test]
    fn puzzles_of_all_sizes_are_drawn_in_their_places() {
        for (count, columns, rows) in [(1, 1, 1), (2, 2, 1), (5, 3, 2), (MAX_PUZZLES, 10, 10)] {
            for size in Size::ALL {
                let alphabet = Alphabets::from_iter([]).for_printing(size);
                let mut cells = vec![0; alphabet.size().cells()];
                cells[0] = 1;
                let grids: Vec<Grid> = (0..count).map(|_| Grid { alphabet, cells: cells.clone() }).collect();
                let picture = svg(&grids);
                let above = if count > 1 { NUMBER } else { 0 };
                let (width, height) = (columns * (SIDE + SPACE) + SPACE, rows * (SIDE + SPACE + above) + SPACE);
                assert!(picture.contains(&format!("viewBox=\"0 0 {width} {height}\"")));
                assert_eq!(picture.matches("<g transform").count(), count);
                let first = format!(">{}</text>", char::from(alphabet.symbol(1)));
                let named_alike = usize::from(count > 1 && first == ">1</text>");
                assert_eq!(picture.matches(&first).count(), count + named_alike, "{picture}");
            }
        }
    }
}

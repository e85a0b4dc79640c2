//! Shows the sections of a report on a terminal.

use std::fmt::{self, Display, Formatter};

use indicatif::HumanCount;

use super::{Bar, Content, Figure, Section, TableRow};
use crate::cli::ui::screen;

/// The least width of a column of a table.
const COLUMN: usize = 11;

/// The width of a bar's label and number, with the spaces around them.
const BEFORE_BAR: usize = 27;

/// A sentence with the result, and some sections below it; without a line end after the last.
pub(crate) fn text(lead: impl Display, sections: impl IntoIterator<Item = Option<Section>>) -> String {
    sections.into_iter().flatten().fold(lead.to_string(), |text, section| text + &section.to_string())
}

/// Some lines, each after a line end. Charts are only for pages.
impl Display for Section {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.content {
            Content::Shares { shares } => {
                f.write_str("\n")?;
                shares.iter().try_for_each(|share| {
                    let words = format!("{} {}", share.name, HumanCount(share.count));
                    write!(f, "  {}", share.colour.paint_count(share.count, &words))
                })
            }
            Content::Sentences { sentences } => {
                sentences.iter().try_for_each(|sentence| write!(f, "\n  {}", sentence.colour.paint(&sentence.text)))
            }
            Content::Histogram { before, bars, .. } => write_bars(f, before, bars),
            Content::Table { header, rows } => write_table(f, header, &self.note, rows),
            Content::Puzzles { figures } => write_puzzles(f, self.id, figures),
            Content::Map { .. } | Content::Chart { .. } => Ok(()),
        }
    }
}

/// Draws a bar for each number of puzzles. The longest reaches the end of the line or, without a terminal, has a fixed
/// length.
fn write_bars(f: &mut Formatter<'_>, before: &str, bars: &[Bar]) -> fmt::Result {
    let length = screen::stderr_width().map_or(40, |width| width.saturating_sub(BEFORE_BAR).min(120)) as u64;
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    bars.iter().try_for_each(|Bar { label, count }| {
        let bar = "#".repeat((u128::from(*count) * u128::from(length)).div_ceil(u128::from(most)) as usize);
        let label = format!("{before}{label}");
        write!(f, "\n  {label:>11} {:>11}  {bar}", HumanCount(*count).to_string())
    })
}

/// Writes a table, with its note after the header. Words are at the left of a column, numbers at the right.
fn write_table(f: &mut Formatter<'_>, header: &[&str], note: &str, rows: &[TableRow]) -> fmt::Result {
    let header = header.iter().copied().map(str::to_owned).collect::<Vec<_>>();
    let lines = || [&header].into_iter().chain(rows.iter().map(|row| &row.cells));
    let longest = |column: usize| lines().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
    for (number, cells) in lines().enumerate() {
        let is_number = cells[0].starts_with(|c: char| c.is_ascii_digit());
        let (first, width) = (&cells[0], longest(0));
        if is_number {
            write!(f, "\n  {first:>width$}")?;
        } else {
            write!(f, "\n  {first:width$}")?;
        }
        for (column, cell) in cells.iter().enumerate().skip(1) {
            write!(f, " {cell:>0$}", longest(column).max(COLUMN))?;
        }
        if number == 0 && !note.is_empty() {
            write!(f, "   {note}")?;
        }
    }
    Ok(())
}

/// Writes a line for each puzzle, after a heading.
fn write_puzzles(f: &mut Formatter<'_>, heading: &str, figures: &[Figure]) -> fmt::Result {
    let longest = figures.iter().map(|figure| figure.detail.chars().count()).max().unwrap_or(0);
    for (number, Figure { caption, detail, text, .. }) in figures.iter().enumerate() {
        let heading = if number == 0 { heading } else { "" };
        let start = format!("  {heading:9} {detail:longest$}  {caption}  ");
        // On a terminal, a puzzle that does not fit on the line is cut; its line number identifies it.
        let left = screen::stderr_width().map_or(usize::MAX, |width| width.saturating_sub(start.chars().count()));
        write!(f, "\n{start}{}", screen::cut(text, left))?;
    }
    Ok(())
}

//! Reports for people: on a terminal, and as a single, self-contained HTML file for a browser, a phone or a printer.
//!
//! A command describes its run by sections: shares, charts, puzzles and tables. `text.rs` shows some of them on a terminal;
//! a [`Page`] has all of them. The template `page.html` arranges them, and escapes every text.

pub(crate) mod audit;
pub(crate) mod chart;
pub(crate) mod facts;
pub(crate) mod grid;
pub(crate) mod summary;
mod text;
pub(crate) mod validate;

use std::collections::BTreeMap;
use std::path::Path;

use gridmill::corpus::Origin;
use gridmill::output::write_small;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

use self::facts::Facts;
use self::grid::Grid;
pub(crate) use self::text::text;
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::screen::Tone;

/// A report of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// The heading.
    pub(crate) title: String,
    /// A sentence with the result.
    pub(crate) lead: String,
    pub(crate) sections: Vec<Section>,
}

/// A report with the facts of the run.
#[derive(Serialize)]
struct WithFacts<'a> {
    #[serde(flatten)]
    page: &'a Page,
    facts: Facts,
}

/// A part of a report, which can be the target of a link.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Section {
    /// The name of the anchor.
    id: &'static str,
    title: &'static str,
    /// The explanation; may be empty.
    note: String,
    #[serde(flatten)]
    content: Content,
}

/// The content of a section.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Content {
    /// Numbers of records that add up to all of them, as a bar.
    Shares { shares: Vec<Share> },
    /// A small chart with its figures. Several may be placed next to each other. On a terminal, `before` is before each
    /// label.
    Histogram { svg: String, before: &'static str, bars: Vec<Bar> },
    /// The findings, in sentences.
    Sentences { sentences: Vec<Remark> },
    /// A small map of cells. Several may be placed next to each other.
    Map { svg: String },
    /// A chart as wide as the page.
    Chart { svg: String },
    /// Puzzles, drawn.
    Puzzles { figures: Vec<Figure> },
    /// A table whose rows have anchors.
    Table { header: Vec<&'static str>, rows: Vec<TableRow> },
}

/// A sentence, with a mark in a colour that shows its meaning.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Remark {
    colour: Colour,
    text: String,
}

impl Remark {
    pub(crate) fn new(colour: Colour, text: impl Into<String>) -> Remark {
        Remark { colour, text: in_one_line(text.into()) }
    }

    /// A sentence without a colour.
    pub(crate) fn plain(text: impl Into<String>) -> Remark {
        Remark::new(Colour::Unknown, text)
    }

    /// Good news if `is_good`, otherwise bad news.
    pub(crate) fn news(is_good: bool, text: impl Into<String>) -> Remark {
        Remark::new(if is_good { Colour::Good } else { Colour::Bad }, text)
    }
}

/// A number of records, and its share of all.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Share {
    name: String,
    count: u64,
    percent: f64,
    colour: Colour,
}

/// A bar of a histogram, in words.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Bar {
    label: String,
    count: u64,
}

/// The meaning of the colour of a share. Colours with a 2 are a step further from good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Colour {
    Good,
    Good2,
    Notice,
    Notice2,
    Bad,
    Bad2,
    Unknown,
}

impl Colour {
    /// A text in the colour, if standard error shows colours.
    pub(crate) fn paint(self, text: &str) -> String {
        let tone = match self {
            Colour::Good | Colour::Good2 => Tone::Good,
            Colour::Notice | Colour::Notice2 => Tone::Notice,
            Colour::Bad | Colour::Bad2 => Tone::Bad,
            Colour::Unknown => return text.to_owned(),
        };
        tone.paint(text)
    }

    /// A text about a count in the colour; quiet if the count is zero.
    pub(crate) fn paint_count(self, count: u64, text: &str) -> String {
        if count == 0 { Tone::Quiet.paint(text) } else { self.paint(text) }
    }
}

/// A puzzle with its location.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figure {
    id: String,
    caption: String,
    detail: String,
    /// The puzzle, or `None` if the text is not one.
    grid: Option<Grid>,
    /// The puzzle on one line.
    text: String,
}

/// A row of a table, with the anchor that leads to it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TableRow {
    id: String,
    cells: Vec<String>,
}

impl Section {
    pub(crate) fn new(id: &'static str, title: &'static str, note: impl Into<String>, content: Content) -> Section {
        Section { id, title, note: note.into(), content }
    }

    /// A histogram; `None` if there are no values.
    pub(crate) fn histogram(
        id: &'static str,
        title: &'static str,
        note: impl Into<String>,
        bars: &[(String, u64)],
    ) -> Option<Section> {
        let svg = (!bars.is_empty()).then(|| chart::histogram(bars, title))?;
        let bars = bars.iter().map(|&(ref label, count)| Bar { label: label.clone(), count }).collect();
        Some(Section::new(id, title, note, Content::Histogram { svg, before: "", bars }))
    }

    /// The same, with words before each label on a terminal.
    pub(crate) fn after(mut self, words: &'static str) -> Section {
        if let Content::Histogram { before, .. } = &mut self.content {
            *before = words;
        }
        self
    }

    /// Some findings.
    pub(crate) fn sentences(id: &'static str, title: &'static str, sentences: Vec<Remark>) -> Section {
        Section::new(id, title, "", Content::Sentences { sentences })
    }

    /// Puzzles by their number of clues, without gaps; in steps if there would be too many bars.
    pub(crate) fn clues(counts: &BTreeMap<usize, u64>) -> Option<Section> {
        /// The maximum number of bars.
        const BARS: usize = 48;
        let (&first, &last) = counts.keys().next().zip(counts.keys().next_back())?;
        let step = (last - first) / BARS + 1;
        let bars = (first..=last).step_by(step).map(|clues| {
            let puzzles = counts.range(clues..clues + step).map(|(_, &puzzles)| puzzles).sum();
            (clues.to_string(), puzzles)
        });
        let note = match step {
            1 => "puzzles by their number of clues".to_owned(),
            step => format!("puzzles by their number of clues, in steps of {step} from the label"),
        };
        Section::histogram("clues", "Clues", note, &bars.collect::<Vec<_>>())
    }

    /// A bar of shares. A page leaves out shares without records.
    pub(crate) fn shares(id: &'static str, title: &'static str, counts: &[(&str, u64, Colour)]) -> Section {
        let total: u64 = counts.iter().map(|&(_, count, _)| count).sum();
        let share = |&(name, count, colour): &(&str, u64, Colour)| Share {
            name: name.to_owned(),
            count,
            percent: (count as f64 / total as f64 * 1e4).round() / 1e2,
            colour,
        };
        Section::new(id, title, "", Content::Shares { shares: counts.iter().map(share).collect() })
    }
}

impl Figure {
    /// A puzzle on a line of a file, with a text about it. Cells that the text names are marked.
    pub(crate) fn new(id: String, file: &str, line: u64, puzzle: &str, detail: &str) -> Figure {
        let grid = Grid::parse(puzzle, detail);
        let caption = format!("{}:{line}", in_one_line(file));
        Figure { id, caption, detail: in_one_line(detail), grid, text: in_one_line(puzzle) }
    }

    /// The same with a different title before its location.
    pub(crate) fn titled(self, title: &str) -> Figure {
        Figure { caption: format!("{title}, {}", self.caption), ..self }
    }
}

impl TableRow {
    pub(crate) fn new(id: String, cells: Vec<String>) -> TableRow {
        TableRow { id, cells: cells.into_iter().map(in_one_line).collect() }
    }
}

impl Page {
    /// The page as HTML that is also valid XML, with the facts of this process and these inputs.
    pub(crate) fn html(&self, inputs: &[Origin]) -> anyhow::Result<String> {
        rendered(include_str!("page.html"), WithFacts { page: self, facts: Facts::new(inputs)? })
    }
}

/// Fills a template with values, escaping every text. Templates can use the style sheet and its
/// [colours](chart::light), and write numbers with commas.
pub(crate) fn rendered(template: &'static str, page: impl Serialize) -> anyhow::Result<String> {
    let mut templates = Environment::new();
    // The extension turns escaping on.
    templates.add_template("page.html", template)?;
    templates.add_global("css", include_str!("style.css"));
    templates.add_function("light", chart::light);
    templates.add_filter("commas", |count: u64| indicatif::HumanCount(count).to_string());
    Ok(templates.get_template("page.html")?.render(context! { page => Value::from(Serde(page)) })? + "\n")
}

/// The file of a report.
pub(crate) struct ReportFile<'a> {
    pub(crate) path: &'a Path,
    /// The inputs that the report names.
    pub(crate) inputs: &'a [Origin],
}

impl ReportFile<'_> {
    /// Writes the page.
    pub(crate) fn write(&self, page: &Page) -> anyhow::Result<()> {
        Ok(write_small(self.path, page.html(self.inputs)?.as_bytes())?)
    }
}

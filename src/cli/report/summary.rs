//! The reports of `gridmill solve` and `rate`.

use std::collections::BTreeMap;

use gridmill::engine::EngineKind;
use gridmill::rating::{Level, Rating};
use gridmill::rows::Status;
use gridmill::stats::{Er, HardPuzzle, Percentiles, RatingSummary, RunFacts, Summary};
use indicatif::{HumanCount, HumanFloatCount};
use strum::VariantArray;

use super::{Colour, Content, Figure, Page, Remark, Section, TableRow};
use crate::cli::ui::summary::{Counted, Seconds, headline};

/// The report for a terminal.
pub(crate) fn text(summary: &Summary, run: &RunFacts) -> String {
    let ratings = ratings(summary);
    let clues = summary.clues.keys().next().zip(summary.clues.keys().next_back());
    let clues = clues.map(|(fewest, most)| vec![Remark::plain(format!("clues      {fewest} to {most}"))]);
    let sections = [
        Some(records(summary)),
        not_all_listed(summary),
        ratings.map(levels),
        ratings.and_then(er),
        clues.map(|clues| Section::sentences("clues", "Clues", clues)),
        percentiles(summary, run),
        times(summary),
        slowest(summary, run),
        Some(busy(summary)),
    ];
    super::text(headline(summary.records, run), sections)
}

/// The page for the summary of a run.
pub(crate) fn page(summary: &Summary, run: &RunFacts) -> Page {
    let ratings = ratings(summary);
    let sections = [
        Some(records(summary)),
        not_all_listed(summary),
        ratings.map(levels),
        ratings.and_then(er),
        Section::clues(&summary.clues),
        times(summary),
        guesses(summary),
        ratings.and_then(hardest),
        ratings.and_then(techniques),
        slowest(summary, run),
        percentiles(summary, run),
        Some(busy(summary)),
    ];
    Page {
        title: if summary.ratings.is_some() { "Rated puzzles" } else { "Solved puzzles" }.into(),
        lead: headline(summary.records, run),
        sections: sections.into_iter().flatten().collect(),
    }
}

/// The ratings, if a puzzle was rated.
fn ratings(summary: &Summary) -> Option<&RatingSummary> {
    summary.ratings.as_ref().filter(|ratings| rated(ratings) > 0)
}

/// The records by status.
fn records(summary: &Summary) -> Section {
    let colour = |status| match status {
        Status::Unique => Colour::Good,
        Status::Multiple | Status::Undecided => Colour::Notice,
        _ => Colour::Bad,
    };
    let count = |&status: &Status| (status.into(), summary.rows[status], colour(status));
    let counts: Vec<_> = Status::VARIANTS.iter().map(count).collect();
    Section::shares("records", "Records", &counts)
}

/// The puzzles with more solutions than were listed.
fn not_all_listed(summary: &Summary) -> Option<Section> {
    let count = summary.not_all_listed;
    let have = if count == 1 { "has" } else { "have" };
    let words = format!("{} {have} more solutions than were listed", HumanCount(count));
    let remarks = vec![Remark::new(Colour::Notice, words)];
    (count > 0).then(|| Section::sentences("not-all-listed", "Not all listed", remarks))
}

/// The puzzles by time.
fn times(summary: &Summary) -> Option<Section> {
    let bars = summary.nanos_histogram.iter().map(|bucket| (seconds(bucket.up_to), bucket.puzzles));
    let note = match summary.ratings {
        Some(_) => "puzzles by the time to check and to rate them, up to the label",
        None => "puzzles by the time for solving them, up to the label",
    };
    Section::histogram("time", "Time", note, &bars.collect::<Vec<_>>()).map(|section| section.after("<= "))
}

/// The puzzles by the guesses of the search.
fn guesses(summary: &Summary) -> Option<Section> {
    let bars = summary.branches_histogram.iter().map(|bucket| (bucket.up_to.to_string(), bucket.puzzles));
    let note = "puzzles by the guesses of the search, up to the label";
    Section::histogram("guesses", "Guesses", note, &bars.collect::<Vec<_>>())
}

/// The slowest puzzles, drawn.
fn slowest(summary: &Summary, run: &RunFacts) -> Option<Section> {
    let figures = (1..).zip(&summary.slowest).map(|(number, slow)| {
        let branches = slow.branches.map(|branches| format!(", {}", Counted(branches, "guess")));
        let words = format!("{}{}", seconds(slow.nanos), branches.unwrap_or_default());
        Figure::new(format!("slowest-{number}"), &slow.source.file, slow.source.line, &slow.source.puzzle, &words)
    });
    let note = match run.resumed {
        Some(_) => "of the puzzles since the run was resumed: rows of earlier ones may have no times",
        None => "",
    };
    let content = Content::Puzzles { figures: figures.collect() };
    (!summary.slowest.is_empty()).then(|| Section::new("slowest", "Slowest puzzles", note, content))
}

fn seconds(nanos: u64) -> String {
    Seconds(nanos as f64 / 1e9).to_string()
}

/// The percentiles of times and guesses.
fn percentiles(summary: &Summary, run: &RunFacts) -> Option<Section> {
    let row = |id: &str, values: Percentiles, show: &dyn Fn(u64) -> String| {
        let values = [values.p50, values.p90, values.p99, values.p999, values.max].map(show);
        TableRow::new(format!("percentiles-{id}"), [id.to_owned()].into_iter().chain(values).collect())
    };
    let guesses = |guesses| row("guesses", guesses, &|guesses| HumanCount(guesses).to_string());
    let times = summary.nanos.map(|nanos| row("time", nanos, &seconds));
    let rows = times.into_iter().chain(summary.branches.map(guesses)).collect();
    let header = vec!["of a puzzle", "p50", "p90", "p99", "p99.9", "max"];

    // The lanes engine searches several puzzles at once, so that single puzzles have no times.
    let is_lanes = |name: &str| matches!(name.parse(), Ok(EngineKind::Auto | EngineKind::Lanes(_)));
    let note = match summary.ratings {
        Some(_) => "time of a puzzle: to check and to rate it",
        None if run.engine.split(", ").any(is_lanes) => "time of a 9x9 puzzle: its share of its batch",
        None => "",
    };
    let content = Content::Table { header, rows };
    (!summary.nanos_histogram.is_empty()).then(|| Section::new("percentiles", "Percentiles", note, content))
}

/// The CPU time, and the work of the parts of the pipeline.
fn busy(summary: &Summary) -> Section {
    let percent = |share: f64| HumanFloatCount((share * 100.0).round());
    let words = format!(
        "CPU time  engines {}, the rest {}; busy: reader {} %, workers {} %, writer {} %",
        Seconds(summary.cpu_seconds.engines),
        Seconds(summary.cpu_seconds.rest),
        percent(summary.busy.reader),
        percent(summary.busy.workers),
        percent(summary.busy.writer),
    );
    Section::sentences("busy", "Work", vec![Remark::plain(words)])
}

/// The number of rated puzzles.
fn rated(ratings: &RatingSummary) -> u64 {
    ratings.er.values().chain(ratings.above.values()).sum()
}

/// The puzzles by level.
fn levels(ratings: &RatingSummary) -> Section {
    let colour = |level| match level {
        Level::Easy => Colour::Good,
        Level::Medium => Colour::Good2,
        Level::Hard => Colour::Notice,
        Level::VeryHard => Colour::Notice2,
        Level::Fiendish => Colour::Bad,
        Level::Extreme => Colour::Bad2,
    };
    let known = Level::VARIANTS.iter().map(|&level| (level.into(), ratings.levels[level], colour(level)));
    let unknown = rated(ratings) - ratings.levels.total();
    let unknown = (unknown > 0).then_some(("harder than the bound", unknown, Colour::Unknown));
    let counts: Vec<_> = known.chain(unknown).collect();
    let most = Level::VARIANTS.iter().filter_map(|level| Some(format!("{level} {}", level.most()?)));
    let note = format!("by the highest ER of each level: {}", most.collect::<Vec<_>>().join(", "));
    Section { note, ..Section::shares("levels", "Levels", &counts) }
}

/// The number of tenths of ER in one bar.
const STEP: u16 = 5;

/// The puzzles by ER. Puzzles without an exact ER have bars at the end.
fn er(ratings: &RatingSummary) -> Option<Section> {
    let mut steps: BTreeMap<u16, u64> = BTreeMap::new();
    for (er, puzzles) in ratings.er.iter().filter(|(er, _)| **er < Rating::UNSOLVED) {
        *steps.entry(er.tenths() / STEP).or_default() += puzzles;
    }
    let range = steps.keys().next().copied().zip(steps.keys().next_back().copied());
    let exact = range.into_iter().flat_map(|(first, last)| first..=last).map(|step| {
        let tenths = step * STEP;
        (format!("{}.{}", tenths / 10, tenths % 10), steps.get(&step).copied().unwrap_or(0))
    });
    let above = ratings.above.iter().map(|(&bound, &puzzles)| (Er::Above(bound).to_string(), puzzles));
    let unsolved = ratings.er.get(&Rating::UNSOLVED).map(|&puzzles| ("none".to_owned(), puzzles));
    let note = match unsolved {
        Some(_) => "puzzles by ER, in steps of 0.5 from the label; none: no technique solves them",
        None => "puzzles by ER, in steps of 0.5 from the label",
    };
    let bars: Vec<_> = exact.chain(above).chain(unsolved).collect();
    Section::histogram("er", "Difficulty", note, &bars).map(|section| section.after("ER "))
}

/// The hardest puzzles, drawn.
fn hardest(ratings: &RatingSummary) -> Option<Section> {
    let figures = (1..).zip(&ratings.hardest).map(|(number, HardPuzzle { rating, source })| {
        let mut words = format!("ER {}", rating.er);
        for (name, value) in [("EP", rating.ep), ("ED", rating.ed)] {
            words += &value.map(|value| format!(", {name} {value}")).unwrap_or_default();
        }
        words += &rating.hardest.map(|technique| format!("; {technique}")).unwrap_or_default();
        Figure::new(format!("hardest-{number}"), &source.file, source.line, &source.puzzle, &words)
    });
    let content = Content::Puzzles { figures: figures.collect() };
    let note = "with the technique of the hardest step; of equally hard ones, the first";
    (!ratings.hardest.is_empty()).then(|| Section::new("hardest", "Hardest puzzles", note, content))
}

/// The number of puzzles that need each technique.
fn techniques(ratings: &RatingSummary) -> Option<Section> {
    let rows = ratings.techniques.iter().map(|(technique, counts)| {
        let name = technique.to_string();
        let share = format!("{:.2} %", counts.puzzles as f64 / rated(ratings) as f64 * 1e2);
        let [puzzles, hardest] = [counts.puzzles, counts.hardest].map(|count| HumanCount(count).to_string());
        TableRow::new(anchor(&name), vec![name, puzzles, share, hardest])
    });
    let header = vec!["technique", "puzzles", "share", "hardest of"];
    let content = Content::Table { header, rows: rows.collect() };
    let note = "the puzzles with a step of each technique, their share, and the puzzles whose hardest step it is";
    (!ratings.techniques.is_empty()).then(|| Section::new("techniques", "Techniques", note, content))
}

/// The name of the anchor of a technique: `dynamic-cell-forcing-chains-plus-forcing-chains`.
fn anchor(technique: &str) -> String {
    let words = technique.to_lowercase().replace('+', "plus");
    let words = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use gridmill::rating::Difficulty;
    use gridmill::stats::{Counts, PuzzleRating, PuzzleSource};

    use super::*;

    #[test]
    fn puzzles_without_an_exact_er_have_bars_at_the_end() {
        let [easy, hard, bound] = [12, 23, 71].map(Difficulty::from_tenths);
        let rating = PuzzleRating { er: Er::Is(hard), ep: Some(bound), ed: Some(easy), hardest: None };
        let source = PuzzleSource { file: "a".into(), line: 7, puzzle: ".".into() };
        let ratings = RatingSummary {
            levels: Counts::default(),
            er: [(easy, 2), (hard, 1), (Rating::UNSOLVED, 3)].into(),
            above: [(bound, 4)].into(),
            techniques: BTreeMap::new(),
            hardest: vec![HardPuzzle { rating, source }],
        };
        let Some(Content::Histogram { bars, .. }) = er(&ratings).map(|section| section.content) else { panic!("none") };
        let bars: Vec<_> = bars.iter().map(|bar| (&*bar.label, bar.count)).collect();
        assert_eq!(bars, [("1.0", 2), ("1.5", 0), ("2.0", 1), (">7.1", 4), ("none", 3)]);
        let Content::Shares { shares } = levels(&ratings).content else { panic!("no shares") };
        // No puzzle has one of the six levels here.
        assert_eq!((&*shares[6].name, shares[6].count), ("harder than the bound", 10));
        let Some(Content::Puzzles { figures }) = hardest(&ratings).map(|section| section.content) else {
            panic!("none")
        };
        assert_eq!(figures[0].detail, "ER 2.3, EP 7.1, ED 1.2");
    }
}

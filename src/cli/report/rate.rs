//! The report of `gridmill rate`.

use std::collections::BTreeMap;

use gridmill::rating::{Level, Rating};
use gridmill::stats::{Er, HardPuzzle, RatingSummary, RunFacts, Summary};
use indicatif::HumanCount;
use strum::VariantArray;

use super::{Colour, Content, Figure, Page, Section, TableRow, solve};

/// The page for the summary of a run.
pub(crate) fn page(summary: &Summary, run: &RunFacts) -> Page {
    let ratings = summary.ratings.as_ref().filter(|ratings| rated(ratings) > 0);
    let sections = [
        Some(solve::records(summary)),
        ratings.map(levels),
        ratings.and_then(er),
        Section::clues(&summary.clues),
        solve::times(summary, "puzzles by the time to check and to rate them, up to the label"),
        solve::guesses(summary),
        ratings.and_then(hardest),
        ratings.and_then(techniques),
        solve::slowest(summary, run),
        solve::percentiles(summary, "the time to check and to rate a puzzle; the guesses of the search that checks it"),
    ];
    Page {
        title: "Rated puzzles".into(),
        lead: solve::lead(summary, run),
        sections: sections.into_iter().flatten().collect(),
    }
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
    let unknown = ("harder than the bound", rated(ratings) - ratings.levels.total(), Colour::Unknown);
    let counts: Vec<_> = known.chain([unknown]).collect();
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
    Section::histogram("er", "Difficulty", note, &bars)
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
    let note = "the puzzles with a step of each technique, their share, and those of which it is the hardest step";
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
        let bars: Vec<_> = bars.iter().map(|bar| (&*bar.label, &*bar.count)).collect();
        assert_eq!(bars, [("1.0", "2"), ("1.5", "0"), ("2.0", "1"), (">7.1", "4"), ("none", "3")]);
        let Content::Shares { shares } = levels(&ratings).content else { panic!("no shares") };
        // No puzzle has a level here.
        assert_eq!((&*shares[0].name, &*shares[0].count), ("harder than the bound", "10"));
        let Some(Content::Puzzles { figures }) = hardest(&ratings).map(|section| section.content) else {
            panic!("none")
        };
        assert_eq!(figures[0].detail, "ER 2.3, EP 7.1, ED 1.2");
    }
}

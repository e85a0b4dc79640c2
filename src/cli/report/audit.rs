//! The audit part of the report of `gridmill validate`: its sections, then its sentences.

use gridmill::jobs::validate::{
    AuditReport, FileOrder, FilePair, GridAudit, RatingAudit, Shared, SizeAudit, Uniformity, ValueTrend,
};
use gridmill::puzzle::Symmetry;
use gridmill::rating::Level;
use indicatif::HumanCount;
use strum::VariantArray;

use super::chart::{MapCell, cell_map};
use super::{Colour, Content, Remark, Section, TableRow};
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::summary::Counted;
use crate::options::Percent;

/// The alarms, or the statement that nothing raised one, and the checks that were left out.
pub(crate) fn alarms(audit: &AuditReport) -> Vec<Remark> {
    let alarms = audit.alarms.iter().map(|alarm| Remark::new(Colour::Bad, format!("alarm: {}", alarm.sentence)));
    alarms.chain(end(audit)).collect()
}

/// The findings in words.
pub(crate) fn remarks(audit: &AuditReport) -> Vec<Remark> {
    let ratings = audit.ratings.as_ref().map(ratings);
    let words = [sizes(audit), orders(audit), pairs(audit), ratings.into_iter().collect()];
    words.into_iter().flatten().map(Remark::plain).collect()
}

/// The sections of an audit: the findings in words, the classes of grids, and maps of the cells of each size.
pub(crate) fn sections(audit: &AuditReport) -> Vec<Section> {
    let mut sections = vec![Section::sentences("audit", "Audit", remarks(audit))];

    // The anchors belong to the largest size; a corpus of several sizes is rare, and shows its other sizes in words
    // alone.
    let Some(size) = audit.sizes.iter().max_by_key(|size| size.puzzles) else { return sections };
    sections.extend(size.grids.as_ref().filter(|found| found.grids > 0).map(grid_classes));
    sections.extend(blanks(size));
    sections.extend(digits(size));
    sections.push(symmetries(size));
    sections
}

/// The number of solutions in new classes, and in classes seen before.
fn grid_classes(found: &GridAudit) -> Section {
    let &GridAudit { grids, classes, .. } = found;
    let colour = if found.expected.is_some_and(|expected| expected > 2.0 * classes as f64) {
        Colour::Bad
    } else {
        Colour::Notice
    };
    let counts =
        [("the first of their class", classes, Colour::Good), ("isomorphs of an earlier one", grids - classes, colour)];
    let note = match (found.possible, found.expected) {
        (Some(possible), Some(expected)) => format!(
            "solved grids by class; there are {} classes, and a uniform sample of as many grids shows {}",
            HumanCount(possible),
            about(expected)
        ),
        _ => "solved grids by class".to_owned(),
    };
    Section { note, ..Section::shares("grids", "Classes of solutions", &counts) }
}

/// A map of the blanks.
fn blanks(audit: &SizeAudit) -> Option<Section> {
    let found = audit.blanks?;
    let cells = audit.blanks_by_cell.iter().map(|&blanks| {
        let share = blanks as f64 / audit.puzzles as f64;
        MapCell { shade: share, text: format!("{:.0}", share * 1e2) }
    });
    let note = format!("puzzles in which each cell of {} is blank, in percent; V = {:.2}", audit.size, found.effect);
    Some(map("blanks-by-cell", "Blanks", note, audit, &cells.collect::<Vec<_>>()))
}

/// A map of the share of each cell's most frequent digit.
fn digits(audit: &SizeAudit) -> Option<Section> {
    let found = audit.digits?;
    let side = audit.size.side() as f64;
    let cells = audit.digits_by_cell.iter().map(|digits| {
        let (most, all) = (digits.iter().copied().max().unwrap_or(0), digits.iter().sum::<u64>());
        let share = most as f64 / all as f64;
        // Even digits are white.
        MapCell { shade: (share - 1.0 / side) / (1.0 - 1.0 / side), text: format!("{:.0}", share * 1e2) }
    });
    let note = format!(
        "solutions with the most frequent digit in each cell, in percent, which are {} if digits are even; V = {:.2}",
        Percent(1.0 / side).to_string().trim_end_matches(" %"),
        found.effect
    );
    Some(map("digits-by-cell", "Digits", note, audit, &cells.collect::<Vec<_>>()))
}

fn map(id: &'static str, title: &'static str, note: String, audit: &SizeAudit, cells: &[MapCell]) -> Section {
    let svg = cell_map(audit.size.side(), audit.size.box_rows(), cells, title);
    Section::new(id, title, note, Content::Map { svg })
}

/// The puzzles by the symmetries of their clues.
fn symmetries(audit: &SizeAudit) -> Section {
    let row = |name: &str, puzzles: u64| {
        let cells =
            vec![name.to_owned(), HumanCount(puzzles).to_string(), Percent::of(puzzles, audit.puzzles).to_string()];
        TableRow::new(format!("symmetry-{name}"), cells)
    };
    let of_symmetry = |&symmetry: &Symmetry| {
        let name = symmetry.into();
        row(name, audit.symmetries.get(name).copied().unwrap_or(0))
    };
    let rows = Symmetry::VARIANTS.iter().map(of_symmetry).chain([row("none", audit.asymmetric)]).collect();
    let note = "a puzzle whose clues have several symmetries counts for each of them";
    let header = vec!["symmetry of clues", "puzzles", "share"];
    Section::new("symmetries", "Symmetries", note, Content::Table { header, rows })
}

/// The number of pairs of files, and of files, that are described individually.
const SHOWN: usize = 12;

/// An approximate number.
fn about(expected: f64) -> HumanCount {
    HumanCount(expected.round() as u64)
}

/// The sentences about the puzzles of each size.
fn sizes(audit: &AuditReport) -> Vec<String> {
    audit.sizes.iter().flat_map(of_size).collect()
}

fn of_size(audit: &SizeAudit) -> Vec<String> {
    let &SizeAudit { size, puzzles, distinct, .. } = audit;
    let mut sentences = vec![];

    let different =
        if distinct == puzzles { "all different".to_owned() } else { format!("{} different", HumanCount(distinct)) };
    sentences.push(match audit.classes {
        Some(classes) => {
            format!("{size}: {}, {different}, in {}", Counted(puzzles, "puzzle"), Counted(classes, "class"))
        }
        None => format!("{size}: {}, {different}; classes are not computed for this size", Counted(puzzles, "puzzle")),
    });
    if let Some(grids) = audit.grids.as_ref().filter(|grids| grids.grids > 0) {
        sentences.extend(of_grids(grids));
    }
    if audit.unique > 0 {
        let percent = Percent::of(audit.automorphic, audit.unique);
        sentences.push(format!("{size}: {percent} of the puzzles with one solution have automorphisms"));
    }

    let symmetries = audit.symmetries.iter().filter(|&(_, &count)| count > 0);
    let symmetries = symmetries.map(|(name, &count)| format!("{name} {}", Percent::of(count, puzzles)));
    let none = (audit.asymmetric > 0).then(|| format!("none {}", Percent::of(audit.asymmetric, puzzles)));
    let symmetries: Vec<_> = symmetries.chain(none).collect();
    sentences.push(format!("{size}: symmetries of clues: {}", symmetries.join(", ")));

    let evenness = [("blanks", audit.blanks), ("digits of solutions", audit.digits)];
    let evenness = evenness.into_iter().filter_map(|(what, found)| Some(format!("{what} V = {:.2}", found?.effect)));
    let evenness: Vec<_> = evenness.collect();
    if !evenness.is_empty() {
        sentences.push(format!("{size}: uneven over the cells, from 0 to 1: {}", evenness.join(", ")));
    }
    sentences
}

fn of_grids(found: &GridAudit) -> Vec<String> {
    let &GridAudit { grids, classes, automorphic, largest, .. } = found;
    let possible = found.possible.map(|possible| format!(" of {}", HumanCount(possible))).unwrap_or_default();
    let expected =
        found.expected.map(|expected| format!("; a uniform sample shows {}", about(expected))).unwrap_or_default();
    let (classes, largest) = (HumanCount(classes), HumanCount(largest));
    let mut sentences = vec![format!(
        "{} in {classes}{possible} classes of grids{expected}; the largest class has {largest}",
        Counted(grids, "solution")
    )];

    let expected =
        found.expected_automorphic.map(|share| format!(", {} of all grids", Percent(share))).unwrap_or_default();
    sentences.push(format!("{} of the solutions have automorphisms{expected}", Percent::of(automorphic, grids)));
    sentences.extend(found.uniformity.as_ref().map(uniformity));
    sentences
}

/// The distance of grids from a uniform sample.
fn uniformity(found: &Uniformity) -> String {
    let &Uniformity { possible, expected, classes, bands, effect, digits } = found;
    let (fewest, most) = classes.iter().fold((possible, 0), |(a, b), &classes| (a.min(classes), b.max(classes)));
    let classes = if fewest < most { format!("{fewest} to {most}") } else { most.to_string() };
    let bands = bands.zip(effect).map(|(bands, effect)| {
        let (least, most) = bands.iter().fold((f64::MAX, f64::MIN), |(a, b), &band| (a.min(band), b.max(band)));
        format!(" of bands {least:+.1} to {most:+.1} standard deviations from its mean, w = {effect:.2};")
    });
    format!(
        "bands in {classes} of {possible} classes, {} if uniform; chi-square{} of digits by cell {digits:+.1}",
        about(expected),
        bands.unwrap_or_default()
    )
}

/// A sentence about the order of each file.
fn orders(audit: &AuditReport) -> Vec<String> {
    listed(audit.order.iter().filter_map(of_order).collect(), "file")
}

/// The order of a file; `None` if none was found.
fn of_order(order: &FileOrder) -> Option<String> {
    let by_value = |what, trend: Option<ValueTrend>| {
        trend.map(|found| format!("{what} {:.2} (together {:.2})", zero(found.trend), zero(found.grouping)))
    };
    let text = order.texts.map(|texts| format!("text {} ascending", Percent(texts.ascending)));
    let parts: Vec<_> =
        [by_value("clues", order.clues), by_value("rating", order.ratings), text].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("order of {}: {}", in_one_line(&order.file), parts.join(", ")))
}

/// Removes the sign of a number that rounds to zero.
fn zero(value: f64) -> f64 {
    if value.abs() < 0.005 { 0.0 } else { value }
}

/// A sentence about each pair of files with an overlap, or one sentence about all of them.
fn pairs(audit: &AuditReport) -> Vec<String> {
    let Some(pairs) = &audit.pairs else {
        return vec!["more than 64 files: only the first 64 are compared".to_owned()];
    };
    let with_shared: Vec<_> = pairs.iter().filter_map(of_pair).collect();
    let count = pairs.len() as u64;
    match with_shared.len() as u64 {
        _ if count == 0 => vec![],
        0 if count == 1 => vec![format!(
            "{} and {} share no puzzle and no class",
            in_one_line(&pairs[0].first),
            in_one_line(&pairs[0].second)
        )],
        0 => vec![format!("no two of the files share a puzzle or a class ({} pairs)", HumanCount(count))],
        _ => listed(with_shared, "pair"),
    }
}

fn of_pair(pair: &FilePair) -> Option<String> {
    let kinds = [("puzzles", Some(pair.puzzles)), ("classes", pair.classes), ("classes of solutions", pair.grids)];
    let kinds = kinds.into_iter().filter_map(|(what, shared)| Some((what, shared?)));
    let shared = |(what, Shared { first, second, both, first_records, second_records }): (&str, Shared)| {
        let repeat = first_records.max(second_records) > both;
        let records = [first_records, second_records].map(HumanCount);
        let records = if repeat { format!("; {} and {} records", records[0], records[1]) } else { String::new() };
        (both > 0).then(|| {
            let [first, second, both] = [first, second, both].map(HumanCount);
            format!("{both} {what} (of {first} and {second}{records})")
        })
    };
    let shared: Vec<_> = kinds.filter_map(shared).collect();
    let [first, second] = [&pair.first, &pair.second].map(in_one_line);
    (!shared.is_empty()).then(|| format!("{first} and {second} share {}", shared.join(", ")))
}

/// The first lines, and the number of further ones.
fn listed(mut lines: Vec<String>, thing: &'static str) -> Vec<String> {
    if lines.len() > SHOWN {
        let more = Counted((lines.len() - SHOWN) as u64, thing);
        lines.truncate(SHOWN);
        lines.push(format!("and {more} more, which --summary has"));
    }
    lines
}

/// A sentence about the levels of the puzzles.
fn ratings(ratings: &RatingAudit) -> String {
    let levels = Level::VARIANTS.iter().copied().filter(|&level| ratings.levels[level] > 0);
    let levels: Vec<_> = levels.map(|level| format!("{level} {}", HumanCount(ratings.levels[level]))).collect();
    if levels.is_empty() {
        "ratings: no 9x9 puzzle with one solution".to_owned()
    } else {
        format!("ratings: {}", levels.join(", "))
    }
}

/// The statement that nothing raised an alarm, and the checks that were left out.
fn end(audit: &AuditReport) -> Option<Remark> {
    if !audit.has_puzzles() {
        return Some(Remark::new(Colour::Bad, "audit: no puzzle was found, so nothing was checked"));
    }
    let colour = if audit.unchecked().is_empty() { Colour::Good } else { Colour::Notice };
    audit.end_in_words().map(|end| Remark::new(colour, format!("audit: {end}")))
}

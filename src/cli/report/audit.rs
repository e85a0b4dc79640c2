//! The audit part of the report of `gridmill validate`.

use gridmill::jobs::validate::{AuditReport, GridAudit, Percent, SizeAudit};
use gridmill::puzzle::Symmetry;
use indicatif::HumanCount;
use strum::VariantNames;

use super::chart::{MapCell, cell_map};
use super::{Colour, Content, Remark, Section, TableRow};
use crate::cli::ui::audited;

/// The alarms, or the statement that nothing raised one, and the checks that were left out.
pub(crate) fn alarms(audit: &AuditReport) -> Vec<Remark> {
    let alarms = audited::alarms(audit).into_iter().map(|alarm| Remark::new(Colour::Bad, format!("alarm: {alarm}")));
    alarms.chain(audited::end(audit).into_iter().map(Remark::from)).collect()
}

/// The sections of an audit: the findings in words, the classes of grids, and maps of the cells of each size.
pub(crate) fn sections(audit: &AuditReport) -> Vec<Section> {
    let ratings = audit.ratings.as_ref().map(audited::ratings);
    let words = [audited::sizes(audit), audited::pairs(audit), audited::orders(audit), ratings.into_iter().collect()];
    let sentences = words.into_iter().flatten().map(|text| Remark::new(Colour::Unknown, text)).collect();
    let mut sections = vec![Section::new("audit", "Audit", "", Content::Sentences { sentences })];

    // The anchors belong to the largest size; a corpus of several sizes is rare, and has the remaining sizes only in
    // words.
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
    let counts = [
        ("the first of their class", classes, Colour::Good),
        ("relabellings of an earlier one", grids - classes, colour),
    ];
    let note = match (found.possible, found.expected) {
        (Some(possible), Some(expected)) => format!(
            "solved grids by class; there are {} classes, and a uniform sample of as many grids shows {}",
            HumanCount(possible),
            audited::about(expected)
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
    let of_symmetry = |&name: &&str| row(name, audit.symmetries.get(name).copied().unwrap_or(0));
    let rows = Symmetry::VARIANTS.iter().map(of_symmetry).chain([row("none", audit.asymmetric)]).collect();
    let note = "a puzzle whose clues have several symmetries counts for each of them";
    let header = vec!["symmetry of clues", "puzzles", "share"];
    Section::new("symmetries", "Symmetries", note, Content::Table { header, rows })
}

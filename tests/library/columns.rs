//! The tables of `docs/columns.md` are those of the jobs.

use std::fmt::Write;

use gridmill::jobs::{Augment, Canon, Convert, Generate, Rate, Score, Solve, States, Trace, Validate};
use gridmill::rows::{Column, Kind};

/// The columns of each job as a table in Markdown.
fn table(columns: &[Column]) -> String {
    let mut table = String::from("| column | type | what it is |\n|---|---|---|\n");
    for column @ Column { name, kind, nullable, .. } in columns {
        let help = column.spelled_help(|option| format!("`--{option}`"));
        let kind = match kind {
            Kind::Number => "number",
            Kind::Decimal => "decimal",
            Kind::Text => "text",
            Kind::Name(_) => "category",
            Kind::Texts | Kind::Numbers => "list",
            Kind::Counts => "counts",
            _ => panic!("a kind without a name: {kind:?}"),
        };
        let empty = if *nullable { " or empty" } else { "" };
        writeln!(table, "| `{name}` | {kind}{empty} | {help} |").unwrap();
    }
    table
}

#[test]
fn the_documented_columns_are_those_of_the_jobs() {
    let page = include_str!("../../docs/columns.md");
    let jobs = [
        ("solve", Solve::COLUMNS),
        ("rate", Rate::COLUMNS),
        ("rate --steps", Rate::STEP_COLUMNS),
        ("trace", Trace::COLUMNS),
        ("validate", Validate::COLUMNS),
        ("canon", Canon::COLUMNS),
        ("score", Score::COLUMNS),
        ("states", States::COLUMNS),
        ("convert", Convert::COLUMNS),
        ("augment", Augment::COLUMNS),
        ("generate", Generate::COLUMNS),
    ];
    for (job, columns) in jobs {
        let table = table(columns);
        assert!(page.contains(&table), "docs/columns.md has another table of {job} than this one:\n{table}");
    }
}

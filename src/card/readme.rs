//! Writes a data card of Hugging Face: a header in YAML, which the hub reads, and a page in Markdown.

use std::fs::File;
use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

use super::data_file::{Content, DataFile, FileColumn};
use super::{CardError, Check, DataCard, Work, relative};
use crate::corpus::Origin;
use crate::resume::sha256;
use crate::stats::WithCommas;

/// The sizes of data sets that the hub knows, each with the number of records that is too many for it.
const SIZES: [(&str, u64); 7] = [
    ("n<1K", 1_000),
    ("1K<n<10K", 10_000),
    ("10K<n<100K", 100_000),
    ("100K<n<1M", 1_000_000),
    ("1M<n<10M", 10_000_000),
    ("10M<n<100M", 100_000_000),
    ("100M<n<1B", 1_000_000_000),
];

/// The values of the template.
#[derive(Serialize)]
struct Page<'a> {
    title: &'a str,
    summary: &'a str,
    size: &'static str,
    configurations: Vec<Configuration<'a>>,
    version: &'static str,
    command: &'a str,
    is_made: bool,
    options: &'a [(&'static str, String)],
    inputs: Vec<InputRow>,
    files: Vec<FileRow<'a>>,
    classes: Option<String>,
    columns: Vec<ColumnRow<'a>>,
    checks: &'a [Check],
    notes: &'a [String],
}

/// Files that the hub loads together: their columns are the same.
#[derive(Serialize)]
struct Configuration<'a> {
    name: &'a str,
    /// The byte between fields, if it is not the usual one.
    separator: Option<String>,
    splits: Vec<Split<'a>>,
    /// The names and types of the columns; empty if the hub has no types for them.
    features: Vec<(&'a str, &'static str, bool)>,
    bytes: u64,
    content_bytes: u64,
}

#[derive(Clone, Serialize)]
struct Split<'a> {
    name: &'a str,
    path: String,
    records: u64,
    /// The size of the records without compression.
    content_bytes: u64,
}

#[derive(Serialize)]
struct FileRow<'a> {
    split: &'a str,
    path: String,
    records: String,
    bytes: String,
    sha256: &'a str,
}

#[derive(Serialize)]
struct InputRow {
    name: String,
    sha256: String,
}

#[derive(Serialize)]
struct ColumnRow<'a> {
    name: &'a str,
    type_name: String,
    meaning: &'a str,
}

/// The text of the card at a path.
pub(super) fn text(card: &DataCard, files: &[DataFile<'_>], path: &Path) -> Result<String, CardError> {
    let records = files.iter().map(|file| file.records.count).sum::<u64>();
    let rows = files.iter().map(|file| {
        Ok(FileRow {
            split: &file.split,
            path: relative(path, file.path)?,
            records: WithCommas(file.records.count).to_string(),
            bytes: WithCommas(file.bytes).to_string(),
            sha256: &file.sha256,
        })
    });
    let files_of_rows = rows.collect::<Result<Vec<_>, CardError>>()?;
    let page = Page {
        title: &card.title,
        summary: &card.summary,
        size: SIZES.iter().find(|(_, end)| records < *end).map_or("n>1B", |(name, _)| name),
        configurations: configurations(files, &files_of_rows),
        version: env!("CARGO_PKG_VERSION"),
        command: card.command,
        is_made: card.work == Work::Made,
        options: &card.options,
        inputs: card.inputs.iter().map(input).collect::<Result<_, _>>()?,
        // Those of several files may be the same.
        classes: card.classes.filter(|_| files.len() == 1).map(|classes| WithCommas(classes).to_string()),
        columns: columns(files),
        files: files_of_rows,
        checks: &card.checks,
        notes: &card.notes,
    };
    Ok(rendered(&page))
}

fn rendered(page: &Page<'_>) -> String {
    let mut templates = Environment::new();
    templates
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().expect("the usual tags"));
    // Text in double quotes of JSON is one in YAML, too.
    templates.add_filter("yaml", |text: &str| serde_json::to_string(text).expect("text is JSON"));
    templates.add_filter("plain", plain);
    templates.add_filter("code", code);
    templates.add_template("card.md", include_str!("card.md")).expect("the template is correct");
    let template = templates.get_template("card.md").expect("it was added");
    template.render(context! { page => Value::from(Serde(page)) }).expect("the template names fields of the page")
}

/// A text as Markdown that shows it as it is, also in a table.
fn plain(text: &str) -> String {
    let escaped = |character: char| match character {
        '\\' | '`' | '*' | '_' | '[' | ']' | '|' => format!("\\{character}"),
        '<' => "&lt;".to_owned(),
        '&' => "&amp;".to_owned(),
        character if character.is_control() => " ".to_owned(),
        character => character.to_string(),
    };
    text.chars().map(escaped).collect()
}

/// A text as code in Markdown, also in a table. A backtick cannot be part of it.
fn code(text: &str) -> String {
    let escaped = |character: char| match character {
        '`' => "'".to_owned(),
        '|' => "\\|".to_owned(),
        character if character.is_control() => " ".to_owned(),
        character => character.to_string(),
    };
    format!("`{}`", text.chars().map(escaped).collect::<String>())
}

/// An input, without the folders that it was in.
fn input(origin: &Origin) -> Result<InputRow, CardError> {
    let path = match origin {
        Origin::File(path) if path.is_file() => path,
        origin => return Ok(InputRow { name: origin.to_string(), sha256: String::new() }),
    };
    let sum = File::open(path).and_then(sha256).map_err(|source| CardError::Read { path: path.clone(), source })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(InputRow { name, sha256: sum.1 })
}

/// What the hub loads: all files together if they have the same columns, otherwise each of them for itself; nothing if it
/// has no loader for one of them.
fn configurations<'a>(files: &'a [DataFile<'a>], rows: &[FileRow<'a>]) -> Vec<Configuration<'a>> {
    if files.iter().any(|file| matches!(file.records.content, Content::Other(_))) {
        return vec![];
    }
    let split = |(file, row): (&'a DataFile<'a>, &FileRow<'a>)| {
        (
            file,
            Split {
                name: &file.split,
                path: row.path.clone(),
                records: file.records.count,
                content_bytes: file.records.bytes,
            },
        )
    };
    let splits: Vec<_> = files.iter().zip(rows).map(split).collect();
    let names = |file: &DataFile<'_>| file.records.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let is_alike =
        |other: &DataFile<'_>| other.records.content == files[0].records.content && names(other) == names(&files[0]);
    if files.iter().all(is_alike) {
        return vec![configuration("default", &splits)];
    }
    splits.iter().map(|split| configuration(&split.0.split, std::slice::from_ref(split))).collect()
}

fn configuration<'a>(name: &'a str, splits: &[(&'a DataFile<'a>, Split<'a>)]) -> Configuration<'a> {
    let first = splits[0].0;
    let separator = match first.records.content {
        Content::Csv(byte) if byte != b',' => Some(char::from(byte).to_string()),
        _ => None,
    };
    let features = match first.records.content {
        Content::Lines => Some(vec![("text", "string", false)]),
        _ => first.records.columns.iter().enumerate().map(|(index, column)| feature(index, column, splits)).collect(),
    };
    Configuration {
        name,
        separator,
        features: features.unwrap_or_default(),
        bytes: splits.iter().map(|(file, _)| file.bytes).sum(),
        content_bytes: splits.iter().map(|(file, _)| file.records.bytes).sum(),
        splits: splits.iter().map(|(_, split)| split.clone()).collect(),
    }
}

/// The name and the type of a column that all of some files have; `None` if there is no one type. Integers and decimals
/// are decimals.
fn feature<'a>(
    index: usize,
    column: &'a FileColumn,
    splits: &[(&'a DataFile<'a>, Split<'a>)],
) -> Option<(&'a str, &'static str, bool)> {
    let mut types = splits.iter().map(|(file, _)| file.records.columns[index].value_type);
    let first = types.next()??;
    let same = types.try_fold(first, |one, other| match (one, other?) {
        (one, other) if one == other => Some(one),
        (one, other)
            if !one.is_list && [one.name, other.name].iter().all(|name| ["int64", "float64"].contains(name)) =>
        {
            Some(if one.name == "float64" { one } else { other })
        }
        _ => None,
    })?;
    Some((&column.name, same.name, same.is_list))
}

/// The columns of all files, each once.
fn columns<'a>(files: &'a [DataFile<'a>]) -> Vec<ColumnRow<'a>> {
    let mut rows: Vec<ColumnRow<'a>> = vec![];
    for column in files.iter().flat_map(|file| &file.records.columns) {
        let type_name = column.value_type.map_or_else(|| "nested".to_owned(), super::value_type::ValueType::in_words);
        match rows.iter_mut().find(|row| row.name == column.name) {
            Some(row) if row.type_name.split(" or ").any(|name| name == type_name) => {}
            Some(row) => row.type_name = format!("{} or {type_name}", row.type_name),
            None => rows.push(ColumnRow { name: &column.name, type_name, meaning: column.meaning }),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(plain("a|b_c <i>\n&amp; `x`"), "a\\|b\\_c &lt;i> &amp;amp; \\`x\\`");
        assert_eq!(code("a|b`\nc"), "`a\\|b' c`");
    }
}

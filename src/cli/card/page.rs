//! Writes the descriptions of a data set: a job's words about its data, in the layout of a data card or of Croissant.

use std::fs::File;
use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde_json::Value as Json;

use super::data_file::{Content, DataFile, FileColumn, Records, ValueType};
use super::{CardError, DataCard, relative};
use crate::compression::Compression;
use crate::corpus::Origin;
use crate::format::InputFormat;
use crate::options::{Counted, WithCommas};
use crate::output::sha256;

/// The size categories of the hub, each with the smallest number of records that exceeds it.
const SIZES: [(&str, u64); 7] = [
    ("n<1K", 1_000),
    ("1K<n<10K", 10_000),
    ("10K<n<100K", 100_000),
    ("100K<n<1M", 1_000_000),
    ("1M<n<10M", 10_000_000),
    ("10M<n<100M", 100_000_000),
    ("100M<n<1B", 1_000_000_000),
];

/// The text of a data card at a path: a header in YAML for the hub, and a page in Markdown.
pub(super) fn readme(card: &DataCard, report: &Json, files: &[DataFile<'_>], path: &Path) -> Result<String, CardError> {
    rendered("readme", card, report, files, path)
}

/// The metadata at a path in the format Croissant 1.0 of `MLCommons`: JSON-LD that lists the files and describes how to
/// read their records.
pub(super) fn croissant(
    card: &DataCard,
    report: &Json,
    files: &[DataFile<'_>],
    path: &Path,
) -> Result<String, CardError> {
    let text = rendered("croissant", card, report, files, path)?;
    let metadata: Json = serde_json::from_str(&text).expect("the template is JSON");
    Ok(serde_json::to_string_pretty(&metadata).expect("text keys are JSON") + "\n")
}

/// The words of a job about its data and its report, in a layout.
fn rendered(
    layout: &str,
    card: &DataCard,
    report: &Json,
    files: &[DataFile<'_>],
    path: &Path,
) -> Result<String, CardError> {
    let records = files.iter().map(|file| file.records.count).sum::<u64>();
    let paths = files.iter().map(|file| relative(path, file.path)).collect::<Result<Vec<_>, _>>()?;
    let inputs = card.inputs.iter().map(input).collect::<Result<Vec<_>, _>>()?;
    let facts = context! {
        layout,
        command => card.command,
        options => Value::from(Serde(&card.options)),
        report => Value::from(Serde(report)),
        inputs,
        version => env!("CARGO_PKG_VERSION"),
        size => SIZES.iter().find(|(_, end)| records < *end).map_or("n>1B", |(name, _)| name),
        configurations => configurations(files, &paths),
        columns => columns(files),
        files => files.iter().zip(&paths).map(|(file, path)| facts_of_file(file, path)).collect::<Vec<_>>(),
    };

    let mut templates = environment();
    for (name, text) in [
        ("readme", include_str!("card.md")),
        ("croissant", include_str!("croissant.json")),
        ("context", include_str!("context.json")),
        ("checks", include_str!("checks.md")),
        ("job", card.template),
    ] {
        templates.add_template(name, text).expect("the template is correct");
    }
    let text = templates.get_template("job").and_then(|job| job.render(facts)).expect("the template names these facts");
    Ok(text.trim_start().to_owned())
}

/// The syntax and the filters of pages.
pub(super) fn environment<'a>() -> Environment<'a> {
    let mut templates = Environment::new();
    templates
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().expect("the usual tags"));
    // A JSON text in double quotes is also valid YAML.
    templates.add_filter("json", |text: &str| serde_json::to_string(text).expect("text is JSON"));
    templates.add_filter("plain", plain);
    templates.add_filter("code", code);
    let is_gap = |c: char| c.is_whitespace() || c.is_control();
    templates.add_filter("line", move |text: &str| {
        text.split(is_gap).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    });
    templates.add_filter("commas", |count: u64| WithCommas(count).to_string());
    templates.add_filter("counted", |count: u64, thing: &str| Counted(count, thing).to_string());
    templates
}

/// The facts about a file at a path.
fn facts_of_file(file: &DataFile<'_>, path: &str) -> Value {
    let records = &file.records;
    let media_type = match records.content {
        Content::Csv(b'\t') => "text/tab-separated-values",
        Content::Csv(_) => "text/csv",
        Content::Jsonl => "application/jsonlines",
        Content::Parquet => InputFormat::Parquet.media_type(),
        // A table under another name is plain text to other readers.
        Content::Lines => InputFormat::Lines.media_type(),
        Content::Other(format) => format.media_type(),
    };
    context! {
        split => &file.split, path, bytes => file.bytes, sha256 => &file.sha256, media_type,
        records => records.count,
        packed => records.compression.map(<&str>::from),
        is_lines => records.content == Content::Lines,
        fields => fields(records),
    }
}

/// The columns that Croissant can describe: its readers support only gzip streams, and only tables with commas or tabs.
fn fields(records: &Records) -> Vec<Value> {
    if !matches!(records.compression, None | Some(Compression::Gzip)) {
        return vec![];
    }
    let field = |column: &FileColumn| {
        let value_type = column.value_type?;
        let (name, meaning) = (&column.name, column.meaning);
        Some(context! { name, meaning, schema_type => value_type.of_schema(), is_list => value_type.is_list })
    };
    match records.content {
        Content::Csv(b',' | b'\t') | Content::Jsonl | Content::Parquet => {
            records.columns.iter().filter_map(field).collect()
        }
        Content::Lines => {
            vec![
                context! { name => "puzzle", meaning => "the puzzle in one line", schema_type => ValueType::TEXT.of_schema() },
            ]
        }
        Content::Csv(_) | Content::Other(_) => vec![],
    }
}

/// A text as literal Markdown, valid in a table too.
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

/// A text as Markdown code, valid in a table too. A backtick cannot be part of it.
fn code(text: &str) -> String {
    let escaped = |character: char| match character {
        '`' => "'".to_owned(),
        '|' => "\\|".to_owned(),
        character if character.is_control() => " ".to_owned(),
        character => character.to_string(),
    };
    format!("`{}`", text.chars().map(escaped).collect::<String>())
}

/// An input, without its folders.
fn input(origin: &Origin) -> Result<Value, CardError> {
    let path = match origin {
        Origin::File(path) if path.is_file() => path,
        origin => return Ok(context! { name => origin.to_string(), sha256 => "" }),
    };
    let sum = File::open(path).and_then(sha256).map_err(|source| CardError::Read { path: path.clone(), source })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(context! { name, sha256 => sum.1 })
}

/// The configurations that the hub loads: all files together if they have the same columns, otherwise one for each
/// file; none if the hub has no loader for a file.
fn configurations(files: &[DataFile<'_>], paths: &[String]) -> Vec<Value> {
    if files.iter().any(|file| matches!(file.records.content, Content::Other(_))) {
        return vec![];
    }
    let splits: Vec<_> = files.iter().zip(paths).collect();
    let names = |file: &DataFile<'_>| file.records.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let is_alike =
        |other: &DataFile<'_>| other.records.content == files[0].records.content && names(other) == names(&files[0]);
    if files.iter().all(is_alike) {
        return vec![configuration("default", &splits)];
    }
    splits.iter().map(|split| configuration(&split.0.split, std::slice::from_ref(split))).collect()
}

/// A configuration: files with the same columns, which the hub loads together, with their paths.
fn configuration(name: &str, splits: &[(&DataFile<'_>, &String)]) -> Value {
    let first = splits[0].0;
    // The separator, unless it is the usual one.
    let separator = match first.records.content {
        Content::Csv(byte) if byte != b',' => Some(char::from(byte).to_string()),
        _ => None,
    };
    // None if the hub lacks a type for a column.
    let features = match first.records.content {
        Content::Lines => Some(vec![("text", "string", false)]),
        _ => first.records.columns.iter().enumerate().map(|(index, column)| feature(index, column, splits)).collect(),
    };
    let rows = splits.iter().map(|&(file, path)| {
        let records = &file.records;
        context! { name => &file.split, path, records => records.count, content_bytes => records.bytes }
    });
    context! {
        name, separator,
        features => Value::from(Serde(&features.unwrap_or_default())),
        bytes => splits.iter().map(|(file, _)| file.bytes).sum::<u64>(),
        content_bytes => splits.iter().map(|(file, _)| file.records.bytes).sum::<u64>(),
        splits => rows.collect::<Vec<_>>(),
    }
}

/// A column shared by all files, and its common type; `None` if there is none. Integers widen to decimals.
fn feature<'a>(
    index: usize,
    column: &'a FileColumn,
    splits: &[(&DataFile<'_>, &String)],
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

/// The columns of all files, without repetition.
fn columns(files: &[DataFile<'_>]) -> Vec<Value> {
    let mut rows: Vec<(&str, String, &str)> = vec![];
    for column in files.iter().flat_map(|file| &file.records.columns) {
        let type_name = column.value_type.map_or_else(|| "nested".to_owned(), ValueType::in_words);
        match rows.iter_mut().find(|(name, ..)| *name == column.name) {
            Some((_, known, _)) if known.split(" or ").any(|name| name == type_name) => {}
            Some((_, known, _)) => *known = format!("{known} or {type_name}"),
            None => rows.push((&column.name, type_name, column.meaning)),
        }
    }
    rows.into_iter().map(|(name, type_name, meaning)| context! { name, type_name, meaning }).collect()
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

//! Writes a data card for Hugging Face: a header in YAML for the hub, and a page in Markdown.

use std::fs::File;
use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Value, context};

use super::data_file::{Content, DataFile, FileColumn};
use super::{CardError, DataCard, Work, relative};
use crate::corpus::Origin;
use crate::output::sha256;
use crate::stats::WithCommas;

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

/// The text of the card at a path.
pub(super) fn text(card: &DataCard, files: &[DataFile<'_>], path: &Path) -> Result<String, CardError> {
    let records = files.iter().map(|file| file.records.count).sum::<u64>();
    let paths = files.iter().map(|file| relative(path, file.path)).collect::<Result<Vec<_>, _>>()?;
    let rows = files.iter().zip(&paths).map(|(file, path)| {
        let [records, bytes] = [file.records.count, file.bytes].map(|count| WithCommas(count).to_string());
        context! { split => &file.split, path, records, bytes, sha256 => &file.sha256 }
    });
    let inputs = card.inputs.iter().map(input).collect::<Result<Vec<_>, _>>()?;

    Ok(rendered(&context! {
        title => &card.title,
        summary => &card.summary,
        size => SIZES.iter().find(|(_, end)| records < *end).map_or("n>1B", |(name, _)| name),
        configurations => configurations(files, &paths),
        version => env!("CARGO_PKG_VERSION"),
        command => card.command,
        is_made => card.work == Work::Made,
        options => Value::from(Serde(&card.options)),
        inputs,
        // Different files may share classes, so their numbers cannot be added.
        classes => card.classes.filter(|_| files.len() == 1).map(|classes| WithCommas(classes).to_string()),
        columns => columns(files),
        files => rows.collect::<Vec<_>>(),
        checks => Value::from(Serde(&card.checks)),
        notes => Value::from(Serde(&card.notes)),
    }))
}

fn rendered(page: &Value) -> String {
    let mut templates = Environment::new();
    templates
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().expect("the usual tags"));
    // A JSON text in double quotes is also valid YAML.
    templates.add_filter("yaml", |text: &str| serde_json::to_string(text).expect("text is JSON"));
    templates.add_filter("plain", plain);
    templates.add_filter("code", code);
    templates.add_template("card.md", include_str!("card.md")).expect("the template is correct");
    let template = templates.get_template("card.md").expect("it was added");
    template.render(context! { page }).expect("the template names values of the page")
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
/// file; none if the hub has no loader for one of them.
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
        let type_name = column.value_type.map_or_else(|| "nested".to_owned(), super::value_type::ValueType::in_words);
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

//! Writes the metadata of a data set in the format Croissant 1.0 of `MLCommons`: JSON-LD that lists the files and
//! describes how to read their records.

use std::path::Path;

use serde_json::{Value, json};

use super::data_file::{Content, DataFile, FileColumn};
use super::{CardError, DataCard, relative};
use crate::compression::Compression;
use crate::format::InputFormat;

/// The text of the metadata at a path.
///
/// Licence, date, address and creator are missing: only the publisher knows them.
pub(super) fn text(card: &DataCard, files: &[DataFile<'_>], path: &Path) -> Result<String, CardError> {
    let context: Value = serde_json::from_str(include_str!("context.json")).expect("the context is JSON");
    let mut distribution = vec![];
    for file in files {
        distribution.push(file_object(file, &relative(path, file.path)?));
    }
    let metadata = json!({
        "@context": context,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": card.title,
        "description": card.summary,
        "keywords": ["sudoku", "gridmill"],
        "distribution": distribution,
        "recordSet": files.iter().filter_map(record_set).collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&metadata).expect("text keys are JSON") + "\n")
}

/// The identifier of a file.
fn id(file: &DataFile<'_>) -> String {
    format!("{}-file", file.split)
}

fn file_object(file: &DataFile<'_>, path: &str) -> Value {
    let text = match file.records.content {
        Content::Csv(b'\t') => "text/tab-separated-values",
        Content::Csv(_) => "text/csv",
        Content::Jsonl => "application/jsonlines",
        Content::Parquet | Content::Other(InputFormat::Parquet) => "application/x-parquet",
        Content::Other(InputFormat::Npy) => "application/x-npy",
        Content::Other(InputFormat::OpenSudoku) => "application/xml",
        Content::Lines | Content::Other(_) => "text/plain",
    };
    let packed = file.records.compression.map(|compression| match compression {
        Compression::Gzip => "application/gzip",
        Compression::Zstd => "application/zstd",
        Compression::Xz => "application/x-xz",
        Compression::Bzip2 => "application/x-bzip2",
    });
    // A reader that supports gzip takes the first format as the format of the content.
    let format = packed.map_or_else(|| json!(text), |packed| json!([text, packed]));
    json!({
        "@type": "cr:FileObject",
        "@id": id(file),
        "name": path,
        "contentUrl": path,
        "contentSize": format!("{} B", file.bytes),
        "encodingFormat": format,
        "sha256": file.sha256,
    })
}

/// The records of a file; `None` if the metadata cannot describe them: readers support only gzip streams, and only
/// tables with commas or tabs.
fn record_set(file: &DataFile<'_>) -> Option<Value> {
    if !matches!(file.records.compression, None | Some(Compression::Gzip)) {
        return None;
    }
    let fields: Vec<Value> = match file.records.content {
        Content::Csv(b',' | b'\t') | Content::Jsonl | Content::Parquet => {
            file.records.columns.iter().filter_map(|column| field(file, column)).collect()
        }
        Content::Lines => vec![json!({
            "@type": "cr:Field",
            "@id": format!("{}/puzzle", file.split),
            "name": "puzzle",
            "description": "the puzzle in one line",
            "dataType": "sc:Text",
            "source": { "fileObject": { "@id": id(file) }, "extract": { "fileProperty": "lines" } },
        })],
        Content::Csv(_) | Content::Other(_) => return None,
    };
    (!fields.is_empty()).then(|| {
        json!({
            "@type": "cr:RecordSet",
            "@id": file.split,
            "name": file.split,
            "description": format!("the {} of the split", crate::stats::Counted(file.records.count, "record")),
            "field": fields,
        })
    })
}

/// A column of a table; `None` if its values have no type in Croissant.
fn field(file: &DataFile<'_>, column: &FileColumn) -> Option<Value> {
    let value_type = column.value_type?;
    let mut field = json!({
        "@type": "cr:Field",
        "@id": format!("{}/{}", file.split, column.name),
        "name": column.name,
        "dataType": value_type.of_schema(),
        "source": { "fileObject": { "@id": id(file) }, "extract": { "column": column.name } },
    });
    if !column.meaning.is_empty() {
        field["description"] = json!(column.meaning);
    }
    if value_type.is_list {
        field["repeated"] = json!(true);
    }
    Some(field)
}

//! Formats with columns: CSV, also for spreadsheets; JSON lines, and JSON as one array.

use super::{OutputFacts, PLAIN, Writer};
use crate::rows::csv::CsvStyle;

pub(super) const CSV: OutputFacts = OutputFacts {
    description: "a header, then one row a record",
    example: "line,puzzle,status,solutions,solution,branches,nanos,detail\n\
              1,1.3..........4.2,unique,1,1234432121433412,0,880,\n\
              2,11..............,none,0,,0,90,\"two 1s in row 1: r1c1, r1c2\"",
    files: (&["csv"], "CSV"),
    writer: Writer::Csv(CsvStyle { delimiter: b',', is_sheet: false }),
    ..PLAIN
};

pub(super) const TSV: OutputFacts = OutputFacts {
    description: "as csv, with tabs",
    example: "line\tpuzzle\tstatus\n1\t1.3..........4.2\tunique",
    files: (&["tsv", "tab"], "TSV"),
    writer: Writer::Csv(CsvStyle { delimiter: b'\t', is_sheet: false }),
    ..PLAIN
};

pub(super) const EXCEL: OutputFacts = OutputFacts {
    description: "as csv, for spreadsheets where numbers have decimal commas: with semicolons and a byte order mark; texts stay texts",
    example: "solution;er;level\n=\"1234432121433412\";7,1;extreme",
    writer: Writer::Csv(CsvStyle { delimiter: b';', is_sheet: true }),
    ends: ("\u{feff}", ""),
    ..CSV
};

pub(super) const JSONL: OutputFacts = OutputFacts {
    description: "one JSON object a record, one a line",
    example: "{\"line\":1,\"puzzle\":\"1...............\",\"status\":\"multiple\",\"solutions\":2,\"solution\":null,\
              \"branches\":4,\"nanos\":410,\"detail\":null}",
    files: (&["jsonl", "ndjson"], "JSON lines"),
    writer: Writer::Json,
    ..PLAIN
};

pub(super) const JSON: OutputFacts = OutputFacts {
    description: "an array of JSON objects, one a record",
    example: "[\n{\"line\":1,\"status\":\"unique\"},\n{\"line\":2,\"status\":\"none\"}\n]",
    files: (&["json"], "JSON"),
    ends: ("[\n", "\n]\n"),
    separator: ",\n",
    ..JSONL
};

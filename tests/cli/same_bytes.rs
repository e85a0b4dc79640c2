//! The rows depend on the input only, not on threads, chunks, vectors or (except `branches`) the engine.

use crate::{TestDir, data};

const COLUMNS: &str = "file,line,puzzle,status,solutions,solution,detail";

#[test]
fn rows_do_not_depend_on_threads_chunks_or_engine() {
    let dir = TestDir::new();
    let files = [data("minimal.txt"), data("mixed.txt"), data("16x16.txt"), data("4x4.txt")].join(" ");
    for question in ["--limit 2", "--limit 7", "--first", "--all --limit 20"] {
        let solve = |engine: &str, layout: &str, columns: &str| {
            let result =
                dir.run(&format!("solve -q {files} {question} --engine {engine} {layout} --columns {columns}"));
            result.ends(0)
        };
        let rows = solve("bitmask", "--threads 1", COLUMNS);
        assert!(rows.lines().count() > 100);
        for engine in ["lanes", "lanes --simd portable", "bitmask", "dlx"] {
            let counted = solve(engine, "--threads 1", "line,branches");
            for layout in ["--threads 2", "--threads 8", "--threads 2 --chunk 1", "--threads 3 --chunk 17"] {
                assert!(solve(engine, layout, COLUMNS) == rows, "{question} {engine} {layout}");
                assert!(solve(engine, layout, "line,branches") == counted, "{question} {engine} {layout}");
            }
        }
    }
}

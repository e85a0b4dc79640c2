//! Inputs of the original programs give the original outputs, byte for byte, with every engine.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

fn check(name: &str, options: &[&str]) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/acceptance");
    let expected = fs::read(directory.join(name).with_extension("out")).unwrap();
    for engine in ["lanes", "bitmask", "dlx"] {
        let mut command = Command::cargo_bin("gridmill").unwrap();
        command.arg("solve").args(options).args(["--quiet", "--engine", engine]);
        let output = command.arg(directory.join(name).with_extension("in")).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{name}, {engine}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&expected), "{name}, {engine}");
        assert!(output.stdout == expected && output.status.success());
    }
}

#[test]
fn hexadoku() {
    check("hexadoku", &["--to", "grids"]);
}

#[test]
fn all_solutions() {
    check("all_solutions", &["--all", "--to", "listing"]);
    check("all_solutions", &["--to", "listing"]);
}

#[test]
fn counted_grids() {
    check("counted_grids", &["--to", "grids"]);
}

#[test]
fn lines_end() {
    check("lines_end", &["--to", "lines"]);
}

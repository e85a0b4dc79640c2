//! Every command in the README's `console` blocks does what it says: it is run as written, with our binary first in
//! the path, beside a link to `data/`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use assert_cmd::cargo::cargo_bin;

/// The lines after `$ ` in `console` blocks, with the lines that a backslash continues.
fn commands(readme: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "```console" {
            continue;
        }
        let mut block = lines.by_ref().take_while(|line| line.trim() != "```");
        while let Some(line) = block.next() {
            let Some(start) = line.trim_start().strip_prefix("$ ") else { continue };
            let mut command = start.to_owned();
            while let Some(continued) = command.strip_suffix('\\') {
                command = continued.to_owned() + block.next().expect("a line to go on with");
            }
            commands.push(command);
        }
    }
    commands
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

#[test]
fn every_gridmill_command_in_the_readme_works() {
    let commands = commands(&fs::read_to_string(root().join("README.md")).unwrap());
    let ours: Vec<&String> = commands.iter().filter(|command| command.contains("gridmill ")).collect();
    assert!(ours.len() >= 8, "the README shows every command");

    let directory = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("data"), directory.path().join("data")).unwrap();
    let binaries = cargo_bin("gridmill").parent().unwrap().to_owned();
    let path = env::join_paths([binaries].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap()))).unwrap();
    for command in ours {
        let shell =
            Command::new("sh").args(["-c", command]).current_dir(directory.path()).env("PATH", &path).output().unwrap();
        let errors = String::from_utf8_lossy(&shell.stderr);
        assert!(shell.status.success(), "{command}\n{errors}");
        assert!(!errors.contains("error:") && !errors.contains("not found"), "{command}\n{errors}");
    }
}

//! Files of others that have the names of a partial output and of what lies next to it are not touched.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Command;

use crate::{TestDir, UNIQUE};

const COMMANDS: [&str; 10] = [
    "solve in.txt -o out",
    "solve in.txt -o out --resume",
    "solve in.txt -o out --to grids",
    "validate in.txt -o out",
    "validate in.txt -o rows --rejects out",
    "canon in.txt -o out",
    "split in.txt --by puzzle --parts out=1.0 -o {part}",
    "dedupe in.txt -o out",
    "sample in.txt -n 1 -o out",
    "generate -n 1 -o out",
];

fn corpus() -> TestDir {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    dir
}

/// A command without its notes.
fn quiet(command: &str) -> String {
    if command.starts_with("generate") { command.to_owned() } else { format!("{command} -q") }
}

#[test]
fn a_partial_output_that_is_no_regular_file_is_refused() {
    let dir = corpus();
    dir.write("victim", "precious\n");
    fs::create_dir(dir.path("folder.partial")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path("fifo.partial")).status().unwrap().success());
    symlink("victim", dir.path("link.partial")).unwrap();
    symlink("nowhere", dir.path("dangling.partial")).unwrap();
    symlink("victim", dir.path("json.partial.json")).unwrap();
    fs::create_dir(dir.path("made.partial.json")).unwrap();
    for (name, file, what) in [
        ("folder", "folder.partial", "it is not a regular file"),
        ("fifo", "fifo.partial", "it is not a regular file"),
        ("link", "link.partial", "it is a symbolic link"),
        ("dangling", "dangling.partial", "it is a symbolic link"),
        ("json", "json.partial.json", "it is a symbolic link"),
        ("made", "made.partial.json", "it is not a regular file"),
    ] {
        for command in COMMANDS {
            let command = quiet(&command.replace("out", name));
            let error = dir.run(&command).fails();
            let expected =
                format!("gridmill: cannot use {file}: {what}; move it away, or give the output another name");
            assert_eq!(error, expected, "{command}");
        }
    }
    assert_eq!(dir.read("victim"), "precious\n");
    assert!(fs::symlink_metadata(dir.path("fifo.partial")).unwrap().file_type().is_fifo());
    for name in ["nowhere", "folder", "fifo", "link", "dangling", "json", "made"] {
        assert!(!dir.path(name).exists(), "{name}");
    }
}

#[test]
fn an_output_that_is_a_link_replaces_the_link() {
    let dir = corpus();
    dir.write("victim", "precious\n").write("twin", "precious\n");
    symlink("victim", dir.path("out")).unwrap();
    fs::hard_link(dir.path("twin"), dir.path("hard")).unwrap();
    for name in ["out", "hard"] {
        dir.run(&format!("solve in.txt -q --columns status -o {name}")).ends(0);
        assert_eq!(dir.read(name), "status\nunique\n");
        assert!(fs::symlink_metadata(dir.path(name)).unwrap().is_file());
    }
    assert_eq!((dir.read("victim"), dir.read("twin")), ("precious\n".to_owned(), "precious\n".to_owned()));
}

#[test]
fn files_that_gridmill_did_not_write_are_kept() {
    for (file, text) in
        [("out.partial", "precious\n"), ("out.partial.json", "{\"precious\": 1}\n"), ("out.partial.json", "precious\n")]
    {
        for command in COMMANDS {
            let dir = corpus();
            dir.write(file, text);
            let error = dir.run(&quiet(command)).fails();
            assert!(error.starts_with("gridmill: ") && error.contains(file), "{command}: {error}");
            assert_eq!(dir.read(file), text, "{command}");
            assert!(!dir.path("out").exists(), "{command}");
        }
    }
    for text in ["precious\n", "{\"precious\": 1}\n"] {
        let dir = corpus();
        dir.write("out.partial.notes", text);
        let error = dir.run("validate in.txt -o out -q").fails();
        let expected =
            "cannot use out.partial.notes: gridmill did not write it; move it away, or give the output another name";
        assert_eq!(error, format!("gridmill: {expected}"));
        // Runs without notes leave it alone.
        dir.run("solve in.txt -o out -q").ends(0);
        assert_eq!(dir.read("out.partial.notes"), text);
    }
    let dir = corpus();
    dir.write("victim", "precious\n");
    symlink("victim", dir.path("out.partial.notes")).unwrap();
    let error = dir.run("validate in.txt -o out -q").fails();
    assert!(error.starts_with("gridmill: cannot use out.partial.notes: it is a symbolic link"), "{error}");
    assert_eq!(dir.read("victim"), "precious\n");

    let dir = corpus();
    dir.write("out.shard.json", "precious\n");
    let error = dir.run("solve in.txt -o out -q").fails();
    let expected =
        "cannot use out.shard.json: gridmill did not write it; move it away, or give the output another name";
    assert_eq!(error, format!("gridmill: {expected}"));
    assert_eq!(dir.read("out.shard.json"), "precious\n");
}

/// A run writes over what an interrupted run has left, of any command.
#[test]
fn what_an_interrupted_run_left_is_no_obstacle() {
    let dir = corpus();
    for command in COMMANDS.iter().filter(|command| !command.contains("--resume")) {
        let command = quiet(command);
        dir.run(&command).ends(0);
        let complete = fs::read(dir.path("out")).unwrap();
        // A full disk ends the run.
        let script = "ulimit -f 0; RUN";
        let broken = dir.shell(script, &command).output().unwrap();
        assert_eq!(broken.status.code(), Some(2), "{command}");
        dir.run(&command).ends(0);
        assert!(fs::read(dir.path("out")).unwrap() == complete || command.contains("solve"), "{command}");
        fs::remove_file(dir.path("out")).unwrap();
        assert!(!dir.path("out.partial").exists() && !dir.path("out.partial.json").exists(), "{command}");
    }
}

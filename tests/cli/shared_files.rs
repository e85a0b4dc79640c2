//! No output of a run may be one of its inputs, or another of its outputs.

use std::collections::BTreeMap;
use std::fs;

#[cfg(target_os = "linux")]
use crate::RunResult;
use crate::{TestDir, UNIQUE};

/// The names and contents of all files.
fn contents(dir: &TestDir) -> BTreeMap<String, String> {
    let entries = fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    entries.map(|name| (name.clone(), dir.read(&name))).collect()
}

#[test]
fn an_output_that_is_an_input_or_another_output_is_refused_before_anything_is_opened() {
    let dir = TestDir::new();
    for name in ["in.txt", "other.txt", "e.partial", "c.csv"] {
        dir.write(name, format!("{UNIQUE}\n"));
    }
    fs::hard_link(dir.path("in.txt"), dir.path("hard")).unwrap();
    for number in [1, 2] {
        dir.run(&format!("solve -q in.txt --columns line --shard {number}/2 -o p{number}")).ends(0);
    }
    fs::hard_link(dir.path("p1"), dir.path("twin")).unwrap();
    let before = contents(&dir);
    for (arguments, message) in [
        ("solve in.txt -o in.txt", "in.txt is an input, too; give -o another name"),
        ("solve other.txt in.txt -o in.txt", "in.txt is an input, too; give -o another name"),
        ("solve in.txt -o ./in.txt", "./in.txt is the same file as in.txt, an input; give -o another name"),
        ("solve in.txt -o hard", "hard is the same file as in.txt, an input; give -o another name"),
        ("solve in.txt -o new --resume --summary in.txt", "in.txt is an input, too; give --summary another name"),
        ("solve e.partial -o e", "e.partial is an input, too; give -o another name"),
        ("solve in.txt -o a --summary a", "a is a file of -o, too; give --summary another name"),
        ("solve in.txt -o a --summary ./a", "./a is the same file as a, a file of -o; give --summary another name"),
        ("solve in.txt -o e --summary e.partial", "e.partial is a file of -o, too; give --summary another name"),
        (
            "solve in.txt -o a --summary a.partial.json",
            "a.partial.json is a file of -o, too; give --summary another name",
        ),
        ("solve in.txt -o a --summary a.shard.json", "a.shard.json is a file of -o, too; give --summary another name"),
        ("solve in.txt -o a.partial --summary a", ""),
        ("validate in.txt --rejects in.txt -o r", "in.txt is an input, too; give --rejects another name"),
        ("validate in.txt -o b --rejects b", "b is a file of -o, too; give --rejects another name"),
        ("validate in.txt -o b --rejects b.partial", "b.partial is a file of -o, too; give --rejects another name"),
        ("validate in.txt -o b.partial --rejects b", "b.partial is a file of -o, too; give --rejects another name"),
        ("validate in.txt -o r --rejects b --summary b", "b is a file of --rejects, too; give --summary another name"),
        ("validate in.txt --against other.txt -o other.txt", "other.txt is an input, too; give -o another name"),
        ("canon in.txt -o in.txt", "in.txt is an input, too; give -o another name"),
        ("canon in.txt -o hard", "hard is the same file as in.txt, an input; give -o another name"),
        ("dedupe in.txt -o hard", "hard is the same file as in.txt, an input; give -o another name"),
        ("dedupe in.txt -o a --dropped a", "a is a file of -o, too; give --dropped another name"),
        ("augment in.txt --copies 1 -o a --summary a", "a is a file of -o, too; give --summary another name"),
        ("sample in.txt -n 1 -o in.txt", "in.txt is an input, too; give -o another name"),
        ("canon e.partial -o e", "e.partial is an input, too; give -o another name"),
        ("validate in.txt -o in.txt", "in.txt is an input, too; give -o another name"),
        ("validate in.txt -o hard", "hard is the same file as in.txt, an input; give -o another name"),
        ("validate hard --rejects in.txt", "in.txt is the same file as hard, an input; give --rejects another name"),
        ("generate -n 1 -o a --summary a", "a is a file of -o, too; give --summary another name"),
        ("generate -n 1 -o e --summary e.partial", "e.partial is a file of -o, too; give --summary another name"),
        ("merge p1 p2 -o twin", "twin is the same file as p1, an input; give -o another name"),
        ("merge p1 p2 -o p1", "p1 is an input, too; give -o another name"),
        ("merge p1.shard.json p2 -o p1", "p1 is an input, too; give -o another name"),
        ("merge p1 p2 --summary p2.shard.json", "p2.shard.json is an input, too; give --summary another name"),
        ("bench c.csv --export c.csv", "c.csv is an input, too; give --export another name"),
        ("bench in.txt --export a.md --export a.md", "a.md is a file of --export, too; give --export another name"),
    ] {
        let result = dir.run(&format!("{arguments} -q"));
        if message.is_empty() {
            result.ends(0);
            for name in ["a", "a.partial"] {
                fs::remove_file(dir.path(name)).unwrap();
            }
            continue;
        }
        assert_eq!(result.fails(), format!("gridmill: {message}"), "{arguments}");
        assert_eq!(contents(&dir), before, "{arguments}");
    }
}

#[test]
#[cfg(unix)]
fn links_to_an_input_are_the_input() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    std::os::unix::fs::symlink("in.txt", dir.path("soft")).unwrap();
    std::os::unix::fs::symlink(".", dir.path("here")).unwrap();
    for (arguments, message) in [
        ("solve in.txt -o soft", "soft is the same file as in.txt, an input; give -o another name"),
        ("canon in.txt -o soft", "soft is the same file as in.txt, an input; give -o another name"),
        ("validate in.txt -o soft", "soft is the same file as in.txt, an input; give -o another name"),
        ("validate in.txt --against soft -o in.txt", "in.txt is the same file as soft, an input; give -o another name"),
        ("merge soft in.txt -o here/in.txt", "here/in.txt is the same file as in.txt, an input; give -o another name"),
        ("solve soft -o in.txt", "in.txt is the same file as soft, an input; give -o another name"),
        ("solve in.txt -o here/in.txt", "here/in.txt is the same file as in.txt, an input; give -o another name"),
        (
            "solve in.txt -o here/a --summary a",
            "a is the same file as here/a, a file of -o; give --summary another name",
        ),
    ] {
        assert_eq!(dir.run(&format!("{arguments} -q")).fails(), format!("gridmill: {message}"), "{arguments}");
    }
    assert_eq!(dir.read("in.txt"), format!("{UNIQUE}\n"));
    assert_eq!(fs::read_dir(dir.path("")).unwrap().count(), 3);
}

#[test]
#[cfg(target_os = "linux")]
fn standard_streams_may_be_inputs_and_outputs() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n")).write("log", "");
    let shared = "/dev/stdout is the same file as in.txt, an input; give standard output another name";
    let log = "log is the same file as /dev/stdout, a file of standard output; give --summary another name";
    let stdin_is_o = "in.txt is the same file as /dev/stdin, an input; give -o another name";
    let stdin_is_stdout = "/dev/stdout is the same file as /dev/stdin, an input; give standard output another name";
    for (script, arguments, message) in [
        ("RUN >> in.txt", "solve in.txt -q", shared),
        ("RUN >> in.txt", "validate in.txt -q", shared),
        ("RUN >> in.txt", "canon in.txt -q", shared),
        ("RUN >> in.txt", "bench in.txt -q", shared),
        ("RUN >> log", "solve in.txt -q --summary log", log),
        ("RUN < in.txt", "solve -q -o in.txt", stdin_is_o),
        ("RUN < in.txt", "canon -q -o in.txt", stdin_is_o),
        ("RUN < in.txt", "validate log --against - -q -o in.txt", stdin_is_o),
        ("RUN < in.txt", "solve -q --summary in.txt -", &stdin_is_o.replace("-o", "--summary")),
        ("RUN < in.txt", "validate -q --rejects in.txt -", &stdin_is_o.replace("-o", "--rejects")),
        ("RUN < in.txt >> in.txt", "solve -q", stdin_is_stdout),
    ] {
        let output = dir.shell(script, arguments).output().unwrap();
        assert_eq!(RunResult::from(output).fails(), format!("gridmill: {message}"), "{arguments}");
        assert_eq!((dir.read("in.txt"), dir.read("log")), (format!("{UNIQUE}\n"), String::new()), "{arguments}");
    }
    let output = dir.shell("RUN >> in.txt", "solve in.txt -q -o out --columns line").output().unwrap();
    RunResult::from(output).ends(0);
}

/// Devices and pipes take the output of several options.
#[test]
#[cfg(unix)]
fn devices_may_be_named_several_times() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    for arguments in [
        "solve in.txt -o /dev/null --summary /dev/null",
        "validate in.txt -o /dev/null --rejects /dev/null --summary /dev/null",
        "solve /dev/null -o /dev/null",
    ] {
        dir.run(&format!("{arguments} -q")).ends(0);
    }
    let result = dir.run("solve in.txt -q --columns status -o /dev/stdout --summary /dev/stdout");
    let out = result.ends(0);
    assert!(out.starts_with("status\nunique\n") && out.ends_with("}\n"), "{out}");
}

//! No output of a run may be one of its inputs, or another of its outputs.

#[cfg(target_os = "linux")]
use crate::RunResult;
use crate::{TestDir, UNIQUE};

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

/// The partial output has another name than both.
#[test]
fn an_output_may_be_called_partial() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    dir.run("solve in.txt -q -o a.partial --summary a").ends(0);
    assert!(dir.read("a.partial").starts_with("line,") && dir.read("a").starts_with('{'));
}

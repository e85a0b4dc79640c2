//! `gridmill formats`, `completions` and `man`: the formats and options of gridmill, for people and for shells.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use gridmill::format::InputFormat;
use gridmill::output::{DASH, write_small};
use gridmill::rows::OutputFormat;

/// Lists the input and output formats, with an example of each.
pub(crate) fn formats() -> anyhow::Result<()> {
    let mut page = String::from(
        "Input, detected from its content (--from forces a format); it may be compressed with gzip, zstd, xz or bzip2:\n",
    );
    for &format in InputFormat::WITH_TYPED {
        describe(&mut page, format.into(), format.description(), format.example())?;
    }
    page.push_str("\nOutput (--to):\n");
    for &format in OutputFormat::ALL {
        describe(&mut page, format.into(), format.description(), format.example())?;
    }
    Ok(io::stdout().write_all(page.as_bytes())?)
}

fn describe(page: &mut String, name: &str, description: &str, example: &str) -> anyhow::Result<()> {
    writeln!(page, "\n  {name}: {description}\n")?;
    for line in example.lines() {
        writeln!(page, "      {line}")?;
    }
    Ok(())
}

/// Prints the completion script of a shell for `gridmill`.
pub(crate) fn completions(mut gridmill: Command, shell: Shell) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut gridmill, "gridmill", &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// Prints the manual pages of `gridmill` and its commands, which have the same texts as `--help`, or writes each page,
/// such as `gridmill-solve.1`, to a directory.
pub(crate) fn man(gridmill: Command, directory: Option<&Path>) -> anyhow::Result<()> {
    let mut gridmill = gridmill.disable_help_subcommand(true);
    gridmill.build();
    let commands = gridmill.get_subcommands().filter(|command| !command.is_hide_set());
    let pages = [&gridmill].into_iter().chain(commands).map(page).collect::<io::Result<Vec<_>>>()?;

    let Some(directory) = directory else {
        return Ok(pages.iter().try_for_each(|(_, page)| io::stdout().write_all(page.as_bytes()))?);
    };
    if directory.as_os_str() == DASH {
        bail!("--dir needs the name of a directory; without it, the pages go to standard output");
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    Ok(pages.iter().try_for_each(|(name, page)| write_small(&directory.join(name), page.as_bytes()))?)
}

/// The file name of a command's manual page, and the page.
fn page(command: &Command) -> io::Result<(String, String)> {
    let man = Man::new(command.clone()).source(concat!("gridmill ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    let page = String::from_utf8(page).expect("help texts are UTF-8");

    // The text at the end of the help starts with its own heading, and its lines must not be filled.
    let page = page.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n");
    let page = page.replace(".SH EXTRA\nExit codes:\n", ".SH \"EXIT STATUS\"\n.nf\n");
    Ok((man.get_filename(), page.replace("\n.SH VERSION\n", "\n.fi\n.SH VERSION\n")))
}

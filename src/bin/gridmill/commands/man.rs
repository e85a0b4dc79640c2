//! `gridmill man`: manual pages, made from the same texts as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Command;
use clap_mangen::Man;
use gridmill::resume::{DASH, write_small};

/// What stands at the foot of a page.
const SOURCE: &str = concat!("gridmill ", env!("CARGO_PKG_VERSION"));

/// Prints the pages of `gridmill` and its commands, or writes them to a directory.
pub(crate) fn run(gridmill: Command, directory: Option<&Path>) -> anyhow::Result<ExitCode> {
    let mut gridmill = gridmill.disable_help_subcommand(true);
    gridmill.build();
    match directory {
        Some(directory) if directory.as_os_str() == DASH => {
            bail!("--dir needs the name of a directory; without it, the pages go to standard output")
        }
        Some(directory) => write_pages(&gridmill, directory)?,
        None => io::stdout().write_all(&single_page(&gridmill)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes `gridmill.1`, and a page such as `gridmill-solve.1` for each command.
fn write_pages(gridmill: &Command, directory: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    for command in [gridmill].into_iter().chain(shown_commands(gridmill)) {
        let man = Man::new(command.clone()).source(SOURCE);
        let path = directory.join(man.get_filename());
        let mut page = Vec::new();
        man.render_title(&mut page)?;
        sections(&man, command, &mut page)?;
        write_small(&path, &page)?;
    }
    Ok(())
}

/// All commands on one page: after the sections of gridmill itself those of each command.
fn single_page(gridmill: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(gridmill.clone()).source(SOURCE);
    man.render_title(&mut page)?;
    sections(&man, gridmill, &mut page)?;
    for command in shown_commands(gridmill) {
        let name = format!("gridmill {}", command.get_name());
        sections(&Man::new(command.clone().display_name(name)), command, &mut page)?;
    }
    Ok(page)
}

/// The commands that people run.
fn shown_commands(gridmill: &Command) -> impl Iterator<Item = &Command> {
    gridmill.get_subcommands().filter(|command| !command.is_hide_set())
}

/// Appends the sections of one command.
fn sections(man: &Man, command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(page)?;
    }
    if command.get_after_help().is_some() || command.get_after_long_help().is_some() {
        let mut extra = Vec::new();
        man.render_extra_section(&mut extra)?;
        // The text begins with a heading of its own, and its lines are not to be filled.
        let extra = String::from_utf8(extra).expect("help texts are UTF-8");
        let extra = extra.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n");
        let extra = extra.replace(".SH EXTRA\nExit codes:\n", ".SH \"EXIT STATUS\"\n.nf\n");
        page.extend_from_slice(extra.as_bytes());
        page.extend_from_slice(b".fi\n");
    }
    Ok(())
}

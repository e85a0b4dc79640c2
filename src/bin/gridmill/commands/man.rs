//! `gridmill man`: the manual page, made from the same descriptions as `--help`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::Cli;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    Man::new(command.clone()).render(&mut page)?;
    // One page with everything: the subcommands' own sections follow the main one.
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        let name = format!("gridmill {}", subcommand.get_name());
        let man = Man::new(subcommand.clone().display_name(name));
        man.render_name_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    io::stdout().write_all(&page)?;
    Ok(ExitCode::SUCCESS)
}

//! `gridmill formats`: the formats of inputs and outputs, with an example of each.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::Args;
use gridmill::format::InputFormat;
use gridmill::rows::OutputFormat;

use super::frame::Run;
use crate::cli::call::Exit;

/// List the input and output formats, with an example of each
#[derive(Debug, Args)]
pub(crate) struct FormatsArgs {}

impl Run for FormatsArgs {
    fn run(&self) -> anyhow::Result<Exit> {
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
        io::stdout().write_all(page.as_bytes())?;
        Ok(Exit::Success)
    }
}

fn describe(page: &mut String, name: &str, description: &str, example: &str) -> anyhow::Result<()> {
    writeln!(page, "\n  {name}: {description}\n")?;
    for line in example.lines() {
        writeln!(page, "      {line}")?;
    }
    Ok(())
}

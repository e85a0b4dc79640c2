//! Descriptions of a data set: a data card, and Croissant.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use gridmill::corpus::{Origin, Shard};
use gridmill::output::{DASH, RunFiles};
use serde::Serialize;

use super::OutputArgs;
use crate::cli::card::{CardError, CardFiles, DataCard, SplitFile};

/// The files that describe a data set.
#[derive(Debug, Args)]
pub(crate) struct CardArgs {
    /// Also describe the data set in this file, as a data card of Hugging Face
    ///
    /// It has the splits, the columns, the origin of the data, and the checks that were made. The data is in files in
    /// the same folder, or below. The card names no licence: that is for you to add.
    #[arg(long, value_name = "README.md", help_heading = "Reporting")]
    card: Option<PathBuf>,

    /// Also describe the data set in this file, as JSON-LD in the format Croissant
    ///
    /// The data is in files in the same folder, or below.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Reporting")]
    croissant: Option<PathBuf>,
}

impl CardArgs {
    /// Adds the files of the descriptions.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        files.written("--card", self.card.as_deref()).written("--croissant", self.croissant.as_deref())
    }

    /// The first of the options that was given.
    pub(crate) fn option(&self) -> Option<&'static str> {
        let given = [("--card", self.card.is_some()), ("--croissant", self.croissant.is_some())];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    fn files(&self) -> CardFiles {
        CardFiles { readme: self.card.clone(), croissant: self.croissant.clone() }
    }

    /// Before a run, refuses to describe anything but a file of rows with a header.
    pub(crate) fn check_output(&self, output: &OutputArgs, has_header: bool) -> anyhow::Result<()> {
        let Some(option) = self.option() else { return Ok(()) };
        let file = output.output.as_deref().filter(|path| path.as_os_str() != DASH);
        let Some(file) = file else {
            bail!("{option} describes a file, and the rows go to standard output; name a file with -o")
        };
        if !has_header {
            bail!("{option} describes columns by their names; leave out --no-header");
        }
        self.check([file])
    }

    /// Before a run, refuses to describe a shard.
    pub(crate) fn check_shard(&self, shard: Option<Shard>) -> anyhow::Result<()> {
        match self.option().filter(|_| shard.is_some()) {
            Some(option) => {
                bail!("{option} describes complete files, and a shard is a part of them; leave out --shard")
            }
            None => Ok(()),
        }
    }

    /// Before a run, refuses to describe inputs that are not files.
    pub(crate) fn check_inputs(&self, inputs: &[Origin]) -> anyhow::Result<()> {
        let Some(option) = self.option() else { return Ok(()) };
        let paths = inputs.iter().map(|origin| match origin {
            Origin::File(path) => Ok(path.as_path()),
            _ => Err(anyhow!(
                "{option} describes files, and standard input is not a file; name the files of the data set"
            )),
        });
        self.check(paths.collect::<anyhow::Result<Vec<_>>>()?)
    }

    /// Refuses files that no description can refer to.
    pub(crate) fn check<'a>(&self, files: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<()> {
        self.files().check(files).map_err(|error| self.in_words(error))
    }

    /// Describes the complete files of a data set, after a run with this report.
    pub(crate) fn write(&self, card: &DataCard, report: &impl Serialize, files: &[SplitFile]) -> anyhow::Result<()> {
        self.files().write(card, report, files).map_err(|error| self.in_words(error))
    }

    fn in_words(&self, error: CardError) -> anyhow::Error {
        let option = self.option().unwrap_or_default();
        match error {
            CardError::NotAFile(name) => anyhow!("{option} describes files, and {name} is not a file"),
            CardError::Outside { card, file } => {
                let option = if self.card.as_ref() == Some(&card) { "--card" } else { "--croissant" };
                let (card, file) = (card.display(), file.display());
                anyhow!("{option} {card} can describe files in its folder, or below; {file} is elsewhere")
            }
            error => error.into(),
        }
    }
}

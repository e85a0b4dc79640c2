//! The exit codes of the program.

/// The end of a process, with its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The run is complete.
    Success = 0,
    /// There are findings that the user asked for.
    Failed = 1,
    /// The run failed.
    Trouble = 2,
    /// A shared library does not have the function of a solver. Shells have this code for a missing command, so it is
    /// not taken for a crash.
    NotLoaded = 127,
    /// Ctrl-C ended the run, as in shells.
    Interrupted = 130,
}

//! The call of this process, for messages, reports, and processes that it starts; and its end.

use std::ffi::OsString;
use std::sync::OnceLock;

/// The words that start this program, and its arguments.
static CALL: OnceLock<[Vec<OsString>; 2]> = OnceLock::new();

/// Keeps the words that start this program, and its arguments.
pub(super) fn set(program: Vec<OsString>, arguments: Vec<OsString>) {
    CALL.get_or_init(|| [program, arguments]);
}

/// The words that start this program.
#[cfg(unix)]
pub(crate) fn program() -> &'static [OsString] {
    CALL.get().map_or(&[], |[program, _]| program)
}

/// The arguments of this process, without its name.
pub(crate) fn arguments() -> &'static [OsString] {
    CALL.get().map_or(&[], |[_, arguments]| arguments)
}

/// The end of a process, with its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The run is complete.
    Success = 0,
    /// There are findings that the user asked for.
    Failed = 1,
    /// The run failed.
    Trouble = 2,
    /// A measurement cannot tell whether there are findings.
    CannotTell = 3,
    /// A shared library does not have the function of a solver. Shells have this code for a missing command, so it is
    /// not taken for a crash.
    NotLoaded = 127,
    /// Ctrl-C ended the run, as in shells.
    Interrupted = 130,
}

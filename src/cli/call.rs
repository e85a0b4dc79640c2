//! The call of this process: for messages, reports, and processes that it starts.

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

//! Calls the Parquet crate, which panics at some damaged files.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::errors::ParquetError;

use super::into_io;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is damaged: {0}")]
struct DamagedFile(String);

thread_local! {
    /// Whether the Parquet crate is called.
    static IS_CALLED: Cell<bool> = const { Cell::new(false) };
}

/// Calls the Parquet crate. What it panics at is a damaged file, and nothing is printed of the panic.
pub(super) fn undamaged<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_CALLED.get() {
                print(panic);
            }
        }));
    });

    IS_CALLED.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_CALLED.set(false);
    match result {
        Ok(result) => result.map_err(into_io),
        Err(panic) => {
            let reason = panic.downcast_ref::<String>().map(String::as_str);
            let reason = reason.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            Err(io::Error::other(DamagedFile(reason.to_owned())))
        }
    }
}

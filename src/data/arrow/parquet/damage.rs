//! Calls the Parquet crate, which panics on some damaged files.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use parquet::errors::ParquetError;

use super::into_io;

/// The damage of a file that is read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is damaged: {0}")]
struct DamagedFile(String);

/// The error for a file that cannot be written, for instance for lack of memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Parquet cannot be written: {0}")]
struct WriterFailure(String);

thread_local! {
    /// Whether the Parquet crate is called.
    static IS_CALLED: Cell<bool> = const { Cell::new(false) };
}

/// Calls the Parquet crate to read. A panic means that the file is damaged.
pub(super) fn undamaged<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    caught(call).unwrap_or_else(|reason| Err(io::Error::other(DamagedFile(reason))))
}

/// Calls the Parquet crate to write.
pub(super) fn written<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
    caught(call).unwrap_or_else(|reason| Err(io::Error::other(WriterFailure(reason))))
}

/// Calls the Parquet crate. A panic becomes an error with its message, and is not printed.
fn caught<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<io::Result<T>, String> {
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
    result.map(|result| result.map_err(into_io)).map_err(|panic| {
        let reason = panic.downcast_ref::<String>().map(String::as_str);
        reason.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let fails = || -> Result<(), ParquetError> { panic!("no memory for {}", "a column") };
        assert_eq!(undamaged(fails).unwrap_err().to_string(), "it is damaged: no memory for a column");
        assert_eq!(written(fails).unwrap_err().to_string(), "Parquet cannot be written: no memory for a column");
        assert!(written(|| Ok(())).is_ok());
    }
}

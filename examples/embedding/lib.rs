//! gridmill as a C library, which also compiles to WebAssembly. `gridmill.h` describes the functions.
//!
//! The caller owns all memory: a function reads a text and writes to a buffer, and keeps neither.

#![warn(clippy::pedantic, missing_docs)]
#![deny(clippy::undocumented_unsafe_blocks)]

use std::ffi::{CStr, c_char};

use gridmill::generate::{PuzzleSpec, Target};
use gridmill::{CanonError, RateError, Size, SolveError, count_solutions, generate};

/// The result of a call: `gridmill_status` of the header.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The result is written.
    Ok,
    /// The text is not a puzzle.
    NotAPuzzle,
    /// The function does not take puzzles of this size.
    OtherSize,
    /// The puzzle has no solution.
    NoSolution,
    /// The puzzle has more than one solution.
    SeveralSolutions,
    /// The buffer is too short for the result.
    ShortBuffer,
}

/// Writes the solution of a puzzle that has exactly one.
///
/// # Safety
///
/// `puzzle` is NULL or a text that ends with a zero byte; `buffer` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridmill_solve(puzzle: *const c_char, buffer: *mut c_char, capacity: usize) -> Status {
    // SAFETY: the caller promises both.
    unsafe { answer(puzzle, buffer, capacity, |text| Ok(gridmill::solve(text).map_err(of_solving)?.to_string())) }
}

/// Counts the solutions of a puzzle, up to a limit.
///
/// # Safety
///
/// `puzzle` is NULL or a text that ends with a zero byte; `count` is NULL or a place for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridmill_count(puzzle: *const c_char, limit: u64, count: *mut u64) -> Status {
    // SAFETY: the caller promises both.
    unsafe { number(puzzle, count, |text| count_solutions(text, limit).map_err(|_| Status::NotAPuzzle)) }
}

/// Rates a 9x9 puzzle: ten times the difficulty of its hardest step.
///
/// # Safety
///
/// `puzzle` is NULL or a text that ends with a zero byte; `er` is NULL or a place for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridmill_rate(puzzle: *const c_char, er: *mut u32) -> Status {
    // SAFETY: the caller promises both.
    unsafe { number(puzzle, er, |text| Ok(gridmill::rate(text).map_err(of_rating)?.er.tenths().into())) }
}

/// Writes the class of a 4x4, 6x6 or 9x9 puzzle: the same text for all its isomorphs.
///
/// # Safety
///
/// As [`gridmill_solve`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridmill_class(puzzle: *const c_char, buffer: *mut c_char, capacity: usize) -> Status {
    // SAFETY: the caller promises both.
    unsafe { answer(puzzle, buffer, capacity, |text| Ok(gridmill::class(text).map_err(of_class)?.to_string())) }
}

/// Writes a minimal 9x9 puzzle that has exactly one solution. The same seed gives the same puzzle.
///
/// # Safety
///
/// `buffer` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gridmill_generate(seed: u64, buffer: *mut c_char, capacity: usize) -> Status {
    let puzzle = generate(PuzzleSpec::new(Size::Nine, Target::Minimal), seed).expect("any grid has a minimal puzzle");
    // SAFETY: the caller promises it.
    unsafe { write(&puzzle.to_string(), buffer, capacity) }
}

/// Writes the text that a function has for a puzzle.
///
/// # Safety
///
/// As [`gridmill_solve`].
unsafe fn answer(
    puzzle: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    of_text: impl FnOnce(&str) -> Result<String, Status>,
) -> Status {
    // SAFETY: the caller promises that the text ends with a zero byte.
    match unsafe { text(puzzle) }.and_then(of_text) {
        // SAFETY: the caller promises that the buffer has room.
        Ok(text) => unsafe { write(&text, buffer, capacity) },
        Err(status) => status,
    }
}

/// Writes the number that a function has for a puzzle.
///
/// # Safety
///
/// `puzzle` is NULL or a text that ends with a zero byte; `place` is NULL or a place for a number.
unsafe fn number<N>(puzzle: *const c_char, place: *mut N, of_text: impl FnOnce(&str) -> Result<N, Status>) -> Status {
    // SAFETY: the caller promises that the text ends with a zero byte.
    match unsafe { text(puzzle) }.and_then(of_text) {
        Ok(_) if place.is_null() => Status::ShortBuffer,
        Ok(number) => {
            // SAFETY: the place is not NULL, so the caller promises that a number can be written there.
            unsafe { place.write(number) };
            Status::Ok
        }
        Err(status) => status,
    }
}

/// The text at a pointer.
///
/// # Safety
///
/// The pointer is NULL or a text that ends with a zero byte, and lives as long as the call.
unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str, Status> {
    if pointer.is_null() {
        return Err(Status::NotAPuzzle);
    }
    // SAFETY: the pointer is not NULL, so the caller promises that a zero byte ends the text.
    unsafe { CStr::from_ptr(pointer) }.to_str().map_err(|_| Status::NotAPuzzle)
}

/// Writes a text and a zero byte.
///
/// # Safety
///
/// `buffer` is NULL or has room for `capacity` bytes.
unsafe fn write(text: &str, buffer: *mut c_char, capacity: usize) -> Status {
    if buffer.is_null() || capacity <= text.len() {
        return Status::ShortBuffer;
    }
    // SAFETY: the buffer has more bytes than the text, and the text is not in it.
    unsafe {
        buffer.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
        buffer.add(text.len()).write(0);
    }
    Status::Ok
}

fn of_solving(error: SolveError) -> Status {
    match error {
        SolveError::NoSolution => Status::NoSolution,
        SolveError::SeveralSolutions => Status::SeveralSolutions,
        _ => Status::NotAPuzzle,
    }
}

fn of_rating(error: RateError) -> Status {
    match error {
        RateError::NoSolution => Status::NoSolution,
        RateError::SeveralSolutions => Status::SeveralSolutions,
        RateError::Size { .. } => Status::OtherSize,
        _ => Status::NotAPuzzle,
    }
}

fn of_class(error: CanonError) -> Status {
    match error {
        CanonError::Parse(_) => Status::NotAPuzzle,
        _ => Status::OtherSize,
    }
}

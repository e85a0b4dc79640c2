//! A function of a shared library. The only unsafe code of the command line: no crate can vouch for foreign code.
#![expect(unsafe_code, reason = "foreign code is loaded and called")]

use std::path::Path;

use libloading::Library;

/// The number of cells of a puzzle, which must be 9x9.
pub(super) const CELLS: usize = 81;

/// The signature of tdoku's benchmark.
type Solve = unsafe extern "C" fn(*const u8, usize, u32, *mut u8, *mut usize) -> usize;

/// Room for a solution, and for the terminating zero that some libraries add.
const ROOM: usize = 128;

/// A solver, with the library that it is in.
#[derive(Debug)]
pub(super) struct Function {
    solve: Solve,
    /// Keeps the function in memory.
    _library: Library,
}

/// The answer of a function to a puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// The number of solutions.
    pub(super) solutions: usize,
    /// The number of guesses; 0 if the function does not count them.
    pub(super) guesses: usize,
    /// The bytes that it wrote as a solution; `None` if it found or wrote nothing.
    pub(super) grid: Option<[u8; CELLS]>,
}

impl Function {
    /// Loads a function. Its library may run code when it is loaded: the user has named it to be run.
    pub(super) fn load(path: &Path, symbol: &str) -> Result<Function, libloading::Error> {
        // SAFETY: this process exists to run the library; whatever its code does ends with this process.
        let library = unsafe { Library::new(path) }?;
        // SAFETY: nothing can check that the function has this signature; the user vouches for it by naming it.
        let solve = *unsafe { library.get::<Solve>(symbol.as_bytes()) }?;
        Ok(Function { solve, _library: library })
    }

    /// Calls the function for a puzzle.
    pub(super) fn solve(&self, puzzle: &[u8; CELLS], limit: usize, configuration: u32) -> Answer {
        let mut input = [0; CELLS + 1];
        input[..CELLS].copy_from_slice(puzzle);
        let (mut solution, mut guesses) = ([0; ROOM], 0);
        // SAFETY: by its signature, the function reads a puzzle that ends with a zero, and writes at most a solution
        // and the number of guesses; there is room for both. The library is still loaded, since `self` holds it. The
        // user who asks for several threads vouches that they may call it concurrently.
        let solutions =
            unsafe { (self.solve)(input.as_ptr(), limit, configuration, solution.as_mut_ptr(), &raw mut guesses) };
        let mut grid = [0; CELLS];
        grid.copy_from_slice(&solution[..CELLS]);
        Answer { solutions, guesses, grid: (solutions > 0 && grid != [0; CELLS]).then_some(grid) }
    }
}

/// A function with all its arguments except the puzzle.
#[derive(Debug)]
pub(super) struct Solver {
    pub(super) function: Function,
    pub(super) limit: usize,
    pub(super) configuration: u32,
}

impl Solver {
    pub(super) fn solve(&self, puzzle: &[u8; CELLS]) -> Answer {
        self.function.solve(puzzle, self.limit, self.configuration)
    }

    /// The solution that the function writes; `None` if it writes nothing.
    pub(super) fn solution(&self, puzzle: &[u8; CELLS]) -> Option<String> {
        let grid = self.function.solve(puzzle, 1, self.configuration).grid?;
        // The bytes are arbitrary, but must stay one word.
        let printable = |byte: u8| if byte.is_ascii_graphic() { char::from(byte) } else { '?' };
        Some(grid.map(printable).iter().collect())
    }
}

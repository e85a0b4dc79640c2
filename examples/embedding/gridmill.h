/* gridmill for C: five functions for one puzzle.
 *
 * A puzzle is a text that ends with a zero byte: its cells row by row, '.' or '0' for a blank. Sizes from 4x4 to 25x25
 * are recognised by the number of cells; docs/formats.md has more styles.
 *
 * Ownership: all memory belongs to the caller. A function reads its text and writes its result during the call, and
 * keeps no pointer. There is nothing to free and nothing to initialise.
 *
 * Threads: any thread may call any function at any time.
 *
 * A function that does not return GRIDMILL_OK writes nothing. A NULL is no crash: it is not a puzzle, or a buffer that
 * is too short. */
#ifndef GRIDMILL_H
#define GRIDMILL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gridmill_status {
    GRIDMILL_OK,
    GRIDMILL_NOT_A_PUZZLE,
    GRIDMILL_OTHER_SIZE, /* the function does not take puzzles of this size */
    GRIDMILL_NO_SOLUTION,
    GRIDMILL_SEVERAL_SOLUTIONS,
    GRIDMILL_SHORT_BUFFER
} gridmill_status;

enum {
    GRIDMILL_SOLUTION_BYTES = 626, /* room for any solution: 25x25 cells and the zero byte */
    GRIDMILL_PUZZLE_BYTES = 82,    /* room for a 9x9 puzzle */
    GRIDMILL_CLASS_BYTES = 33      /* room for a class: 32 hexadecimal digits */
};

/* Writes the solution of a puzzle that has exactly one. */
gridmill_status gridmill_solve(const char *puzzle, char *buffer, size_t capacity);

/* Counts the solutions, up to a limit. An empty grid has more than a program can wait for: choose the limit. */
gridmill_status gridmill_count(const char *puzzle, uint64_t limit, uint64_t *count);

/* Rates a 9x9 puzzle that has exactly one solution: ER of Sudoku Explainer in tenths, so 72 is 7.2. */
gridmill_status gridmill_rate(const char *puzzle, uint32_t *er);

/* Writes the class of a 4x4, 6x6 or 9x9 puzzle, which relabelled, rotated and reflected puzzles share. */
gridmill_status gridmill_class(const char *puzzle, char *buffer, size_t capacity);

/* Writes a 9x9 puzzle with exactly one solution and no needless clue. The same seed gives the same puzzle. */
gridmill_status gridmill_generate(uint64_t seed, char *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif

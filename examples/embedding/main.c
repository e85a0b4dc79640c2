/* Calls all functions of gridmill.h. docs/embedding.md has the commands, and the output. */
#include "gridmill.h"

#include <stdio.h>
#include <stdlib.h>

static const char PUZZLE[] = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

int main(void) {
    /* On the heap and no byte too long, so that the address sanitizer sees any byte that is written behind them. */
    char *solution = malloc(GRIDMILL_PUZZLE_BYTES);
    char *class = malloc(GRIDMILL_CLASS_BYTES);
    char *made = malloc(GRIDMILL_PUZZLE_BYTES);
    uint64_t count;
    uint32_t er;
    if (!solution || !class || !made) {
        return EXIT_FAILURE;
    }

    if (gridmill_solve(PUZZLE, solution, GRIDMILL_PUZZLE_BYTES) == GRIDMILL_OK) {
        printf("solution: %s\n", solution);
    }
    if (gridmill_count("1...............", 1000, &count) == GRIDMILL_OK) {
        printf("solutions of a 4x4 puzzle: %llu\n", (unsigned long long)count);
    }
    if (gridmill_rate(PUZZLE, &er) == GRIDMILL_OK) {
        printf("rating: %u.%u\n", er / 10, er % 10);
    }
    if (gridmill_class(PUZZLE, class, GRIDMILL_CLASS_BYTES) == GRIDMILL_OK) {
        printf("class: %s\n", class);
    }
    if (gridmill_generate(7, made, GRIDMILL_PUZZLE_BYTES) == GRIDMILL_OK) {
        printf("generated: %s\n", made);
    }

    /* What goes wrong is a status, never a crash. */
    printf("statuses: %d %d %d %d %d %d\n", gridmill_solve("1...", solution, GRIDMILL_PUZZLE_BYTES),
           gridmill_rate("1.3..........4.2", &er), gridmill_solve("11..............", solution, GRIDMILL_PUZZLE_BYTES),
           gridmill_solve("1...............", solution, GRIDMILL_PUZZLE_BYTES),
           gridmill_solve(PUZZLE, solution, GRIDMILL_PUZZLE_BYTES - 1), gridmill_solve(NULL, NULL, 0));

    free(solution);
    free(class);
    free(made);
    return EXIT_SUCCESS;
}

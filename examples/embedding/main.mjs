// Calls all functions of gridmill.h in WebAssembly: node main.mjs gridmill_c.wasm
// docs/embedding.md has the commands, and the output, which is the same for main.c.
import { readFile } from "node:fs/promises";

const PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const OK = 0;

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]));
const gridmill = instance.exports;

// The caller owns the memory that it gives to a function. A new page of 64 KiB is ours; the library does not use it.
const page = gridmill.memory.grow(1) * 65536;
const [input, output, capacity] = [page, page + 1024, 1024];

// A view of the memory is void as soon as a call lets the memory grow, so each use makes a new one.
const bytes = () => new Uint8Array(gridmill.memory.buffer, page, 65536);
const put = (text) => {
  bytes().set(new TextEncoder().encode(`${text}\0`), input - page);
  return input;
};
const text = () => {
  const written = bytes().subarray(output - page);
  return new TextDecoder().decode(written.subarray(0, written.indexOf(0)));
};
const number = () => new DataView(gridmill.memory.buffer).getUint32(output, true);
const show = (status, title, value) => status === OK && console.log(`${title}: ${value()}`);

show(gridmill.gridmill_solve(put(PUZZLE), output, capacity), "solution", text);
// A `uint64_t` is a BigInt, and is written as eight bytes.
show(gridmill.gridmill_count(put("1..............."), 1000n, output), "solutions of a 4x4 puzzle", number);
show(gridmill.gridmill_rate(put(PUZZLE), output), "rating", () => (number() / 10).toFixed(1));
show(gridmill.gridmill_class(put(PUZZLE), output, capacity), "class", text);
show(gridmill.gridmill_generate(7n, output, capacity), "generated", text);

// What goes wrong is a status, never a crash.
const solve = (puzzle, room = capacity) => gridmill.gridmill_solve(put(puzzle), output, room);
const statuses = [
  solve("1..."),
  gridmill.gridmill_rate(put("1.3..........4.2"), output),
  solve("11.............."),
  solve("1..............."),
  solve(PUZZLE, PUZZLE.length),
  gridmill.gridmill_solve(0, 0, 0),
];
console.log("statuses:", ...statuses);

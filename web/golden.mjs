// Packs the requests of the golden hashes in WebAssembly: node golden.mjs MODULE.wasm
import { readFile } from "node:fs/promises";

const fail = () => { throw new Error("a panic"); };
const imports = { jostle: { now: () => performance.now(), fail } };
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), imports);
const { golden, golden_rows: rows, initialize } = instance.exports;
initialize();
const changed = [];
for (let row = 0; row < rows(); row++) {
  // Straight, and stopped after some sweeps and continued from a checkpoint.
  if (!golden(row, 0) || (row % 3 === 0 && !golden(row, 1 + ((37 * row) % 160)))) changed.push(row);
}
if (rows() === 0 || changed.length > 0) throw new Error(`other bits in rows ${changed}`);
console.log(`${rows()} golden hashes hold in WebAssembly`);

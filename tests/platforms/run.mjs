// Runs a WebAssembly program that knows WASI, with these folders to read: run.mjs PROGRAM FOLDER...
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [program, ...folders] = process.argv.slice(2);
const preopens = Object.fromEntries(folders.map((folder) => [folder, folder]));
const wasi = new WASI({ version: "preview1", args: [program], preopens, returnOnExit: true });
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(readFileSync(program), imports);
process.exit(wasi.start(instance));

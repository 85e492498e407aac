// Reads a folder whose files change between the first and the second opening, with the page's own reading and the
// engine that is shipped; writes what was found as a JSON object for each case.
// node changed.mjs FOLDER_OF_SCRIPTS FOLDER_OF_MODULES

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [scripts, modules] = process.argv.slice(2);
globalThis.crypto ??= (await import("node:crypto")).webcrypto;
globalThis.File ??= (await import("node:buffer")).File;
const load = name => import(pathToFileURL(join(scripts, name)));
const { GoModule } = await load("worker/wasm-module.js");
const { Engine } = await load("worker/engine.js");
const compiled = await WebAssembly.compile(await readFile(join(modules, "engine.wasm")));

const line = '{"id":"job-1","ts":"2026-11-20T10:00:00Z","state":"settled","status":"ok"}\n';
const file = (text, lastModified = 1) => new File([text], "runs.jsonl", { lastModified });
const fails = name => { throw Object.assign(new Error("gone"), { name }); };

/** A directory handle with a runs.jsonl that is another file each time it is opened. */
function folder(...files) {
  let opened = 0;
  const getFile = async () => {
    const next = files[Math.min(opened++, files.length - 1)];
    return typeof next === "function" ? next() : next;
  };
  return { kind: "directory", name: ".figs", async *entries() { yield ["runs.jsonl", { kind: "file", getFile }]; } };
}

/** A file without a handle, which the browser refuses to read once it is another. */
function stale(text) {
  const blob = file(text);
  let read = false;
  return Object.assign(blob, {
    stream() { read = true; return new Blob([text]).stream(); },
    slice: (...range) => (read ? { arrayBuffer: () => fails("NotReadableError") } : new Blob([text]).slice(...range)),
  });
}

/** A file that the browser refuses to read, as one that changed between its opening and its first byte. */
const refused = () => Object.assign(file(line), { stream: () => fails("NotReadableError") });

const cases = {
  "refused once": { handle: folder(refused(), file(line)) },
  "refused again and again": { handle: folder(refused(), refused(), refused(), refused(), file(line, 2)) },
  "unchanged": { handle: folder(file(line)) },
  "grew": { handle: folder(file(line), file(line + line)) },
  "shrank": { handle: folder(file(line), file("")) },
  "written again": { handle: folder(file(line), file(line, 2)) },
  "removed": { handle: folder(file(line), () => fails("NotFoundError")) },
  "forbidden later": { handle: folder(file(line), () => fails("NotAllowedError")) },
  "without a handle": { list: [[".figs/runs.jsonl", file(line)]], name: "project" },
  "without a handle, changed": { list: [[".figs/runs.jsonl", stale(line)]], name: "project" },
};

for (const [name, source] of Object.entries(cases)) {
  const engine = new Engine(await GoModule.start(compiled), () => {});
  const { changed } = await engine.read({ sources: [source], now: "2026-11-20T12:00:00Z" });
  const { findings } = JSON.parse(new TextDecoder().decode(engine.callRaw({ op: "findings", agent: 0 })));
  const messages = findings.filter(f => f.code === "file_changed").map(f => `${f.file}: ${f.message}`);
  const records = new TextDecoder().decode(engine.callRaw({ op: "fold", agent: 0, file: 0 })).split("\n").length - 1;
  process.stdout.write(JSON.stringify({ name, changed, messages, records }) + "\n");
}
process.stdout.write("", () => process.exit(0)); // the engines' mains wait for ever

// Reads a .figs folder with the engine that is shipped, as Node can run it, and writes the findings.
// node engine.mjs FOLDER_OF_MODULES FOLDER NOW

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const FILES = ["runs.jsonl", "asks.jsonl", "messages.jsonl", "agent.json", "config.json", "CONTRACT.md", "GUIDE.md"];
const PART = 1 << 16;
const [modules, folder, now] = process.argv.slice(2);

globalThis.crypto ??= (await import("node:crypto")).webcrypto;
await import(pathToFileURL(join(modules, "wasm_exec.js")));
const go = new globalThis.Go();
const { instance } = await WebAssembly.instantiate(await readFile(join(modules, "engine.wasm")), go.importObject);
go.run(instance);
const { buffer, feed, call, mem } = instance.exports;

function write(bytes) {
  const at = buffer(bytes.length) >>> 0; // first: it may move the memory
  new Uint8Array(mem.buffer, at, bytes.length).set(bytes);
}

function ask(request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  write(bytes);
  const packed = BigInt.asUintN(64, call(bytes.length));
  return new Uint8Array(mem.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn)).slice();
}

async function attachments() {
  const names = await readdir(join(folder, "artifacts")).catch(() => []);
  return Promise.all(names.sort().map(async (name) => [name, (await stat(join(folder, "artifacts", name))).size]));
}

ask({ op: "open", keep: true, now, agents: [".figs"] });
ask({ op: "attach", agent: 0, files: await attachments() });
for (const [number, name] of FILES.entries()) {
  const bytes = await readFile(join(folder, name)).catch(() => null);
  for (let at = 0; bytes && (at === 0 || at < bytes.length); at += PART) {
    const part = bytes.subarray(at, at + PART);
    write(part);
    feed(0, number, part.length);
  }
}
ask({ op: "finish" });
const findings = ask({ op: "findings", agent: 0 });
process.stdout.write(findings, () => process.exit(0)); // the engine's main waits for ever

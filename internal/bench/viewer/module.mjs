// The reader's module under Node: one line of JSON in ({path, name, view, out}), one line out ({MS, Report}); the document
// goes to the file `out`.

import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const wasm = process.argv[2];
await import(`file://${wasm}/wasm_exec.js`);
const go = new globalThis.Go();
go.env = { GOMEMLIMIT: "384MiB" }; // as the inspector's worker starts it
const { instance } = await WebAssembly.instantiate(readFileSync(`${wasm}/reader.wasm`), go.importObject);
go.run(instance);
const { buffer, call, mem } = instance.exports;

function ask(header, payload) {
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const to = buffer(line.length + payload.length) >>> 0;
  new Uint8Array(mem.buffer, to).set(line);
  new Uint8Array(mem.buffer, to).set(payload, line.length);
  const at = BigInt.asUintN(64, call(line.length + payload.length));
  const answer = new Uint8Array(mem.buffer, Number(at >> 32n), Number(at & 0xffffffffn));
  const end = answer.indexOf(10);
  return { head: new TextDecoder().decode(answer.subarray(0, end)), body: answer.slice(end + 1) };
}

/** The report as the module wrote it: taken out by its place, since parsing and writing it again would change it. */
function reportOf(head) {
  const from = head.indexOf('"report":') + 9;
  return head.slice(from, head.length - 1);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { path, name, view, out } = JSON.parse(line);
  const payload = readFileSync(path);
  const start = performance.now();
  const { head, body } = ask({ op: "sanitize", name, view }, payload);
  const ms = performance.now() - start;
  writeFileSync(out, body);
  const { error } = JSON.parse(head);
  process.stdout.write(error ? `${JSON.stringify({ Error: error })}\n` : `{"MS":${ms},"Memory":${mem.buffer.byteLength},"Report":${reportOf(head)}}\n`);
}
process.exit(0);

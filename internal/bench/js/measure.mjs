// What both Node and the browser measure: the engine and the JavaScript program, on the same bytes, in the
// same process. A Desk answers one request after the other, so that whoever asks can interleave the two.

import { against } from "./against.mjs";
import { readWithPackage } from "./npm.mjs";
import { jump } from "./past.mjs";
import { readFolder } from "./peer.mjs";
import { reference } from "./reference.mjs";

// The numbers of figs.File.
const FILES = { "agent.json": 3, "config.json": 4, "runs.jsonl": 0, "asks.jsonl": 1 };
const CHUNK = 1 << 20;

export class Desk {
  /** `read` gives a file's bytes by its name. */
  constructor(read) {
    this.read = read;
    this.folders = new Map();
  }

  answer(request) {
    return this[request.op](request);
  }

  /** Loads a generated folder. */
  async folder({ name }) {
    const facts = JSON.parse(new TextDecoder().decode(await this.read(`${name}/folder.json`)));
    const files = {};
    for (const file of Object.keys(FILES)) files[file] = await this.read(`${name}/.figs/${file}`);
    this.folders.set(name, { ...facts, files });
    return {};
  }

  /** Compiles the engine and starts a fresh instance of it. */
  async engine() {
    this.module ??= await WebAssembly.compile(await this.read("engine.wasm"));
    if (!globalThis.Go) await import("./wasm_exec.js");
    const go = new globalThis.Go();
    const instance = await WebAssembly.instantiate(this.module, go.importObject);
    go.run(instance);
    this.exports = instance.exports;
    return {};
  }

  /** Times one run of the engine over a folder. */
  async runEngine({ name, keep = true }) {
    globalThis.gc?.();
    const folder = this.folders.get(name);
    const start = performance.now();
    this.open(folder, keep);
    for (const [file, bytes] of Object.entries(folder.files)) this.feed(FILES[file], bytes);
    const summary = this.call({ op: "finish" });
    const findings = this.call({ op: "findings", agent: 0 });
    const ms = performance.now() - start;
    const [agent] = summary.agents;
    return {
      ms,
      memory: this.exports.mem.buffer.byteLength,
      records: agent.runs + agent.asks + agent.messages,
      counts: countFindings(findings),
    };
  }

  /** Times one run of the JavaScript program over a folder. */
  async runPeer({ name }) {
    globalThis.gc?.();
    const start = performance.now();
    const result = readFolder(this.folders.get(name));
    const ms = performance.now() - start;
    return { ms, records: result.records, counts: result.counts };
  }

  /** Times one run of the JavaScript program over a folder whose ledgers it reads from Blobs, as a page does. */
  async runPeerFromBlobs({ name }) {
    const folder = this.folders.get(name);
    const blobs = Object.entries(folder.files).map(([file, bytes]) => [file, new Blob([bytes])]);
    const start = performance.now();
    const files = {};
    for (const [file, blob] of blobs) files[file] = new Uint8Array(await blob.arrayBuffer());
    readFolder({ ...folder, files });
    return { ms: performance.now() - start };
  }

  /** Takes the public client's functions from its file. */
  async loadReference({ name }) {
    this.reference = reference(new TextDecoder().decode(await this.read(name)));
    return {};
  }

  /** Times one run of the public client's functions over a folder. */
  async runReference({ name }) {
    globalThis.gc?.();
    const { files } = this.folders.get(name);
    const start = performance.now();
    const { records } = this.reference(files);
    return { ms: performance.now() - start, records };
  }

  /** Times the least that any page would have to do: read the ledgers as Blobs and parse each line. */
  async runLines({ name }) {
    const { files } = this.folders.get(name);
    const blobs = ["runs.jsonl", "asks.jsonl"].map((file) => new Blob([files[file]]));
    const start = performance.now();
    let records = 0;
    for (const blob of blobs) {
      for (const line of new TextDecoder().decode(await blob.arrayBuffer()).split("\n")) if (line && JSON.parse(line)) records++;
    }
    return { ms: performance.now() - start, records };
  }

  /** Times jumps to points in a folder's life. */
  jump(request) {
    return jump(this, request);
  }

  /** Times comparisons of two folders. */
  against(request) {
    return against(this, request);
  }

  /** Times one run of the npm package over a folder. */
  package(request) {
    return readWithPackage(this, request);
  }

  /** The number of figs.File. */
  number(file) {
    return FILES[file];
  }

  open(folder, keep) {
    this.call({ op: "open", keep, now: folder.now, agents: [".figs"] });
    this.call({ op: "attach", agent: 0, files: folder.artifacts.map(({ name, size }) => [name, size]) });
  }

  feed(file, bytes, agent = 0) {
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK);
      const to = this.exports.buffer(chunk.length) >>> 0;
      new Uint8Array(this.exports.mem.buffer, to, chunk.length).set(chunk);
      this.exports.feed(agent, file, chunk.length);
    }
  }

  call(request) {
    return JSON.parse(new TextDecoder().decode(this.raw(request)));
  }

  /** The bytes of an answer; they are the engine's and stand until the next call. */
  raw(request) {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const to = this.exports.buffer(bytes.length) >>> 0;
    new Uint8Array(this.exports.mem.buffer, to, bytes.length).set(bytes);
    const at = BigInt.asUintN(64, this.exports.call(bytes.length));
    return new Uint8Array(this.exports.mem.buffer, Number(at >> 32n), Number(at & 0xffffffffn));
  }
}

function countFindings({ findings, more = [] }) {
  const counts = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  for (const { code, count } of more) counts[code] = (counts[code] ?? 0) + count;
  return counts;
}

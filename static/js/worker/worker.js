// Plays the part in a worker that the first message names. Loaded by every worker of the inspector, into which it is built with all that it imports.

import { bytesOf, compile, Module } from './wasm-module.js';
import { connect, probe } from '../files/blob.js';
import { Engine } from './engine.js';
import * as compare from './compare.js';
import { failureOf, Failure } from '../files/failure.js';
import { hex } from '../files/sha256.js';
import { warm } from './warm-up.js';

/**
 * What this worker does for the page, by the name of the operation.
 * @typedef {Record<string, (value?: any) => any>} Ops
 * @type {Ops|null}
 */
let part = null;

// A reader's memory ends at 512 MiB: near that it collects more often, so that one attachment's garbage is no other's end.
const ENVIRONMENT = { engine: {}, reader: { GOMEMLIMIT: '384MiB' } };
const LATER = 1500; // ms after the start: then the module is unpacked once more for its hash, which nobody waits for
/** @param {string} event @param {any} [value] */
const tell = (event, value) => postMessage({ event, value });

/** What every worker does. @type {Ops} */
const STARTS = { page: connect, boot };

/**
 * Starts as engine or reader, from the packed text or from a module compiled elsewhere.
 * @param {{role: 'engine'|'reader', text?: string, module?: WebAssembly.Module}} given
 */
async function boot({ role, text, module }) {
  const compiled = module || await compile(text);
  if (role === 'engine') await probe();
  const started = await Module.start(compiled, ENVIRONMENT[role]);
  part = role === 'reader' ? readerOps(started) : engineOps(new Engine(started, tell));
  if (text) setTimeout(async () => tell('hash', { role, sha256: await hex(await bytesOf(text)) }), LATER);
  return text && role === 'reader' ? { module: compiled } : {};
}

/** @param {Engine} engine @returns {Ops} */
function engineOps(engine) {
  return {
    read: value => engine.read(value),
    warm: request => warm(engine, request),
    raw: value => engine.raw(value),
    select: value => engine.select(value),
    attachment: value => engine.attachment(value),
    beside: value => compare.beside(engine, value),
    differ: value => compare.differ(engine, value),
    kept: value => compare.kept(engine, value),
    ledger: value => engine.ledger(value),
    artifacts: agent => [...engine.open.agents[agent].artifacts.keys()],
    paths: () => engine.others.paths(),
    contents: wanted => engine.others.contents(wanted),
    targets: listed => engine.others.targets(listed),
    file: path => engine.others.file(path),
    cancel: () => engine.cancel(),
    stop: () => { if (engine.trip) engine.trip.enough(); },
    ended: () => engine.module.ended,
  };
}

/** The reader takes one line of JSON and bytes, and answers in the same shape. @param {Module} module @returns {Ops} */
function readerOps(module) {
  return {
    reader({ header, payload = new Uint8Array() }) {
      const answer = module.call(new TextEncoder().encode(JSON.stringify(header) + '\n'), payload);
      const end = answer.indexOf(10);
      if (end < 0) throw new Failure('crash', 'The reader gave no answer.');
      return { head: JSON.parse(new TextDecoder().decode(answer.subarray(0, end))), body: answer.slice(end + 1), memory: module.exports.mem.buffer.byteLength };
    },
    ended: () => module.ended,
  };
}

/** Big answers are handed over, not copied. @param {any} ok */
function handOver(ok) {
  const bytes = ok instanceof Uint8Array ? ok : ok && ok.body;
  return bytes instanceof Uint8Array ? [bytes.buffer] : [];
}

onmessage = async ({ data: { id, op, value } }) => {
  try {
    const ok = await (STARTS[op] || part[op])(value);
    if (id) postMessage({ id, ok }, { transfer: handOver(ok) });
  } catch (error) {
    const { code, message } = failureOf(error);
    const fatal = Boolean(part ? part.ended() : op === 'boot');
    if (id) postMessage({ id, failed: { code, message, fatal } });
  }
};

// Starts a worker as engine or as reader, as its first message says, and answers the page. Loaded by every worker of the inspector, into which it is built with all that it imports.

import { unpackedBytes, compile, GoModule } from './wasm-module.js';
import { connectToPage, detectBlobSupport } from '../files/blob.js';
import { Engine } from './engine.js';
import * as compare from './compare.js';
import { toFailure, Failure } from '../files/failure.js';
import { sha256Hex } from '../files/sha256.js';
import { useWords } from '../shared/translate.js';
import { warmUp } from './warm-up.js';

/**
 * What this worker does for the page, by the name of the operation.
 * @typedef {Record<string, (value?: any) => any>} Ops
 * @type {Ops|null}
 */
let ops = null;

// A reader's memory ends at 512 MiB: near that it collects garbage more often, so that one attachment leaves room for the next.
const ENVIRONMENTS = { engine: {}, reader: { GOMEMLIMIT: '384MiB' } };
const HASH_DELAY_MS = 1500; // after the start the module is unpacked once more for its hash, which no one waits for

/** @param {string} event @param {any} [value] */
const emit = (event, value) => postMessage({ event, value });

/** What every worker does. @type {Ops} */
const START_OPS = { connect: connectToPage, words: useWords, boot };

/**
 * Starts as engine or reader, from the packed text or from a module compiled elsewhere.
 * @param {{role: 'engine'|'reader', text?: string, module?: WebAssembly.Module}} given
 */
async function boot({ role, text, module }) {
  const compiled = module || await compile(text);
  if (role === 'engine') await detectBlobSupport();
  const started = await GoModule.start(compiled, ENVIRONMENTS[role]);
  ops = role === 'reader' ? readerOps(started) : engineOps(new Engine(started, emit));
  if (text) setTimeout(async () => emit('hash', { role, sha256: await sha256Hex(await unpackedBytes(text)) }), HASH_DELAY_MS);
  return text && role === 'reader' ? { module: compiled } : {};
}

/** @param {Engine} engine @returns {Ops} */
function engineOps(engine) {
  return {
    read: value => engine.read(value),
    warmUp: request => warmUp(engine, request),
    call: value => engine.callRaw(value),
    select: value => engine.select(value),
    attachment: value => engine.attachment(value),
    openOlder: value => compare.openOlder(engine, value),
    compareAttachments: value => compare.compareAttachments(engine, value),
    loadFingerprint: value => compare.loadFingerprint(engine, value),
    protocolFile: value => engine.protocolFile(value),
    attachmentNames: agent => [...engine.opened.agents[agent].artifacts.keys()],
    projectPaths: () => engine.projectFiles.paths(),
    projectContents: wanted => engine.projectFiles.contents(wanted),
    projectTargets: listed => engine.projectFiles.targets(listed),
    projectFile: path => engine.projectFiles.file(path),
    cancel: () => engine.cancel(),
    stopSearching: () => { if (engine.walk) engine.walk.stopEarly(); },
    hasEnded: () => Boolean(engine.module.failure),
  };
}

/** The reader takes one line of JSON and bytes, and answers in the same shape. @param {GoModule} module @returns {Ops} */
function readerOps(module) {
  return {
    reader({ header, payload = new Uint8Array() }) {
      const answer = module.call(new TextEncoder().encode(JSON.stringify(header) + '\n'), payload);
      const end = answer.indexOf(10);
      if (end < 0) throw new Failure('crash', 'The reader gave no answer.');
      return { head: JSON.parse(new TextDecoder().decode(answer.subarray(0, end))), body: answer.slice(end + 1), memory: module.exports.mem.buffer.byteLength };
    },
    hasEnded: () => Boolean(module.failure),
  };
}

/** Big answers are handed over, not copied. @param {any} ok */
function transferables(ok) {
  const bytes = ok instanceof Uint8Array ? ok : ok && ok.body;
  return bytes instanceof Uint8Array ? [bytes.buffer] : [];
}

onmessage = async ({ data: { id, op, value } }) => {
  try {
    const ok = await (START_OPS[op] || ops[op])(value);
    if (id) postMessage({ id, ok }, { transfer: transferables(ok) });
  } catch (error) {
    const { code, message } = toFailure(error);
    const fatal = ops ? ops.hasEnded() : op === 'boot';
    if (id) postMessage({ id, failed: { code, message, fatal } });
  }
};

// Opening folders, and what can be asked of them.

import { EngineError } from './failure.js';
import { start } from './module.js';
import { startWorker } from './worker.js';
import { list } from './sources.js';
import { version } from './version.js';

/**
 * What differs between Node and browsers.
 * @typedef {object} Platform
 * @property {() => Promise<WebAssembly.Module>} compile compiles the module that comes with the package
 * @property {(url: URL) => Promise<Uint8Array>} fetch
 * @property {(path: string|URL) => Promise<import('./sources.js').Listing>} directory
 * @property {() => import('./worker.js').Line} worker
 * @typedef {import('./module.js').Engine} Engine
 * @typedef {import('./sources.js').Entry} Entry
 * @typedef {{agents: Array<{number: number, path: string, dir: string, files: Array<{path: string, name: string, number: number, size: number}>}>, notes: string[]}} Listed
 */

const CHUNK = 1 << 20;
const decoder = new TextDecoder();

/** @param {Engine} engine @param {object} request @returns {Promise<string>} the answer, as the engine wrote it */
async function text(engine, request) {
  const answer = decoder.decode(await engine.call(request));
  if (answer.startsWith('!')) throw new EngineError('request', answer.slice(1));
  return answer;
}

/** @param {Engine} engine @param {object} request @returns {Promise<any>} */
const ask = async (engine, request) => JSON.parse(await text(engine, request));

/**
 * Finds the agents of a source and feeds their files to the engine.
 * @param {Engine} engine @param {any} source @param {Platform} platform
 * @param {import('../index.js').OpenOptions & {op: 'list'|'listOlder'}} options
 */
async function read(engine, source, platform, { op, name, now, onProgress, signal }) {
  const listing = await list(source, platform, name);
  const entries = new Map(listing.entries.map(entry => [entry.path, entry]));
  /** @type {Listed} */
  const listed = await ask(engine, { op, name: listing.name, now: now ?? new Date().toISOString(), entries: listing.entries.map(({ path, size, kind }) => ({ path, size, kind })) });
  const total = listed.agents.reduce((sum, { files }) => sum + files.reduce((n, { size }) => n + size, 0), 0);
  let done = 0;
  for (const agent of listed.agents) {
    const whole = [];
    for (const file of agent.files) {
      const entry = /** @type {Entry} */ (entries.get(file.path));
      let size = 0;
      try {
        for await (const part of entry.read?.() ?? []) {
          for (let at = 0; at < part.length; at += CHUNK) {
            signal?.throwIfAborted();
            const chunk = part.subarray(at, at + CHUNK);
            await engine.feed(agent.number, file.number, chunk);
            size += chunk.length;
            onProgress?.({ read: done += chunk.length, total, path: file.path });
          }
        }
        if (!size) await engine.feed(agent.number, file.number, new Uint8Array());
        whole.push({ file, entry });
      } catch (error) {
        if (error instanceof EngineError || signal?.aborted) throw error;
        await ask(engine, { op: 'changed', agent: agent.number, file: file.name, code: 'file_unreadable', detail: error instanceof Error ? error.message : String(error) });
      }
    }
    for (const { file, entry } of whole) { // a reply that came meanwhile may answer an ask that was read before
      const detail = await entry.changed?.();
      if (detail) await ask(engine, { op: 'changed', agent: agent.number, file: file.name, code: 'file_changed', detail });
    }
  }
  await ask(engine, { op: op === 'list' ? 'finish' : 'finishOlder' });
  return { entries, listed, notes: [...(listing.notes ?? []), ...listed.notes] };
}

/** A list that is fetched as far as it is used. */
class List {
  /** @param {Engine} engine @param {Record<string, any>} request */
  constructor(engine, request) {
    this.fetch = (/** @type {number} */ from, /** @type {number} */ limit) => ask(engine, { ...request, from, limit });
  }

  /** @param {{from?: number, limit?: number}} [part] */
  page({ from = 0, limit = 50 } = {}) {
    return this.fetch(from, limit);
  }

  async *[Symbol.asyncIterator]() {
    for (let from = 0, total = 1; from < total; ) {
      const page = await this.fetch(from, 200);
      yield* page.items;
      total = page.items.length ? page.total : 0;
      from += page.items.length;
    }
  }

  async toArray() {
    const all = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

/** An agent of an open folder. */
class Agent {
  #engine;
  #number;
  /** @param {Engine} engine @param {number} number @param {object} facts */
  constructor(engine, number, facts) {
    this.#engine = engine;
    this.#number = number;
    Object.assign(this, facts);
  }
  /** @param {string} op @param {object} [options] */
  #list(op, options) {
    return new List(this.#engine, { ...options, op, agent: this.#number });
  }
  /** @param {string} op @param {object} [options] */
  #ask(op, options) {
    return ask(this.#engine, { ...options, op, agent: this.#number });
  }
  /** @param {object} [filter] */
  jobs(filter) { return this.#list('jobs', filter); }
  /** @param {object} [filter] */
  asks(filter) { return this.#list('asks', filter); }
  /** @param {object} [filter] */
  messages(filter) { return this.#list('messages', filter); }
  /** @param {object} [filter] */
  files(filter) { return this.#list('files', filter); }
  /** @param {string} id @param {object} [options] */
  job(id, options) { return this.#ask('job', { ...options, id }); }
  /** @param {string} id @param {object} [options] */
  ask(id, options) { return this.#ask('ask', { ...options, id }); }
  /** @param {object} [options] */
  states(options) { return this.#ask('states', options); }
  /** @param {object} [options] */
  findings(options) { return this.#ask('findings', options); }
  /** @param {'runs'|'asks'|'messages'} ledger @param {object} [options] */
  async fold(ledger, options) {
    const lines = await this.json('fold', { ...options, ledger });
    return lines.split('\n').filter(Boolean).map(line => JSON.parse(line));
  }
  /** @param {string} search @param {object} [options] */
  search(search, options) { return this.#ask('search', { ...options, text: search }); }
  /** @param {string} what @param {{ledger?: string}} [options] */
  json(what, { ledger, ...options } = {}) {
    return text(this.#engine, { ...options, op: what, file: ledger, agent: this.#number });
  }
}

/** An open folder. */
class Folder {
  #engine;
  /** @param {Engine} engine @param {any[]} agents @param {string[]} notes */
  constructor(engine, agents, notes) {
    this.#engine = engine;
    this.agents = agents.map((facts, i) => new Agent(engine, i, facts));
    this.notes = notes;
  }
  /** @param {string} search @param {object} [options] */
  async search(search, options) {
    const found = await Promise.all(this.agents.map(agent => agent.search(search, options)));
    return { items: found.flatMap(f => f.items), total: found.reduce((n, f) => n + f.total, 0), notes: found[0]?.notes ?? [] };
  }
  close() {
    this.#engine.close();
  }
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
  }
}

/** Whether two files have the same bytes. @param {Entry} a @param {Entry} b */
async function haveSameBytes(a, b) {
  const other = /** @type {NonNullable<Entry['read']>} */ (b.read)()[Symbol.asyncIterator]();
  /** @type {Uint8Array} */
  let rest = new Uint8Array();
  try {
    for await (let part of /** @type {NonNullable<Entry['read']>} */ (a.read)()) {
      while (part.length) {
        if (!rest.length) {
          const { done, value } = await other.next();
          if (done) return false;
          rest = value;
          continue;
        }
        const n = Math.min(part.length, rest.length);
        for (let i = 0; i < n; i++) if (part[i] !== rest[i]) return false;
        part = part.subarray(n);
        rest = rest.subarray(n);
      }
    }
    while (!rest.length) {
      const { done, value } = await other.next();
      if (done) return true;
      rest = value;
    }
    return false;
  } finally {
    await other.return?.();
  }
}

/** @param {Platform} platform */
export function bind(platform) {
  /** The module that comes with the package, compiled once. @type {Promise<WebAssembly.Module>|undefined} */
  let packaged;

  /** @param {any} wasm @returns {Promise<WebAssembly.Module>} */
  async function compiled(wasm) {
    if (wasm instanceof WebAssembly.Module) return wasm;
    if (wasm) return WebAssembly.compile(typeof wasm === 'string' || wasm instanceof URL ? await platform.fetch(new URL(wasm)) : wasm);
    packaged ||= platform.compile();
    packaged.catch(() => { packaged = undefined; }); // the next call tries again
    return packaged;
  }

  /** @param {import('../index.js').OpenOptions} options */
  async function startEngine({ wasm, worker }) {
    const module = await compiled(wasm);
    return worker ? startWorker(platform.worker(), module) : start(module);
  }

  /** @param {any} source @param {import('../index.js').OpenOptions} [options] */
  async function open(source, options = {}) {
    options.signal?.throwIfAborted();
    const engine = await startEngine(options);
    try {
      const { notes } = await read(engine, source, platform, { ...options, op: 'list' });
      return new Folder(engine, await ask(engine, { op: 'agents' }), notes);
    } catch (error) {
      engine.close();
      throw error;
    }
  }

  /** @param {any} older @param {any} newer @param {import('../index.js').OpenOptions} [options] @returns {Promise<string>} */
  async function compareJSON(older, newer, options = {}) {
    options.signal?.throwIfAborted();
    const engine = await startEngine(options);
    try {
      const now = await read(engine, newer, platform, { ...options, op: 'list' });
      const before = await read(engine, older, platform, { ...options, op: 'listOlder' });
      const agents = [...now.listed.agents, ...before.listed.agents];
      /** @type {Record<'different'|'unread', number[]>} */
      const told = { different: [], unread: [] };
      for (const [i, { agent, older: was, name }] of (await ask(engine, { op: 'compareFiles' })).entries()) {
        options.signal?.throwIfAborted();
        const attachment = (/** @type {Map<string, Entry>} */ entries, /** @type {number} */ number) => /** @type {Entry} */ (entries.get(`${agents[number].dir}/artifacts/${name}`.replace(/^\.\//, '')));
        try {
          if (!await haveSameBytes(attachment(before.entries, was), attachment(now.entries, agent))) told.different.push(i);
        } catch {
          told.unread.push(i);
        }
      }
      return await text(engine, { op: 'compare', ...told });
    } finally {
      engine.close();
    }
  }

  return {
    open,
    compareJSON,
    /** @param {any} older @param {any} newer @param {import('../index.js').OpenOptions} [options] */
    compare: async (older, newer, options) => JSON.parse(await compareJSON(older, newer, options)),
    version,
    EngineError,
  };
}

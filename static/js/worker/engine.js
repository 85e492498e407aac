// Feeds the files of a folder to the engine and asks it questions. Loaded by worker/worker.js.
// Bytes go into the module in parts of 1 MiB, questions go in as JSON, and what comes out goes back to the page unread.

import { buffer, stream } from '../files/blob.js';
import { Module } from './wasm-module.js';
import { Failure, failureOf } from '../files/failure.js';
import { BATCH, FILES, LEDGERS, Trip } from '../files/find-folders.js';
import { agentsOf } from './sources.js';
import { Others } from './project-files.js';
import { Tree } from './file-tree.js';
import { changeOf } from './file-change.js';
import { receiptsOf } from '../files/find-receipts.js';

const PART = 1 << 20;
const SMALL = 1 << 16; // bytes; files up to this size are read side by side
export const KEEP = 256 * PART; // ledgers up to this size stay in memory
export const ORDER = [4, 3, 0, 2, 1, 5, 6]; // of files: the one in which checking needs the least memory
const EVERY = 50;            // ms between two words of progress
const AGAIN = 3;             // times that a file which changes under our hands is opened anew

/** @param {any} value */
const encode = value => new TextEncoder().encode(JSON.stringify(value));
/** @param {Uint8Array} bytes */
const decode = bytes => JSON.parse(new TextDecoder().decode(bytes));

/**
 * @typedef {{path: string, files: Map<number, import('../files/find-folders.js').OpenedFile>, live: Map<number, () => Promise<File>>, failed: Map<number, Error>, artifacts: Map<string, () => Promise<File>>}} OpenAgent
 *   files by their number; live: how to open one again, where that asks the disk; failed: why one could not be read
 * @typedef {{now: string, keep?: boolean, begun: boolean, ledgers: number, summaries: object[], changed: string[]}} Reading
 *   keep: whether the ledgers' bytes are to be kept, undefined: if they are small enough; begun: whether what was open
 *   before is forgotten; ledgers: their bytes so far; summaries: of the agents that are read; changed: paths of files
 */

export class Engine {
  /** @param {Module} module @param {(event: string, value?: any) => void} tell sends the page what it did not ask for */
  constructor(module, tell) {
    this.module = module;
    this.tell = tell;
    /** @type {{agents: OpenAgent[], keep: boolean}} */
    this.open = { agents: [], keep: true };
    /** The older folder of a comparison. @type {OpenAgent|null} */
    this.beside = null;
    this.stopped = false;
    /** @type {Trip|null} */
    this.trip = null;
    /** Rejected when the person cancels: a disk may never answer. @type {Promise<never>} */
    this.halted = new Promise(() => {});
    /** @type {(why: Failure) => void} */
    this.halt = () => {};
    /** @type {Others|null} */
    this.others = null;
    this.told = 0; // when progress was last told
  }

  /** A question whose answer is JSON. @param {{op: string} & Record<string, any>} request */
  json(request) {
    const answer = decode(this.module.call(encode(request)));
    if (answer.error) throw new Failure('answer', `${request.op}: ${answer.error}`);
    return answer;
  }

  /**
   * Forgets what was open, finds the agents in the sources, reads and checks them. Of many agents the first are read
   * and told ("part") while others are still looked for.
   * @param {{sources: import('./sources.js').Source[], now: string, keep?: boolean}} given
   */
  async read({ sources, now, keep }) {
    this.stopped = false;
    this.halted = new Promise((_, reject) => { this.halt = reject; });
    this.halted.catch(() => {});
    const started = performance.now();
    /** @type {Reading} */
    const all = { now, keep, begun: false, ledgers: 0, summaries: [], changed: [] };
    const trip = (this.trip = new Trip(value => this.progress({ ...value, read: all.summaries.length }), agents => this.readBatch(agents, all, true)));
    const rest = await agentsOf(sources, trip), tree = new Tree(trip.tops);
    do await this.readBatch(rest.splice(0, BATCH), all, rest.length > 0); while (rest.length);
    if (noneRead(this.open.agents)) throw new Failure('none_read', 'The browser refused every file.');
    this.others = new Others(tree, this);
    const { ledgers, summaries, changed } = all;
    const receipts = await receiptsOf(trip.receipts);
    const copies = trip.tops.flatMap(({ name, paths }) => paths.filter(path => /(^|\/)REDACTED\.txt$/.test(path)).flatMap(path => [path, `${name}/${path}`]));
    const others = tree.found ? { name: tree.name, top: tree.top } : null;
    return { agents: summaries, others, receipts, copies, keep: this.open.keep, bytes: ledgers, top: trip.top, empty: !trip.top.length && trip.tops.every(({ part }) => !part), changed, ...this.notes(trip), ms: performance.now() - started };
  }

  /** Reads some of the agents to their end. @param {import('../files/find-folders.js').Agent[]} agents @param {Reading} all @param {boolean} more whether others follow */
  async readBatch(agents, all, more) {
    if (this.stopped) throw new Failure('cancelled');
    const { opened, problems } = await this.openAll(agents);
    all.ledgers += bytes(opened, LEDGERS);
    if (!all.begun) {
      all.begun = true;
      this.open = { agents: [], keep: all.keep ?? all.ledgers <= KEEP };
      this.tell('begun');
      this.json({ op: 'open', keep: this.open.keep, now: all.now });
    }
    if (this.open.keep && all.keep === undefined && all.ledgers > KEEP) throw new Failure('memory', 'The ledgers together are larger than what is kept in memory.');
    const from = this.open.agents.length;
    this.json({ op: 'add', agents: agents.map(a => a.path), loose: agents.findIndex(a => a.loose) });
    this.open.agents.push(...opened);
    for (const problem of problems) this.json({ op: 'problem', ...problem, agent: from + problem.agent });
    await this.feedAll(opened, from, more || from ? null : bytes(opened, FILES.length));
    if (!more && noneRead(this.open.agents)) return;
    all.changed.push(...await this.changes(opened, from));
    all.summaries.push(...this.json({ op: 'finish', from }).agents);
    if (more && !from) this.tell('part', { agents: all.summaries, keep: this.open.keep, bytes: all.ledgers });
  }

  /** @param {Trip} trip */
  notes(trip) {
    return { notes: trip.notes, skipped: Array.from(trip.skipped, ([name, times]) => ({ name, times })) };
  }

  cancel() {
    this.stopped = true;
    if (this.trip) this.trip.stop = true;
    this.halt(new Failure('cancelled'));
  }

  /** Opens every file that is needed: its size is known before the first byte is read. @param {import('../files/find-folders.js').Agent[]} agents */
  async openAll(agents) {
    /** @type {OpenAgent[]} */
    const opened = [];
    /** @type {Problem[]} */
    const problems = [];
    const openOne = async (/** @type {import('../files/find-folders.js').Agent} */ { path, files, artifacts }, /** @type {number} */ agent) => {
      const here = (opened[agent] = { path, files: new Map(), live: new Map(), failed: new Map(), artifacts: new Map(artifacts) });
      for (const [file, open, live] of files) {
        try {
          const blob = await open();
          here.files.set(file, blob);
          if (live) here.live.set(file, open);
          if (blob.damaged) problems.push(problemOf(agent, file, new Failure('unreadable', blob.damaged)));
        } catch (error) {
          problems.push(problemOf(agent, file, error));
        }
      }
    };
    if (agents.every(({ files }) => files.every(([, , live]) => live))) await Promise.all(agents.map(openOne)); // a zip unpacks one file at a time
    else for (const [number, agent] of agents.entries()) await openOne(agent, number);
    return { opened, problems: problems.sort((a, b) => a.agent - b.agent) };
  }

  /**
   * Reads agents into the module, from a number on.
   * @param {OpenAgent[]} agents @param {number} from @param {number|null} total bytes; null where others follow, of which nobody knows how many
   */
  async feedAll(agents, from, total) {
    const early = agents.length > 1 ? agents.map(({ files }) => new Map(Array.from(files, ([file, blob]) => [file, blob.size <= SMALL ? readEarly(blob) : null]))) : [];
    let before = 0;
    for (const [i, here] of agents.entries()) {
      const agent = from + i;
      for (const file of ORDER.filter(file => here.files.has(file))) {
        const at = (/** @type {number} */ done) => this.progress(total === null ? { file: here.path, read: agent, found: this.trip.found } : { file: `${here.path}/${FILES[file]}`, done: before + done, total });
        try {
          await this.feedFresh(agent, here, file, at, early[i] && early[i].get(file));
        } catch (error) {
          if (this.module.ended || this.stopped) throw error;
          here.failed.set(file, error);
        }
        before += here.files.get(file).size;
      }
      await this.attachAll(agent, here.path, here.artifacts); // last: files are numbered as lines name them
    }
  }

  /**
   * One file. A browser refuses one that changed since it was opened; as long as nothing of it was read, it is opened again.
   * @param {number} agent @param {OpenAgent} entry @param {number} file @param {(done: number) => boolean} at @param {NextPart} [early]
   */
  async feedFresh(agent, { files, live }, file, at, early) {
    const open = live.get(file);
    for (let again = 0; ; again++) {
      let fed = 0;
      try {
        return await this.feed(agent, file, files.get(file), done => at(fed = done), again ? null : early);
      } catch (error) {
        if (fed || !open || again === AGAIN || this.module.ended || this.stopped) throw error;
        files.set(file, await open());
      }
    }
  }

  /** Looks at every file once more when all are read: what changed meanwhile may be half old and half new. @param {OpenAgent[]} agents @param {number} from */
  async changes(agents, from) {
    const changed = [], how = await Promise.all(agents.map(({ files, live }) => Promise.all(Array.from(files, ([file, blob]) => changeOf(blob, live.get(file))))));
    for (const [i, { path, files, failed }] of agents.entries()) {
      for (const [n, file] of [...files.keys()].entries()) {
        const agent = from + i, detail = how[i][n], error = failed.get(file);
        const problem = detail ? { agent, file: FILES[file], code: 'file_changed', detail } : error && problemOf(agent, file, error);
        if (!problem) continue;
        this.json({ op: 'problem', ...problem });
        if (problem.code === 'file_changed') changed.push(`${path}/${FILES[file]}`);
      }
    }
    return changed;
  }

  /**
   * One file, through one buffer that the browser fills again and again.
   * @param {number} agent @param {number} file @param {Blob} blob
   * @param {(done: number) => boolean} at is told how many bytes are read, and says whether that was told
   * @param {NextPart} [early] the file's bytes where they are being read already
   */
  async feed(agent, file, blob, at, early) {
    const next = early || parts(blob);
    if (!blob.size) this.push(agent, file, new Uint8Array()); // says that the file exists
    for (let done = 0; ;) {
      const part = await Promise.race([next(), this.halted]);
      if (this.stopped) throw new Failure('cancelled');
      if (!part && done < blob.size) throw new Failure('file_changed', 'It became shorter while it was read.');
      if (!part) return;
      this.push(agent, file, part);
      if (at(done += part.length)) await breath();
    }
  }

  /** @param {number} agent @param {number} file @param {Uint8Array} part of the file's bytes */
  push(agent, file, part) {
    this.module.write(part);
    this.module.run('feed', agent, file, part.length);
  }

  /** Names and sizes of artifacts/, a few hundred files at a time. @param {number} agent @param {string} path @param {Map<string, () => Promise<File>>} artifacts */
  async attachAll(agent, path, artifacts) {
    const names = [...artifacts.keys()];
    for (let at = 0; at < names.length; at += 500) {
      if (this.stopped) throw new Failure('cancelled');
      this.progress({ file: `${path}/artifacts`, files: at, of: names.length });
      const some = await Promise.all(names.slice(at, at + 500).map(async name => {
        const file = await artifacts.get(name)().catch(() => /** @type {File|null} */ (null));
        return [name, file ? file.size : -1];
      }));
      this.json({ op: 'attach', agent, files: some });
    }
  }

  /** Tells how far reading is, at most every 50 ms. @param {object} value @returns {boolean} whether it was told */
  progress(value) {
    const now = performance.now();
    if (now - this.told < EVERY) return false;
    this.told = now;
    this.tell('progress', value);
    return true;
  }

  /** A question whose answer goes back as bytes. @param {{op: string} & Record<string, any>} request */
  raw(request) {
    return this.module.call(encode(request));
  }

  /** The lines that a page needs; in index-only mode their bytes are read again here. @param {any} request */
  async select(request) {
    const selection = this.module.call(encode(request));
    if (this.open.keep) return selection;
    const slices = this.json({ op: 'slices' });
    if (!slices.length) return selection;
    const parts = slices.map((/** @type {number[]} */ [agent, file, at, length]) => this.open.agents[agent].files.get(file).slice(at, at + length));
    return new Uint8Array(await buffer(new Blob([selection, ...parts])));
  }

  /** A file that the protocol names, as it was read; null when the agent has none. @param {{agent: number, file: number}} which */
  ledger({ agent, file }) {
    const here = this.open.agents[agent];
    return (here && here.files.get(file)) || null;
  }

  /** One attachment of an agent, as a File. @param {{agent: number, name: string}} which */
  async attachment({ agent, name }) {
    const open = this.open.agents[agent] && this.open.agents[agent].artifacts.get(name);
    if (!open) throw new Failure('missing', `${name} is not in this copy of the folder.`);
    return open();
  }
}

const { port1, port2 } = new MessageChannel();

/** Lets what the page said meanwhile be heard: a stream that is never empty would keep the worker to itself. */
function breath() {
  return new Promise(resolve => {
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
}

/** @typedef {() => Promise<Uint8Array|undefined>} NextPart gives the next bytes of a file; undefined at its end */

/** Begins to read a small Blob. @param {Blob} blob @returns {NextPart} gives its bytes once */
function readEarly(blob) {
  const bytes = buffer(blob);
  bytes.catch(() => {}); // whoever asks for the part hears of it
  let given = false;
  return async () => {
    if (given) return undefined;
    given = true;
    const all = new Uint8Array(await bytes);
    return all.length ? all : undefined;
  };
}

/** How large the files numbered below `most` are together. @param {OpenAgent[]} agents @param {number} most */
function bytes(agents, most) {
  let sum = 0;
  for (const { files } of agents) for (const [file, blob] of files) if (file < most) sum += blob.size;
  return sum;
}

/** Whether the browser refused all files that are not empty, so that reading them once more cannot help. @param {OpenAgent[]} agents */
function noneRead(agents) {
  const tried = agents.flatMap(({ files, live, failed }) => [...files].filter(([, { size }]) => size).map(([file]) => !live.has(file) && failed.get(file)));
  return tried.length > 0 && tried.every(error => error && error.name === 'NotReadableError');
}

/** @typedef {{agent: number, file: string, code: string, detail: string}} Problem with a file */

/** @param {number} agent @param {number} file @param {unknown} error @returns {Problem} */
function problemOf(agent, file, error) {
  const { code, message } = failureOf(error);
  return { agent, file: FILES[file], code: code === 'file_changed' ? 'file_changed' : 'file_unreadable', detail: message };
}

/** Reads a Blob part by part, into one reused buffer where the browser can do that. @param {Blob} blob @returns {NextPart} */
function parts(blob) {
  let space = new ArrayBuffer(PART);
  /** @type {ReadableStreamBYOBReader} */
  let reader;
  try {
    reader = stream(blob).getReader({ mode: 'byob' });
  } catch {
    const plain = stream(blob).getReader();
    return async () => (await plain.read()).value;
  }
  let left = blob.size; // the end is known, and Chromium sometimes never says that a stream is done
  return async () => { // browsers hand out small pieces: the buffer is filled before it goes on
    let filled = 0;
    for (const want = Math.min(PART, left); filled < want;) {
      const { done, value } = await reader.read(new Uint8Array(space, filled, PART - filled));
      space = value.buffer;
      filled += value.length;
      left = done ? 0 : left - value.length;
      if (done) break;
    }
    if (!left) reader.cancel().catch(() => {});
    return filled ? new Uint8Array(space, 0, filled) : undefined;
  };
}

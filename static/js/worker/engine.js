// Feeds the files of a folder to the engine and asks it questions. Loaded by worker/worker.js.
// Bytes go into the module in parts of 1 MiB, questions go in as JSON, and what comes out goes back to the page unread.

import { readBuffer, readStream } from '../files/blob.js';
import { GoModule } from './wasm-module.js';
import { Failure, toFailure } from '../files/failure.js';
import { AGENTS_PER_BATCH, FILES, LEDGER_COUNT, FolderWalk } from '../files/find-folders.js';
import { findAgents } from './sources.js';
import { ProjectFiles } from './project-files.js';
import { FileTree } from './file-tree.js';
import { describeChange } from './file-change.js';
import { readReceipts } from '../files/find-receipts.js';

/** @import { Agent } from '../files/find-folders.js' */

const PART_BYTES = 1 << 20;
const SMALL_FILE_BYTES = 1 << 16; // files up to this size are read side by side
export const MAX_KEPT_BYTES = 256 * PART_BYTES; // ledgers up to this size stay in memory
export const READ_ORDER = [4, 3, 0, 2, 1, 5, 6]; // of files: the one in which checking needs the least memory
const PROGRESS_MS = 50;            // between two messages about progress
const MAX_REOPENS = 3;             // times that a file which changes before it is read is opened again

/** @param {any} value */
const encode = value => new TextEncoder().encode(JSON.stringify(value));
/** @param {Uint8Array} bytes */
const decode = bytes => JSON.parse(new TextDecoder().decode(bytes));

/**
 * @typedef {{path: string, files: Map<number, import('../files/find-folders.js').OpenedFile>, reopeners: Map<number, () => Promise<File>>, failed: Map<number, Error>, artifacts: Map<string, () => Promise<File>>}} OpenAgent
 *   files by their number; reopeners: how to open one again, where that asks the disk; failed: why one could not be read
 * @typedef {{now: string, keep?: boolean, isCleared: boolean, ledgers: number, summaries: object[], changed: string[]}} Reading
 *   keep: whether the ledgers' bytes are to be kept, undefined: if they are small enough; isCleared: whether what was
 *   open before is forgotten; ledgers: their bytes so far; summaries: of the agents that are read; changed: paths of files
 */

/** The engine's module, with the files of the folder that is open. */
export class Engine {
  /** @param {GoModule} module @param {(event: string, value?: any) => void} emit sends the page what it did not ask for */
  constructor(module, emit) {
    this.module = module;
    this.emit = emit;
    /** @type {{agents: OpenAgent[], keep: boolean}} */
    this.opened = { agents: [], keep: true };
    /** The older folder of a comparison. @type {OpenAgent|null} */
    this.older = null;
    this.isStopped = false;
    /** @type {FolderWalk|null} */
    this.walk = null;
    /** Rejected when the person cancels: a disk may never answer. @type {Promise<never>} */
    this.halted = new Promise(() => {});
    /** @type {(why: Failure) => void} */
    this.halt = () => {};
    /** @type {ProjectFiles|null} */
    this.projectFiles = null;
    this.lastProgress = 0; // when progress was last sent
  }

  /** A question whose answer is JSON. @param {{op: string} & Record<string, any>} request */
  callJSON(request) {
    const answer = decode(this.module.call(encode(request)));
    if (answer.error) throw new Failure('answer', `${request.op}: ${answer.error}`);
    return answer;
  }

  /**
   * Forgets what was open, finds the agents in the sources, reads and checks them. Of many agents the first are read
   * and sent to the page ("partial") while others are still looked for.
   * @param {{sources: import('./sources.js').Source[], now: string, keep?: boolean}} given
   */
  async read({ sources, now, keep }) {
    this.isStopped = false;
    this.halted = new Promise((_, reject) => { this.halt = reject; });
    this.halted.catch(() => {});
    const started = performance.now();
    /** @type {Reading} */
    const all = { now, keep, isCleared: false, ledgers: 0, summaries: [], changed: [] };
    const walk = (this.walk = new FolderWalk(value => this.progress({ ...value, read: all.summaries.length }), agents => this.readBatch(agents, all, true)));
    const rest = await findAgents(sources, walk), tree = new FileTree(walk.roots);
    do await this.readBatch(rest.splice(0, AGENTS_PER_BATCH), all, rest.length > 0); while (rest.length);
    if (isNoneReadable(this.opened.agents)) throw new Failure('none_read', 'The browser refused every file.');
    this.projectFiles = new ProjectFiles(tree, this);
    const { ledgers, summaries, changed } = all;
    const receipts = await readReceipts(walk.receipts);
    const redactionLists = walk.roots.flatMap(({ name, paths }) => paths.filter(path => /(^|\/)REDACTED\.txt$/.test(path)).flatMap(path => [path, `${name}/${path}`]));
    const project = tree.isProject ? { name: tree.name, top: tree.top } : null;
    return { agents: summaries, project, receipts, redactionLists, keep: this.opened.keep, bytes: ledgers, top: walk.topNames, empty: !walk.topNames.length && walk.roots.every(({ isPartial }) => !isPartial), changed, ...this.notes(walk), ms: performance.now() - started };
  }

  /** Reads some of the agents to their end. @param {Agent[]} agents @param {Reading} all @param {boolean} more whether others follow */
  async readBatch(agents, all, more) {
    if (this.isStopped) throw new Failure('cancelled');
    const { opened, problems } = await this.openAll(agents);
    all.ledgers += totalBytes(opened, LEDGER_COUNT);
    if (!all.isCleared) {
      all.isCleared = true;
      this.opened = { agents: [], keep: all.keep ?? all.ledgers <= MAX_KEPT_BYTES };
      this.emit('cleared');
      this.callJSON({ op: 'open', keep: this.opened.keep, now: all.now });
    }
    if (this.opened.keep && all.keep === undefined && all.ledgers > MAX_KEPT_BYTES) throw new Failure('memory', 'The ledgers are too large to keep in memory.');
    const from = this.opened.agents.length;
    this.callJSON({ op: 'add', agents: agents.map(a => a.path), loose: agents.findIndex(a => a.isLoose) });
    this.opened.agents.push(...opened);
    for (const problem of problems) this.callJSON({ op: 'problem', ...problem, agent: from + problem.agent });
    await this.feedAll(opened, from, more || from ? null : totalBytes(opened, FILES.length));
    if (!more && isNoneReadable(this.opened.agents)) return;
    all.changed.push(...await this.findChanges(opened, from));
    all.summaries.push(...this.callJSON({ op: 'finish', from }).agents);
    if (more && !from) this.emit('partial', { agents: all.summaries, keep: this.opened.keep, bytes: all.ledgers });
  }

  /** What there is to say about the walk. @param {FolderWalk} walk */
  notes(walk) {
    return { notes: walk.notes, skipped: Array.from(walk.skipped, ([name, times]) => ({ name, times })) };
  }

  /** Ends what is being read. */
  cancel() {
    this.isStopped = true;
    if (this.walk) this.walk.isStopped = true;
    this.halt(new Failure('cancelled'));
  }

  /** Opens every file that is needed: its size is known before the first byte is read. @param {Agent[]} agents */
  async openAll(agents) {
    /** @type {OpenAgent[]} */
    const opened = [];
    /** @type {Problem[]} */
    const problems = [];
    const openOne = async (/** @type {Agent} */ { path, files, artifacts }, /** @type {number} */ agent) => {
      const entry = (opened[agent] = { path, files: new Map(), reopeners: new Map(), failed: new Map(), artifacts: new Map(artifacts) });
      for (const [file, open, canReopen] of files) {
        try {
          const blob = await open();
          entry.files.set(file, blob);
          if (canReopen) entry.reopeners.set(file, open);
          if (blob.damaged) problems.push(problemOf(agent, file, new Failure('unreadable', blob.damaged)));
        } catch (error) {
          problems.push(problemOf(agent, file, error));
        }
      }
    };
    if (agents.every(({ files }) => files.every(([, , canReopen]) => canReopen))) await Promise.all(agents.map(openOne)); // a zip unpacks one file at a time
    else for (const [number, agent] of agents.entries()) await openOne(agent, number);
    return { opened, problems: problems.sort((a, b) => a.agent - b.agent) };
  }

  /**
   * Reads agents into the module, from a number on.
   * @param {OpenAgent[]} agents @param {number} from @param {number|null} total bytes; null where others follow, of which no one knows how many
   */
  async feedAll(agents, from, total) {
    const started = agents.length > 1 ? agents.map(({ files }) => new Map(Array.from(files, ([file, blob]) => [file, blob.size <= SMALL_FILE_BYTES ? startReading(blob) : null]))) : [];
    let before = 0;
    for (const [i, entry] of agents.entries()) {
      const agent = from + i;
      for (const file of READ_ORDER.filter(file => entry.files.has(file))) {
        const report = (/** @type {number} */ done) => this.progress(total === null ? { file: entry.path, read: agent, found: this.walk.found } : { file: `${entry.path}/${FILES[file]}`, done: before + done, total });
        try {
          await this.feedReopening(agent, entry, file, report, started[i] && started[i].get(file));
        } catch (error) {
          if (this.module.failure || this.isStopped) throw error;
          entry.failed.set(file, error);
        }
        before += entry.files.get(file).size;
      }
      await this.listAttachments(agent, entry.path, entry.artifacts); // last: files are numbered as lines name them
    }
  }

  /**
   * One file. A browser refuses one that changed since it was opened; as long as nothing of it was read, it is opened again.
   * @param {number} agent @param {OpenAgent} entry @param {number} file @param {(done: number) => boolean} report @param {NextPart} [started]
   */
  async feedReopening(agent, { files, reopeners }, file, report, started) {
    const open = reopeners.get(file);
    for (let attempt = 0; ; attempt++) {
      let fed = 0;
      try {
        return await this.feed(agent, file, files.get(file), done => report(fed = done), attempt ? null : started);
      } catch (error) {
        if (fed || !open || attempt === MAX_REOPENS || this.module.failure || this.isStopped) throw error;
        files.set(file, await open());
      }
    }
  }

  /** Looks at every file once more when all are read: what changed meanwhile may be half old and half new. @param {OpenAgent[]} agents @param {number} from */
  async findChanges(agents, from) {
    const changed = [], descriptions = await Promise.all(agents.map(({ files, reopeners }) => Promise.all(Array.from(files, ([file, blob]) => describeChange(blob, reopeners.get(file))))));
    for (const [i, { path, files, failed }] of agents.entries()) {
      for (const [n, file] of [...files.keys()].entries()) {
        const agent = from + i, detail = descriptions[i][n], error = failed.get(file);
        const problem = detail ? { agent, file: FILES[file], code: 'file_changed', detail } : error && problemOf(agent, file, error);
        if (!problem) continue;
        this.callJSON({ op: 'problem', ...problem });
        if (problem.code === 'file_changed') changed.push(`${path}/${FILES[file]}`);
      }
    }
    return changed;
  }

  /**
   * One file, through one buffer that the browser fills again and again.
   * @param {number} agent @param {number} file @param {Blob} blob
   * @param {(done: number) => boolean} report is told how many bytes are read, and returns whether it sent that
   * @param {NextPart} [started] the file's bytes where they are being read already
   */
  async feed(agent, file, blob, report, started) {
    const next = started || readParts(blob);
    if (!blob.size) this.feedPart(agent, file, new Uint8Array()); // says that the file exists
    for (let fed = 0; ;) {
      const part = await Promise.race([next(), this.halted]);
      if (this.isStopped) throw new Failure('cancelled');
      if (!part && fed < blob.size) throw new Failure('file_changed', 'It became shorter while it was read.');
      if (!part) return;
      this.feedPart(agent, file, part);
      if (report(fed += part.length)) await yieldToMessages();
    }
  }

  /** Gives the module the next bytes of a file. @param {number} agent @param {number} file @param {Uint8Array} part */
  feedPart(agent, file, part) {
    this.module.write(part);
    this.module.callExport('feed', agent, file, part.length);
  }

  /** Names and sizes of artifacts/, a few hundred files at a time. @param {number} agent @param {string} path @param {Map<string, () => Promise<File>>} artifacts */
  async listAttachments(agent, path, artifacts) {
    const names = [...artifacts.keys()];
    for (let start = 0; start < names.length; start += 500) {
      if (this.isStopped) throw new Failure('cancelled');
      this.progress({ file: `${path}/artifacts`, files: start, of: names.length });
      const sizes = await Promise.all(names.slice(start, start + 500).map(async name => {
        const file = await artifacts.get(name)().catch(() => /** @type {File|null} */ (null));
        return [name, file ? file.size : -1];
      }));
      this.callJSON({ op: 'attach', agent, files: sizes });
    }
  }

  /** Sends how far reading is, at most every 50 ms. @param {object} value @returns {boolean} whether it was sent */
  progress(value) {
    const now = performance.now();
    if (now - this.lastProgress < PROGRESS_MS) return false;
    this.lastProgress = now;
    this.emit('progress', value);
    return true;
  }

  /** A question whose answer goes back as bytes. @param {{op: string} & Record<string, any>} request */
  callRaw(request) {
    return this.module.call(encode(request));
  }

  /** The lines that a page needs; in index-only mode their bytes are read again here. @param {any} request */
  async select(request) {
    const selection = this.module.call(encode(request));
    if (this.opened.keep) return selection;
    const slices = this.callJSON({ op: 'slices' });
    if (!slices.length) return selection;
    const parts = slices.map((/** @type {number[]} */ [agent, file, offset, length]) => this.opened.agents[agent].files.get(file).slice(offset, offset + length));
    return new Uint8Array(await readBuffer(new Blob([selection, ...parts])));
  }

  /** A file that the protocol names, as it was read; null when the agent has none. @param {{agent: number, file: number}} which */
  protocolFile({ agent, file }) {
    const entry = this.opened.agents[agent];
    return (entry && entry.files.get(file)) || null;
  }

  /** One attachment of an agent, as a File. @param {{agent: number, name: string}} which */
  async attachment({ agent, name }) {
    const open = this.opened.agents[agent] && this.opened.agents[agent].artifacts.get(name);
    if (!open) throw new Failure('missing', '{0} is not in this copy of the folder.', name);
    return open();
  }
}

const { port1, port2 } = new MessageChannel();

/** Lets messages of the page arrive: while a stream always has more, no other event would be handled. */
function yieldToMessages() {
  return new Promise(resolve => {
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
}

/** @typedef {() => Promise<Uint8Array|undefined>} NextPart gives the next bytes of a file; undefined at its end */

/** Begins to read a small Blob. @param {Blob} blob @returns {NextPart} gives its bytes once */
function startReading(blob) {
  const bytes = readBuffer(blob);
  bytes.catch(() => {}); // whoever asks for the part hears of it
  let isRead = false;
  return async () => {
    if (isRead) return undefined;
    isRead = true;
    const result = new Uint8Array(await bytes);
    return result.length ? result : undefined;
  };
}

/** How large the files numbered below `fileCount` are together. @param {OpenAgent[]} agents @param {number} fileCount */
function totalBytes(agents, fileCount) {
  let sum = 0;
  for (const { files } of agents) for (const [file, blob] of files) if (file < fileCount) sum += blob.size;
  return sum;
}

/** Whether the browser refused all files that are not empty, so that reading them once more cannot help. @param {OpenAgent[]} agents */
function isNoneReadable(agents) {
  const results = agents.flatMap(({ files, reopeners, failed }) => [...files].filter(([, { size }]) => size).map(([file]) => !reopeners.has(file) && failed.get(file)));
  return results.length > 0 && results.every(error => error && error.name === 'NotReadableError');
}

/** @typedef {{agent: number, file: string, code: string, detail: string}} Problem with a file */

/** @param {number} agent @param {number} file @param {unknown} error @returns {Problem} */
function problemOf(agent, file, error) {
  const { code, english } = toFailure(error);
  return { agent, file: FILES[file], code: code === 'file_changed' ? 'file_changed' : 'file_unreadable', detail: english };
}

/** Reads a Blob part by part, into one reused buffer where the browser can do that. @param {Blob} blob @returns {NextPart} */
function readParts(blob) {
  let target = new ArrayBuffer(PART_BYTES);
  /** @type {ReadableStreamBYOBReader} */
  let reader;
  try {
    reader = readStream(blob).getReader({ mode: 'byob' });
  } catch {
    const simpleReader = readStream(blob).getReader();
    return async () => (await simpleReader.read()).value;
  }
  let bytesLeft = blob.size; // the end is known, and Chromium sometimes never says that a stream is done
  return async () => { // browsers hand out small pieces: the buffer is filled before it goes on
    let filled = 0;
    for (const wanted = Math.min(PART_BYTES, bytesLeft); filled < wanted;) {
      const { done, value } = await reader.read(new Uint8Array(target, filled, PART_BYTES - filled));
      target = value.buffer;
      filled += value.length;
      bytesLeft = done ? 0 : bytesLeft - value.length;
      if (done) break;
    }
    if (!bytesLeft) reader.cancel().catch(() => {});
    return filled ? new Uint8Array(target, 0, filled) : undefined;
  };
}

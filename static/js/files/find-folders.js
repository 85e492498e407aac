// Finds the .figs folders in whatever was given. Loaded by inspector/folder-input.js, worker/sources.js and others.
// A folder is a node: its name, and a list of what is in it, each with `open()` for a file or `node` for a folder.
// Directory handles, directory entries, lists of files and zips all become nodes, so one walk serves them all.

import { Failure } from './failure.js';
import { placed } from './project-paths.js';
import { named } from './find-receipts.js';

/** Files that the protocol names, in the engine's numbering. */
export const FILES = ['runs.jsonl', 'asks.jsonl', 'messages.jsonl', 'agent.json', 'config.json', 'CONTRACT.md', 'GUIDE.md'];
export const PASTED = 'pasted lines'; // the name of lines from the clipboard
export const LEDGERS = 3;

export const SKIP = new Set(['.git', 'node_modules', '__MACOSX']); // the last is one system's shadow copy inside zips
const MOST = 200_000; // things looked at
const DEPTH = 32;
const AT_ONCE = 16; // folders listed side by side
export const BATCH = 50; // agents that are read and shown before the walk goes on

/**
 * @typedef {File & {damaged?: string}} OpenedFile damaged: what is wrong with it inside its zip
 * @typedef {(() => Promise<OpenedFile>) & {size?: number}} Opener size: where it is known without opening
 * @typedef {{name: string, node?: Folder, open?: Opener, live?: boolean}} Item live: open() asks the disk each time
 * @typedef {{name: string, list: () => AsyncIterable<Item> | Iterable<Item>, at?: (path: string) => Promise<Opener|null>}} Folder at: see file-tree.js
 * @typedef {[string, Opener]} NamedOpener a path, and how to open the file
 * @typedef {{path: string, files: Array<[number, Opener, boolean?]>, artifacts: NamedOpener[], loose?: boolean}} Agent
 *   files: number, how to open it, whether that asks the disk; loose: it is made of files that were given without a folder
 * @typedef {{path: string, at: string, items: Item[], own: boolean}} Place a folder on the way: at is what its paths begin with
 *   below the root; own: it is a .figs folder or below one
 */

/** What a walk sees on its way; `stop` ends it early with what was found so far. */
export class Trip {
  /**
   * @param {(value: any) => void} [progress]
   * @param {(agents: Agent[]) => Promise<void>} [take] takes what was found so far, and the walk waits for it
   */
  constructor(progress = () => {}, take) {
    this.progress = progress;
    this.take = take;
    this.seen = 0;
    this.found = 0;
    /** How often a folder of a name was not looked into. @type {Map<string, number>} */
    this.skipped = new Map();
    /** Sentences for the person. @type {string[]} */
    this.notes = [];
    /** Files that may be receipts. @type {NamedOpener[]} */
    this.receipts = [];
    /** Names in the first folder. @type {string[]} */
    this.top = [];
    /** What was walked through. @type {import('../worker/file-tree.js').Top[]} */
    this.tops = [];
    /** The paths in the folder that is being walked through. @type {string[]} */
    this.paths = [];
    /** By path: how to open it, for those who cannot ask a folder for it later. @type {Map<string, Opener>|null} */
    this.opens = null;
    this.stop = false;
  }
  /** Begins with another folder, and remembers the paths in it. @param {Pick<Folder, 'name'|'at'>} folder */
  begin({ name, at }) {
    this.tops.push({ name, at, paths: (this.paths = []) });
  }
  /** @param {string} path @param {Opener} open */
  remember(path, open) {
    this.paths.push(path);
    if (this.opens) this.opens.set(path, open);
  }
  /** Counts a thing that was looked at. @returns {boolean} whether to go on */
  step() {
    if (++this.seen % 200 === 0) this.progress({ seen: this.seen, found: this.found });
    if (this.seen === MOST) {
      this.stop = true;
      this.notes.push(`Looking stopped after ${MOST.toLocaleString('en')} files and folders. If a .figs folder is missing here, drop that folder itself.`);
    }
    return !this.stop;
  }
  /** Adds an agent to those that were found, which are taken once there are enough. @param {Agent[]} found @param {Agent} agent */
  async add(found, agent) {
    this.found++;
    found.push(agent);
    if (this.take && found.length >= BATCH) await this.take(found.splice(0));
  }
  /** Ends the walk early because the person has seen enough. */
  enough() {
    this.stop = true;
    this.notes.push(`Looking was stopped after ${this.seen.toLocaleString('en')} files and folders, as you asked.`);
  }
  /** Whether a folder of this name is not looked into; counts it then. @param {string} name */
  skip(name) {
    if (!SKIP.has(name)) return false;
    this.skipped.set(name, (this.skipped.get(name) || 0) + 1);
    return true;
  }
}

/**
 * The agents below a folder, those nearer to it first, as the command line finds them; without those that were taken meanwhile.
 * @param {Folder} root @param {Trip} trip @returns {Promise<Agent[]>}
 */
export async function find(root, trip) {
  trip.begin(root);
  const items = await all(root, trip);
  trip.top.push(...items.slice(0, 12).map(i => i.name + (i.node ? '/' : '')));
  const inside = items.some(i => i.node && i.name === '.figs');
  const own = root.name === '.figs' || (!inside && looksLikeFigs(items)), before = trip.found;
  /** @type {Agent[]} */
  const found = [];
  if (own) await trip.add(found, await gather(root.name || '.figs', '', items, trip));
  for (const { name, open } of items) {
    if (open) trip.remember(name, open);
    if (open && !own && /\.json$/i.test(name)) trip.receipts.push([name, open]);
  }
  /** @type {Place[]} */
  let level = [{ path: root.name, at: '', items, own }];
  const top = inside && !own && await agentIn(root.name, '', items, trip);
  if (top) level.push(top.folder), await trip.add(found, top.agent);
  for (let depth = 0; level.length && depth < DEPTH && !trip.stop; depth++) {
    /** @type {Place[]} */
    const below = [];
    for (const folder of level) await descend(folder, trip, found, below);
    level = below;
  }
  if (trip.found === before && root.name === 'artifacts' && placed(root.name, trip.paths) === undefined) await trip.add(found, await gather('artifacts', '', [{ name: 'artifacts', node: { name: 'artifacts', list: () => items } }], trip));
  return found;
}

/** Looks one level down. The .figs folders of what it finds are gathered at once, other folders are left for later; in .figs itself (own) no other is. @param {Place} place @param {Trip} trip @param {Agent[]} found @param {Place[]} below */
async function descend({ path, at, items, own }, trip, found, below) {
  const folders = items.filter(({ name, node }) => node && !trip.skip(name) && name !== (own ? 'artifacts' : '.figs'));
  for (let next = 0; next < folders.length && !trip.stop; next += AT_ONCE) {
    const some = folders.slice(next, next + AT_ONCE);
    const insides = await Promise.all(some.map(({ node }) => all(node, trip)));
    const places = some.map(({ name }, i) => ({ path: path ? path + '/' + name : name, at: at + name + '/', items: insides[i], own }));
    const agents = await Promise.all(places.map(place => (own ? null : agentIn(place.path, place.at, place.items, trip))));
    for (const [i, place] of places.entries()) {
      for (const item of place.items) {
        if (item.open) trip.remember(place.at + item.name, item.open);
        if (item.open && !own && named(item.name)) trip.receipts.push([place.path + '/' + item.name, item.open]);
      }
      if (place.items.some(item => item.node && (own || item.name !== '.figs'))) below.push(place);
      if (agents[i] && agents[i].folder.items.some(item => item.node)) below.push(agents[i].folder);
      if (agents[i]) await trip.add(found, agents[i].agent);
    }
  }
}

/**
 * The agent whose .figs folder is among the items of a folder, and that folder for the walk to go on in.
 * @param {string} path @param {string} at @param {Item[]} items @param {Trip} trip
 */
async function agentIn(path, at, items, trip) {
  const figs = items.find(({ name, node }) => node && name === '.figs');
  if (!figs) return null;
  const folder = { path: path ? path + '/.figs' : '.figs', at: at + '.figs/', items: await all(figs.node, trip), own: true };
  for (const { name, open } of folder.items) if (open) trip.remember(folder.at + name, open);
  return { agent: await gather(folder.path, folder.at, folder.items, trip), folder };
}

/** @param {Item[]} items */
function looksLikeFigs(items) {
  const names = new Set(items.filter(i => i.open).map(i => i.name));
  return FILES.slice(0, LEDGERS).some(f => names.has(f)) || (names.has('agent.json') && names.has('config.json'));
}

/**
 * Takes from a .figs folder what the protocol names; readers ignore the rest (§1).
 * @param {string} path @param {string} at @param {Item[]} items @param {Trip} trip @returns {Promise<Agent>}
 */
async function gather(path, at, items, trip) {
  /** @type {Agent} */
  const agent = { path, files: [], artifacts: [] };
  for (const { name, node, open, live } of items) {
    const file = FILES.indexOf(name);
    if (file >= 0) agent.files.push([file, open || folderInstead, live]);
    if (!node || name !== 'artifacts') continue;
    let folders = 0;
    for await (const item of node.list()) {
      if (!trip.step()) break;
      if (!item.open) folders++;
      else agent.artifacts.push([item.name, item.open]), trip.remember(at + 'artifacts/' + item.name, item.open);
    }
    if (folders) trip.notes.push(`${path}/artifacts is flat by the protocol: ${folders} folder${folders > 1 ? 's' : ''} in it left out.`);
  }
  agent.artifacts.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return agent;
}

/** @returns {Promise<never>} */
async function folderInstead() {
  throw new Failure('unreadable', 'it is a folder, not a file');
}

/** What is in a folder, in the order of the names. @param {Folder} node @param {Trip} trip @returns {Promise<Item[]>} */
async function all(node, trip) {
  const items = [];
  try {
    for await (const item of node.list()) {
      if (!trip.step()) break;
      items.push(item);
    }
  } catch (error) {
    if (error && error.name === 'EncodingError') throw error;
    trip.notes.push(`${node.name || 'A folder'} could not be listed: ${(error && error.message) || error}`);
  }
  return items.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param {FileSystemDirectoryHandle} handle @returns {Folder} */
export function handleNode(handle) {
  return {
    name: handle.name,
    get at() { return reach(handle); },
    async *list() {
      for await (const [name, child] of handle.entries()) {
        if (child.kind === 'directory') yield { name, node: handleNode(/** @type {FileSystemDirectoryHandle} */ (child)) };
        else yield { name, open: () => /** @type {FileSystemFileHandle} */ (child).getFile(), live: true };
      }
    },
  };
}

/**
 * Finds files below a handle by their paths; each folder on the way is asked for once.
 * @param {FileSystemDirectoryHandle} handle @returns {(path: string) => Promise<Opener|null>}
 */
function reach(handle) {
  const folders = new Map([['', Promise.resolve(handle)]]);
  const divide = (/** @type {string} */ path) => [path.slice(0, Math.max(path.lastIndexOf('/'), 0)), path.slice(path.lastIndexOf('/') + 1)];
  const folder = (/** @type {string} */ path) => {
    const [above, name] = divide(path);
    if (!folders.has(path)) folders.set(path, folder(above).then(found => found.getDirectoryHandle(name)));
    return folders.get(path);
  };
  return async path => {
    const [above, name] = divide(path);
    const found = await folder(above).catch(missing);
    try {
      const file = await found.getFileHandle(name);
      return () => file.getFile();
    } catch (error) {
      if (error.name === 'TypeMismatchError') return null;
      throw error;
    }
  };
}

/** What would be below a file is not there. @param {Error} error @returns {never} */
function missing(error) {
  throw error.name === 'TypeMismatchError' ? new DOMException('', 'NotFoundError') : error;
}

/** @param {FileSystemDirectoryEntry} entry @returns {Folder} */
export function entryNode(entry) {
  return {
    name: entry.name,
    async *list() {
      const reader = entry.createReader();
      for (;;) { // a reader gives a part at a time, and then nothing
        /** @type {any[]} */
        const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (!part.length) return;
        for (const child of part) {
          /** @type {Opener} */
          const open = () => new Promise((resolve, reject) => child.file(resolve, reject));
          yield child.isDirectory ? { name: child.name, node: entryNode(child) } : { name: child.name, open };
        }
      }
    },
  };
}

/** A folder from paths: [["repo/.figs/runs.jsonl", open], …]. @param {string} name @param {Iterable<NamedOpener>} files @returns {Folder} */
export function listNode(name, files) {
  const root = new Map();
  for (const [path, open] of files) {
    const parts = path.split('/');
    const last = parts.pop();
    let folder = root;
    for (const part of parts) {
      let next = folder.get(part);
      if (!(next instanceof Map)) folder.set(part, (next = new Map()));
      folder = next;
    }
    if (last) folder.set(last, open);
  }
  return {
    ...mapNode(name, root),
    async at(path) {
      const found = path.split('/').reduce((folder, part) => (folder instanceof Map ? folder.get(part) : undefined), root);
      if (!found) throw new DOMException('', 'NotFoundError');
      return found instanceof Map ? null : found;
    },
  };
}

/** @param {string} name @param {Map<string, any>} map an Opener or a further Map by name @returns {Folder} */
function mapNode(name, map) {
  const item = (/** @type {[string, any]} */ [key, value]) => (value instanceof Map ? { name: key, node: mapNode(key, value) } : { name: key, open: value });
  return { name, list: () => Array.from(map, item) };
}

// Finds the .figs folders in whatever was given. Loaded by inspector/folder-input.js, worker/sources.js and others.
// A folder is a node: its name, and a list of what is in it, each with `open()` for a file or `node` for a folder.
// Directory handles, directory entries, lists of files and zips all become nodes, so one walk serves them all.

import { formatNumber, tr } from '../shared/translate.js';
import { Failure } from './failure.js';
import { projectPrefix } from './project-paths.js';
import { isReceiptName } from './find-receipts.js';

/** Files that the protocol names, in the engine's numbering. */
export const FILES = ['runs.jsonl', 'asks.jsonl', 'messages.jsonl', 'agent.json', 'config.json', 'CONTRACT.md', 'GUIDE.md'];
/** The first of them are ledgers. */
export const LEDGER_COUNT = 3;
/** The name of lines from the clipboard. */
export const PASTED_NAME = 'pasted lines';
/** Folders that are not looked into; the last is one system's shadow copy inside zips. */
export const SKIPPED_FOLDERS = new Set(['.git', 'node_modules', '__MACOSX']);
const MAX_ENTRIES = 200_000; // things looked at
const MAX_DEPTH = 32;
const PARALLEL_FOLDERS = 16; // folders listed side by side
/** Agents that are read and shown before the walk goes on. */
export const AGENTS_PER_BATCH = 50;

/**
 * @typedef {File & {damaged?: string}} OpenedFile damaged: what is wrong with it inside its zip
 * @typedef {(() => Promise<OpenedFile>) & {size?: number}} Opener size: where it is known without opening
 * @typedef {{name: string, node?: Folder, open?: Opener, asksDisk?: boolean}} Item asksDisk: open() asks the disk each time
 * @typedef {{name: string, list: () => AsyncIterable<Item> | Iterable<Item>, at?: (path: string) => Promise<Opener|null>}} Folder at: see file-tree.js
 * @typedef {[string, Opener]} NamedOpener a path, and how to open the file
 * @typedef {{path: string, files: Array<[number, Opener, boolean?]>, artifacts: NamedOpener[], isLoose?: boolean}} Agent
 *   files: number, how to open it, whether that asks the disk; isLoose: it is made of files that were given without a folder
 * @typedef {{path: string, prefix: string, items: Item[], isFigs: boolean}} Place a folder on the way; prefix: what its
 *   paths begin with below the root; isFigs: it is a .figs folder or below one
 */

/** What a walk through folders finds. Setting isStopped ends it early with what was found so far. */
export class FolderWalk {
  /**
   * @param {(value: {seen: number, found: number}) => void} [onProgress]
   * @param {(agents: Agent[]) => Promise<void>} [onBatch] takes what was found so far, and the walk waits for it
   */
  constructor(onProgress = () => {}, onBatch) {
    this.onProgress = onProgress;
    this.onBatch = onBatch;
    this.seen = 0; // files and folders
    this.found = 0; // agents
    /** How often a folder of a name was not looked into. @type {Map<string, number>} */
    this.skipped = new Map();
    /** Sentences for the person. @type {string[]} */
    this.notes = [];
    /** Files that may be receipts. @type {NamedOpener[]} */
    this.receipts = [];
    /** Names in the first folder. @type {string[]} */
    this.topNames = [];
    /** What was walked through. @type {import('../worker/file-tree.js').Root[]} */
    this.roots = [];
    /** The paths in the folder that is being walked through. @type {string[]} */
    this.paths = [];
    /** By path: how to open it, for those who cannot ask a folder for it later. @type {Map<string, Opener>|null} */
    this.openers = null;
    this.isStopped = false;
  }
  /** Begins with another folder, and remembers the paths in it. @param {Pick<Folder, 'name'|'at'>} folder */
  beginRoot({ name, at }) {
    this.roots.push({ name, at, paths: (this.paths = []) });
  }
  /** @param {string} path @param {Opener} open */
  addPath(path, open) {
    this.paths.push(path);
    if (this.openers) this.openers.set(path, open);
  }
  /** Counts a thing that was looked at. @returns {boolean} whether to go on */
  countEntry() {
    if (++this.seen % 200 === 0) this.onProgress({ seen: this.seen, found: this.found });
    if (this.seen === MAX_ENTRIES) {
      this.isStopped = true;
      this.notes.push(tr('The search stopped after {0} files and folders. If a .figs folder is missing here, drop that folder itself.', formatNumber(MAX_ENTRIES)));
    }
    return !this.isStopped;
  }
  /** Adds an agent to those that were found, which are handed on once there are enough. @param {Agent[]} found @param {Agent} agent */
  async addAgent(found, agent) {
    this.found++;
    found.push(agent);
    if (this.onBatch && found.length >= AGENTS_PER_BATCH) await this.onBatch(found.splice(0));
  }
  /** Ends the walk early because the person has seen enough. */
  stopEarly() {
    this.isStopped = true;
    this.notes.push(tr('You stopped the search after {0} files and folders.', formatNumber(this.seen)));
  }
  /** Whether a folder of this name is not looked into; counts it then. @param {string} name */
  skip(name) {
    if (!SKIPPED_FOLDERS.has(name)) return false;
    this.skipped.set(name, (this.skipped.get(name) || 0) + 1);
    return true;
  }
}

/**
 * The agents below a folder, those nearer to it first, as the command line finds them; without those that were handed on meanwhile.
 * @param {Folder} root @param {FolderWalk} walk @returns {Promise<Agent[]>}
 */
export async function walkFolder(root, walk) {
  walk.beginRoot(root);
  const items = await listItems(root, walk);
  walk.topNames.push(...items.slice(0, 12).map(i => i.name + (i.node ? '/' : '')));
  const hasFigs = items.some(i => i.node && i.name === '.figs');
  const isFigs = root.name === '.figs' || (!hasFigs && looksLikeFigs(items)), before = walk.found;
  /** @type {Agent[]} */
  const found = [];
  if (isFigs) await walk.addAgent(found, await gatherAgent(root.name || '.figs', '', items, walk));
  for (const { name, open } of items) {
    if (open) walk.addPath(name, open);
    if (open && !isFigs && /\.json$/i.test(name)) walk.receipts.push([name, open]);
  }
  /** @type {Place[]} */
  let level = [{ path: root.name, prefix: '', items, isFigs }];
  const direct = hasFigs && !isFigs && await agentInside(root.name, '', items, walk);
  if (direct) level.push(direct.folder), await walk.addAgent(found, direct.agent);
  for (let depth = 0; level.length && depth < MAX_DEPTH && !walk.isStopped; depth++) {
    /** @type {Place[]} */
    const below = [];
    for (const folder of level) await descend(folder, walk, found, below);
    level = below;
  }
  if (walk.found === before && root.name === 'artifacts' && projectPrefix(root.name, walk.paths) === undefined) await walk.addAgent(found, await gatherAgent('artifacts', '', [{ name: 'artifacts', node: { name: 'artifacts', list: () => items } }], walk));
  return found;
}

/**
 * Looks one level down. The .figs folders of what it finds are gathered at once, other folders are left for later; inside
 * .figs there are no others.
 * @param {Place} place @param {FolderWalk} walk @param {Agent[]} found takes agents @param {Place[]} below takes folders for later
 */
async function descend({ path, prefix, items, isFigs }, walk, found, below) {
  const folders = items.filter(({ name, node }) => node && !walk.skip(name) && name !== (isFigs ? 'artifacts' : '.figs'));
  for (let start = 0; start < folders.length && !walk.isStopped; start += PARALLEL_FOLDERS) {
    const batch = folders.slice(start, start + PARALLEL_FOLDERS);
    const listings = await Promise.all(batch.map(({ node }) => listItems(node, walk)));
    const children = batch.map(({ name }, i) => ({ path: path ? path + '/' + name : name, prefix: prefix + name + '/', items: listings[i], isFigs }));
    const agents = await Promise.all(children.map(place => (isFigs ? null : agentInside(place.path, place.prefix, place.items, walk))));
    for (const [i, place] of children.entries()) {
      for (const item of place.items) {
        if (item.open) walk.addPath(place.prefix + item.name, item.open);
        if (item.open && !isFigs && isReceiptName(item.name)) walk.receipts.push([place.path + '/' + item.name, item.open]);
      }
      if (place.items.some(item => item.node && (isFigs || item.name !== '.figs'))) below.push(place);
      if (agents[i] && agents[i].folder.items.some(item => item.node)) below.push(agents[i].folder);
      if (agents[i]) await walk.addAgent(found, agents[i].agent);
    }
  }
}

/**
 * The agent whose .figs folder is among the items of a folder, and that folder for the walk to go on in.
 * @param {string} path @param {string} prefix @param {Item[]} items @param {FolderWalk} walk
 */
async function agentInside(path, prefix, items, walk) {
  const figs = items.find(({ name, node }) => node && name === '.figs');
  if (!figs) return null;
  const folder = { path: path ? path + '/.figs' : '.figs', prefix: prefix + '.figs/', items: await listItems(figs.node, walk), isFigs: true };
  for (const { name, open } of folder.items) if (open) walk.addPath(folder.prefix + name, open);
  return { agent: await gatherAgent(folder.path, folder.prefix, folder.items, walk), folder };
}

/** @param {Item[]} items */
function looksLikeFigs(items) {
  const names = new Set(items.filter(i => i.open).map(i => i.name));
  return FILES.slice(0, LEDGER_COUNT).some(f => names.has(f)) || (names.has('agent.json') && names.has('config.json'));
}

/**
 * Takes from a .figs folder what the protocol names; readers ignore the rest (§1).
 * @param {string} path @param {string} prefix @param {Item[]} items @param {FolderWalk} walk @returns {Promise<Agent>}
 */
async function gatherAgent(path, prefix, items, walk) {
  /** @type {Agent} */
  const agent = { path, files: [], artifacts: [] };
  for (const { name, node, open, asksDisk } of items) {
    const file = FILES.indexOf(name);
    if (file >= 0) agent.files.push([file, open || refuseFolder, asksDisk]);
    if (!node || name !== 'artifacts') continue;
    let folderCount = 0;
    for await (const item of node.list()) {
      if (!walk.countEntry()) break;
      if (!item.open) folderCount++;
      else agent.artifacts.push([item.name, item.open]), walk.addPath(prefix + 'artifacts/' + item.name, item.open);
    }
    if (folderCount) walk.notes.push(folderCount === 1 ? tr('{0} can’t contain folders: 1 folder in it was left out.', path + '/artifacts') : tr('{0} can’t contain folders: {1} folders in it were left out.', path + '/artifacts', formatNumber(folderCount)));
  }
  agent.artifacts.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  return agent;
}

/** @returns {Promise<never>} */
async function refuseFolder() {
  throw new Failure('unreadable', 'it is a folder, not a file');
}

/** What is in a folder, in the order of the names. @param {Folder} node @param {FolderWalk} walk @returns {Promise<Item[]>} */
async function listItems(node, walk) {
  const items = [];
  try {
    for await (const item of node.list()) {
      if (!walk.countEntry()) break;
      items.push(item);
    }
  } catch (error) {
    if (error && error.name === 'EncodingError') throw error;
    walk.notes.push(tr('The folder “{0}” couldn’t be listed: {1}', node.name, (error && error.message) || error));
  }
  return items.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A folder from a handle, whose files can be opened again. @param {FileSystemDirectoryHandle} handle @returns {Folder} */
export function handleNode(handle) {
  return {
    name: handle.name,
    get at() { return pathOpener(handle); },
    async *list() {
      for await (const [name, child] of handle.entries()) {
        if (child.kind === 'directory') yield { name, node: handleNode(/** @type {FileSystemDirectoryHandle} */ (child)) };
        else yield { name, open: () => /** @type {FileSystemFileHandle} */ (child).getFile(), asksDisk: true };
      }
    },
  };
}

/**
 * Finds files below a handle by their paths; each folder on the way is asked for once.
 * @param {FileSystemDirectoryHandle} handle @returns {(path: string) => Promise<Opener|null>}
 */
function pathOpener(handle) {
  const folders = new Map([['', Promise.resolve(handle)]]);
  const splitPath = (/** @type {string} */ path) => [path.slice(0, Math.max(path.lastIndexOf('/'), 0)), path.slice(path.lastIndexOf('/') + 1)];
  const folder = (/** @type {string} */ path) => {
    const [parent, name] = splitPath(path);
    if (!folders.has(path)) folders.set(path, folder(parent).then(found => found.getDirectoryHandle(name)));
    return folders.get(path);
  };
  return async path => {
    const [parent, name] = splitPath(path);
    const found = await folder(parent).catch(rethrowMissing);
    try {
      const file = await found.getFileHandle(name);
      return () => file.getFile();
    } catch (error) {
      if (error.name === 'TypeMismatchError') return null;
      throw error;
    }
  };
}

/** A path that goes on below a file names nothing. @param {Error} error @returns {never} */
function rethrowMissing(error) {
  throw error.name === 'TypeMismatchError' ? new DOMException('', 'NotFoundError') : error;
}

/** A folder from a directory entry, which cannot leave the page. @param {FileSystemDirectoryEntry} entry @returns {Folder} */
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

// Finds the agents in what was given. Loaded by worker/engine.js and worker/compare.js.
// Runs in the engine's worker; only directory entries, which cannot leave the page, are walked there (folder-input.js) and
// arrive as agents.

import { text } from '../files/blob.js';
import { find, handleNode, listNode, FILES, PASTED } from '../files/find-folders.js';
import { isZip, openZip } from '../files/zip-read.js';
import { byName, byShape, isRegistry } from './detect-ledger.js';
import { placed } from '../files/project-paths.js';
import { receiptsOf } from '../files/find-receipts.js';

/**
 * @typedef {{handle?: FileSystemHandle, file?: File, as?: number, list?: NamedFile[], name?: string, part?: boolean, agents?: SentAgent[], receipts?: NamedFile[], trip?: Pick<import('../files/find-folders.js').Trip, 'notes'|'top'> & {skipped: Array<[string, number]>}}} Source
 *   list: files of a folder; with agents, those that other folders of agents may name; part: there are more; as: the number of
 *   the file that the person says it is; trip: what the page noted while it looked for agents
 * @typedef {[string, File]} NamedFile a path, and the file
 * @typedef {{path: string, files: Array<[number, File]>, artifacts: NamedFile[]}} SentAgent an agent that the page found, with its files
 */

/**
 * @param {Source[]} sources @param {import('../files/find-folders.js').Trip} trip
 * @returns {Promise<import('../files/find-folders.js').Agent[]>}
 */
export async function agentsOf(sources, trip) {
  const agents = [], loose = [];
  for (const source of sources) {
    if (source.agents) {
      agents.push(...source.agents.map(opened));
      trip.receipts.push(...source.receipts.map(openable));
      trip.begin(listNode(source.name, source.list.map(openable)));
      trip.paths.push(...source.list.map(([path]) => path));
      trip.tops.at(-1).part = source.part;
    } else if (source.list) {
      agents.push(...await find(listNode(source.name, source.list.map(openable)), trip));
      trip.tops.at(-1).part = source.part;
    } else if (source.handle && source.handle.kind === 'directory') {
      agents.push(...await find(handleNode(/** @type {FileSystemDirectoryHandle} */ (source.handle)), trip));
    } else {
      const handle = /** @type {FileSystemFileHandle|undefined} */ (source.handle);
      const open = handle ? () => handle.getFile() : async () => source.file;
      const file = await open();
      if (await isZip(file)) agents.push(...await zipped(file, trip)); else loose.push({ file, open, live: Boolean(source.handle), as: source.as });
    }
  }
  if (loose.length) await addLoose(loose, agents, trip);
  return agents;
}

const REGISTRY = '.agents/findings/registry.jsonl';

/**
 * @template {string|number} N
 * @param {[N, File]} named @returns {[N, () => Promise<File>]}
 */
const openable = ([path, file]) => [path, async () => file];

/** @param {SentAgent} a @returns {import('../files/find-folders.js').Agent} */
const opened = a => ({ path: a.path, files: a.files.map(openable), artifacts: a.artifacts.map(openable) });

/** @param {File} file @param {import('../files/find-folders.js').Trip} trip */
async function zipped(file, trip) {
  const { files, notes } = await openZip(file);
  trip.notes.push(...notes);
  const take = trip.take;
  trip.take = undefined; // one of them may get another name yet
  const found = await find(listNode('', files), trip);
  trip.take = take;
  Object.assign(trip.tops.at(-1), { name: file.name.replace(/\.zip$/i, ''), zip: true });
  for (const agent of found) if (agent.path === '.figs' && !files.some(([path]) => path.startsWith('.figs/'))) agent.path = file.name;
  return found;
}

/**
 * Files dropped without a folder: ledgers become one agent, anything else is set aside.
 * @param {Array<{file: File, open: () => Promise<File>, live: boolean, as?: number}>} loose
 * @param {import('../files/find-folders.js').Agent[]} agents @param {import('../files/find-folders.js').Trip} trip
 */
async function addLoose(loose, agents, trip) {
  /** @type {import('../files/find-folders.js').Agent} */
  const agent = { path: loose.length === 1 ? loose[0].file.name : 'dropped files', files: [], artifacts: [], loose: true };
  const others = new Map(); // files that other folders of agents may name, and a registry
  let known = trip.tops.some(({ name, paths }) => placed(name, paths) !== undefined);
  for (const { file, open, live, as } of loose) {
    if (as === undefined && /\.json$/i.test(file.name) && (await receiptsOf([[file.name, open]])).length) {
      trip.receipts.push([file.name, open]);
      continue;
    }
    if (as === undefined && isRegistry(file.name, await head(file)) && !others.has(REGISTRY)) {
      known = Boolean(others.set(REGISTRY, open));
      continue;
    }
    const number = as ?? await guess(file);
    if (number < 0) others.set(file.name, open);
    if (number < 0) {
      if (!known) trip.notes.push(`${file.name === PASTED ? 'What was pasted' : file.name} is no ledger, no zip and no file of a .figs folder: set aside.`);
    } else if (agent.files.some(([taken]) => taken === number)) {
      trip.notes.push(`${file.name} also reads as ${FILES[number]}, which is already there: set aside. Drop them one at a time.`);
    } else {
      agent.files.push([number, open, live]);
      if (file.name === PASTED) trip.notes.push(`The pasted lines are read as ${FILES[number]}.`);
      else if (file.name !== FILES[number]) trip.notes.push(`${file.name} is read as ${FILES[number]}.`);
    }
  }
  if (agent.files.length) agents.push(agent);
  trip.begin(listNode('', others));
  trip.paths.push(...others.keys());
  trip.tops.at(-1).part = true;
}

/** @param {File} file */
const head = file => text(file.slice(0, 65_536));

/** @param {File} file @returns {Promise<number>} the engine's number of the file, or -1 */
async function guess(file) {
  const named = byName(file.name);
  return named >= 0 ? named : byShape(await head(file));
}

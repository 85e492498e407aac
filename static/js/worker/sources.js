// Finds the agents in what was given. Loaded by worker/engine.js and worker/compare.js.
// Runs in the engine's worker; only directory entries, which cannot leave the page, are walked there (folder-input.js) and
// arrive as agents.

import { readText } from '../files/blob.js';
import { walkFolder, handleNode, listNode, FILES, PASTED_NAME } from '../files/find-folders.js';
import { isZip, openZip } from '../files/zip-read.js';
import { ledgerByName, ledgerByShape, isRegistry } from './detect-ledger.js';
import { projectPrefix } from '../files/project-paths.js';
import { readReceipts } from '../files/find-receipts.js';
import { tr } from '../shared/translate.js';

/** @import { Agent, FolderWalk } from '../files/find-folders.js' */

/**
 * @typedef {{handle?: FileSystemHandle, file?: File, fileNumber?: number, list?: NamedFile[], name?: string, isPartial?: boolean, agents?: SentAgent[], receipts?: NamedFile[], walkNotes?: Pick<FolderWalk, 'notes'|'topNames'> & {skipped: Array<[string, number]>}}} Source
 *   list: files of a folder; with agents, those that other folders of agents may name; isPartial: there are more; fileNumber:
 *   which file of the protocol the person says it is; walkNotes: what the page noted while it looked for agents
 * @typedef {[string, File]} NamedFile a path, and the file
 * @typedef {{path: string, files: Array<[number, File]>, artifacts: NamedFile[]}} SentAgent an agent that the page found, with its files
 */

/**
 * Finds the agents in sources. The walk takes what else there is to know of them.
 * @param {Source[]} sources @param {FolderWalk} walk
 * @returns {Promise<Agent[]>}
 */
export async function findAgents(sources, walk) {
  const agents = [], loose = [];
  for (const source of sources) {
    if (source.agents) {
      agents.push(...source.agents.map(withOpeners));
      walk.receipts.push(...source.receipts.map(withOpener));
      walk.beginRoot(listNode(source.name, source.list.map(withOpener)));
      walk.paths.push(...source.list.map(([path]) => path));
      walk.roots.at(-1).isPartial = source.isPartial;
    } else if (source.list) {
      agents.push(...await walkFolder(listNode(source.name, source.list.map(withOpener)), walk));
      walk.roots.at(-1).isPartial = source.isPartial;
    } else if (source.handle && source.handle.kind === 'directory') {
      agents.push(...await walkFolder(handleNode(/** @type {FileSystemDirectoryHandle} */ (source.handle)), walk));
    } else {
      const handle = /** @type {FileSystemFileHandle|undefined} */ (source.handle);
      const open = handle ? () => handle.getFile() : async () => source.file;
      const file = await open();
      if (await isZip(file)) agents.push(...await agentsInZip(file, walk)); else loose.push({ file, open, asksDisk: Boolean(source.handle), fileNumber: source.fileNumber });
    }
  }
  if (loose.length) await addLooseFiles(loose, agents, walk);
  return agents;
}

const REGISTRY = '.agents/findings/registry.jsonl';

/**
 * A file with a function that opens it.
 * @template {string|number} N
 * @param {[N, File]} named @returns {[N, () => Promise<File>]}
 */
const withOpener = ([path, file]) => [path, async () => file];

/** @param {SentAgent} a @returns {Agent} */
const withOpeners = a => ({ path: a.path, files: a.files.map(withOpener), artifacts: a.artifacts.map(withOpener) });

/** @param {File} file @param {FolderWalk} walk */
async function agentsInZip(file, walk) {
  const { files, notes } = await openZip(file);
  walk.notes.push(...notes);
  const { onBatch } = walk;
  walk.onBatch = undefined; // one of them may get another name yet
  const found = await walkFolder(listNode('', files), walk);
  walk.onBatch = onBatch;
  Object.assign(walk.roots.at(-1), { name: file.name.replace(/\.zip$/i, ''), isZip: true });
  for (const agent of found) if (agent.path === '.figs' && !files.some(([path]) => path.startsWith('.figs/'))) agent.path = file.name;
  return found;
}

/**
 * Files dropped without a folder: ledgers become one agent, anything else is set aside.
 * @param {Array<{file: File, open: () => Promise<File>, asksDisk: boolean, fileNumber?: number}>} loose
 * @param {Agent[]} agents @param {FolderWalk} walk
 */
async function addLooseFiles(loose, agents, walk) {
  /** @type {Agent} */
  const agent = { path: loose.length === 1 ? loose[0].file.name : 'dropped files', files: [], artifacts: [], isLoose: true };
  const otherFiles = new Map(); // files that other folders of agents may name, and a registry
  let isProject = walk.roots.some(({ name, paths }) => projectPrefix(name, paths) !== undefined);
  for (const { file, open, asksDisk, fileNumber } of loose) {
    if (fileNumber === undefined && /\.json$/i.test(file.name) && (await readReceipts([[file.name, open]])).length) {
      walk.receipts.push([file.name, open]);
      continue;
    }
    if (fileNumber === undefined && isRegistry(file.name, await readBeginning(file)) && !otherFiles.has(REGISTRY)) {
      isProject = Boolean(otherFiles.set(REGISTRY, open));
      continue;
    }
    const number = fileNumber ?? await detectLedger(file);
    if (number < 0) otherFiles.set(file.name, open);
    if (number < 0) {
      if (!isProject) walk.notes.push(file.name === PASTED_NAME ? tr('The pasted text isn’t a ledger, a zip or a file of a .figs folder, so it was skipped.') : tr('{0} isn’t a ledger, a zip or a file of a .figs folder, so it was skipped.', file.name));
    } else if (agent.files.some(([other]) => other === number)) {
      walk.notes.push(tr('{0} was skipped: another file was already read as {1}. Drop them one at a time.', file.name, FILES[number]));
    } else {
      agent.files.push([number, open, asksDisk]);
      if (file.name === PASTED_NAME) walk.notes.push(tr('The pasted lines were read as {0}.', FILES[number]));
      else if (file.name !== FILES[number]) walk.notes.push(tr('{0} was read as {1}.', file.name, FILES[number]));
    }
  }
  if (agent.files.length) agents.push(agent);
  walk.beginRoot(listNode('', otherFiles));
  walk.paths.push(...otherFiles.keys());
  walk.roots.at(-1).isPartial = true;
}

/** Enough of a file to tell what it is. @param {File} file */
const readBeginning = file => readText(file.slice(0, 65_536));

/** @param {File} file @returns {Promise<number>} the engine's number of the file, or -1 */
async function detectLedger(file) {
  const number = ledgerByName(file.name);
  return number >= 0 ? number : ledgerByShape(await readBeginning(file));
}

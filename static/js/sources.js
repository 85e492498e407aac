// From what was given to the agents in it. Runs in the engine's worker; only directory
// entries, which cannot leave the page, are walked there (drop.js) and arrive as agents.

import { find, handleNode, listNode, FILES } from './walk.js';
import { isZip, openZip } from './zip.js';
import { byName, byShape } from './guess.js';
import { receiptsOf } from './receipt-find.js';

/**
 * @typedef {{handle?: FileSystemHandle, file?: File, as?: number, list?: Array<[string, File]>, name?: string, agents?: any[]}} Source
 * @param {Source[]} sources @param {import('./walk.js').Trip} trip
 * @returns {Promise<import('./walk.js').Agent[]>}
 */
export async function agentsOf(sources, trip) {
  const agents = [], loose = [];
  for (const source of sources) {
    if (source.agents) {
      agents.push(...source.agents.map(opened));
      trip.receipts.push(...source.receipts.map(openable));
    } else if (source.list) {
      agents.push(...await find(listNode(source.name, source.list.map(openable)), trip));
    } else if (source.handle && source.handle.kind === 'directory') {
      agents.push(...await find(handleNode(source.handle), trip));
    } else {
      const open = source.handle ? () => source.handle.getFile() : async () => source.file;
      const file = await open();
      if (await isZip(file)) agents.push(...await zipped(file, trip)); else loose.push({ file, open, live: Boolean(source.handle), as: source.as });
    }
  }
  if (loose.length) await addLoose(loose, agents, trip);
  return agents;
}

const openable = ([path, file]) => [path, async () => file];
const opened = a => ({ path: a.path, files: a.files.map(openable), artifacts: a.artifacts.map(openable) });

async function zipped(file, trip) {
  const { files, notes } = await openZip(file);
  trip.notes.push(...notes);
  const found = await find(listNode('', files), trip);
  for (const agent of found) if (agent.path === '.figs' && !files.some(([path]) => path.startsWith('.figs/'))) agent.path = file.name;
  return found;
}

/** Files dropped without a folder: ledgers become one agent, anything else is set aside. */
async function addLoose(loose, agents, trip) {
  const agent = { path: loose.length === 1 ? loose[0].file.name : 'dropped files', files: [], artifacts: [], loose: true };
  for (const { file, open, live, as } of loose) {
    if (as === undefined && /\.json$/i.test(file.name) && (await receiptsOf([[file.name, open]])).length) {
      trip.receipts.push([file.name, open]);
      continue;
    }
    const number = as ?? await guess(file);
    if (number < 0) {
      trip.notes.push(`${file.name} is no ledger, no zip and no file of a .figs folder: set aside.`);
    } else if (agent.files.some(([taken]) => taken === number)) {
      trip.notes.push(`${file.name} also reads as ${FILES[number]}, which is already there: set aside. Drop them one at a time.`);
    } else {
      agent.files.push([number, open, live]);
      if (file.name !== FILES[number]) trip.notes.push(`${file.name} is read as ${FILES[number]}.`);
    }
  }
  if (agent.files.length) agents.push(agent);
}

async function guess(file) {
  const named = byName(file.name);
  return named >= 0 ? named : byShape(await file.slice(0, 65_536).text());
}

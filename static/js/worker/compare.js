// Reads a second folder or earlier openings to compare with the open folder. Loaded by worker/worker.js.
// The earlier openings come in as hashes of lines; attachments that only their bytes can tell apart are read.

import { readBuffer, readText } from '../files/blob.js';
import { MAX_KEPT_BYTES, READ_ORDER } from './engine.js';
import { Failure } from '../files/failure.js';
import { findAgents } from './sources.js';
import { FILES, LEDGER_COUNT, FolderWalk } from '../files/find-folders.js';

/** @import { Engine, OpenAgent } from './engine.js' */

const CONFIG = FILES.indexOf('config.json');
const MAX_COMPARED_BYTES = 512 << 20; // of attachments that are read to be told apart

/**
 * Reads an older folder beside the open one. Of several in what was given, the one of the same agent.
 * @param {Engine} engine
 * @param {{sources: import('./sources.js').Source[], now: string, agent: number}} given agent: the one to compare with
 * @returns {Promise<{path: string}>}
 */
export async function openOlder(engine, { sources, now, agent }) {
  engine.isStopped = false;
  const agents = await findAgents(sources, new FolderWalk(() => {}));
  if (!agents.length) throw new Failure('missing', 'No .figs folder found. Choose the folder that contains one, or a zip of it.');
  const ownID = await agentID(engine.opened.agents[agent]);
  const olderAgents = (await engine.openAll(agents)).opened;
  const ids = await Promise.all(olderAgents.map(agentID));
  const index = Math.max(0, ownID ? ids.indexOf(ownID) : 0), older = olderAgents[index], olderNumber = engine.opened.agents.length;
  let size = 0;
  for (const [file, blob] of older.files) if (file < LEDGER_COUNT) size += blob.size;
  if (size > MAX_KEPT_BYTES || !engine.opened.keep) throw new Failure('memory', 'Folders larger than 256 MiB can\'t be compared here. Use figs-web compare OLD NEW in a terminal.');
  engine.callJSON({ op: 'openOlder', agents: [older.path], now });
  for (const file of READ_ORDER.filter(file => older.files.has(file))) {
    await engine.feed(olderNumber, file, older.files.get(file), done => engine.progress({ file: `${older.path}/${FILES[file]}`, done, total: size }));
  }
  await engine.listAttachments(olderNumber, older.path, older.artifacts);
  engine.callJSON({ op: 'finishOlder' });
  engine.older = older;
  await compareAttachments(engine, { agent, other: olderNumber });
  return { path: older.path };
}

/** What config.json calls the agent, in small letters; '' where it does not say. @param {OpenAgent} agent */
async function agentID({ files }) {
  try {
    return String(JSON.parse(await readText(files.get(CONFIG))).agentId || '').toLowerCase();
  } catch {
    return '';
  }
}

/**
 * Tells the engine which attachments are as large as they were and have other bytes, and which no one could read.
 * @param {Engine} engine @param {{agent: number, other: number}} pair the agent and the older one
 */
export async function compareAttachments(engine, { agent, other }) {
  const older = engine.opened.agents[other] || engine.older, current = engine.opened.agents[agent], files = [], unread = [];
  let bytesLeft = MAX_COMPARED_BYTES;
  for (const name of older && current ? engine.callJSON({ op: 'sameSizeFiles', agent, with: other }) : []) {
    try {
      const [a, b] = await Promise.all([older.artifacts.get(name)(), current.artifacts.get(name)()]);
      if (a.size + b.size > bytesLeft) {
        unread.push(name);
        continue;
      }
      bytesLeft -= a.size + b.size;
      if (!await sameBytes(a, b)) files.push(name);
    } catch {
      unread.push(name);
    }
  }
  if (older && current) engine.callJSON({ op: 'differingFiles', agent, with: other, files, unread });
}

/** Whether two files have the same bytes. @param {Blob} a @param {Blob} b */
async function sameBytes(a, b) {
  const PART_BYTES = 4 << 20;
  for (let offset = 0; offset < Math.max(a.size, b.size); offset += PART_BYTES) {
    const [x, y] = await Promise.all([a, b].map(async file => new Uint8Array(await readBuffer(file.slice(offset, offset + PART_BYTES)))));
    if (x.length !== y.length || x.some((byte, i) => byte !== y[i])) return false;
  }
  return true;
}

/**
 * Takes the hashes of an earlier opening of an agent.
 * @param {Engine} engine
 * @param {{print: Uint8Array, more?: boolean}} opening more: in addition to those that the engine has
 */
export function loadFingerprint(engine, { print, more = false }) {
  engine.callJSON({ op: 'loadFingerprint', more });
  engine.feedPart(0, FILES.length, print);
}

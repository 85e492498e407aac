// Reads a second folder or earlier openings to compare with the open folder. Loaded by worker/worker.js.
// The earlier openings come in as hashes of lines; attachments that only their bytes can tell apart are read.

import { buffer, text } from '../files/blob.js';
import { KEEP, ORDER } from './engine.js';
import { Failure } from '../files/failure.js';
import { agentsOf } from './sources.js';
import { FILES, LEDGERS, Trip } from '../files/find-folders.js';

const CONFIG = FILES.indexOf('config.json');
const READ = 512 << 20; // of attachments that are read to be told apart, in bytes

/**
 * Reads an older folder beside the open one. Of several in what was given, the one of the same agent.
 * @param {import('./engine.js').Engine} engine
 * @param {{sources: import('./sources.js').Source[], now: string, agent: number}} given agent: the one to compare with
 * @returns {Promise<{path: string}>}
 */
export async function beside(engine, { sources, now, agent }) {
  engine.stopped = false;
  const agents = await agentsOf(sources, new Trip(() => {}));
  if (!agents.length) throw new Failure('missing', 'There is no .figs folder in this. Choose the folder that holds one, or a zip of it.');
  const own = await identity(engine.open.agents[agent]);
  const all = (await engine.openAll(agents)).opened;
  const ids = await Promise.all(all.map(identity));
  const at = Math.max(0, own ? ids.indexOf(own) : 0), older = all[at], number = engine.open.agents.length;
  let size = 0;
  for (const [file, blob] of older.files) if (file < LEDGERS) size += blob.size;
  if (size > KEEP || !engine.open.keep) throw new Failure('memory', 'Only folders of at most 256 MiB are compared here. In a terminal, figs-web compare OLD NEW has no such limit.');
  engine.json({ op: 'beside', agents: [older.path], now });
  for (const file of ORDER.filter(file => older.files.has(file))) {
    await engine.feed(number, file, older.files.get(file), done => engine.progress({ file: `${older.path}/${FILES[file]}`, done, total: size }));
  }
  await engine.attachAll(number, older.path, older.artifacts);
  engine.json({ op: 'besides' });
  engine.beside = older;
  await differ(engine, { agent, other: number });
  return { path: older.path };
}

/** What config.json calls the agent, in small letters; '' where it does not say. @param {import('./engine.js').OpenAgent} agent */
async function identity({ files }) {
  try {
    return String(JSON.parse(await text(files.get(CONFIG))).agentId || '').toLowerCase();
  } catch {
    return '';
  }
}

/**
 * Tells the engine which attachments are as large as they were and have other bytes, and which nobody could read.
 * @param {import('./engine.js').Engine} engine @param {{agent: number, other: number}} pair the agent and the older one
 */
export async function differ(engine, { agent, other }) {
  const was = engine.open.agents[other] || engine.beside, is = engine.open.agents[agent], files = [], unread = [];
  let left = READ;
  for (const name of was && is ? engine.json({ op: 'alike', agent, with: other }) : []) {
    try {
      const [a, b] = await Promise.all([was.artifacts.get(name)(), is.artifacts.get(name)()]);
      if (a.size + b.size > left) {
        unread.push(name);
        continue;
      }
      left -= a.size + b.size;
      if (!await same(a, b)) files.push(name);
    } catch {
      unread.push(name);
    }
  }
  if (was && is) engine.json({ op: 'differ', agent, with: other, files, unread });
}

/** @param {Blob} a @param {Blob} b */
async function same(a, b) {
  const PART = 4 << 20;
  for (let at = 0; at < Math.max(a.size, b.size); at += PART) {
    const [x, y] = await Promise.all([a, b].map(async file => new Uint8Array(await buffer(file.slice(at, at + PART)))));
    if (x.length !== y.length || x.some((byte, i) => byte !== y[i])) return false;
  }
  return true;
}

/**
 * Takes the hashes of an earlier opening of an agent.
 * @param {import('./engine.js').Engine} engine
 * @param {{print: Uint8Array, more?: boolean}} opening more: in addition to those that the engine has
 */
export function kept(engine, { print, more = false }) {
  engine.json({ op: 'kept', more });
  engine.push(0, FILES.length, print);
}

// Appends a line to the messages.jsonl of a folder. Loaded by inspector/compose.js.
// The person grants the folder. What a browser writes becomes the file all at once when it is closed, so that lines which
// an agent appends meanwhile would be lost: the file is looked at once more right before, and read back afterwards.

import { FILES } from '../files/find-folders.js';

const TRIES = 3;
const LEDGER = 'messages.jsonl', CASE = 'asks.jsonl';
const IDENTITY = ['config.json', 'agent.json'];

/**
 * Appends a reply to the folder that the person chooses, if it is the one that was read here and nothing has changed in it.
 * @param {import('./session.js').Session} session @param {number} agent its number, from 0
 * @param {string} ask its id @param {string} line
 * @typedef {{text: string, done?: boolean, again?: () => void}} Result what to say, and how to read the folder again
 * @returns {Promise<Result|null>} null when the person chose no folder
 */
export async function append(session, agent, ask, line) {
  const given = await choose();
  if (!given) return null;
  const folder = await figsOf(given);
  if (!folder) return { text: 'There is no .figs in this folder. Choose the .figs folder of this agent, or the folder that it stands in. Nothing was written.' };
  const again = () => session.folder.agents.length === 1 ? session.open(async () => [{ handle: given }]) : session.again();
  for (const name of IDENTITY) {
    if (!same(await bytes(folder, name), await read(session, agent, name))) return { text: `This is the folder of another agent, or its ${name} has changed: it is not the one that was read here. Nothing was written.`, again };
  }
  const stale = () => ({ text: 'The agent has written to this folder since it was read here, so the reply may not fit any more. Nothing was written. Read the folder again: your words are kept.', again });
  if (!same(await bytes(folder, CASE), await read(session, agent, CASE))) return stale();
  const before = await read(session, agent, LEDGER), now = await bytes(folder, LEDGER);
  if (!begins(now, before)) return stale();
  const since = records(now.subarray(before.length));
  if (since.some(record => record.id === JSON.parse(line).id)) return { text: 'This reply is in the folder already. Nothing was written again.', done: true, again };
  if (since.some(record => record.ask === ask)) return stale();
  return write(folder, line, again);
}

async function choose() {
  try {
    return await window.showDirectoryPicker({ id: 'figs-write', mode: 'readwrite' });
  } catch (error) {
    if (error.name === 'AbortError') return null;
    throw error;
  }
}

/** The .figs folder: the one that was granted, or the one in it. @param {FileSystemDirectoryHandle} given */
async function figsOf(given) {
  if (given.name === '.figs') return given;
  try {
    return await given.getDirectoryHandle('.figs');
  } catch {
    return (await bytes(given, CASE)).length ? given : null;
  }
}

/** A file's bytes; none when there is no such file. @param {FileSystemDirectoryHandle} folder @param {string} name */
async function bytes(folder, name) {
  try {
    return await content(await folder.getFileHandle(name));
  } catch (error) {
    if (error.name === 'NotFoundError') return new Uint8Array();
    throw error;
  }
}

/** @param {FileSystemFileHandle} handle */
const content = async handle => new Uint8Array(await (await handle.getFile()).arrayBuffer());

/** The same file as it was read here. @param {import('./session.js').Session} session @param {number} agent @param {string} name */
async function read(session, agent, name) {
  const blob = await session.query('ledger', { agent, file: FILES.indexOf(name) });
  return blob ? new Uint8Array(await blob.arrayBuffer()) : new Uint8Array();
}

/** @param {Uint8Array} all @param {Uint8Array} part */
const begins = (all, part) => all.length >= part.length && part.every((byte, i) => all[i] === byte);
/** @param {Uint8Array} a @param {Uint8Array} b */
const same = (a, b) => a.length === b.length && begins(a, b);

/** The records in lines that were appended. @param {Uint8Array} tail */
function records(tail) {
  return new TextDecoder().decode(tail).split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) || {}];
    } catch {
      return []; // a blank line, or one that is being written
    }
  });
}

/** @param {FileSystemDirectoryHandle} folder @param {string} line @param {() => void} again @returns {Promise<Result>} */
async function write(folder, line, again) {
  const text = new TextEncoder().encode('\n' + line + '\n');
  for (let tries = 0; tries < TRIES; tries++) {
    const handle = await folder.getFileHandle(LEDGER, { create: true });
    const before = await content(handle);
    const out = await handle.createWritable({ keepExistingData: true });
    try {
      await out.write({ type: 'write', position: before.length, data: text });
    } catch (error) {
      await out.abort().catch(() => {});
      throw error;
    }
    if (!same(await content(handle), before)) { // somebody writes: what they append would be replaced
      await out.abort();
      continue;
    }
    await out.close();
    const after = await content(handle);
    if (after.length >= before.length + text.length && begins(after, before) && begins(after.subarray(before.length), text)) {
      return { text: 'Appended to messages.jsonl, and read back: every byte before it is as it was. The agent finds it with its next “figs inbox”.', done: true, again };
    }
    return { text: 'Written, but messages.jsonl does not read back as it should: perhaps the agent wrote at the same moment. Look at the end of the file, and copy the line to the agent if it is missing.', again };
  }
  return { text: 'The agent is writing to messages.jsonl right now, so nothing was appended, three times. Wait until it is idle, or copy the line into its chat.', again };
}

// Appends a line to the messages.jsonl of a folder. Loaded by inspector/compose.js.
// The person grants the folder. What a browser writes becomes the file all at once when it is closed, so that lines which
// an agent appends meanwhile would be lost: the file is looked at once more right before, and read back afterwards.

import { FILES } from '../files/find-folders.js';
import { tr } from '../shared/translate.js';

/** @import { Session } from './session.js' */

const MAX_TRIES = 3;
const MESSAGES = 'messages.jsonl', ASKS = 'asks.jsonl';
const IDENTITY_FILES = ['config.json', 'agent.json'];

/**
 * Appends a reply to the folder that the person chooses, if it is the one that was read here and nothing has changed in it.
 * @param {Session} session @param {number} agent its number, from 0
 * @param {string} ask its id @param {string} line
 * @typedef {{text: string, done?: boolean, reopen?: () => void}} Result what to say; done: the reply is in the folder; reopen: reads the folder again
 * @returns {Promise<Result|null>} null when the person chose no folder
 */
export async function appendReply(session, agent, ask, line) {
  const chosen = await chooseFolder();
  if (!chosen) return null;
  const folder = await figsFolderOf(chosen);
  if (!folder) return { text: tr('Nothing was written: there is no .figs folder here. Choose this agent\'s .figs folder, or the folder that contains it.') };
  const reopen = () => session.folder.agents.length === 1 ? session.open(async () => [{ handle: chosen }]) : session.reopen();
  for (const name of IDENTITY_FILES) {
    if (!sameBytes(await readFile(folder, name), await readAsOpened(session, agent, name))) return { text: tr('Nothing was written: this is another agent’s folder, or its {0} has changed since it was opened here.', name), reopen };
  }
  const stale = () => ({ text: tr('Nothing was written: the agent has changed this folder since you opened it, so your reply may no longer fit. Read the folder again; your text is kept.'), reopen });
  if (!sameBytes(await readFile(folder, ASKS), await readAsOpened(session, agent, ASKS))) return stale();
  const before = await readAsOpened(session, agent, MESSAGES), current = await readFile(folder, MESSAGES);
  if (!startsWith(current, before)) return stale();
  const added = parseRecords(current.subarray(before.length));
  if (added.some(record => record.id === JSON.parse(line).id)) return { text: tr('This reply is already in the folder, so it wasn\'t written again.'), done: true, reopen };
  if (added.some(record => record.ask === ask)) return stale();
  return appendSafely(folder, line, reopen);
}

/** Lets the person grant a folder. */
async function chooseFolder() {
  try {
    return await window.showDirectoryPicker({ id: 'figs-write', mode: 'readwrite' });
  } catch (error) {
    if (error.name === 'AbortError') return null;
    throw error;
  }
}

/** The .figs folder: the one that was granted, or the one in it. @param {FileSystemDirectoryHandle} chosen */
async function figsFolderOf(chosen) {
  if (chosen.name === '.figs') return chosen;
  try {
    return await chosen.getDirectoryHandle('.figs');
  } catch {
    return (await readFile(chosen, ASKS)).length ? chosen : null;
  }
}

/** A file's bytes; none when there is no such file. @param {FileSystemDirectoryHandle} folder @param {string} name */
async function readFile(folder, name) {
  try {
    return await contentOf(await folder.getFileHandle(name));
  } catch (error) {
    if (error.name === 'NotFoundError') return new Uint8Array();
    throw error;
  }
}

/** @param {FileSystemFileHandle} handle */
const contentOf = async handle => new Uint8Array(await (await handle.getFile()).arrayBuffer());

/** The same file as it was read here. @param {Session} session @param {number} agent @param {string} name */
async function readAsOpened(session, agent, name) {
  const blob = await session.askEngine('protocolFile', { agent, file: FILES.indexOf(name) });
  return blob ? new Uint8Array(await blob.arrayBuffer()) : new Uint8Array();
}

/** @param {Uint8Array} all @param {Uint8Array} part */
const startsWith = (all, part) => all.length >= part.length && part.every((byte, i) => all[i] === byte);

/** @param {Uint8Array} a @param {Uint8Array} b */
const sameBytes = (a, b) => a.length === b.length && startsWith(a, b);

/** The records in lines that were appended. @param {Uint8Array} tail */
function parseRecords(tail) {
  return new TextDecoder().decode(tail).split('\n').flatMap(line => {
    try {
      return [JSON.parse(line) || {}];
    } catch {
      return []; // a blank line, or one that is being written
    }
  });
}

/** Appends a line, unless someone else writes meanwhile. @param {FileSystemDirectoryHandle} folder @param {string} line @param {() => void} reopen @returns {Promise<Result>} */
async function appendSafely(folder, line, reopen) {
  const text = new TextEncoder().encode('\n' + line + '\n');
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const handle = await folder.getFileHandle(MESSAGES, { create: true });
    const before = await contentOf(handle);
    const out = await handle.createWritable({ keepExistingData: true });
    try {
      await out.write({ type: 'write', position: before.length, data: text });
    } catch (error) {
      await out.abort().catch(() => {});
      throw error;
    }
    if (!sameBytes(await contentOf(handle), before)) { // someone writes: what they append would be replaced
      await out.abort();
      continue;
    }
    await out.close();
    const after = await contentOf(handle);
    if (after.length >= before.length + text.length && startsWith(after, before) && startsWith(after.subarray(before.length), text)) {
      return { text: tr('Your reply was added to messages.jsonl; everything before it is unchanged. The agent gets it with its next “figs inbox”.'), done: true, reopen };
    }
    return { text: tr('Your reply was written, but messages.jsonl isn\'t as expected: the agent may have written at the same time. Check the end of the file, and give the line to the agent if it is missing.'), reopen };
  }
  return { text: tr('Nothing was written: the agent kept writing to messages.jsonl during three attempts. Wait until it is idle, or copy the line into its chat.'), reopen };
}

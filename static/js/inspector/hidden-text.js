// Looks for hidden text in the attachments of an agent. Loaded by inspector/route.js.
// The files are looked through one after the other, by the worker that may hang. The page of hidden text lists what was
// found; an ask says when one of its attachments hides something.

import { count, put, say } from '../shared/dom.js';
import { MOST } from './attachment.js';
import { failureOf } from '../files/failure.js';
import { FILES, LEDGERS } from '../files/find-folders.js';

const PIECE = 2 << 20;   // of a ledger, in bytes
const LISTED = 300;      // passages of one ledger

let turn = 0, busy = false;

/** Ends what the page before began. @param {import('./session.js').Session} session */
export function leave(session) {
  turn++;
  if (busy) session.readers.end('sandbox');
  busy = false;
}

/**
 * Looks where the page asks for it, once its own attachment is shown.
 * @param {import('./session.js').Session} session @param {HTMLElement} root @param {Promise<void>} shown
 */
export async function fill(session, root, shown) {
  const page = root.querySelector('[data-lens]'), ask = root.querySelector('[data-lens-ask]');
  if (!page && !ask) return;
  const mine = turn, current = () => mine === turn;
  await shown;
  try {
    if (page && current()) await whole(session, page, current);
    if (ask && current()) await notice(session, ask, current);
  } catch (error) {
    if (!current()) return;
    const at = root.querySelector('[data-lens-at]');
    if (at) at.textContent = `This could not be looked through to its end: ${failureOf(error).message}`;
  }
}

/**
 * @typedef {{readings: Array<{key: string, reading: object}>, missed: number}} Found
 * @typedef {() => boolean} Current whether the page that asked is still the one that is shown
 */

/** Asks the worker of the sandbox. @param {import('./session.js').Session} session @param {object} request @param {Uint8Array} bytes */
async function ask(session, request, bytes) {
  busy = true;
  try {
    return (await session.readers.ask('sandbox', { op: 'lens', ...request }, bytes)).head;
  } finally {
    busy = false;
  }
}

/**
 * Looks through all that an agent has; says first how far that is, then what was found.
 * @param {import('./session.js').Session} session @param {HTMLElement} page @param {Current} current
 */
async function whole(session, page, current) {
  const agent = page.dataset.lens, at = page.querySelector('[data-lens-at]');
  /** @type {Found} */
  const found = { readings: [], missed: 0 };
  const tell = (/** @type {string} */ words) => { at.textContent = words; };
  if (page.dataset.first !== undefined) {
    for (const name of FILES.slice(0, LEDGERS)) {
      const reading = await ledger(session, agent, name, tell, current);
      if (!current()) return;
      if (reading) found.readings.push({ key: '', reading });
    }
    for (const name of FILES.slice(LEDGERS)) {
      const file = await own(session, agent, name);
      if (!current()) return;
      if (file && file.size <= MOST) found.readings.push({ key: '', reading: (await ask(session, { step: 'small', name }, await bytes(file))).reading });
    }
  }
  await attachments(session, agent, page, found, current, (n, all) => tell(`Looked through ${n.toLocaleString('en')} of ${count(all, 'attachment')}.`));
  if (!current()) return;
  const { body } = await session.readers.ask('view', { op: 'lens', step: 'page', agent, found });
  if (!current()) return;
  put(page, new TextDecoder().decode(body));
  const news = page.querySelector('h1');
  say(news ? news.textContent : '');
}

/**
 * Looks through the attachments of an ask; nothing is said as long as nothing is hidden.
 * @param {import('./session.js').Session} session @param {HTMLElement} place @param {Current} current
 */
async function notice(session, place, current) {
  /** @type {Found} */
  const found = { readings: [], missed: 0 };
  await attachments(session, place.dataset.lensAsk, place, found, current);
  if (!current()) return;
  const { body } = await session.readers.ask('view', { op: 'lens', step: 'notice', agent: place.dataset.lensAsk, path: place.dataset.path, found });
  if (current()) put(place, new TextDecoder().decode(body));
}

/**
 * The attachments that a page names.
 * @param {import('./session.js').Session} session @param {string} agent @param {HTMLElement} root
 * @param {Found} found @param {Current} current @param {(n: number, all: number) => void} [tell]
 */
async function attachments(session, agent, root, found, current, tell = () => {}) {
  const files = [...root.querySelectorAll('[data-lens-file]')];
  for (const [n, node] of files.entries()) {
    if (!current()) return;
    const { lensFile: key, look: name } = node.dataset;
    tell(n, files.length);
    try {
      const file = await session.file(agent, name);
      const reading = file.size > MOST
        ? { name, size: file.size, unread: 'It is larger than 10 MiB, the most that an attachment may have, so it was not looked into.' }
        : (await ask(session, { step: 'file', name }, await bytes(file))).reading;
      found.readings.push({ key, reading });
    } catch (error) {
      if (!current()) return;
      const why = failureOf(error).code === 'timeout' ? 'Looking through it took longer than ten seconds, so it was stopped.' : 'It could not be read.';
      found.readings.push({ key, reading: { name, size: 0, unread: why } });
    }
  }
}

/**
 * A ledger, in pieces that end with a line.
 * @param {import('./session.js').Session} session @param {string} agent @param {string} name
 * @param {(words: string) => void} tell @param {Current} current
 */
async function ledger(session, agent, name, tell, current) {
  const file = await own(session, agent, name);
  if (!file) return null;
  const all = { name, size: file.size, passages: /** @type {object[]} */ ([]), more: 0 };
  for (let at = 0, line = 0, size = PIECE; at < file.size && current();) {
    tell(`Looking through ${name}: ${Math.floor(100 * at / file.size)} %.`);
    const piece = await bytes(file.slice(at, at + size)), last = at + piece.length >= file.size;
    const end = last ? piece.length : piece.lastIndexOf(10) + 1;
    if (!end) {
      size *= 2; // one line that is longer than a piece
      continue;
    }
    const { reading, lines } = await ask(session, { step: 'lines', name, line }, piece.slice(0, end));
    const room = LISTED - all.passages.length, found = reading.passages || [];
    all.passages.push(...found.slice(0, room));
    all.more += (reading.more || 0) + Math.max(0, found.length - room);
    [at, line, size] = [at + end, lines || line, PIECE];
  }
  return all;
}

/** @param {import('./session.js').Session} session @param {string} agent its number @param {string} name @returns {Promise<Blob|null>} */
const own = (session, agent, name) => session.query('ledger', { agent: Number(agent) - 1, file: FILES.indexOf(name) });
/** @param {Blob} blob */
const bytes = async blob => new Uint8Array(await blob.arrayBuffer());

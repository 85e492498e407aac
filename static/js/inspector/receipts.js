// Shows the page about receipts and checks them with the accepted keys. Loaded by inspector/main.js and inspector/route.js.
// Receipts go to the reader with the ledgers of the agent that they name, the hashes of its files and the keys that the
// person has accepted.

import { count, el, say } from '../shared/dom.js';
import { hex } from '../files/sha256.js';
import * as time from '../shared/time.js';
import { FILES } from '../files/find-folders.js';

const KEYS = 'figs-accepted-keys';   // in this browser's storage
const LARGEST = 64 << 20;            // of ledgers that are compared here
const FILE = 10 << 20;               // an attachment (§7): what is larger holds other bytes
const [ASKS, MESSAGES, CONFIG] = ['asks.jsonl', 'messages.jsonl', 'config.json'].map(name => FILES.indexOf(name));

/** @import { Session } from './session.js' */

let keys = stored();

/** @returns {string[]} */
function stored() {
  try {
    const list = JSON.parse(localStorage.getItem(KEYS));
    return Array.isArray(list) ? list.filter(key => typeof key === 'string').slice(0, 100) : [];
  } catch {
    return []; // storage may be forbidden; an accepted key then lasts as long as the page
  }
}

/** Accepts a key, or takes that back. @param {string} key @param {boolean} on */
export function accept(key, on) {
  keys = stored().concat(keys).filter((other, i, all) => other !== key && all.indexOf(other) === i);
  if (on) keys.push(key);
  try {
    localStorage.setItem(KEYS, JSON.stringify(keys));
  } catch { /* as above */ }
  say(on ? 'The key is accepted in this browser.' : 'The key is no longer accepted.');
}

/** Whether a path is that of this page. @param {string} to */
export const here = to => to.split('?')[0] === '/receipts';

/** Lets the reader write the page. @param {Session} session */
export async function page(session) {
  const folders = new Map(), receipts = [], parts = [];
  const ids = await agentIDs(session);
  for (const { name, file, agent, attachments } of session.folder.receipts) {
    const number = ids.includes(agent) ? ids.indexOf(agent) : ids.length ? 0 : -1; // of another agent: the check says that it compares nothing
    if (number >= 0 && !folders.has(number)) folders.set(number, await folder(session, number, folders.size));
    const own = folders.get(number);
    if (own) await digest(session, own, attachments);
    receipts.push({ name, size: file.size, folder: own && !own.large ? own.at : -1, large: Boolean(own && own.large) });
    parts.push(file);
  }
  const given = [...folders.values()], redacted = session.folder.top.includes('REDACTED.txt'); // of a copy (share.js)
  const payload = new Blob([...given.flatMap(({ files }) => files), ...parts]);
  const sizes = given.map(({ files: [config, asks, messages], digests }) => ({ config: config.size, asks: asks.size, messages: messages.size, digests, redacted }));
  return session.readers.ask('view', { op: 'receipts', ...time.clock(), folders: sizes, receipts, keys }, new Uint8Array(await payload.arrayBuffer()));
}

/** What config.json calls each agent, in small letters; '' where it does not say. @param {Session} session @returns {Promise<string[]>} */
function agentIDs(session) {
  return Promise.all(session.folder.agents.map(async (_, agent) => {
    const file = await session.query('ledger', { agent, file: CONFIG });
    try {
      return String(JSON.parse(await file.text()).agentId || '').toLowerCase();
    } catch {
      return '';
    }
  }));
}

/**
 * The files of an agent that receipts are compared with.
 * @typedef {{at: number, agent: number, large: boolean, files: Blob[], digests: Record<string, string>}} Compared
 *   at: its index in the request; digests: SHA-256 of attachments by their name
 * @param {Session} session @param {number} agent @param {number} at @returns {Promise<Compared>}
 */
async function folder(session, agent, at) {
  const empty = new Blob();
  const files = await Promise.all([CONFIG, ASKS, MESSAGES].map(async file => (await session.query('ledger', { agent, file })) || empty));
  const large = files[1].size + files[2].size > LARGEST;
  return { at, agent, large, files: large ? [empty, empty, empty] : files, digests: {} };
}

/** Hashes the files that a receipt names and the folder has. @param {Session} session @param {Compared} compared @param {string[]} names */
async function digest(session, { agent, digests }, names) {
  for (const name of names) {
    if (Object.hasOwn(digests, name)) continue;
    const file = await session.query('attachment', { agent, name }).catch(() => /** @type {File|null} */ (null));
    if (file) Object.defineProperty(digests, name, { value: file.size > FILE ? 'too large' : await hex(new Uint8Array(await file.arrayBuffer())), enumerable: true });
  }
}

/** Says on the first view, and on the page of an ask that has one, that receipts were given. @param {Session} session @param {HTMLElement} view @param {string} to its path */
export function announce(session, view, to) {
  const all = (session.folder && session.folder.receipts) || [], one = /^\/\d+\/asks\/[^/?]+(?:\?|$)/.test(to);
  const list = one ? all.filter(({ ask }) => ask && [...view.querySelectorAll('dd')].some(node => node.textContent.trim() === ask)) : all;
  if (!list.length || !one && !/^\/\d*$/.test(to)) return;
  const what = one ? ' of this ask' : '', words = list.length === 1 ? `One receipt${what} was given with this folder` : `${count(list.length, 'receipt')}${what} were given with this folder`;
  view.prepend(el('p', { className: 'notice receipts-given' }, words + ': ', el('a', { className: 'link', href: '#/receipts' }, list.length === 1 ? 'check what it proves' : 'check what they prove')));
}

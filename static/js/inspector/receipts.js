// Shows the page about receipts and checks them with the accepted keys. Loaded by inspector/main.js and inspector/route.js.
// Receipts go to the reader with the ledgers of the agent that they name, the hashes of its files and the keys that the
// person has accepted.

import { el, announce } from '../shared/dom.js';
import { tr, trCount } from '../shared/translate.js';
import { sha256Hex } from '../files/sha256.js';
import * as time from '../shared/time.js';
import { FILES } from '../files/find-folders.js';

/** @import { Session } from './session.js' */

const STORAGE_KEY = 'figs-accepted-keys'; // in this browser's storage
const MAX_LEDGER_BYTES = 64 << 20;     // of ledgers that are compared here
const MAX_ATTACHMENT_BYTES = 10 << 20; // an attachment (§7): what is larger holds other bytes
const [ASKS, MESSAGES, CONFIG] = ['asks.jsonl', 'messages.jsonl', 'config.json'].map(name => FILES.indexOf(name));

let acceptedKeys = loadKeys();

/** @returns {string[]} */
function loadKeys() {
  try {
    const list = JSON.parse(localStorage.getItem(STORAGE_KEY));
    return Array.isArray(list) ? list.filter(key => typeof key === 'string').slice(0, 100) : [];
  } catch {
    return []; // storage may be forbidden; an accepted key then lasts as long as the page
  }
}

/** Accepts a key, or takes that back. @param {string} key @param {boolean} isAccepted */
export function setKeyAccepted(key, isAccepted) {
  acceptedKeys = loadKeys().concat(acceptedKeys).filter((other, i, all) => other !== key && all.indexOf(other) === i);
  if (isAccepted) acceptedKeys.push(key);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(acceptedKeys));
  } catch { /* as above */ }
  announce(isAccepted ? tr('The key is accepted in this browser.') : tr('The key is no longer accepted.'));
}

/** Whether a path is that of this page. @param {string} path */
export const isReceiptsPath = path => path.split('?')[0] === '/receipts';

/** Lets the reader write the page. @param {Session} session */
export async function renderPage(session) {
  /** @type {Map<number, Compared>} */
  const folders = new Map();
  const receipts = [], parts = [];
  const ids = await agentIDs(session);
  for (const { name, file, agent, attachments } of session.folder.receipts) {
    const number = ids.includes(agent) ? ids.indexOf(agent) : ids.length ? 0 : -1; // of another agent: the check says that it compares nothing
    if (number >= 0 && !folders.has(number)) folders.set(number, await filesOf(session, number, folders.size));
    const folderFiles = folders.get(number);
    if (folderFiles) await hashAttachments(session, folderFiles, attachments);
    receipts.push({ name, size: file.size, folder: folderFiles && !folderFiles.isTooLarge ? folderFiles.index : -1, large: Boolean(folderFiles && folderFiles.isTooLarge) });
    parts.push(file);
  }
  const compared = [...folders.values()], isRedacted = session.folder.top.includes('REDACTED.txt'); // of a copy (share.js)
  const payload = new Blob([...compared.flatMap(({ files }) => files), ...parts]);
  const sizes = compared.map(({ files: [config, asks, messages], digests }) => ({ config: config.size, asks: asks.size, messages: messages.size, digests, redacted: isRedacted }));
  return session.readers.ask('view', { op: 'receipts', ...time.clock(), folders: sizes, receipts, keys: acceptedKeys }, new Uint8Array(await payload.arrayBuffer()));
}

/** What config.json calls each agent, in small letters; '' where it does not say. @param {Session} session @returns {Promise<string[]>} */
function agentIDs(session) {
  return Promise.all(session.folder.agents.map(async (_, agent) => {
    const file = await session.askEngine('protocolFile', { agent, file: CONFIG });
    try {
      return String(JSON.parse(await file.text()).agentId || '').toLowerCase();
    } catch {
      return '';
    }
  }));
}

/**
 * The files of an agent that receipts are compared with.
 * @typedef {{index: number, agent: number, isTooLarge: boolean, files: Blob[], digests: Record<string, string>}} Compared
 *   index: its index in the request; digests: SHA-256 of attachments by their name
 * @param {Session} session @param {number} agent @param {number} index @returns {Promise<Compared>}
 */
async function filesOf(session, agent, index) {
  const empty = new Blob();
  const files = await Promise.all([CONFIG, ASKS, MESSAGES].map(async file => (await session.askEngine('protocolFile', { agent, file })) || empty));
  const isTooLarge = files[1].size + files[2].size > MAX_LEDGER_BYTES;
  return { index, agent, isTooLarge, files: isTooLarge ? [empty, empty, empty] : files, digests: {} };
}

/** Hashes the files that a receipt names and the folder has. @param {Session} session @param {Compared} compared @param {string[]} names */
async function hashAttachments(session, { agent, digests }, names) {
  for (const name of names) {
    if (Object.hasOwn(digests, name)) continue;
    const file = await session.askEngine('attachment', { agent, name }).catch(() => /** @type {File|null} */ (null));
    if (file) Object.defineProperty(digests, name, { value: file.size > MAX_ATTACHMENT_BYTES ? 'too large' : await sha256Hex(new Uint8Array(await file.arrayBuffer())), enumerable: true });
  }
}

/** Says on the first view, and on the page of an ask that has one, that receipts were given. @param {Session} session @param {HTMLElement} view @param {string} path of the page */
export function showNotice(session, view, path) {
  const receipts = (session.folder && session.folder.receipts) || [], isAsk = /^\/\d+\/asks\/[^/?]+(?:\?|$)/.test(path);
  const list = isAsk ? receipts.filter(({ ask }) => ask && [...view.querySelectorAll('dd')].some(node => node.textContent.trim() === ask)) : receipts;
  if (!list.length || !isAsk && !/^\/\d*$/.test(path)) return;
  const sentence = isAsk ? trCount(list.length, '1 receipt of this ask came with this folder', '{0} receipts of this ask came with this folder') : trCount(list.length, '1 receipt came with this folder', '{0} receipts came with this folder');
  view.prepend(el('p', { className: 'notice receipts-given' }, sentence + ': ', el('a', { className: 'link', href: '#/receipts' }, list.length === 1 ? tr('check what it proves') : tr('check what they prove'))));
}

// Remembers hashes of the folders that were opened, to tell later whether their past was rewritten. Loaded by inspector/main.js and inspector/route.js.
// Of a folder this browser keeps a name, and for each line a hash under a key that stays here.
// No word of a folder is kept, and all of it can be forgotten.

import { $, el, setHTML, announce } from '../shared/dom.js';
import { toFailure } from '../files/failure.js';
import { tr } from '../shared/translate.js';
import { folderSource, pickFolder } from './folder-input.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';
import { FILES } from '../files/find-folders.js';

/** @import { GetSources } from './folder-input.js' */
/** @import { Session } from './session.js' */

const CONFIG = FILES.indexOf('config.json');
const MAX_OPENINGS_PER_AGENT = 8, MAX_OPENINGS = 60;        // openings that are kept, of one agent with all its copies, and of all
const MAX_AGENTS = 50;                // of a drop that are looked at
const MAX_HASHED_BYTES = 128 << 20; // of ledgers; lines of larger ones are hashed only when someone asks for a comparison
const STORAGE_KEY = 'figs-keeping';

/** The database, once it was asked for. @type {Promise<IDBDatabase>|undefined} */
let database;
let state = emptyState();

/**
 * @typedef {{id?: number, id0: string, path: string, at: number, lines: number, print: Uint8Array}} Opening
 *   id0: what config.json calls the agent; at: milliseconds; print: a hash of each line
 * @typedef {{agent: number, with: string, at: number, lines: number}} KnownOpening as the reader is told of it; at: microseconds
 * @typedef {{agent: string, with: string, at: number, past: string, added: number, changed: number, removed: number, gone: number, ends: number}} Change
 * @typedef {{folder: import('./session.js').OpenFolder|null, openings: KnownOpening[], changes: Map<number, Change>, done: Promise<void>, isLarge?: boolean, isWanted?: boolean}} State
 *   what is known of the open folder; changes: by the agent's number; done: settles when it is known; isLarge: hashing its lines
 *   waits until someone asks for a comparison; isWanted: someone has
 */

/** @returns {State} */
function emptyState() {
  return { folder: null, openings: [], changes: new Map(), done: Promise.resolve() };
}

/** The database, opened once; rejected where the browser lets a page keep nothing. */
function openDatabase() {
  database ||= new Promise((resolve, reject) => {
    const asked = indexedDB.open('figs-kept', 2); // prints of another form compare with nothing
    asked.onupgradeneeded = () => {
      for (const old of [...asked.result.objectStoreNames]) asked.result.deleteObjectStore(old);
      asked.result.createObjectStore('key');
      asked.result.createObjectStore('openings', { keyPath: 'id', autoIncrement: true });
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close(); // another tab has a newer page
      resolve(asked.result);
    };
    asked.onerror = asked.onblocked = () => reject(asked.error);
  });
  return database;
}

/**
 * One transaction on the database.
 * @param {'key'|'openings'} store @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore, key: IDBObjectStore) => IDBRequest} act makes the request whose result is returned
 */
async function transact(store, mode, act) {
  const db = await openDatabase();
  return new Promise((resolve, reject) => {
    const transaction = db.transaction([store, 'key'], mode), request = act(transaction.objectStore(store), transaction.objectStore('key'));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

/** Whether openings are kept: "on", "off" because the person said so, or "unable". */
async function keepingState() {
  try {
    if (localStorage.getItem(STORAGE_KEY) === 'off') return 'off';
    await openDatabase();
    return 'on';
  } catch {
    return 'unable';
  }
}

/** The key of this browser, 32 hexadecimal digits. Of two tabs that begin at once, both get the one that is kept. */
async function browserKey() {
  const fresh = randomKey();
  return await transact('key', 'readwrite', store => {
    const asked = store.get('key');
    asked.onsuccess = () => asked.result || store.put(fresh, 'key');
    return asked;
  }) || fresh;
}

/** A folder was read: compares it with how it was opened before, and keeps how it is now. @param {Session} session */
export function recordOpening(session) {
  state = emptyState();
  const current = state;
  current.folder = session.folder;
  current.done = new Promise(resolve => (window.requestIdleCallback || (f => setTimeout(f, 100)))(resolve, { timeout: 1000 }))
    .then(() => compareAndRecord(session, current))
    .catch(() => {}) // a browser that keeps nothing, or a folder that is gone
    .then(() => current === state && showChanges(session, $('view'), location.hash.slice(1) || '/'));
}

/** @param {Session} session @param {State} current */
async function compareAndRecord(session, current) {
  const { agents, keep, bytes, redactionLists = [] } = current.folder;
  if (await keepingState() !== 'on' || !keep || bytes > MAX_HASHED_BYTES && !current.isWanted) {
    current.isLarge = bytes > MAX_HASHED_BYTES && keep;
    await session.askEngine('call', { op: 'key', key: randomKey() });
    return;
  }
  const key = await browserKey();
  await session.askEngine('call', { op: 'key', key });
  /** @type {Opening[]} */
  const all = (await transact('openings', 'readonly', store => store.getAll())).sort((/** @type {Opening} */ a, /** @type {Opening} */ b) => b.at - a.at);
  for (const agent of agents.slice(0, MAX_AGENTS).keys()) {
    const id = await agentID(session, agent), { path, lines } = agents[agent];
    if (current !== state) return;
    // A copy that was made to be shown has other words on purpose: it says nothing of the folder, nor the folder of it.
    if (redactionLists.includes(path.replace(/[^/]*$/, 'REDACTED.txt'))) continue;
    // Copies of an agent are told apart by their lines alone: names and places say little.
    const earlier = all.filter(o => (id ? o.id0 === id : !o.id0 && o.path === path));
    earlier.forEach(o => current.openings.push({ agent: agent + 1, with: `kept-${o.id}`, at: o.at * 1000, lines: o.lines }));
    const print = await session.askEngine('call', { op: 'fingerprint', agent });
    if (!print.length) continue; // it was not read whole
    const known = await compareWithEarlier(session, current, agent, id, earlier);
    if (await keepingState() === 'on') await storeOpening({ id0: id, path, at: Date.now(), lines, print, ...(known && { id: known.id }) }, key);
  }
}

const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

/** What config.json calls an agent, in small letters; '' where it does not say. @param {Session} session @param {number} agent */
async function agentID(session, agent) {
  try {
    return String(JSON.parse(await (await session.askEngine('protocolFile', { agent, file: CONFIG })).text()).agentId || '').toLowerCase();
  } catch {
    return '';
  }
}

/** Keeps an opening in place of the oldest ones, unless everything was forgotten meanwhile. @param {Opening} opening @param {string} key */
async function storeOpening(opening, key) {
  await transact('openings', 'readwrite', (store, keys) => {
    /** @type {IDBRequest<Opening[]>} */
    const all = store.getAll();
    all.onsuccess = () => {
      const others = all.result.filter(o => o.id !== opening.id).sort((a, b) => b.at - a.at), sameAgent = others.filter(o => o.id0 === opening.id0 && (o.id0 || o.path === opening.path));
      const surplus = new Set([...sameAgent.slice(MAX_OPENINGS_PER_AGENT - 1), ...others.slice(MAX_OPENINGS - 1)]);
      const asked = keys.get('key');
      asked.onsuccess = () => {
        if (asked.result !== key) return;
        surplus.forEach(o => store.delete(o.id));
        store.put(opening);
      };
    };
    return all;
  });
}

/**
 * Notes what became of the folder since it was opened before; returns the opening at which it was as it is now.
 * @param {Session} session @param {State} current @param {number} agent @param {string} id @param {Opening[]} earlier
 */
async function compareWithEarlier(session, current, agent, id, earlier) {
  for (const [i, { print }] of earlier.entries()) await session.askEngine('loadFingerprint', { print, more: i > 0 });
  const answer = earlier.length ? JSON.parse(new TextDecoder().decode(await session.askEngine('call', { op: 'since', agent }))) : { known: -1, which: -1 };
  const { which, known, past, added, gone, ends, edited, removed, moved, inserted } = answer, opening = earlier[which];
  const changed = edited + removed + moved + inserted;
  // Without an id, folders of one name are one agent's only if they have something in common.
  if (opening && (added + gone + changed + ends) && (id || past !== 'strange')) {
    current.changes.set(agent + 1, { agent: String(agent + 1), with: `kept-${opening.id}`, at: opening.at * 1000, past, added, changed, removed, gone, ends });
  }
  return earlier[known];
}

/** Prepares the engine for a page that compares, and says what the reader must know for it. @param {Session} session @param {string} path its path */
export async function prepareComparison(session, path) {
  const [, agent, more = ''] = path.match(/^\/(\d+)\/compare(?:\?(.*))?$/) || [];
  if (!agent || !session.folder) return {};
  const current = state;
  await current.done;
  if (current.isLarge) { // someone asks
    current.isLarge = false;
    current.isWanted = true;
    await (current.done = compareAndRecord(session, current).catch(() => {}));
  }
  const chosen = new URLSearchParams(more).get('with') || '';
  const [, kind, number] = chosen.match(/^(kept|agent)-(\d+)$/) || [];
  if (kind === 'agent') await session.askEngine('compareAttachments', { agent: Number(agent) - 1, other: Number(number) - 1 });
  if (kind === 'kept') {
    const opening = await transact('openings', 'readonly', store => store.get(Number(number))).catch(() => /** @type {Opening|null} */ (null));
    const isKnown = opening && current.openings.some(o => o.with === chosen && o.agent === Number(agent));
    await session.askEngine('loadFingerprint', { print: isKnown ? opening.print : new Uint8Array() });
  }
  return { keeps: { keeping: await keepingState(), openings: current.openings } };
}

/** Says on the first view what became of the folder since this browser opened it before. @param {Session} session @param {HTMLElement} view @param {string} path its path */
export async function showChanges(session, view, path) {
  const [, agent] = path.match(/^\/(\d*)$/) || [];
  if (agent === undefined || !session.folder || state.folder !== session.folder || view.hidden) return;
  const single = session.folder.agents.length === 1;
  const changes = agent || single ? [state.changes.get(Number(agent || 1))] : [...state.changes.values()].filter(s => s.past !== 'stands');
  for (const s of changes.filter(Boolean).slice(0, 3)) {
    const { body } = await session.readers.ask('view', { op: 'since', ...time.clock(), keeps: { since: s } });
    if ((location.hash.slice(1) || '/') !== path || view.querySelector(`[data-since="${s.agent}"]`) || !body.length) continue;
    const box = el('div');
    box.dataset.since = s.agent;
    setHTML(box, new TextDecoder().decode(body));
    (view.querySelector('.page') || view).prepend(box);
    if (s.past !== 'stands') announce(box.textContent.trim());
  }
}

/**
 * What the buttons of pages that compare do.
 * @param {Session} session @param {typeof import('./route.js').route} route shows the page of the address
 * @returns {Record<string, (button: HTMLElement) => void>}
 */
export function buttonActions(session, route) {
  const setKeeping = async (/** @type {boolean} */ on, /** @type {string} */ sentence) => {
    try {
      await forgetAll();
      localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off');
      announce(sentence);
    } catch (error) {
      errors.showFailure(toFailure(error), []);
    }
    route(session);
  };
  return {
    'forget-kept': () => setKeeping(true, tr('Forgotten.')),
    'stop-keeping': () => setKeeping(false, tr('Forgotten. Nothing is stored from now on.')),
    'start-keeping': () => setKeeping(true, tr('Hashes of lines are stored from the next opening on.')),
    beside: button => (window.showDirectoryPicker ? pickFolder(getSources => openOlder(session, button, route, getSources)) : chooseOlder(session, button, route, true)),
    'beside-zip': button => chooseOlder(session, button, route, false),
  };
}

/** Forgets all openings, and the key. */
async function forgetAll() {
  state.openings = [];
  state.changes.clear();
  await transact('openings', 'readwrite', store => store.clear());
  await transact('key', 'readwrite', store => store.clear());
}

/**
 * Lets the person choose the older folder with a field for files.
 * @param {Session} session @param {HTMLElement} button @param {typeof import('./route.js').route} route @param {boolean} folder else a zip
 */
function chooseOlder(session, button, route, folder) {
  const field = el('input', { type: 'file', hidden: true, ...(folder ? { webkitdirectory: true } : { accept: '.zip' }) });
  field.onchange = () => {
    const files = Array.from(field.files);
    field.remove();
    if (files.length) openOlder(session, button, route, async () => (folder ? [folderSource(files)] : files.map(file => ({ file }))));
  };
  document.body.append(field);
  field.click();
}

/**
 * Reads the older folder beside the one that is open, and shows the comparison.
 * @param {Session} session @param {HTMLElement} button @param {typeof import('./route.js').route} route @param {GetSources} getSources
 */
async function openOlder(session, button, route, getSources) {
  const number = Number(button.dataset.agent), hash = `#/${number}/compare?with=beside`;
  await state.done;
  session.showProgress();
  try {
    await session.askEngine('openOlder', { sources: await getSources(), now: time.clock().now, agent: number - 1 });
  } catch (error) {
    errors.showFailure(toFailure(error), []);
    return;
  } finally {
    $('progress').hidden = true;
  }
  if (location.hash === hash) route(session); else location.hash = hash;
}

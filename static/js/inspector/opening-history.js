// Remembers hashes of the folders that were opened, to tell later whether their past was rewritten. Loaded by inspector/main.js and inspector/route.js.
// Of a folder this browser keeps a name, and for each line a hash under a key that stays here.
// No word of a folder is kept, and all of it can be forgotten.

import { $, el, put, say } from '../shared/dom.js';
import { failureOf } from '../files/failure.js';
import { folderList, pickFolder } from './folder-input.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';
import { FILES } from '../files/find-folders.js';

const CONFIG = FILES.indexOf('config.json');
const EACH = 8, MOST = 60;        // openings that are kept, of one agent with all its copies, and of all
const AGENTS = 50;                // of a drop that are looked at
const LARGE = 128 << 20;          // bytes of ledgers whose lines are hashed only when somebody asks for a comparison
const SWITCH = 'figs-keeping';

/** @import { Session } from './session.js' */

/** The database, once it was asked for. @type {Promise<IDBDatabase>|undefined} */
let base;
let state = fresh();

/**
 * @typedef {{id?: number, id0: string, path: string, at: number, lines: number, print: Uint8Array}} Opening
 *   id0: what config.json calls the agent; at: milliseconds; print: a hash of each line
 * @typedef {{agent: number, with: string, at: number, lines: number}} KnownOpening as the reader is told of it; at: microseconds
 * @typedef {{agent: string, with: string, at: number, past: string, added: number, changed: number, removed: number, gone: number, ends: number}} Change
 * @typedef {{folder: import('./session.js').OpenFolder|null, openings: KnownOpening[], since: Map<number, Change>, done: Promise<void>, large?: boolean, wanted?: boolean}} State
 *   what is known of the open folder; since: by the agent's number; done: settles when it is known; large: hashing its lines
 *   waits until somebody asks for a comparison; wanted: somebody has
 */

/** @returns {State} */
function fresh() {
  return { folder: null, openings: [], since: new Map(), done: Promise.resolve() };
}

/** The database, opened once; rejected where the browser lets a page keep nothing. */
function open() {
  base ||= new Promise((resolve, reject) => {
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
  return base;
}

/**
 * One transaction on the database.
 * @param {'key'|'openings'} store @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore, key: IDBObjectStore) => IDBRequest} act makes the request whose result is returned
 */
async function step(store, mode, act) {
  const db = await open();
  return new Promise((resolve, reject) => {
    const deal = db.transaction([store, 'key'], mode), request = act(deal.objectStore(store), deal.objectStore('key'));
    deal.oncomplete = () => resolve(request.result);
    deal.onerror = deal.onabort = () => reject(deal.error);
  });
}

/** Whether openings are kept: "on", "off" because the person said so, or "unable". */
async function keeping() {
  try {
    if (localStorage.getItem(SWITCH) === 'off') return 'off';
    await open();
    return 'on';
  } catch {
    return 'unable';
  }
}

/** The key of this browser, 32 hexadecimal digits. Of two tabs that begin at once, both get the one that is kept. */
async function secret() {
  const fresh = random();
  return await step('key', 'readwrite', store => {
    const asked = store.get('key');
    asked.onsuccess = () => asked.result || store.put(fresh, 'key');
    return asked;
  }) || fresh;
}

/** A folder was read: compares it with how it was opened before, and keeps how it is now. @param {Session} session */
export function begin(session) {
  state = fresh();
  const mine = state;
  mine.folder = session.folder;
  mine.done = new Promise(resolve => (window.requestIdleCallback || (f => setTimeout(f, 100)))(resolve, { timeout: 1000 }))
    .then(() => look(session, mine))
    .catch(() => {}) // a browser that keeps nothing, or a folder that is gone
    .then(() => mine === state && announce(session, $('view'), location.hash.slice(1) || '/'));
}

/** @param {Session} session @param {State} mine */
async function look(session, mine) {
  const { agents, keep, bytes, copies = [] } = mine.folder;
  if (await keeping() !== 'on' || !keep || bytes > LARGE && !mine.wanted) {
    mine.large = bytes > LARGE && keep;
    await session.query('raw', { op: 'key', key: random() });
    return;
  }
  const key = await secret();
  await session.query('raw', { op: 'key', key });
  /** @type {Opening[]} */
  const all = (await step('openings', 'readonly', store => store.getAll())).sort((/** @type {Opening} */ a, /** @type {Opening} */ b) => b.at - a.at);
  for (const agent of agents.slice(0, AGENTS).keys()) {
    const id = await identity(session, agent), { path, lines } = agents[agent];
    if (mine !== state) return;
    // A copy that was made to be shown has other words on purpose: it says nothing of the folder, nor the folder of it.
    if (copies.includes(path.replace(/[^/]*$/, 'REDACTED.txt'))) continue;
    // Copies of an agent are told apart by their lines alone: names and places say little.
    const mates = all.filter(o => (id ? o.id0 === id : !o.id0 && o.path === path));
    mates.forEach(o => mine.openings.push({ agent: agent + 1, with: `kept-${o.id}`, at: o.at * 1000, lines: o.lines }));
    const print = await session.query('raw', { op: 'print', agent });
    if (!print.length) continue; // it was not read whole
    const known = await since(session, mine, agent, id, mates);
    if (await keeping() === 'on') await add({ id0: id, path, at: Date.now(), lines, print, ...(known && { id: known.id }) }, key);
  }
}

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

/** What config.json calls an agent, in small letters; '' where it does not say. @param {Session} session @param {number} agent */
async function identity(session, agent) {
  try {
    return String(JSON.parse(await (await session.query('ledger', { agent, file: CONFIG })).text()).agentId || '').toLowerCase();
  } catch {
    return '';
  }
}

/** Keeps an opening in place of the oldest ones, unless everything was forgotten meanwhile. @param {Opening} opening @param {string} key */
async function add(opening, key) {
  await step('openings', 'readwrite', (store, keys) => {
    /** @type {IDBRequest<Opening[]>} */
    const all = store.getAll();
    all.onsuccess = () => {
      const others = all.result.filter(o => o.id !== opening.id).sort((a, b) => b.at - a.at), mates = others.filter(o => o.id0 === opening.id0 && (o.id0 || o.path === opening.path));
      const spare = new Set([...mates.slice(EACH - 1), ...others.slice(MOST - 1)]);
      const asked = keys.get('key');
      asked.onsuccess = () => {
        if (asked.result !== key) return;
        spare.forEach(o => store.delete(o.id));
        store.put(opening);
      };
    };
    return all;
  });
}

/**
 * Notes what became of the folder since it was opened before; returns the opening at which it was as it is now.
 * @param {Session} session @param {State} mine @param {number} agent @param {string} id @param {Opening[]} mates
 */
async function since(session, mine, agent, id, mates) {
  for (const [i, { print }] of mates.entries()) await session.query('kept', { print, more: i > 0 });
  const said = mates.length ? JSON.parse(new TextDecoder().decode(await session.query('raw', { op: 'since', agent }))) : { known: -1, which: -1 };
  const { which, known, past, added, gone, ends, edited, removed, moved, inserted } = said, opening = mates[which];
  const changed = edited + removed + moved + inserted;
  // Without an id, folders of one name are one agent's only if they have something in common.
  if (opening && (added + gone + changed + ends) && (id || past !== 'strange')) {
    mine.since.set(agent + 1, { agent: String(agent + 1), with: `kept-${opening.id}`, at: opening.at * 1000, past, added, changed, removed, gone, ends });
  }
  return mates[known];
}

/** Prepares the engine for a page that compares, and says what the reader must know for it. @param {Session} session @param {string} to its path */
export async function prepare(session, to) {
  const [, agent, more = ''] = to.match(/^\/(\d+)\/compare(?:\?(.*))?$/) || [];
  if (!agent || !session.folder) return {};
  const mine = state;
  await mine.done;
  if (mine.large) { // somebody asks
    mine.large = false;
    mine.wanted = true;
    await (mine.done = look(session, mine).catch(() => {}));
  }
  const chosen = new URLSearchParams(more).get('with') || '';
  const [, kind, number] = chosen.match(/^(kept|agent)-(\d+)$/) || [];
  if (kind === 'agent') await session.query('differ', { agent: Number(agent) - 1, other: Number(number) - 1 });
  if (kind === 'kept') {
    const opening = await step('openings', 'readonly', store => store.get(Number(number))).catch(() => /** @type {Opening|null} */ (null));
    const ours = opening && mine.openings.some(o => o.with === chosen && o.agent === Number(agent));
    await session.query('kept', { print: ours ? opening.print : new Uint8Array() });
  }
  return { keeps: { keeping: await keeping(), openings: mine.openings } };
}

/** Says on the first view what became of the folder since this browser opened it before. @param {Session} session @param {HTMLElement} view @param {string} to its path */
export async function announce(session, view, to) {
  const [, agent] = to.match(/^\/(\d*)$/) || [];
  if (agent === undefined || !session.folder || state.folder !== session.folder || view.hidden) return;
  const single = session.folder.agents.length === 1;
  const told = agent || single ? [state.since.get(Number(agent || 1))] : [...state.since.values()].filter(s => s.past !== 'stands');
  for (const s of told.filter(Boolean).slice(0, 3)) {
    const { body } = await session.readers.ask('view', { op: 'since', ...time.clock(), keeps: { since: s } });
    if ((location.hash.slice(1) || '/') !== to || view.querySelector(`[data-since="${s.agent}"]`) || !body.length) continue;
    const box = el('div');
    box.dataset.since = s.agent;
    put(box, new TextDecoder().decode(body));
    (view.querySelector('.page') || view).prepend(box);
    if (s.past !== 'stands') say(box.textContent.trim());
  }
}

/**
 * What the buttons of pages that compare do.
 * @param {Session} session @param {typeof import('./route.js').route} route shows the page of the address
 * @returns {Record<string, (button: HTMLElement) => void>}
 */
export function deeds(session, route) {
  const change = async (/** @type {boolean} */ on, /** @type {string} */ sentence) => {
    try {
      await forget();
      localStorage.setItem(SWITCH, on ? 'on' : 'off');
      say(sentence);
    } catch (error) {
      errors.showFailure(failureOf(error), []);
    }
    route(session);
  };
  return {
    'forget-kept': () => change(true, 'Forgotten.'),
    'stop-keeping': () => change(false, 'Forgotten, and nothing more is kept.'),
    'start-keeping': () => change(true, 'From the next opening on, hashes of lines are kept.'),
    beside: button => (window.showDirectoryPicker ? pickFolder(give => take(session, button, route, give)) : input(session, button, route, true)),
    'beside-zip': button => input(session, button, route, false),
  };
}

/** Forgets all openings, and the key. */
async function forget() {
  state.openings = [];
  state.since.clear();
  await step('openings', 'readwrite', store => store.clear());
  await step('key', 'readwrite', store => store.clear());
}

/**
 * Lets the person choose the older folder with a field for files.
 * @param {Session} session @param {HTMLElement} button @param {typeof import('./route.js').route} route @param {boolean} folder else a zip
 */
function input(session, button, route, folder) {
  const field = el('input', { type: 'file', hidden: true, ...(folder ? { webkitdirectory: true } : { accept: '.zip' }) });
  field.onchange = () => {
    const files = Array.from(field.files);
    field.remove();
    if (files.length) take(session, button, route, async () => (folder ? [folderList(files)] : files.map(file => ({ file }))));
  };
  document.body.append(field);
  field.click();
}

/**
 * Reads the older folder beside the one that is open, and shows the comparison.
 * @param {Session} session @param {HTMLElement} button @param {typeof import('./route.js').route} route @param {import('./folder-input.js').Give} give
 */
async function take(session, button, route, give) {
  const number = Number(button.dataset.agent), to = `#/${number}/compare?with=beside`;
  await state.done;
  session.showProgress();
  try {
    await session.query('beside', { sources: await give(), now: time.clock().now, agent: number - 1 });
  } catch (error) {
    errors.showFailure(failureOf(error), []);
    return;
  } finally {
    $('progress').hidden = true;
  }
  if (location.hash === to) route(session); else location.hash = to;
}

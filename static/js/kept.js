// What this browser keeps of the folders that it opened: a name, and for each line a hash under a key that stays here. So
// the next opening can say whether the past was rewritten. No word of a folder is kept, and all of it can be forgotten.

import { $, el, put, say } from './dom.js';
import { failureOf } from './failure.js';
import { folderList, pickFolder } from './give.js';
import { route } from './route.js';
import * as time from './time.js';
import * as trouble from './trouble.js';
import { FILES } from './walk.js';

const CONFIG = FILES.indexOf('config.json');
const EACH = 5, MOST = 60;        // openings that are kept, of one folder and of all
const AGENTS = 50;                // of a drop that are looked at
const LARGE = 128 << 20;          // bytes of ledgers that nobody reads again just to compare them with an earlier opening
const SWITCH = 'figs-keeping';

let base, state = fresh();

function fresh() {
  return { folder: null, openings: [], since: new Map(), done: Promise.resolve() };
}

/** The database, opened once; rejected where the browser lets a page keep nothing. */
function open() {
  base ||= new Promise((resolve, reject) => {
    const asked = indexedDB.open('figs-kept', 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore('key');
      asked.result.createObjectStore('openings', { keyPath: 'id', autoIncrement: true });
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = asked.onblocked = () => reject(asked.error);
  });
  return base;
}

/** One step in the database. @param {'key'|'openings'} store @param {(store: IDBObjectStore) => IDBRequest} act */
async function step(store, mode, act) {
  const db = await open();
  return new Promise((resolve, reject) => {
    const deal = db.transaction(store, mode), request = act(deal.objectStore(store));
    deal.oncomplete = () => resolve(request.result);
    deal.onerror = deal.onabort = () => reject(deal.error);
  });
}

/** "on", "off" by the person's wish, or "unable". */
async function keeping() {
  try {
    if (localStorage.getItem(SWITCH) === 'off') return 'off';
    await open();
    return 'on';
  } catch {
    return 'unable';
  }
}

/** The key of this browser, 32 hexadecimal digits. */
async function secret() {
  const kept = await step('key', 'readonly', store => store.get('key'));
  if (kept) return kept;
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
  await step('key', 'readwrite', store => store.put(key, 'key'));
  return key;
}

/** A folder was read: compares it with how it was opened before, and keeps how it is now. */
export function begin(session) {
  state = fresh();
  const mine = state;
  mine.folder = session.folder;
  mine.done = new Promise(resolve => (window.requestIdleCallback || (f => setTimeout(f, 100)))(resolve))
    .then(() => look(session, mine))
    .catch(() => {}) // a browser that keeps nothing, or a folder that is gone
    .then(() => mine === state && announce(session, $('view'), location.hash.slice(1) || '/'));
}

async function look(session, mine) {
  const { agents, keep, bytes } = mine.folder;
  if (await keeping() !== 'on' || !keep || bytes > LARGE) {
    await session.query('raw', { op: 'key', key: random() });
    return;
  }
  await session.query('raw', { op: 'key', key: await secret() });
  const all = await step('openings', 'readonly', store => store.getAll());
  const ids = await Promise.all(agents.slice(0, AGENTS).map((_, agent) => identity(session, agent)));
  for (const [agent, id] of ids.entries()) {
    if (mine !== state) return;
    const { path, lines } = agents[agent], twins = ids.filter(other => other === id).length > 1;
    const mates = all.filter(o => (id ? o.id0 === id && (!twins || o.path === path) : !o.id0 && o.path === path)).sort((a, b) => b.at - a.at);
    mates.forEach(o => mine.openings.push({ agent: agent + 1, with: `kept-${o.id}`, at: o.at * 1000, lines: o.lines }));
    const print = await session.query('raw', { op: 'print', agent });
    if (mates.length) await since(session, mine, agent, mates[0]);
    if (!mates.length || !equal(print, mates[0].print)) await add({ id0: id, path, at: Date.now(), lines, print }, mates, all);
  }
}

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

/** What config.json calls an agent, in small letters; '' where it does not say. */
async function identity(session, agent) {
  try {
    return String(JSON.parse(await (await session.query('ledger', { agent, file: CONFIG })).text()).agentId || '').toLowerCase();
  } catch {
    return '';
  }
}

const equal = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Keeps an opening in place of the oldest ones. */
async function add(opening, mates, all) {
  for (const old of mates.slice(EACH - 1)) await step('openings', 'readwrite', store => store.delete(old.id));
  const rest = all.filter(o => !mates.includes(o)).sort((a, b) => b.at - a.at);
  for (const old of rest.slice(MOST - EACH)) await step('openings', 'readwrite', store => store.delete(old.id));
  await step('openings', 'readwrite', store => store.add(opening));
}

async function since(session, mine, agent, opening) {
  await session.query('kept', { print: opening.print });
  const { added, gone, edited, removed, moved, inserted } = JSON.parse(new TextDecoder().decode(await session.query('raw', { op: 'since', agent })));
  const changed = edited + removed + moved + inserted;
  if (added + gone + changed) mine.since.set(agent + 1, { agent: String(agent + 1), with: `kept-${opening.id}`, at: opening.at * 1000, added, changed, removed, gone });
}

/** Prepares the engine for a page that compares, and says what the reader must know for it. */
export async function prepare(session, to) {
  const [, agent, more = ''] = to.match(/^\/(\d+)\/compare(?:\?(.*))?$/) || [];
  if (!agent || !session.folder) return {};
  const mine = state;
  await mine.done;
  const chosen = new URLSearchParams(more).get('with') || '';
  const [, kind, number] = chosen.match(/^(kept|agent)-(\d+)$/) || [];
  if (kind === 'agent') await session.query('differ', { agent: agent - 1, other: number - 1 });
  if (kind === 'kept') {
    const opening = await step('openings', 'readonly', store => store.get(Number(number))).catch(() => null);
    const ours = opening && mine.openings.some(o => o.with === chosen && o.agent === Number(agent));
    await session.query('kept', { print: ours ? opening.print : new Uint8Array() });
  }
  return { keeps: { keeping: await keeping(), openings: mine.openings } };
}

/** Says on the first view what became of the folder since this browser opened it before. */
export async function announce(session, view, to) {
  const [, agent] = to.match(/^\/(\d*)$/) || [];
  if (agent === undefined || !session.folder || state.folder !== session.folder || view.hidden) return;
  const single = session.folder.agents.length === 1;
  const told = agent || single ? [state.since.get(Number(agent || 1))] : [...state.since.values()].filter(s => s.changed + s.gone);
  for (const s of told.filter(Boolean).slice(0, 3)) {
    const { body } = await session.readers.ask('view', { op: 'since', ...time.clock(), keeps: { since: s } });
    if ((location.hash.slice(1) || '/') !== to || view.querySelector(`[data-since="${s.agent}"]`) || !body.length) continue;
    const box = el('div');
    box.dataset.since = s.agent;
    put(box, new TextDecoder().decode(body));
    (view.querySelector('.page') || view).prepend(box);
    if (s.changed + s.gone) say(box.textContent.trim());
  }
}

/** What the buttons of the page do. */
export function deeds(session) {
  const change = async (on, sentence) => {
    try {
      await forget();
      localStorage.setItem(SWITCH, on ? 'on' : 'off');
      say(sentence);
    } catch (error) {
      trouble.showFailure(failureOf(error), []);
    }
    route(session);
  };
  return {
    'forget-kept': () => change(true, 'Forgotten.'),
    'stop-keeping': () => change(false, 'Forgotten, and nothing more is kept.'),
    'start-keeping': () => change(true, 'From the next opening on, hashes of lines are kept.'),
    beside: button => (window.showDirectoryPicker ? pickFolder(give => take(session, button, give)) : input(session, button, true)),
    'beside-zip': button => input(session, button, false),
  };
}

async function forget() {
  state.openings = [];
  state.since.clear();
  await step('openings', 'readwrite', store => store.clear());
  await step('key', 'readwrite', store => store.clear());
}

/** Lets the person choose the older folder the old way. */
function input(session, button, folder) {
  const field = el('input', { type: 'file', hidden: true, ...(folder ? { webkitdirectory: true } : { accept: '.zip' }) });
  field.onchange = () => {
    const files = Array.from(field.files);
    field.remove();
    if (files.length) take(session, button, async () => (folder ? [folderList(files)] : files.map(file => ({ file }))));
  };
  document.body.append(field);
  field.click();
}

/** Reads the older folder beside the one that is open, and shows the comparison. */
async function take(session, button, give) {
  const number = Number(button.dataset.agent), to = `#/${number}/compare?with=beside`;
  await state.done;
  session.showProgress();
  try {
    await session.query('beside', { sources: await give(), now: time.clock().now, agent: number - 1 });
  } catch (error) {
    trouble.showFailure(failureOf(error), []);
    return;
  } finally {
    $('progress').hidden = true;
  }
  if (location.hash === to) route(session); else location.hash = to;
}

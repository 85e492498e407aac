// Searches while a person types. Loaded by inspector/main.js and inspector/route.js.
// The engine looks through a large folder a slice at a time, so that what is found first is shown first and the next
// letter never waits; whatever speeds a search up is made while the page is open and nobody asks for anything.

import { $, isTyping, put, say } from '../shared/dom.js';
import { path } from './address.js';
import { areOn } from './shortcuts.js';
import * as time from '../shared/time.js';

const FIRST = 2, NEXT = 8; // megabytes that the engine compares for one answer
const MOST_TEXT = 128 << 20; // bytes of attachments whose words are kept
const ONE_TEXT = 1 << 20;    // of one of them

/** @import { Session } from './session.js' */

let turn = 0, shelving = '';
/** @type {number|undefined} */
let spoken;
/** @type {typeof import('./route.js').page} */
let page;
/** @type {typeof import('./route.js').route} */
let route;

/** Whether a path is that of a search. @param {string} to */
const here = to => /^\/\d+\/search(?:[?]|$)/.test(to);
/** @returns {HTMLInputElement|null} */
const field = () => $('view').querySelector('form[data-seek] input[type="search"]');
/** @param {Uint8Array} bytes */
const parse = bytes => JSON.parse(new TextDecoder().decode(bytes));

/** Asks for a slice of a search instead of all of it. @param {string} to @param {any} request to the engine @param {number} [size] megabytes */
export function cut(to, request, size = FIRST) {
  if (request && here(to)) request.slice = size;
}

/**
 * Listens to what is typed, and to the key that leads to the search.
 * @param {Session} session
 * @param {typeof import('./route.js').page} write writes the page of an address @param {typeof import('./route.js').route} show shows the page of the address
 */
export function listen(session, write, show) {
  page = write;
  route = show;
  const typing = (/** @type {EventAt<Field, InputEvent|CompositionEvent>} */ event) => {
    const { form } = event.target;
    if (form && 'seek' in form.dataset && !('isComposing' in event && event.isComposing)) typed(session, form);
  };
  document.addEventListener('input', typing);
  document.addEventListener('compositionend', typing);
  document.addEventListener('keydown', event => pressed(session, event));
}

/** The key "/" leads to the search. @param {Session} session @param {KeyboardEvent} event */
function pressed(session, event) {
  if (event.key !== '/' || !areOn() || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || !session.folder || $('view').hidden) return;
  if (isTyping(event)) return;
  const agent = /^\/(\d+)(?:[/?]|$)/.exec(path()), only = session.folder.agents.length === 1;
  if (!field() && !agent && !only) return;
  event.preventDefault();
  const search = field();
  if (!search) location.hash = `/${agent ? agent[1] : 1}/search`;
  else {
    search.focus();
    search.select();
  }
}

/** Searches for what was typed. @param {Session} session @param {HTMLFormElement} form */
function typed(session, form) {
  performance.clearMarks('search-shown');
  performance.mark('search-typed');
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) fields.append(name, String(value));
  const text = fields.toString(), to = form.getAttribute('action').replace(/^[^#]*#/, '').split('?')[0] + (text ? '?' + text : '');
  history.replaceState(history.state, '', '#' + to);
  look(session, to, FIRST);
}

/** Shows a search, and goes on with it until it has seen everything or something else is shown. @param {Session} session @param {string} to @param {number} size of its first slice @param {number} [wait] ms */
async function look(session, to, size, wait = 0) {
  const mine = ++turn;
  for (let first = true; ; first = false) {
    if (wait && first) await pause(wait);
    if (mine !== turn || path() !== to) return;
    let answer;
    try {
      answer = await page(session, to, first ? size : NEXT);
    } catch {
      if (mine === turn && path() === to) route(session); // it says what happened, and what to do
      return;
    }
    if (mine !== turn || path() !== to) return;
    fresh(new TextDecoder().decode(answer.body));
    const found = $('view').querySelector('[data-fresh="found"]');
    if (found && (found.querySelector('.row') || !left())) performance.mark('search-shown');
    if (!left()) return tell();
  }
}

/** How much is still to be looked through. */
const left = () => Number($('view').querySelector('[data-left]')?.dataset.left || 0);

/** @param {number} ms */
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Says what was found once somebody has stopped typing. */
function tell() {
  clearTimeout(spoken);
  spoken = setTimeout(() => {
    const news = $('view').querySelector('[data-fresh="news"] h1');
    if (news) say(news.textContent);
  }, 700);
}

/** Puts the parts that a search changes into the page, and leaves the field alone. @param {string} html */
function fresh(html) {
  const made = document.createElement('template');
  put(made, html);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ ($('view').querySelectorAll('[data-fresh]'))) {
    const other = /** @type {HTMLElement} */ (made.content.querySelector(`[data-fresh="${part.dataset.fresh}"]`));
    if (!other) continue;
    const focus = part.contains(document.activeElement) && document.activeElement.getAttribute('href');
    part.replaceWith(other);
    time.relate(other);
    const link = focus && other.querySelector(`[href="${CSS.escape(focus)}"]`);
    if (link) link.focus({ preventScroll: true });
  }
}

/** A page was shown: where it is a search it goes on, and what is looked through is got ready. @param {Session} session @param {string} to its path */
export function arrive(session, to) {
  turn++;
  if (!here(to)) return;
  if (!field().value && document.activeElement !== field()) field().focus({ preventScroll: true });
  if (left()) look(session, to, NEXT);
  shelve(session, Number(to.split('/')[1]) - 1);
}

/** Gets one agent ready for its searches: its ledgers' blocks, and the words of its attachments. @param {Session} session @param {number} agent */
async function shelve(session, agent) {
  const folder = session.folder, name = session.turn + '/' + agent;
  if (shelving === name) return;
  shelving = name;
  const on = () => shelving === name && session.folder === folder && here(path());
  const ask = (more = {}) => session.query('raw', { op: 'shelve', agent, ...more }).then(parse);
  try {
    await pause(30); // the first page comes first
    let state = await ask({ list: true });
    const names = state.files;
    while (state.more && on()) state = await ask();
    let size = 0, told = performance.now();
    for (const file of names) {
      if (!on() || size > MOST_TEXT) break;
      const text = await words(session, agent, file);
      size += text.length;
      state = await ask({ name: file, text });
      if (performance.now() - told > 400) {
        told = performance.now();
        again(session);
      }
    }
    if (names.length) again(session);
    if (on()) return;
  } catch { /* the search goes on without; the page says what it has read */ }
  if (shelving === name) shelving = ''; // the rest is read when somebody searches again
}

/** The words of an attachment; none of one that cannot be read. @param {Session} session @param {number} agent @param {string} name */
async function words(session, agent, name) {
  try {
    const file = await session.file(String(agent + 1), name);
    const bytes = new Uint8Array(await file.slice(0, ONE_TEXT).arrayBuffer());
    return new TextDecoder().decode((await session.readers.ask('view', { op: 'words', name }, bytes)).body);
  } catch {
    return '';
  }
}

/** The same search once more, now that more is known. @param {Session} session */
function again(session) {
  const to = path();
  if (here(to) && field() && !left()) look(session, to, NEXT);
}

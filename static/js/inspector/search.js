// Searches while a person types. Loaded by inspector/main.js and inspector/route.js.
// The engine looks through a large folder a slice at a time, so that what is found first is shown first and the
// next letter never waits. The index that makes a search faster is built while the page is idle.

import { $, isTyping, setHTML, announce } from '../shared/dom.js';
import { currentPath } from './address.js';
import { areShortcutsOn } from './shortcuts.js';
import * as time from '../shared/time.js';

/** @import { Session } from './session.js' */

const FIRST_SLICE_MB = 2, NEXT_SLICE_MB = 8; // that the engine compares for one answer
const MAX_TEXT_BYTES = 128 << 20;     // of attachments whose words are kept
const MAX_FILE_TEXT_BYTES = 1 << 20; // of one of them

let generation = 0, indexing = '';
/** @type {number|undefined} */
let announceTimer;
/** @type {typeof import('./route.js').renderPage} */
let renderPage;
/** @type {typeof import('./route.js').route} */
let route;

/** Whether a path is that of a search. @param {string} path */
const isSearchPath = path => /^\/\d+\/search(?:[?]|$)/.test(path);
/** @returns {HTMLInputElement|null} */
const searchField = () => $('view').querySelector('form[data-seek] input[type="search"]');
/** @param {Uint8Array} bytes */
const parseJSON = bytes => JSON.parse(new TextDecoder().decode(bytes));

/** Asks for a slice of a search instead of all of it. @param {string} path @param {any} request to the engine @param {number} [size] megabytes */
export function limitSlice(path, request, size = FIRST_SLICE_MB) {
  if (request && isSearchPath(path)) request.slice = size;
}

/**
 * Listens to what is typed, and to the key that leads to the search.
 * @param {Session} session
 * @param {typeof import('./route.js').renderPage} render writes the page of an address @param {typeof import('./route.js').route} showRoute shows the page of the address
 */
export function listen(session, render, showRoute) {
  renderPage = render;
  route = showRoute;
  const typing = (/** @type {EventAt<Field, InputEvent|CompositionEvent>} */ event) => {
    const { form } = event.target;
    if (form && 'seek' in form.dataset && !('isComposing' in event && event.isComposing)) onInput(session, form);
  };
  document.addEventListener('input', typing);
  document.addEventListener('compositionend', typing);
  document.addEventListener('keydown', event => onKeydown(session, event));
}

/** The key "/" leads to the search. @param {Session} session @param {KeyboardEvent} event */
function onKeydown(session, event) {
  if (event.key !== '/' || !areShortcutsOn() || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || !session.folder || $('view').hidden) return;
  if (isTyping(event)) return;
  const agent = /^\/(\d+)(?:[/?]|$)/.exec(currentPath()), isSingle = session.folder.agents.length === 1;
  if (!searchField() && !agent && !isSingle) return;
  event.preventDefault();
  const search = searchField();
  if (!search) location.hash = `/${agent ? agent[1] : 1}/search`;
  else {
    search.focus();
    search.select();
  }
}

/** Searches for what was typed. @param {Session} session @param {HTMLFormElement} form */
function onInput(session, form) {
  performance.clearMarks('search-shown');
  performance.mark('search-typed');
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) fields.append(name, String(value));
  const text = fields.toString(), path = form.getAttribute('action').replace(/^[^#]*#/, '').split('?')[0] + (text ? '?' + text : '');
  history.replaceState(history.state, '', '#' + path);
  runSearch(session, path, FIRST_SLICE_MB);
}

/** Shows a search, and goes on with it until it has seen everything or something else is shown. @param {Session} session @param {string} path @param {number} size of its first slice @param {number} [delay] ms */
async function runSearch(session, path, size, delay = 0) {
  const started = ++generation;
  for (let isFirst = true; ; isFirst = false) {
    if (delay && isFirst) await wait(delay);
    if (started !== generation || currentPath() !== path) return;
    let answer;
    try {
      answer = await renderPage(session, path, isFirst ? size : NEXT_SLICE_MB);
    } catch {
      if (started === generation && currentPath() === path) route(session); // it says what happened, and what to do
      return;
    }
    if (started !== generation || currentPath() !== path) return;
    updateResults(new TextDecoder().decode(answer.body));
    const found = $('view').querySelector('[data-fresh="found"]');
    if (found && (found.querySelector('.row') || !remaining())) performance.mark('search-shown');
    if (!remaining()) return announceResult();
  }
}

/** How much is still to be looked through. */
const remaining = () => Number($('view').querySelector('[data-left]')?.dataset.left || 0);

/** @param {number} ms */
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

/** Says what was found once someone has stopped typing. */
function announceResult() {
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => {
    const news = $('view').querySelector('[data-fresh="news"] h1');
    if (news) announce(news.textContent);
  }, 700);
}

/** Puts the parts that a search changes into the page, and leaves the field alone. @param {string} html */
function updateResults(html) {
  const template = document.createElement('template');
  setHTML(template, html);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ ($('view').querySelectorAll('[data-fresh]'))) {
    const updated = /** @type {HTMLElement} */ (template.content.querySelector(`[data-fresh="${part.dataset.fresh}"]`));
    if (!updated) continue;
    const focus = part.contains(document.activeElement) && document.activeElement.getAttribute('href');
    part.replaceWith(updated);
    time.showRelativeTimes(updated);
    const link = focus && updated.querySelector(`[href="${CSS.escape(focus)}"]`);
    if (link) link.focus({ preventScroll: true });
  }
}

/** A page was shown: where it is a search it goes on, and what is looked through is got ready. @param {Session} session @param {string} path its path */
export function continueSearch(session, path) {
  generation++;
  if (!isSearchPath(path)) return;
  if (!searchField().value && document.activeElement !== searchField()) searchField().focus({ preventScroll: true });
  if (remaining()) runSearch(session, path, NEXT_SLICE_MB);
  buildIndex(session, Number(path.split('/')[1]) - 1);
}

/** Gets one agent ready for its searches: its ledgers' blocks, and the words of its attachments. @param {Session} session @param {number} agent */
async function buildIndex(session, agent) {
  const folder = session.folder, name = session.generation + '/' + agent;
  if (indexing === name) return;
  indexing = name;
  const isWanted = () => indexing === name && session.folder === folder && isSearchPath(currentPath());
  const ask = (more = {}) => session.askEngine('call', { op: 'index', agent, ...more }).then(parseJSON);
  try {
    await wait(30); // the first page comes first
    let state = await ask({ list: true });
    const names = state.files;
    while (state.more && isWanted()) state = await ask();
    let size = 0, lastUpdate = performance.now();
    for (const file of names) {
      if (!isWanted() || size > MAX_TEXT_BYTES) break;
      const text = await attachmentText(session, agent, file);
      size += text.length;
      state = await ask({ name: file, text });
      if (performance.now() - lastUpdate > 400) {
        lastUpdate = performance.now();
        repeatSearch(session);
      }
    }
    if (names.length) repeatSearch(session);
    if (isWanted()) return;
  } catch { /* the search goes on without; the page says what it has read */ }
  if (indexing === name) indexing = ''; // the rest is read when someone searches again
}

/** The words of an attachment; none of one that cannot be read. @param {Session} session @param {number} agent @param {string} name */
async function attachmentText(session, agent, name) {
  try {
    const file = await session.file(String(agent + 1), name);
    const bytes = new Uint8Array(await file.slice(0, MAX_FILE_TEXT_BYTES).arrayBuffer());
    return new TextDecoder().decode((await session.readers.ask('view', { op: 'words', name }, bytes)).body);
  } catch {
    return '';
  }
}

/** The same search once more, now that more is known. @param {Session} session */
function repeatSearch(session) {
  const path = currentPath();
  if (isSearchPath(path) && searchField() && !remaining()) runSearch(session, path, NEXT_SLICE_MB);
}

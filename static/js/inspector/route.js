// Shows the page that the address names. Loaded by inspector/main.js.
// Addresses live in the fragment (#/1/asks/2) and name places by number, never by content.
// For each, the reader says what it needs, the engine selects it, the reader writes the page.

import { $, put } from '../shared/dom.js';
import { path } from './address.js';
import * as attachment from './attachment.js';
import * as compose from './compose.js';
import { failureOf } from '../files/failure.js';
import * as openingHistory from './opening-history.js';
import * as hiddenText from './hidden-text.js';
import * as chartKeyboard from '../shared/chart-keyboard.js';
import * as receipts from './receipts.js';
import * as search from './search.js';
import * as share from './share.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';

/** @import { Session } from './session.js' */

/** By history entry: where it was scrolled to, what had the focus. @type {Map<string, {scroll: number, focus: string}>} */
const places = new Map();
let turn = 0, shown = '', here = '', entries = 0, opening = '';

/** Whether this history entry is the empty first page, from which a folder was opened. */
const isStart = () => Boolean(history.state && history.state.start);

/** Whether a page needs no folder. @param {string} to */
const free = to => /^\/rules(?:[/?]|$)/.test(to);

/** Shows the page of the address. @param {Session} session @returns {Promise<void>} */
export async function route(session) {
  const to = path(), mine = ++turn;
  remember();
  attachment.leave(session);
  hiddenText.leave(session);
  share.leave();
  if (isStart() || !session.folder && !free(to)) return start(session, to);
  errors.hide(); // not once the page is there: what goes wrong meanwhile must stay
  const waiting = setTimeout(() => {
    $('view').setAttribute('aria-busy', 'true');
    if ($('view').hidden && session.folder && !session.reading) session.showWriting();
  }, 80);
  try {
    const { head, body } = await page(session, to);
    if (mine !== turn) return;
    if (opening === to && head.status === 404) return begin(session, '/');
    render(session, to, head, new TextDecoder().decode(body));
  } catch (error) {
    if (mine === turn) failed(session, failureOf(error));
  } finally {
    clearTimeout(waiting);
    if (mine === turn) {
      $('view').removeAttribute('aria-busy');
      session.hideWriting();
    }
  }
}

/**
 * What the reader writes for an address; a search for a while only, and the page says what is left.
 * @param {Session} session @param {string} to @param {number} [slice] megabytes that a search looks through
 */
export async function page(session, to, slice) {
  if (receipts.here(to)) return receipts.page(session);
  const { head } = await session.readers.ask('view', { op: 'plan', path: to });
  search.cut(to, head.request, slice);
  const keeps = await openingHistory.prepare(session, to);
  const agents = session.folder ? session.folder.agents : [];
  const selection = agents.length ? await session.query('select', head.request) : undefined; // without any there is nothing to select
  return session.show({ op: 'page', path: to, copy: Boolean(session.copy) && session.give === session.copy, ...time.clock(), ...compose.person(session), ...keeps }, selection);
}

/** Without a folder there is the first page; after a reload it says why. @param {Session} session @param {string} to */
function start(session, to) {
  if (!$('view').hidden) {
    compose.leave();
    $('view').hidden = true;
    $('view').replaceChildren();
    $('start').hidden = false;
    $('start').focus();
  }
  document.title = 'Figs inspector';
  shown = '';
  if (to !== '/' && !session.reading) {
    errors.show({ title: 'Open the folder again', text: 'Drop the same folder again and you are back on this page. Reloading closed it, because nothing of a folder is stored.' });
  }
}

/** Puts a page on the screen. @param {Session} session @param {string} to @param {{title?: string}} head @param {string} html */
function render(session, to, head, html) {
  const view = $('view'), same = to.split('?')[0] === shown.split('?')[0];
  const focus = same ? mark(document.activeElement) : '';
  const height = same && $('attachment') ? $('attachment').offsetHeight : 0;
  compose.leave();
  put(view, html);
  receipts.announce(session, view, to);
  openingHistory.announce(session, view, to);
  if (height && $('attachment')) $('attachment').style.minHeight = height + 'px'; // nothing jumps while it is filled
  $('start').hidden = true;
  view.hidden = false;
  document.title = (head.title ? head.title + ' · ' : '') + 'figs-web';
  time.relate(view);
  chartKeyboard.settle(view);
  compose.arrive(to);
  settle(view, same, focus);
  hiddenText.fill(session, view, attachment.fill(session, view));
  share.arrive(session, view);
  search.arrive(session, to);
  shown = to;
  opening = '';
  if (session.folder) history.replaceState({ ...history.state, folder: printOf(session.folder) }, '');
  if (!performance.getEntriesByName('first-view').length) performance.mark('first-view');
}

/** Puts scroll and focus where a person expects them: back where they were, else on top. @param {HTMLElement} view @param {boolean} same @param {string} focus */
function settle(view, same, focus) {
  const place = places.get(here);
  const target = view.querySelector('.is-target');
  const back = find(view, place ? place.focus : focus);
  const first = back || target || view.querySelector('h1') || view;
  if (!first.matches('a, button, input, select, textarea, summary, [tabindex]')) first.tabIndex = -1;
  first.focus({ preventScroll: true });
  if (place) scrollTo(0, place.scroll);
  else if (target && !(back && target.contains(back))) target.scrollIntoView({ block: target.offsetHeight > innerHeight / 2 ? 'start' : 'center' });
  else if (!same) scrollTo(0, 0);
}

/** Notes scroll and focus of the entry that is left, and names the one that is entered. */
function remember() {
  if (here && !$('view').hidden) places.set(here, { scroll: scrollY, focus: mark(document.activeElement) });
  const state = history.state;
  here = (state && state.figs) || '';
  if (!here) history.replaceState({ ...state, figs: (here = `${performance.timeOrigin}-${++entries}`) }, '');
}

/** A way to find an element again in fresh markup: by its id, its name or its address. @param {Element|null} node */
function mark(node) {
  for (const key of ['id', 'name', 'href']) {
    const value = node && node.getAttribute && node.getAttribute(key);
    if (value && $('view').contains(node)) return `[${key}="${CSS.escape(value)}"]`;
  }
  return '';
}

/** A hash of the names of a folder's agents, so that an address finds its own folder again; "" when an agent has none. @param {Pick<import('./session.js').OpenFolder, 'agents'>} folder */
function printOf({ agents }) {
  if (!agents.length || agents.some(({ name }) => !name)) return '';
  let hash = 0x811c9dc5; // FNV-1a
  for (const c of agents.map(({ path, name }) => path + '\n' + name).join('\n')) hash = Math.imul(hash ^ c.codePointAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Whether the address was left by the folder that is open now. One that someone typed may be of any. @param {import('./session.js').OpenFolder} folder */
export const isOfFolder = folder => path() !== '/' && (!history.state || history.state.folder === undefined || history.state.folder !== '' && history.state.folder === printOf(folder));

/** Shows a folder that was opened just now, at an address that may be of another. @param {Session} session */
export function resume(session) {
  opening = path();
  return route(session);
}

/** Shows a folder in a history entry of its own: Back leads to what was shown before. @param {Session} session @param {string} to */
export function begin(session, to) {
  opening = '';
  if ($('view').hidden) history.replaceState({ ...history.state, start: true }, '', path() === '/' ? undefined : '#/');
  history.pushState(null, '', '#' + to);
  return route(session);
}

/** Back and forward between entries of one address, of which the browser says nothing else. @param {Session} session */
export function traversed(session) {
  if (isStart() !== !$('start').hidden) route(session);
}

/** @param {HTMLElement} view @param {string} selector */
const find = (view, selector) => (selector ? view.querySelector(selector) : null);

/** @param {Session} session @param {import('../files/failure.js').Failure} failure */
function failed(session, failure) {
  /** @type {Array<[string, () => void]>} */
  const steps = [['Try again', () => route(session)]];
  if (failure.code === 'file_changed' || failure.code === 'unreadable' || session.lost()) steps.unshift(['Read the folder again', () => session.again()]);
  if ($('view').hidden) $('start').hidden = false;
  errors.showFailure(failure, steps);
}

/** Forgets where earlier pages were scrolled to: another folder is open now. */
export function forget() {
  places.clear();
  performance.clearMarks('first-view');
  shown = here = '';
}

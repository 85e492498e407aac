// Shows the page that the address names. Loaded by inspector/main.js.
// Addresses are in the fragment (#/1/asks/acme-send): they name agents by number, records by id and files by name, and nothing else
// of the folder.
// For each, the reader says what it needs, the engine selects it, the reader writes the page.

import { $, setHTML } from '../shared/dom.js';
import { currentPath } from './address.js';
import * as attachment from './attachment.js';
import * as compose from './compose.js';
import { toFailure } from '../files/failure.js';
import { tr } from '../shared/translate.js';
import * as openingHistory from './opening-history.js';
import * as hiddenText from './hidden-text.js';
import * as chartKeyboard from '../shared/chart-keyboard.js';
import * as receipts from './receipts.js';
import * as remarks from './remarks.js';
import * as search from './search.js';
import * as share from './share.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';

/** @import { Session } from './session.js' */

/** By history entry: where it was scrolled to, what had the focus. @type {Map<string, {scroll: number, focus: string}>} */
const positions = new Map();
let navigation = 0, shownPath = '', entryKey = '', entryCount = 0, openingPath = '';

/** Whether this history entry is the empty first page, from which a folder was opened. */
const isStart = () => Boolean(history.state && history.state.start);

/** Whether a page needs no folder. @param {string} path */
const needsNoFolder = path => /^\/rules(?:[/?]|$)/.test(path);

/** Shows the page of the address. @param {Session} session @returns {Promise<void>} */
export async function route(session) {
  const path = currentPath(), started = ++navigation;
  savePosition();
  attachment.leave(session);
  hiddenText.leave(session);
  share.leave();
  if (isStart() || !session.folder && !needsNoFolder(path)) return showStart(session, path);
  errors.hide(); // not once the page is there: what goes wrong meanwhile must stay
  const waiting = setTimeout(() => {
    $('view').setAttribute('aria-busy', 'true');
    if ($('view').hidden && session.folder && !session.reading) session.showWriting();
  }, 80);
  try {
    const { head, body } = await renderPage(session, path);
    if (started !== navigation) return;
    if (openingPath === path && head.status === 404) return showInNewEntry(session, '/');
    if (head.path) history.replaceState(history.state, '', '#' + head.path); // an address of an earlier version, with a number
    showPage(session, head.path || path, head, new TextDecoder().decode(body));
  } catch (error) {
    if (started === navigation) showFailed(session, toFailure(error));
  } finally {
    clearTimeout(waiting);
    if (started === navigation) {
      $('view').removeAttribute('aria-busy');
      session.hideWriting();
    }
  }
}

/**
 * What the reader writes for an address; a search for a while only, and the page says what is left.
 * @param {Session} session @param {string} path @param {number} [slice] megabytes that a search looks through
 */
export async function renderPage(session, path, slice) {
  if (receipts.isReceiptsPath(path)) return receipts.renderPage(session);
  const { head } = await session.readers.ask('view', { op: 'plan', path });
  search.limitSlice(path, head.request, slice);
  const earlier = await openingHistory.prepareComparison(session, path);
  const agents = session.folder ? session.folder.agents : [];
  const selection = agents.length ? await session.askEngine('select', head.request) : undefined; // without any there is nothing to select
  return session.askReader({ op: 'page', path, copy: Boolean(session.getSharedCopy) && session.getSources === session.getSharedCopy, form: compose.savedRemarks(path), ...time.clock(), ...compose.personFields(session), ...earlier }, selection);
}

/** Without a folder there is the first page; after a reload it says why. @param {Session} session @param {string} path */
function showStart(session, path) {
  if (!$('view').hidden) {
    compose.saveDraft();
    $('view').hidden = true;
    $('view').replaceChildren();
    $('start').hidden = false;
    $('start').focus();
  }
  document.title = tr('Inspector') + ' · figs-web';
  shownPath = '';
  if (path !== '/' && !session.reading) {
    errors.show({ title: tr('Open the folder again'), text: tr('Reloading closed the folder, because folders aren\'t stored. Open it again to return to this page.') });
  }
}

/** Puts a page on the screen. @param {Session} session @param {string} path @param {{title?: string}} head @param {string} html */
function showPage(session, path, head, html) {
  const view = $('view'), isSamePage = path.split('?')[0] === shownPath.split('?')[0];
  const focus = isSamePage ? selectorFor(document.activeElement) : '';
  const height = isSamePage && $('attachment') ? $('attachment').offsetHeight : 0;
  compose.saveDraft();
  setHTML(view, html);
  receipts.showNotice(session, view, path);
  openingHistory.showChanges(session, view, path);
  if (height && $('attachment')) $('attachment').style.minHeight = height + 'px'; // nothing jumps while it is filled
  $('start').hidden = true;
  view.hidden = false;
  document.title = (head.title ? head.title + ' · ' : '') + 'figs-web';
  time.showRelativeTimes(view);
  chartKeyboard.setTabStops(view);
  compose.restoreDraft(path);
  restorePosition(view, isSamePage, focus);
  const shown = attachment.render(session, view);
  hiddenText.scan(session, view, shown);
  remarks.judge(session, view, shown, path, compose.personFields(session));
  share.start(session, view);
  search.continueSearch(session, path);
  shownPath = path;
  openingPath = '';
  if (session.folder) history.replaceState({ ...history.state, folder: folderHash(session.folder) }, '');
  if (!performance.getEntriesByName('first-view').length) performance.mark('first-view');
}

/** Puts scroll and focus where a person expects them: back where they were, else on top. @param {HTMLElement} view @param {boolean} isSamePage @param {string} focus */
function restorePosition(view, isSamePage, focus) {
  const position = positions.get(entryKey);
  const target = view.querySelector('.is-target');
  const selector = position ? position.focus : focus, focused = selector ? view.querySelector(selector) : null;
  const focusTarget = focused || target || view.querySelector('h1') || view;
  if (!focusTarget.matches('a, button, input, select, textarea, summary, [tabindex]')) focusTarget.tabIndex = -1;
  focusTarget.focus({ preventScroll: true });
  if (position) scrollTo(0, position.scroll);
  else if (target && !(focused && target.contains(focused))) target.scrollIntoView({ block: target.offsetHeight > innerHeight / 2 ? 'start' : 'center' });
  else if (!isSamePage) scrollTo(0, 0);
}

/** Notes scroll and focus of the entry that is left, and names the one that is entered. */
function savePosition() {
  if (entryKey && !$('view').hidden) positions.set(entryKey, { scroll: scrollY, focus: selectorFor(document.activeElement) });
  const state = history.state;
  entryKey = (state && state.figs) || '';
  if (!entryKey) history.replaceState({ ...state, figs: (entryKey = `${performance.timeOrigin}-${++entryCount}`) }, '');
}

/** A way to find an element again in fresh markup: by its id, its name or its address. @param {Element|null} node */
function selectorFor(node) {
  for (const key of ['id', 'name', 'href']) {
    const value = node && node.getAttribute && node.getAttribute(key);
    if (value && $('view').contains(node)) return `[${key}="${CSS.escape(value)}"]`;
  }
  return '';
}

/** A hash of the names of a folder's agents, so that an address finds its own folder again; "" when an agent has none. @param {Pick<import('./session.js').OpenFolder, 'agents'>} folder */
function folderHash({ agents }) {
  if (!agents.length || agents.some(({ name }) => !name)) return '';
  let hash = 0x811c9dc5; // FNV-1a
  for (const c of agents.map(({ path, name }) => path + '\n' + name).join('\n')) hash = Math.imul(hash ^ c.codePointAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Whether the address was left by the folder that is open now. One that someone typed may be of any. @param {import('./session.js').OpenFolder} folder */
export const isAddressOf = folder => currentPath() !== '/' && (!history.state || history.state.folder === undefined || history.state.folder !== '' && history.state.folder === folderHash(folder));

/** Shows a folder that was opened just now, at an address that may be of another. @param {Session} session */
export function showAtAddress(session) {
  openingPath = currentPath();
  return route(session);
}

/** Shows a folder in a history entry of its own: Back leads to what was shown before. @param {Session} session @param {string} path */
export function showInNewEntry(session, path) {
  openingPath = '';
  if ($('view').hidden) history.replaceState({ ...history.state, start: true }, '', currentPath() === '/' ? undefined : '#/');
  history.pushState(null, '', '#' + path);
  return route(session);
}

/** Back and forward between entries of one address, of which the browser says nothing else. @param {Session} session */
export function onPopstate(session) {
  if (isStart() !== !$('start').hidden) route(session);
}

/** @param {Session} session @param {import('../files/failure.js').Failure} failure */
function showFailed(session, failure) {
  /** @type {Array<[string, () => void]>} */
  const steps = [[tr('Try again'), () => route(session)]];
  if (failure.code === 'file_changed' || failure.code === 'unreadable' || session.isLost()) steps.unshift([tr('Read the folder again'), () => session.reopen()]);
  if ($('view').hidden) $('start').hidden = false;
  errors.showFailure(failure, steps);
}

/** Forgets where earlier pages were scrolled to: another folder is open now. */
export function forgetPositions() {
  positions.clear();
  performance.clearMarks('first-view');
  shownPath = entryKey = '';
}

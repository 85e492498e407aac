// Shows an ask beside the list of the inbox, where the window is wide enough for both. Loaded by hosted/hosted.js.
// The list stays where it is while its asks come and go. Without this script the rows lead to the pages of their asks.

import { closestTo, isTyping } from '../shared/dom.js';
import * as changes from './live-changes.js';
import * as live from './live.js';
import * as navigation from './navigation.js';
import { patch } from './patch.js';

const WIDE = matchMedia('(min-width: 1100px) and (scripting: enabled)'); // as in css/panes.css
const OPEN_DELAY_MS = 120; // from a key until its ask is fetched: the next key may follow at once
let openTimer = 0;
/** The ask on its way. @type {Promise<boolean>|null} */
let opening = null;
let lastPanes = ''; // where the list was, for the page of an ask that was opened from it
let shownPath = '';
/** @type {Element|null} */
let shownList = null;

/** The list and its ask, if both are shown. @returns {HTMLElement|null} */
const panes = () => (WIDE.matches ? document.querySelector('#view > .panes') : null);

/** The links of the rows, in order. @returns {HTMLAnchorElement[]} */
const links = () => [...(/** @type {NodeListOf<HTMLAnchorElement>} */ (panes().querySelectorAll('.panes-list [data-live-list] a.cover')))];

/** @param {Element} node @returns {HTMLElement} */
const rowOf = node => node.closest('[data-live]');

const openLink = () => links().find(link => link.hasAttribute('aria-current'));

/** The link of the row that has the focus. */
const focusedLink = () => links().find(link => rowOf(link).contains(document.activeElement));

document.addEventListener('click', onClick, true); // before navigation.js, which would go to the page of the ask
document.addEventListener('keydown', onKeydown);
document.addEventListener('figs:move', onMove);
document.addEventListener('figs:replace', onReplace);
document.addEventListener('figs:page', onPage);
document.addEventListener('figs:leave', savePlace);
addEventListener('pagehide', savePlace);
onPage();
openFocused(); // someone was quicker than this script

/** Another page is shown. */
function onPage() {
  clearTimeout(openTimer);
  shownPath = location.pathname;
  const both = panes(), list = both && both.querySelector('.panes-list');
  if (list && list !== shownList) restorePlace(both);
  if (both) lastPanes = location.href;
  else if (!/\/asks\/[^/]+$/.test(shownPath)) lastPanes = '';
  shownList = list;
}

/** Opens an ask beside the list. @param {HTMLAnchorElement} link of its row @returns {Promise<boolean>} whether the person is still there when it is shown */
function open(link) {
  clearTimeout(openTimer);
  const wasOpen = openLink(), url = new URL(link.href);
  if (wasOpen) wasOpen.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'page');
  url.searchParams.set('list', panes().dataset.panes);
  const started = opening = navigation.goTo(url, panes().matches('.is-open') ? 'replace' : 'push').then(() => {
    if (opening !== started) return false;
    opening = null;
    return link.hasAttribute('aria-current') && rowOf(link).contains(document.activeElement);
  });
  return started;
}

/** Opens the ask whose row has the focus, unless it is open. @returns {Promise<boolean>|null} what open returns */
export function openFocused() {
  const link = panes() && focusedLink();
  return link && !link.hasAttribute('aria-current') ? open(link) : opening;
}

/** @param {MouseEvent} event */
function onClick(event) {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  /** @type {HTMLAnchorElement|null} */
  const link = panes() && closestTo(event, '.panes-list a.cover');
  clearTimeout(openTimer);
  if (!link || !event.detail) return; // the Enter key opens the full page
  event.preventDefault();
  link.focus({ preventScroll: true });
  open(link);
}

/** The keys for the next row and the one before. @param {CustomEvent<number>} event */
function onMove(event) {
  const all = panes() ? links() : [], step = event.detail;
  if (!all.length) return;
  event.preventDefault();
  const here = all.indexOf(focusedLink() || openLink());
  const link = all[here < 0 ? (step > 0 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, here + step))];
  focusRow(link);
  clearTimeout(openTimer);
  if (opening || !link.hasAttribute('aria-current')) openTimer = setTimeout(() => link.isConnected && (opening || !navigation.isBusy()) && open(link), OPEN_DELAY_MS);
}

/** Escape goes back: from the ask to its row, from the full page of an ask to the list. @param {KeyboardEvent} event */
function onKeydown(event) {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || document.querySelector('dialog[open], :popover-open')) return;
  const both = panes(), row = both && (openLink() || links()[0]);
  /** @type {HTMLDetailsElement|null} */
  const menu = closestTo(event, 'details.more[open]');
  if (menu) {
    menu.open = false;
    menu.querySelector('summary').focus();
  } else if (row && !row.closest('.panes-list').contains(document.activeElement)) {
    focusRow(row);
  } else if (!both && lastPanes && WIDE.matches && !isTyping(event)) {
    navigation.goTo(new URL(lastPanes)).then(() => panes() && openLink() && focusRow(openLink()));
  } else return;
  event.preventDefault();
}

/** Another page comes: the same list stays, with what the server says of its rows now. @param {CustomEvent<HTMLElement>} event its content */
function onReplace(event) {
  /** @type {HTMLElement|null} */
  const next = event.detail.querySelector('.panes'), both = panes();
  if (!both || !next || next.dataset.panes !== both.dataset.panes) return;
  event.preventDefault();
  const [list, ask] = both.children, [nextList, nextAsk] = next.children;
  if (shownPath === location.pathname) {
    savePlace();
    adoptChildren(list, nextList);
    restorePlace(both);
  } else {
    updateRows(list, nextList);
  }
  both.className = next.className;
  adoptChildren(ask, nextAsk);
}

/** @param {Element} node @param {Element} next */
const adoptChildren = (node, next) => node.replaceChildren(...[...next.childNodes].map(child => document.importNode(child, true)));

/** Brings the rows up to date where they are. @param {Element} list @param {Element} next */
function updateRows(list, next) {
  const now = changes.partsByKey(next);
  for (const [key, node] of changes.partsByKey(list)) {
    const updated = now.get(key);
    if (updated) patch(node, updated);
    else if (node.closest('[data-live-list]')) changes.markGone(node);
    now.delete(key);
  }
  if (now.size) live.refresh(); // offers the new rows
}

/** @param {HTMLElement} link */
function focusRow(link) {
  link.focus({ focusVisible: true, preventScroll: true });
  reveal(rowOf(link), rowOf(link).clientHeight); // and what comes after it
}

/** Scrolls the list, and nothing else, until a row is in sight with some space around it. @param {HTMLElement} row @param {number} [space] */
function reveal(row, space = 8) {
  const list = row.closest('.panes-list'), box = row.getBoundingClientRect(), frame = list.getBoundingClientRect();
  list.scrollTop += Math.min(0, box.top - frame.top - space) + Math.max(0, box.bottom - frame.bottom + space);
}

/** Keeps where the list is, by its rows in sight: decisions are sent as forms, so the page is loaded again. */
function savePlace() {
  const both = panes();
  if (!both) return;
  const rows = links().map(rowOf).map(row => ({ key: row.dataset.live, y: row.getBoundingClientRect().top })).filter(({ y }) => y > 0 && y < innerHeight);
  try {
    sessionStorage.setItem('figs-list', JSON.stringify({ query: both.dataset.panes, top: both.firstElementChild.scrollTop, rows }));
  } catch { /* storage may be forbidden; then the list begins at its open row */ }
}

/** Puts a new copy of the list where the old one was. @param {HTMLElement} both */
function restorePlace(both) {
  const list = both.firstElementChild, open = openLink();
  try {
    const place = JSON.parse(sessionStorage.getItem('figs-list'));
    if (place && place.query === both.dataset.panes) {
      list.scrollTop = place.top;
      const rows = new Map(links().map(rowOf).map(row => [row.dataset.live, row]));
      const found = place.rows.find((/** @type {{key: string}} */ { key }) => rows.has(key));
      if (found) list.scrollTop += rows.get(found.key).getBoundingClientRect().top - found.y;
    }
  } catch { /* as above */ }
  if (open) reveal(rowOf(open));
}

// Brings changes into the page that is open. Loaded by hosted/live.js with the first of them, and by hosted/panes.js.

import { $ } from '../shared/dom.js';
import { patch } from './patch.js';
import * as navigation from './navigation.js';
import { showRelativeTimes } from '../shared/time.js';
import { tr } from '../shared/translate.js';

/** The content as the server last sent it. @type {HTMLElement} */
let serverContent;
/** The page that the banner offers. @type {navigation.Page|null} */
let offered = null;
let hasOtherChanges = false; // something changed that has no place of its own
let isAskStale = false; // the banner offers a newer version of the ask that is decided

/** What the script that hears of changes does for this one. @type {{ showBanner: (message?: string, isMessageOnly?: boolean) => void, isBehind: () => boolean, pageAddress: () => string }} */
let live;

/** Works for the script that hears of changes. @param {typeof live} listener */
export function begin(listener) {
  live = listener;
}

/** Another page is shown. @param {HTMLElement} content as the server sent it */
export function setPage(content) {
  serverContent = content;
  hasOtherChanges = isAskStale = false;
  forget();
}

/** Offers nothing any more. */
export function forget() {
  offered = null;
}

/** Brings in newer rows of some agents. The page has all rows of its lists, empty those of other agents. @param {navigation.Page} result */
export function applyRows(result) {
  const next = result.page.getElementById('view');
  const keepInPlace = holdPosition();
  navigation.updateFrame(result.page);
  if (next.firstElementChild) { // else it is a page of an agent, which has not changed
    patchKeyed(next, $('view').querySelector('.panes-list') || $('view'));
    const before = partsByKey(serverContent);
    for (const [key, node] of partsByKey(next)) if (!('same' in node.dataset) && before.has(key)) before.get(key).replaceWith(node.cloneNode(true));
  }
  showRelativeTimes(document.body);
  keepInPlace();
  if (isAskStale) return;
  if (next.firstElementChild) offered = result;
  showNews();
}

/** Brings in a newer version of the page. @param {navigation.Page} result @param {boolean} hasNewSeq something has changed, else only the clock went on */
export function applyChanges(result, hasNewSeq) {
  const view = $('view'), next = result.page.getElementById('view');
  const isDifferent = comparableHTML(next) !== comparableHTML(serverContent);
  const form = view.querySelector('[data-decide]'), isAskChanged = isAskStale = form && bindingOf(next) !== bindingOf(serverContent);
  const isFollowed = !form && view.querySelector('[data-live-follow]') && isDifferent;
  if (isFollowed && !isEngaged() || view.querySelector('#deciding [data-undo]') && !next.querySelector('#deciding [data-undo]')) return navigation.showPage(result, 'replace');
  const keepInPlace = holdPosition();
  navigation.updateFrame(result.page);
  offered = result;
  if (isAskChanged) { // the list beside goes on; case and form stay as they are until the person wants both
    if (next.querySelector('.panes-list')) patchKeyed(next);
    if (document.dispatchEvent(new CustomEvent('figs:changed', { cancelable: true }))) live.showBanner(tr('This ask has changed since you opened it.'));
  } else if (document.body.matches('.app')) {
    hasOtherChanges ||= isFollowed || hasNewSeq && unkeyedHTML(next) !== unkeyedHTML(serverContent);
    patchKeyed(next);
    serverContent = next;
  } else if (isDifferent) { // an open folder has no lists that are worked through: all of it changes where it is
    patch(view, next);
    navigation.dispatchPage(next);
  }
  showRelativeTimes(document.body);
  keepInPlace();
  if (!isAskChanged) showNews();
}

/** What a form of the page is bound to: the ask's revision, and its files. @param {ParentNode} content */
const bindingOf = content => Array.from(content.querySelectorAll('[data-decide] [name="revision"], [data-decide] [name="file"]'), field => field.getAttribute('value')).join('\n');

/** Whether someone selects or writes something on the page. */
function isEngaged() {
  const selected = getSelection();
  return !selected.isCollapsed && $('view').contains(selected.anchorNode) || $('view').contains(document.activeElement) && 'value' in document.activeElement && document.activeElement.value !== '';
}

/** Keeps what the person looks at in its place while things around it change. */
function holdPosition() {
  const view = $('view'), top = (/** @type {Element} */ node) => node.getBoundingClientRect().top;
  /** @type {Element[]} */
  const near = [view.querySelector('[data-live]:hover'), document.activeElement, ...view.querySelectorAll('[data-live]')];
  const node = near.find(node => node && node !== view && view.contains(node) && top(node) >= 0 && top(node) < innerHeight);
  const before = node && top(node);
  return () => {
    if (node && node.isConnected) scrollBy({ top: top(node) - before, behavior: 'instant' });
  };
}

/** Changes what is on the screen where it is. @param {HTMLElement} next @param {Element} [view] the part of it that there is news of */
function patchKeyed(next, view = $('view')) {
  const before = partsByKey(serverContent), now = partsByKey(next);
  for (const [key, node] of partsByKey(view)) {
    const updated = now.get(key);
    if (updated && 'same' in updated.dataset) continue;
    if (updated) {
      if (node.dataset.gone !== undefined || !before.has(key) || comparableHTML(before.get(key)) !== comparableHTML(updated)) patchPart(node, updated);
    } else if (node.closest('[data-live-list]')) {
      markGone(node);
    }
  }
}

/** Parts with a key, outermost first; a part that holds a list is only as new as what is in it. @param {ParentNode} content */
export function partsByKey(content) {
  /** @type {Map<string, HTMLElement>} */
  const parts = new Map();
  for (const node of content.querySelectorAll('[data-live]')) if (!node.querySelector('[data-live-list]')) parts.set(node.dataset.live, node);
  return parts;
}

/** Changes a part, which shows that for a while. @param {HTMLElement} node @param {HTMLElement} updated */
function patchPart(node, updated) {
  patch(node, updated);
  node.dataset.changed = '';
  setTimeout(() => delete node.dataset.changed, 2000);
}

/** What is no longer in a list stays where it is and says so. @param {HTMLElement} node */
export function markGone(node) {
  if ('gone' in node.dataset) return;
  node.dataset.gone = '';
  for (const undo of node.querySelectorAll('[data-undo]')) {
    if (undo.contains(document.activeElement)) node.querySelector('a').focus();
    undo.remove();
  }
  const word = Object.assign(document.createElement('span'), { className: 'gone', textContent: tr('no longer in this list') });
  (node.localName === 'tr' ? node.lastElementChild : node).append(' ', word);
}

/** Markup without what changes by itself: the words of times, and forms, which are new on every page. @param {HTMLElement} node */
function comparableHTML(node) {
  /** @type {HTMLElement} */
  const copy = node.cloneNode(true);
  for (const ignored of copy.querySelectorAll('[data-decide], #remarks, [data-sha256] > :not(bdi), .view-note, [form]')) ignored.remove();
  for (const tab of copy.querySelectorAll('[data-sha256]')) tab.className = '';
  for (const time of copy.querySelectorAll('time')) time.replaceChildren();
  return copy.outerHTML;
}

/** Markup without what has a key. @param {HTMLElement} content */
function unkeyedHTML(content) {
  /** @type {HTMLElement} */
  const copy = content.cloneNode(true);
  for (const node of copy.querySelectorAll('[data-live]')) if (!node.querySelector('[data-live-list]')) node.remove();
  return comparableHTML(copy);
}

/** The keys in lists of the latest page that the screen does not show. */
function newKeys() {
  if (!offered) return [];
  const shown = partsByKey($('view'));
  return [...partsByKey(offered.page.getElementById('view'))].filter(([key, node]) => node.closest('[data-live-list]') && !shown.has(key)).map(([key]) => key);
}

/** Says in the banner what is new. */
export function showNews() {
  const n = newKeys().length;
  if (n) live.showBanner(hasOtherChanges ? tr('{0} new, and other changes', n) : tr('{0} new', n));
  else live.showBanner(hasOtherChanges ? tr('This page has changed.') : '');
}

/** What the banner's button does. */
export async function showOffered() {
  if (!offered) return location.reload();
  const [first] = newKeys();
  if (navigation.isPart(offered.page) || live.isBehind()) await navigation.goTo(new URL(live.pageAddress(), location.origin), 'replace');
  else navigation.showPage(offered, 'replace');
  const node = first && $('view').querySelector(`[data-live="${CSS.escape(first)}"]`);
  const target = node && (node.querySelector('a[href]') || node);
  if (!target) return;
  if (target === node) node.tabIndex = -1;
  target.focus({ preventScroll: true });
  node.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

// Shows changes of a workspace while its page is open. Loaded by hosted/hosted.js and hosted/decide.js.
// An event says which agents have changed: the page fetches their rows, or all of itself if anything may have changed. What is
// on the screen changes where it is, and what is new is offered in a banner. No list jumps.

import { $ } from '../shared/dom.js';
import { patch } from './patch.js';
import * as navigation from './navigation.js';
import { showRelativeTimes } from '../shared/time.js';
import { tr } from '../shared/translate.js';

const JOIN_MS = 600; // from an event until the page is fetched: further events may come
const ROWS_INTERVAL_MS = 500; // between two fetches of rows that are on the page, however many events come
const MIN_INTERVAL_MS = 3000; // between two fetches of the page
const AROUND_INTERVAL_MS = 5000; // between two fetches for what is not on the page, which changes counts or adds rows
const MAX_SHARE = 30; // a pause is at least this many times as long as it took to bring in the last fetch
const MAX_ROWS = 100; // that are fetched one by one, as in components/ui/rows.go
const MAX_AGE_MS = 60_000; // after so long a page is fetched all the same: what it says of waits grows old
const RETRY_MS = [3000, 10_000, 30_000, 60_000];

/** The stream of events. @type {EventSource|null} */
let source = null;
let stopReason = ''; // why there will be none until the page is loaded again
let failures = 0;
let latestSeq = 0; // the highest number that was told of
let pageSeq = 0; // the number of the last change that all of the page shows
/** Agents that have changed since. Null: anything may have. @type {Set<string>|null} */
let changed = new Set();
let timer = 0;
let due = 0; // when the next fetch begins; 0: none is due
let isFetching = false;
let lastFetch = 0; // when the last one began
let lastPage = Date.now(); // when the last one of all of the page did
let spent = 0; // milliseconds that bringing it in took
/** The content as the server last sent it. @type {HTMLElement} */
let serverContent;
/** The page that the banner offers. @type {navigation.Page|null} */
let offered = null;
let hasOtherChanges = false; // something changed that has no place of its own
let isAskStale = false; // the banner offers a newer version of the ask that is decided

document.addEventListener('figs:page', onPage);

/** Another page is shown. @param {CustomEvent<HTMLElement>} event its content */
function onPage(event) {
  serverContent = event.detail;
  setPageSeq();
  lastPage = Date.now();
  offered = null;
  hasOtherChanges = isAskStale = false;
  showBanner();
}

document.addEventListener('figs:offline', () => showBanner(tr('No connection. This page may be out of date until you are back online.'), true));
addEventListener('online', () => showBanner());

/** Listens from now on, whenever the page can be seen. */
export function listen() {
  document.addEventListener('visibilitychange', () => document.hidden ? disconnect() : connect());
  addEventListener('pagehide', disconnect);
  addEventListener('pageshow', connect);
  setInterval(() => document.hidden || stopReason || due || schedule(0), MAX_AGE_MS);
  connect();
}

/** All of the page is as new as its number says. */
function setPageSeq() {
  pageSeq = Number(document.body.dataset.seq) || 0;
  if (latestSeq <= pageSeq) changed = new Set();
}

/** Opens the stream of events. */
function connect() {
  if (source || stopReason || document.hidden) return;
  planFetch();
  source = new EventSource(`${navigation.workspacePath}/events?seen=${Math.max(pageSeq, latestSeq)}`);
  source.onopen = () => {
    failures = 0;
    showState('live', tr('Live'));
  };
  source.onerror = () => {
    showState('waiting', tr('Reconnecting'));
    if (source && source.readyState === EventSource.CLOSED) reconnect();
  };
  source.addEventListener('change', event => onChange(event.data.split(' ')));
  source.addEventListener('enough', () => {
    disconnect();
    showState('off', tr('Paused: too many pages open'));
  });
}

/** Closes the stream of events. */
function disconnect() {
  if (source) source.close();
  source = null;
}

/** The server refused. Perhaps it restarts, perhaps the session is over: the page tells. */
async function reconnect() {
  disconnect();
  const { why } = await navigation.fetchPage(new URL(location.href));
  if (why === 'outside') return stop(tr('Signed out: reload the page'));
  if (why === 'version') return offerReload();
  setTimeout(connect, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
}

/** Listens no more until the page is loaded again. @param {string} words why */
function stop(words) {
  stopReason = words;
  disconnect();
  showState('off', words);
}

/** Says whether changes arrive. @param {string} value @param {string} words */
function showState(value, words) {
  for (const node of document.querySelectorAll('[data-live-state]')) {
    node.dataset.liveState = value;
    if (node.textContent !== words) node.textContent = words;
  }
}

/** Something has changed. @param {string[]} event its number, then the rows of agents that changed, "-" for none; nothing if anything may have */
function onChange([seq, ...rows]) {
  if (Number(seq) <= pageSeq) return;
  latestSeq = Math.max(latestSeq, Number(seq));
  addChanged(rows.length ? new Set(rows) : null);
  planFetch();
}

/** There is more to fetch. @param {Set<string>|null} rows */
function addChanged(rows) {
  if (rows && changed) for (const row of rows) changed.add(row);
  if (!rows || changed && changed.size > MAX_ROWS) changed = null;
}

/** The row of the agent that the page is about; "" for a page about all of them. */
const pageAgent = () => (/^\/agents\/([^/]+)/.exec(location.pathname.slice(navigation.workspacePath.length)) || []).slice(1).map(agent => 'a:' + agent).join();

/** Whether all of the page may have changed, or all of it is shown at once. */
const isPageWanted = () => !changed || changed.has(pageAgent()) || $('view').querySelector('[data-live-follow]');

/** Fetches what has changed, when it is time. */
function planFetch() {
  if (isFetching || changed && !changed.size) return;
  const isShown = () => [...$('view').querySelectorAll('[data-live]')].some(node => changed.has(node.dataset.live.split('/')[0]));
  const pause = isPageWanted() ? MIN_INTERVAL_MS : isShown() ? ROWS_INTERVAL_MS : AROUND_INTERVAL_MS;
  const wait = Math.max(JOIN_MS, lastFetch + Math.max(pause, MAX_SHARE * spent) - Date.now());
  if (!due || Date.now() + wait < due) schedule(wait);
}

/** The address of the page: a form that was refused is shown at its own, which takes no GET. */
const pageAddress = () => location.pathname.replace(/(\/asks\/[^/]+)\/[a-z]+$/, '$1') + location.search;

/** Fetches again what has changed of the page on the screen, or all of it. */
async function fetchChanges() {
  due = 0;
  if (document.hidden) return; // until it is seen again
  const address = pageAddress();
  const isStale = () => navigation.isBusy() || address !== pageAddress();
  if (isStale()) return schedule(JOIN_MS);
  lastFetch = Date.now();
  const rows = isPageWanted() || !changed.size || lastFetch - lastPage >= MAX_AGE_MS ? null : changed, seq = latestSeq;
  changed = new Set();
  isFetching = true;
  const result = await navigation.fetchPage(new URL(address, location.origin), undefined, rows);
  isFetching = false;
  if (isStale()) {
    addChanged(rows);
    return schedule(JOIN_MS);
  }
  if (result.why === 'outside') return stop(tr('Signed out: reload the page'));
  if (result.why === 'version') return offerReload();
  if (!result.page) {
    addChanged(rows);
    lastFetch += MIN_INTERVAL_MS;
  } else if (navigation.isPart(result.page)) {
    applyRows(result);
  } else {
    lastPage = lastFetch;
    applyChanges(result);
    setPageSeq();
    if (pageSeq < seq) addChanged(rows); // an older page, of a server that is behind
  }
  if (result.at) spent = Date.now() - result.at;
  planFetch();
}

/** Fetches changes after a while. @param {number} ms */
function schedule(ms) {
  clearTimeout(timer);
  due = Date.now() + ms;
  timer = setTimeout(fetchChanges, ms);
}

/** Another build of the server: its pages are not mixed with this one. */
function offerReload() {
  offered = null;
  hasOtherChanges = true;
  showBanner(tr('A newer version of this page is available.'));
}

/** Brings in newer rows of some agents. The page has all rows of its lists, empty those of other agents. @param {navigation.Page} result */
function applyRows(result) {
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
  showBanner();
}

/** Brings in a newer version of the page. @param {navigation.Page} result */
function applyChanges(result) {
  const view = $('view'), next = result.page.getElementById('view');
  const hasNewSeq = Number(result.page.body.dataset.seq) !== pageSeq; // else only the clock went on
  const isDifferent = comparableHTML(next) !== comparableHTML(serverContent);
  const form = view.querySelector('[data-decide]'), isAskChanged = isAskStale = form && bindingOf(next) !== bindingOf(serverContent);
  const isFollowed = !form && view.querySelector('[data-live-follow]') && isDifferent;
  if (isFollowed && !isEngaged() || view.querySelector('#deciding [data-undo]') && !next.querySelector('#deciding [data-undo]')) return navigation.showPage(result, 'replace');
  const keepInPlace = holdPosition();
  navigation.updateFrame(result.page);
  offered = result;
  if (isAskChanged) { // the list beside goes on; case and form stay as they are until the person wants both
    if (next.querySelector('.panes-list')) patchKeyed(next);
    if (document.dispatchEvent(new CustomEvent('figs:changed', { cancelable: true }))) showBanner(tr('This ask has changed since you opened it.'));
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
  if (!isAskChanged) showBanner();
}

/** What a form of the page is bound to: the ask's revision, and its files. @param {ParentNode} content */
const bindingOf = content => Array.from(content.querySelectorAll('[data-decide] [name="revision"], [data-decide] [name="file"]'), field => field.getAttribute('value')).join('\n');

/** Fetches the page now. */
export function refresh() {
  changed = null;
  schedule(0);
}

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

/** Shows the banner, or hides it. @param {string} [message] what to say; without, what is new @param {boolean} [isMessageOnly] there is nothing to show */
function showBanner(message = '', isMessageOnly = false) {
  const banner = document.querySelector('[data-live-banner]');
  if (!banner) return;
  banner.querySelector('button').hidden = isMessageOnly;
  const n = newKeys().length;
  if (!message && n) message = hasOtherChanges ? tr('{0} new, and other changes', n) : tr('{0} new', n);
  else if (!message && hasOtherChanges) message = tr('This page has changed.');
  if (banner.firstElementChild.textContent !== message) {
    banner.firstElementChild.textContent = message;
    if (message) $('say').textContent = message;
  }
  banner.hidden = !message;
}

/** What the banner's button does. */
export async function showOffered() {
  if (!offered) return location.reload();
  const [first] = newKeys();
  if (navigation.isPart(offered.page) || latestSeq > pageSeq) await navigation.goTo(new URL(pageAddress(), location.origin), 'replace');
  else navigation.showPage(offered, 'replace');
  const node = first && $('view').querySelector(`[data-live="${CSS.escape(first)}"]`);
  const target = node && (node.querySelector('a[href]') || node);
  if (!target) return;
  if (target === node) node.tabIndex = -1;
  target.focus({ preventScroll: true });
  node.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

// Shows changes of a workspace while its page is open. Loaded by hosted/hosted.js, hosted/decide.js and hosted/panes.js.
// An event says which agents have changed: the page fetches their rows, or all of itself if anything may have changed. What is
// on the screen changes where it is, and what is new is offered in a banner (live-changes.js). No list jumps.

import { $ } from '../shared/dom.js';
import * as navigation from './navigation.js';
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
/** The content as the server sent it. @type {HTMLElement} */
let content;
/** The script that brings in changes, once there are any. @type {typeof import('./live-changes.js')|undefined} */
let changes;

document.addEventListener('figs:page', onPage);

/** Another page is shown. @param {CustomEvent<HTMLElement>} event its content */
function onPage(event) {
  content = event.detail;
  setPageSeq();
  lastPage = Date.now();
  showBanner();
  if (changes) changes.setPage(content);
}

document.addEventListener('figs:offline', () => showBanner(tr('No connection. This page may be out of date until you are back online.'), true));
addEventListener('online', () => changes ? changes.showNews() : showBanner());

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

/** Whether more has changed than the page that was fetched last shows. */
const isBehind = () => latestSeq > pageSeq;

/** Fetches the script that brings in changes. */
async function loadChanges() {
  const module = await import('./live-changes.js');
  module.begin({ showBanner, isBehind, pageAddress });
  if (!changes) module.setPage(content);
  changes = module;
}

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
  const [result] = await Promise.all([navigation.fetchPage(new URL(address, location.origin), undefined, rows), changes || loadChanges().catch(() => {})]);
  isFetching = false;
  if (isStale()) {
    addChanged(rows);
    return schedule(JOIN_MS);
  }
  if (result.why === 'outside') return stop(tr('Signed out: reload the page'));
  if (result.why === 'version') return offerReload();
  if (!result.page || !changes) {
    addChanged(rows);
    lastFetch += MIN_INTERVAL_MS;
  } else if (navigation.isPart(result.page)) {
    changes.applyRows(result);
  } else {
    lastPage = lastFetch;
    changes.applyChanges(result, Number(result.page.body.dataset.seq) !== pageSeq);
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
  if (changes) changes.forget();
  showBanner(tr('A newer version of this page is available.'));
}

/** Fetches the page now. */
export function refresh() {
  changed = null;
  schedule(0);
}

/** Shows the banner, or hides it. @param {string} [message] what to say @param {boolean} [isMessageOnly] there is nothing to show */
export function showBanner(message = '', isMessageOnly = false) {
  const banner = document.querySelector('[data-live-banner]');
  if (!banner) return;
  banner.querySelector('button').hidden = isMessageOnly;
  if (banner.firstElementChild.textContent !== message) {
    banner.firstElementChild.textContent = message;
    if (message) $('say').textContent = message;
  }
  banner.hidden = !message;
}

/** What the banner's button does. */
export const showOffered = () => changes ? changes.showOffered() : location.reload();

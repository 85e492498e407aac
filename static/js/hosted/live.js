// Shows news of a workspace while its page is open. Loaded by hosted/hosted.js and hosted/decide.js.
// An event only says that something has changed: the page is fetched again, what is on the screen changes where it stands,
// and what is new is offered in a banner. No list jumps.

import { $, count } from '../shared/dom.js';
import { patch } from './patch.js';
import * as navigation from './navigation.js';
import { relate } from '../shared/time.js';

const PAUSE = 600; // milliseconds from an event to the look at what changed, which others may join
const REST = 3000; // between two looks, however many events come
const DRIFT = 60_000; // after so long a page is fetched all the same: what it says of waits grows old
const RETRY = [3000, 10_000, 30_000, 60_000];

/** The stream of events. @type {EventSource|null} */
let source = null;
let over = ''; // why there will be none until the page is loaded again
let failures = 0;
let wanted = 0; // the highest number that was told of
let waiting = 0; // timer of the next look
let looked = 0; // when the last look began
/** The content as the server last sent it. @type {HTMLElement} */
let sent;
/** The page that the banner offers. @type {navigation.Page|null} */
let latest = null;
let other = false; // something changed that has no place of its own

document.addEventListener('figs:page', paged);

/** Another page is shown. @param {CustomEvent<HTMLElement>} event its content */
function paged(event) {
  sent = event.detail;
  latest = null;
  other = false;
  offer();
}

document.addEventListener('figs:offline', () => offer('No connection. This page stays until you are online again.', true));
addEventListener('online', () => offer());

/** Listens from now on, whenever the page can be seen. */
export function begin() {
  document.addEventListener('visibilitychange', () => document.hidden ? close() : open());
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
  setInterval(() => document.hidden || over || waiting || later(0), DRIFT);
  open();
}

/** The change that the page shows. */
const seen = () => Number(document.body.dataset.seq) || 0;

function open() {
  if (source || over || document.hidden) return;
  source = new EventSource(`${navigation.base}/events?seen=${seen()}`);
  source.onopen = () => {
    failures = 0;
    state('live', 'Live');
  };
  source.onerror = () => {
    state('waiting', 'Reconnecting');
    if (source && source.readyState === EventSource.CLOSED) again();
  };
  source.addEventListener('change', event => note(Number(event.data)));
  source.addEventListener('enough', () => {
    close();
    state('off', 'Paused: too many pages are open');
  });
}

function close() {
  if (source) source.close();
  source = null;
}

/** The server refused. Perhaps it starts anew, perhaps the session is over: a look at the page tells. */
async function again() {
  close();
  const { why } = await navigation.read(new URL(location.href));
  if (why === 'outside') return stop('Signed out: load the page again');
  if (why === 'version') return outdated();
  setTimeout(open, RETRY[Math.min(failures++, RETRY.length - 1)]);
}

/** Listens no more until the page is loaded again. @param {string} words why */
function stop(words) {
  over = words;
  close();
  state('off', words);
}

/** Says whether news arrive. @param {string} value @param {string} words */
function state(value, words) {
  for (const node of document.querySelectorAll('[data-live-state]')) {
    node.dataset.liveState = value;
    if (node.textContent !== words) node.textContent = words;
  }
}

/** Something has changed. @param {number} seq its number */
function note(seq) {
  wanted = Math.max(wanted, seq);
  if (wanted > seen() && !waiting) later(Math.max(PAUSE, looked + REST - Date.now()));
}

/** Fetches the page that is on the screen again. */
async function look() {
  const here = () => location.pathname.replace(/(\/asks\/[^/]+)\/[a-z]+$/, '$1') + location.search; // a form that was refused is shown at its own address, which takes no GET
  const at = here();
  const stale = () => navigation.busy() || at !== here();
  if (stale()) return later(PAUSE);
  looked = Date.now();
  const got = await navigation.read(new URL(at, location.origin));
  waiting = 0;
  if (stale()) return later(PAUSE);
  if (got.why === 'outside') return stop('Signed out: load the page again');
  if (got.why === 'version') return outdated();
  if (got.page) take(got);
  if (wanted > seen()) later(REST); // no answer, or there was more meanwhile
}

/** Looks after a while. @param {number} pause in milliseconds */
function later(pause) {
  clearTimeout(waiting);
  waiting = setTimeout(look, pause);
}

/** Another build of the server: its pages are not mixed with this one. */
function outdated() {
  latest = null;
  other = true;
  offer('There is a newer version of this page.');
}

/** Brings in a newer version of the page. @param {navigation.Page} got */
function take(got) {
  const view = $('view'), next = got.page.getElementById('view');
  const changed = Number(got.page.body.dataset.seq) !== seen(); // else only the clock went on
  const differs = plain(next) !== plain(sent);
  const form = view.querySelector('[data-decide]'), bound = form && bond(next) !== bond(sent);
  const follows = !form && view.querySelector('[data-live-follow]') && differs;
  if (follows && !engaged() || view.querySelector('[data-undo]') && !next.querySelector('[data-undo]')) return navigation.show(got, 'instead');
  const still = hold();
  navigation.frame(got.page);
  latest = got;
  if (bound) { // neither the case nor the form that is bound to it: both, when the person says so
    if (document.dispatchEvent(new CustomEvent('figs:changed', { cancelable: true }))) offer('This ask has changed since you opened it.');
  } else if (document.body.matches('.app')) {
    other ||= follows || changed && rest(next) !== rest(sent);
    keyed(next);
    sent = next;
  } else if (differs) { // an open folder has no lists that are worked through: all of it changes where it stands
    patch(view, next);
    navigation.announce(next);
  }
  relate(document.body);
  still();
  if (!bound) offer();
}

/** What a form of the page is bound to: the ask's revision, and its files. @param {ParentNode} content */
const bond = content => Array.from(content.querySelectorAll('[data-decide] [name="revision"], [data-decide] [name="file"]'), field => field.getAttribute('value')).join('\n');

/** Looks for news now. */
export const refresh = () => later(0);

/** Whether somebody selects or writes something on the page. */
function engaged() {
  const selected = getSelection();
  return !selected.isCollapsed && $('view').contains(selected.anchorNode) || $('view').contains(document.activeElement) && 'value' in document.activeElement && document.activeElement.value !== '';
}

/** Keeps what the person looks at in its place while things around it change. */
function hold() {
  const view = $('view'), top = (/** @type {Element} */ node) => node.getBoundingClientRect().top;
  /** @type {Element[]} */
  const near = [view.querySelector('[data-live]:hover'), document.activeElement, ...view.querySelectorAll('[data-live]')];
  const node = near.find(node => node && node !== view && view.contains(node) && top(node) >= 0 && top(node) < innerHeight);
  const before = node && top(node);
  return () => {
    if (node && node.isConnected) scrollBy({ top: top(node) - before, behavior: 'instant' });
  };
}

/** Changes what is on the screen where it is. @param {HTMLElement} next */
function keyed(next) {
  const then = byKey(sent), now = byKey(next);
  for (const [key, node] of byKey($('view'))) {
    const to = now.get(key);
    if (to) {
      if (node.dataset.gone !== undefined || !then.has(key) || plain(then.get(key)) !== plain(to)) change(node, to);
    } else if (node.closest('[data-live-list]')) {
      leave(node);
    }
  }
}

/** Parts with a key, outermost first; a part that holds a list is only as new as what is in it. @param {ParentNode} content */
function byKey(content) {
  /** @type {Map<string, HTMLElement>} */
  const found = new Map();
  for (const node of content.querySelectorAll('[data-live]')) if (!node.querySelector('[data-live-list]')) found.set(node.dataset.live, node);
  return found;
}

/** @param {HTMLElement} node @param {HTMLElement} to */
function change(node, to) {
  patch(node, to);
  node.dataset.changed = '';
  setTimeout(() => delete node.dataset.changed, 2000);
}

/** What is no longer in a list stays where it is and says so. @param {HTMLElement} node */
function leave(node) {
  if ('gone' in node.dataset) return;
  node.dataset.gone = '';
  const word = Object.assign(document.createElement('span'), { className: 'gone', textContent: 'no longer in this list' });
  (node.localName === 'tr' ? node.lastElementChild : node).append(' ', word);
}

/** Markup without what changes by itself: the words of times, and forms, which are new on every page. @param {HTMLElement} node */
function plain(node) {
  /** @type {HTMLElement} */
  const copy = node.cloneNode(true);
  for (const own of copy.querySelectorAll('[data-decide], [data-sha256] > :not(bdi), .view-note, [form]')) own.remove();
  for (const tab of copy.querySelectorAll('[data-sha256]')) tab.className = '';
  for (const time of copy.querySelectorAll('time')) time.replaceChildren();
  return copy.outerHTML;
}

/** Markup without what has a key. @param {HTMLElement} content */
function rest(content) {
  /** @type {HTMLElement} */
  const copy = content.cloneNode(true);
  for (const node of copy.querySelectorAll('[data-live]')) if (!node.querySelector('[data-live-list]')) node.remove();
  return plain(copy);
}

/** The keys in lists of the latest page that the screen does not show. */
function fresh() {
  if (!latest) return [];
  const have = byKey($('view'));
  return [...byKey(latest.page.getElementById('view'))].filter(([key, node]) => node.closest('[data-live-list]') && !have.has(key)).map(([key]) => key);
}

/** @param {string} [words] what to say; without, what is new @param {boolean} [only] there is nothing to show */
function offer(words, only = false) {
  const banner = document.querySelector('[data-live-banner]');
  if (!banner) return;
  banner.querySelector('button').hidden = only;
  const n = fresh().length;
  words ||= n ? `${count(n, 'new').replace(/s$/, '')}${other ? ', and other changes' : ''}` : other ? 'This page has changed.' : '';
  if (banner.firstElementChild.textContent !== words) {
    banner.firstElementChild.textContent = words;
    if (words) $('say').textContent = words;
  }
  banner.hidden = !words;
}

/** What the banner's button does. */
export function show() {
  if (!latest) return location.reload();
  const [first] = fresh();
  navigation.show(latest, 'instead');
  const node = first && $('view').querySelector(`[data-live="${CSS.escape(first)}"]`);
  const target = node && (node.querySelector('a[href]') || node);
  if (!target) return;
  if (target === node) node.tabIndex = -1;
  target.focus({ preventScroll: true });
  node.scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

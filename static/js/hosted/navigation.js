// Goes from page to page of a workspace without a full load. Loaded by hosted/hosted.js, hosted/keys.js and hosted/live.js.
// The page is fetched, its content takes the place of the old, and history, scroll and focus are kept. Whatever is not as
// expected is left to the browser, which loads the page as if there were no script.

import { $, closestTo, announce, trustedPolicy } from '../shared/dom.js';
import { copyAttributes, patch } from './patch.js';

/** The workspace's address, "/w/acme"; undefined outside of workspaces. */
export const workspacePath = document.body.dataset.base;

/** @param {Document} page */
const scriptAddress = page => page.querySelector('script[type="module"]')?.getAttribute('src');

/** @param {URL|Location} url */
const pathAndQuery = url => url.pathname + url.search;

/**
 * @typedef {{y: number, focus?: string, text?: string}} Position
 *   how far a page is scrolled, a selector of what has the focus, and what is typed there
 * @typedef {{page?: Document, url?: URL, why?: string, at?: number}} Page that was fetched and when, or why there is none
 */

/** By entry of the history. @type {Map<string, Position>} */
const positions = new Map(loadPositions());

let shownAddress = pathAndQuery(location); // what is on the screen, which the address bar may be ahead of
let entryID = (history.state && history.state.entry) || newEntryID();
/** The page on its way. @type {AbortController|null} */
let request = null;

/** Takes over the links and forms of a workspace. */
export function listen() {
  dispatchPage($('view').cloneNode(true));
  if (!workspacePath) return;
  history.scrollRestoration = 'manual';
  history.replaceState({ entry: entryID }, '');
  const position = positions.get(entryID);
  if (position) addEventListener('load', () => scrollTo({ top: position.y, behavior: 'instant' }), { once: true });
  addEventListener('pagehide', savePositions);
  addEventListener('popstate', onPopstate);
  document.addEventListener('click', onClick);
  document.addEventListener('submit', onSubmit);
}

/** Keeps the positions over a full load, in this window. */
function savePositions() {
  positions.set(entryID, currentPosition());
  try {
    sessionStorage.setItem('figs-places', JSON.stringify([...positions].slice(-50)));
  } catch { /* storage may be forbidden or full; then such a page begins at its top */ }
}

/** @returns {Array<[string, Position]>} */
function loadPositions() {
  try {
    return JSON.parse(sessionStorage.getItem('figs-places')) || [];
  } catch {
    return [];
  }
}

/** True while a page is on its way. */
export const isBusy = () => request !== null;

/** Whether an address is a page of the workspace. @param {URL} url */
function isInWorkspace(url) {
  return url.origin === location.origin && (url.pathname === workspacePath || url.pathname.startsWith(workspacePath + '/')) && url.pathname !== workspacePath + '/events';
}

/** @param {MouseEvent} event */
function onClick(event) {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = closestTo(event, 'a');
  const href = link && (link.getAttribute('href') || link.getAttribute('xlink:href'));
  if (!href || link.hasAttribute('download') || !isSameWindow(link.getAttribute('target'))) return;
  const url = new URL(href, document.baseURI);
  if (!isInWorkspace(url) || (url.hash && pathAndQuery(url) === shownAddress)) return;
  event.preventDefault();
  goTo(url);
}

/** A form that asks for a page: its filled-in fields become the query. @param {EventAt<HTMLFormElement, SubmitEvent>} event */
function onSubmit(event) {
  const form = event.target, button = event.submitter;
  const url = new URL((button && button.getAttribute('formaction')) || form.getAttribute('action') || location.href, document.baseURI);
  if (event.defaultPrevented || form.method !== 'get' || !isSameWindow(form.target) || !isInWorkspace(url)) return;
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) if (value && typeof value === 'string') fields.append(name, value);
  url.search = fields.toString();
  event.preventDefault();
  goTo(url);
}

/** @param {string|null} target */
const isSameWindow = target => !target || target === '_self';

async function onPopstate() {
  positions.set(entryID, currentPosition());
  entryID = (history.state && history.state.entry) || newEntryID();
  history.replaceState({ entry: entryID }, '');
  const position = positions.get(entryID);
  if (pathAndQuery(location) !== shownAddress) return goTo(new URL(location.href), 'back', position);
  if (request) request.abort();
  if (position) restorePosition(position);
}

/**
 * Goes to a page of the workspace.
 * @param {URL} url @param {How} [how] @param {Position} [position] where the person was on it
 * @typedef {'push'|'back'|'replace'} How what becomes of the history
 */
export async function goTo(url, how = 'push', position) {
  if (request) request.abort();
  const started = request = new AbortController();
  $('view').setAttribute('aria-busy', 'true');
  const result = await fetchPage(url, started.signal);
  if (request !== started) return;
  request = null;
  $('view').removeAttribute('aria-busy');
  if (started.signal.aborted) return;
  if (!result.page && (!navigator.onLine || result.why === 'gone' && !await isReachable())) return document.dispatchEvent(new CustomEvent('figs:offline')); // better this page than the browser's
  if (!result.page) return how === 'back' ? location.reload() : location.assign(url);
  showPage(result, how, position, url.hash);
}

/** Whether the server answers anything: a proxy that asks who one is leads elsewhere, which is an answer too. */
export const isReachable = () => fetch(new URL('../icon.svg', import.meta.url), { redirect: 'manual', cache: 'no-store', signal: AbortSignal.timeout(8000) }).then(() => true, () => false);

/**
 * Fetches a page of the workspace. Without a page, why says what came in its place: "gone" (no
 * answer), "status" (a fault), "outside" (led elsewhere, as to the sign-in), "version" (of another build).
 * @param {URL} url @param {AbortSignal} [signal] @param {Set<string>|null} [rows] the agents of the rows that are wanted, where the page can tell them apart
 * @returns {Promise<Page>}
 */
export async function fetchPage(url, signal, rows) {
  try {
    const response = await fetch(url, { headers: { Accept: 'text/html', ...(rows && { 'Figs-Rows': [...rows].join(' ') }) }, signal });
    const address = new URL(response.url);
    if (!isInWorkspace(address)) return { why: 'outside' };
    if (!(response.ok || response.status === 404) || !(response.headers.get('Content-Type') || '').startsWith('text/html')) return { why: 'status' };
    const text = await response.text(), at = Date.now();
    const page = new DOMParser().parseFromString(trustedPolicy.createHTML(text), 'text/html');
    if (!page.getElementById('view') || page.body.dataset.base !== workspacePath || scriptAddress(page) !== scriptAddress(document)) return { why: 'version' };
    return { page, url: address, at };
  } catch {
    return { why: 'gone' };
  }
}

/** Whether a page has only the rows that were asked for. @param {Document} page */
export const isPart = page => 'rows' in page.body.dataset;

/** Puts a fetched page on the screen. @param {Page} fetched @param {How} how @param {Position} [position] @param {string} [hash] */
export function showPage({ page, url }, how, position, hash = '') {
  const previous = currentPosition(), isSamePath = url.pathname === location.pathname;
  if (how === 'push' && pathAndQuery(url) === shownAddress) how = 'replace';
  if (how === 'push') {
    positions.set(entryID, previous);
    entryID = newEntryID();
  }
  if (how !== 'back') history[how === 'push' ? 'pushState' : 'replaceState']({ entry: entryID }, '', pathAndQuery(url) + hash);
  shownAddress = pathAndQuery(url);
  for (const open of document.querySelectorAll('[popover]:popover-open')) open.hidePopover();
  document.dispatchEvent(new CustomEvent('figs:leave'));
  updateFrame(page);
  const next = page.getElementById('view');
  copyAttributes($('view'), next);
  if (document.dispatchEvent(new CustomEvent('figs:replace', { detail: next, cancelable: true }))) $('view').replaceChildren(...[...next.childNodes].map(node => document.importNode(node, true)));
  dispatchPage(next);
  if (how === 'back') restorePosition(position || { y: 0 });
  else if (!(isSamePath && !hash && restoreFocus(previous))) scrollToTarget(hash);
  announce(document.title.replace(/ · figs-web$/, ''));
}

/** Brings what surrounds the content up to date: title, badge, where one is. @param {Document} page */
export function updateFrame(page) {
  if (!isPart(page)) document.title = page.title;
  copyAttributes(document.body, page.body);
  for (const part of document.querySelectorAll('[data-part]')) {
    const next = page.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
    if (next) patch(part, next);
  }
}

/** Tells the other modules what the content is, as the server sent it. @param {Node} content */
export function dispatchPage(content) {
  document.dispatchEvent(new CustomEvent('figs:page', { detail: content }));
}

/** Where the person is on the page. @returns {Position} */
function currentPosition() {
  /** @type {any} */
  const node = document.activeElement;
  return { y: scrollY, focus: $('view').contains(node) ? selectorFor(node) : '', text: 'selectionStart' in node ? node.value : undefined };
}

/** A selector that finds an element again on another version of the page. @param {HTMLInputElement} node or any element */
function selectorFor(node) {
  if (node.id) return '#' + CSS.escape(node.id);
  for (const name of ['href', 'name']) {
    const value = node.getAttribute(name);
    if (value) return `${node.localName}[${name}="${CSS.escape(value)}"]` + (node.type === 'radio' || node.type === 'checkbox' ? `[value="${CSS.escape(node.value)}"]` : '');
  }
  return '';
}

/** Gives the focus to what had it, with what was typed since; the page stays where it is. @param {Position} position */
function restoreFocus({ focus, text, y }) {
  /** @type {any} */
  const node = focus && $('view').querySelector(focus);
  if (!node) return false;
  scrollTo({ top: y, behavior: 'instant' });
  if (node === document.activeElement) return true; // it was kept, with what is typed and selected in it
  if (text !== undefined && 'selectionStart' in node) {
    node.value = text;
    try { node.setSelectionRange(text.length, text.length); } catch { /* a kind of field without a cursor */ }
  }
  node.focus({ preventScroll: true });
  return true;
}

/** Puts scroll and focus back. @param {Position} position */
function restorePosition(position) {
  if (!restoreFocus({ ...position, text: undefined })) focusHeading();
  scrollTo({ top: position.y, behavior: 'instant' });
}

/** A new page: from the top, or where its address points. @param {string} hash */
function scrollToTarget(hash) {
  const target = hash.length > 1 && document.getElementById(decodeHash(hash.slice(1)));
  if (!target) {
    scrollTo({ top: 0, behavior: 'instant' });
    return focusHeading();
  }
  target.scrollIntoView();
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** The id that a hash means. @param {string} id */
function decodeHash(id) {
  try { return decodeURIComponent(id); } catch { return id; }
}

/** Gives the focus to the heading, or leaves it in a list that stays. */
function focusHeading() {
  if (document.activeElement.closest('.panes-list')) return;
  const node = $('view').querySelector('.panes-ask h1') || $('view').querySelector('h1') || $('view');
  node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

/** A name for an entry of the history. */
function newEntryID() {
  return Math.random().toString(36).slice(2);
}

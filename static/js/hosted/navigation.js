// Goes from page to page of a workspace without a full load. Loaded by hosted/hosted.js, hosted/keys.js and hosted/live.js.
// The page is fetched, its content takes the place of the old, and history, scroll and focus are kept. Whatever is not as
// expected is left to the browser, which loads the page as if there were no script.

import { $, closestTo, say, trusted } from '../shared/dom.js';
import { attributes, patch } from './patch.js';

/** The workspace's address, "/w/acme"; undefined outside of workspaces. */
export const base = document.body.dataset.base;

/** @param {Document} page */
const script = page => page.querySelector('script[type="module"]')?.getAttribute('src');
/** @param {URL|Location} url */
const address = url => url.pathname + url.search;
/**
 * @typedef {{y: number, trace?: string, text?: string}} Position
 *   how far a page is scrolled, a selector of what has the focus, and what is typed there
 * @typedef {{page?: Document, url?: URL, why?: string}} Page that was fetched, or why there is none
 */

/** By entry of the history. @type {Map<string, Position>} */
const kept = new Map(stored());

let shown = address(location); // what is on the screen, which the address bar may be ahead of
let entry = (history.state && history.state.entry) || mint();
/** The page on its way. @type {AbortController|null} */
let loading = null;

/** Takes over the links and forms of a workspace. */
export function begin() {
  announce($('view').cloneNode(true));
  if (!base) return;
  history.scrollRestoration = 'manual';
  history.replaceState({ entry }, '');
  const back = kept.get(entry);
  if (back) addEventListener('load', () => scrollTo({ top: back.y, behavior: 'instant' }), { once: true });
  addEventListener('pagehide', store);
  addEventListener('popstate', popped);
  document.addEventListener('click', followed);
  document.addEventListener('submit', asked);
}

/** Places outlive a full load, in this window. */
function store() {
  kept.set(entry, place());
  try {
    sessionStorage.setItem('figs-places', JSON.stringify([...kept].slice(-50)));
  } catch { /* storage may be forbidden or full; then such a page begins at its top */ }
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem('figs-places')) || [];
  } catch {
    return [];
  }
}

/** True while a page is on its way. */
export const busy = () => loading !== null;

/** @param {URL} url */
function inside(url) {
  return url.origin === location.origin && (url.pathname === base || url.pathname.startsWith(base + '/')) && url.pathname !== base + '/events';
}

/** @param {MouseEvent} event */
function followed(event) {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = closestTo(event, 'a');
  const href = link && (link.getAttribute('href') || link.getAttribute('xlink:href'));
  if (!href || link.hasAttribute('download') || !here(link.getAttribute('target'))) return;
  const url = new URL(href, document.baseURI);
  if (!inside(url) || (url.hash && address(url) === shown)) return;
  event.preventDefault();
  go(url);
}

/** A form that asks for a page: its filled-in fields become the query. @param {EventAt<HTMLFormElement, SubmitEvent>} event */
function asked(event) {
  const form = event.target, by = event.submitter;
  const url = new URL((by && by.getAttribute('formaction')) || form.getAttribute('action') || location.href, document.baseURI);
  if (event.defaultPrevented || form.method !== 'get' || !here(form.target) || !inside(url)) return;
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, by)) if (value && typeof value === 'string') fields.append(name, value);
  url.search = fields.toString();
  event.preventDefault();
  go(url);
}

/** @param {string|null} target */
const here = target => !target || target === '_self';

async function popped() {
  kept.set(entry, place());
  entry = (history.state && history.state.entry) || mint();
  history.replaceState({ entry }, '');
  const back = kept.get(entry);
  if (address(location) !== shown) return go(new URL(location.href), 'back', back);
  if (loading) loading.abort();
  if (back) restore(back);
}

/**
 * Goes to a page of the workspace.
 * @param {URL} url @param {How} [how] @param {Position} [back] where the person was on it
 * @typedef {'on'|'back'|'instead'} How what becomes of the history
 */
export async function go(url, how = 'on', back) {
  if (loading) loading.abort();
  const mine = loading = new AbortController();
  $('view').setAttribute('aria-busy', 'true');
  const got = await read(url, mine.signal);
  if (loading !== mine) return;
  loading = null;
  $('view').removeAttribute('aria-busy');
  if (mine.signal.aborted) return;
  if (!got.page && !navigator.onLine) return document.dispatchEvent(new CustomEvent('figs:offline')); // better this page than the browser's
  if (!got.page) return how === 'back' ? location.reload() : location.assign(url);
  show(got, how, back, url.hash);
}

/**
 * Fetches a page of the workspace. Without a page, why says what came in its place: "gone" (no
 * answer), "status" (a fault), "outside" (led elsewhere, as to the sign-in), "version" (of another build).
 * @param {URL} url @param {AbortSignal} [signal]
 * @returns {Promise<Page>}
 */
export async function read(url, signal) {
  try {
    const answer = await fetch(url, { headers: { Accept: 'text/html' }, signal });
    const from = new URL(answer.url);
    if (!inside(from)) return { why: 'outside' };
    if (!(answer.ok || answer.status === 404) || !(answer.headers.get('Content-Type') || '').startsWith('text/html')) return { why: 'status' };
    const page = new DOMParser().parseFromString(trusted.createHTML(await answer.text()), 'text/html');
    if (!page.getElementById('view') || page.body.dataset.base !== base || script(page) !== script(document)) return { why: 'version' };
    return { page, url: from };
  } catch {
    return { why: 'gone' };
  }
}

/** Puts a fetched page on the screen. @param {Page} fetched @param {How} how @param {Position} [back] @param {string} [hash] */
export function show({ page, url }, how, back, hash = '') {
  const before = place(), same = url.pathname === location.pathname;
  if (how === 'on' && address(url) === shown) how = 'instead';
  if (how === 'on') {
    kept.set(entry, before);
    entry = mint();
  }
  if (how !== 'back') history[how === 'on' ? 'pushState' : 'replaceState']({ entry }, '', address(url) + hash);
  shown = address(url);
  for (const open of document.querySelectorAll('[popover]:popover-open')) open.hidePopover();
  document.dispatchEvent(new CustomEvent('figs:leave'));
  frame(page);
  const next = page.getElementById('view');
  attributes($('view'), next);
  $('view').replaceChildren(...[...next.childNodes].map(node => document.importNode(node, true)));
  announce(next);
  if (how === 'back') restore(back || { y: 0 });
  else if (!(same && !hash && refocus(before))) arrive(hash);
  say(document.title.replace(/ · figs-web$/, ''));
}

/** Brings what surrounds the content up to date: title, badge, where one is. @param {Document} page */
export function frame(page) {
  document.title = page.title;
  attributes(document.body, page.body);
  for (const part of document.querySelectorAll('[data-part]')) {
    const next = page.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
    if (next) patch(part, next);
  }
}

/** Tells the other modules what the content is, as the server sent it. @param {Node} content */
export function announce(content) {
  document.dispatchEvent(new CustomEvent('figs:page', { detail: content }));
}

/** Where the person is on the page. @returns {Position} */
function place() {
  /** @type {any} */
  const node = document.activeElement;
  return { y: scrollY, trace: $('view').contains(node) ? trace(node) : '', text: 'selectionStart' in node ? node.value : undefined };
}

/** A selector that finds an element again on another version of the page. @param {HTMLInputElement} node or any element */
function trace(node) {
  if (node.id) return '#' + CSS.escape(node.id);
  for (const name of ['href', 'name']) {
    const value = node.getAttribute(name);
    if (value) return `${node.localName}[${name}="${CSS.escape(value)}"]` + (node.type === 'radio' || node.type === 'checkbox' ? `[value="${CSS.escape(node.value)}"]` : '');
  }
  return '';
}

/** Gives the focus to what had it, with what was typed since; the page stays where it is. @param {Position} position */
function refocus({ trace, text, y }) {
  /** @type {any} */
  const node = trace && $('view').querySelector(trace);
  if (!node) return false;
  scrollTo({ top: y, behavior: 'instant' });
  if (text !== undefined && 'selectionStart' in node) {
    node.value = text;
    try { node.setSelectionRange(text.length, text.length); } catch { /* a kind of field without a cursor */ }
  }
  node.focus({ preventScroll: true });
  return true;
}

/** @param {Position} back */
function restore(back) {
  if (!refocus({ ...back, text: undefined })) heading();
  scrollTo({ top: back.y, behavior: 'instant' });
}

/** A new page: from the top, or where its address points. @param {string} hash */
function arrive(hash) {
  const target = hash.length > 1 && document.getElementById(named(hash.slice(1)));
  if (!target) {
    scrollTo({ top: 0, behavior: 'instant' });
    return heading();
  }
  target.scrollIntoView();
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** @param {string} id */
function named(id) {
  try { return decodeURIComponent(id); } catch { return id; }
}

/** Gives the focus to the heading. */
function heading() {
  const node = $('view').querySelector('h1') || $('view');
  node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

/** A name for an entry of the history. */
function mint() {
  return Math.random().toString(36).slice(2);
}

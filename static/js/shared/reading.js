// Shows an attachment in reading mode. Loaded by hosted/hosted.js and inspector/attachment.js.
// It has the outline, how much was on the screen, and the changes one by one; and it knows how tall each attachment is on paper.
// A frame has no rights and cannot tell where its headings are. So the same document is laid out in a hidden frame that runs
// no script (see measure/measure.js). The page then makes the frame as tall as its document, and scrolls itself.

import { closestTo, isTyping, trustedPolicy } from './dom.js';
import { loadFrame, waitUntilIdle } from '../measure/measure.js';
import * as viewTracker from './view-tracker.js';
import { tr } from './translate.js';

const FIRST_HEIGHT_PX = 600; // of the frame in which a document is measured first, and of the shortest frame
const MAX_DOCUMENT_PX = 200_000; // a taller document scrolls inside of its frame
const MAX_ROUNDS = 4; // a document that grows with its frame is measured again
const MAX_ELEMENTS = 50_000; // in which boxes that scroll are looked for
const PAPER_WIDTH_PX = 680, FIRST_PAPER_PX = 160; // of a frame on paper, see print.css, and of the shortest one there
const MAX_PAPER_BYTES = 512 << 10; // of a file that is laid out for paper ahead of time
const GAP_PX = 12; // between the bar and what was scrolled to
const RESIZE_DELAY_MS = 400;

/**
 * @typedef {{height: number, paper: number, headings: Map<string, number|null>, changes: number[], hasScrollers: boolean}} Layout
 *   height: of the document; paper: its height there, 0: not known; headings: how far down each id is, null: not drawn; changes: how far down each begins;
 *   hasScrollers: a part of it scrolls by itself
 * @typedef {{root: HTMLElement, box: HTMLElement, iframe: HTMLIFrameElement, controller: AbortController, observer: ResizeObserver, width: number, change: number, layout: Layout|null}} Reading
 */

/** What is read now. @type {Reading|null} */
let current = null;
/** How tall the documents of frames are on paper; 0: not known, or not known yet. @type {WeakMap<HTMLIFrameElement, number>} */
const paperHeights = new WeakMap();
let isQueued = false; // whether the marks are to be brought up to date with the next picture

addEventListener('scroll', queueMarks, { passive: true });
document.addEventListener('click', onClick);
document.addEventListener('keydown', onKeydown);
setInterval(showProgress, viewTracker.TICK_MS);

/** Takes over the page that is shown now. */
export function update() {
  /** @type {HTMLElement|null} */
  const root = document.querySelector('.reading');
  /** @type {HTMLIFrameElement|null} */
  const iframe = root && root.querySelector('.viewer-frame > iframe.sandboxed');
  preparePaper(iframe);
  if (current && current.iframe === iframe) return apply(current);
  if (current) {
    current.controller.abort();
    current.observer.disconnect();
    current = null;
  }
  if (!iframe) return;
  if (root.dataset.ask) viewTracker.track((file, part) => recordView(root, file, part));
  let timer = 0;
  const observer = new ResizeObserver(() => {
    if (iframe.clientWidth === reading.width) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      reading.controller.abort();
      reading.controller = new AbortController();
      reading.width = iframe.clientWidth;
      layOut(reading);
    }, RESIZE_DELAY_MS);
  });
  /** @type {Reading} */
  const reading = { root, iframe, box: iframe.parentElement, controller: new AbortController(), observer, width: iframe.clientWidth, change: -1, layout: null };
  current = reading;
  reading.observer.observe(iframe);
  layOut(reading);
}

/** Tells the server what was viewed, or which part of it. @param {HTMLElement} root @param {string} file @param {string} [part] */
async function recordView({ dataset: { ask, revision } }, file, part) {
  const body = new URLSearchParams({ revision, file, ...part && { part } });
  const response = await fetch(ask + '/viewed', { method: 'POST', body, headers: { Accept: 'application/json' } }).catch(() => Response.error());
  return response.status === 204;
}

/** Measures the document and makes its frame as tall. @param {Reading} reading */
async function layOut(reading) {
  const { signal } = reading.controller, load = loaderOf(reading.iframe);
  const layout = load && reading.width ? await measureDocument(load, reading.width, signal, linksOf(reading.root)) : null;
  if (signal.aborted || reading !== current) return;
  reading.layout = layout;
  paperHeights.set(reading.iframe, layout ? layout.paper : 0);
  applyPaper(reading.iframe);
  apply(reading);
}

/** What gives another frame the same document; null where it comes from another origin, into which no page can look. @param {HTMLIFrameElement} iframe */
function loaderOf(iframe) {
  if (iframe.srcdoc) return (/** @type {HTMLIFrameElement} */ hidden) => { hidden.srcdoc = trustedPolicy.createHTML(iframe.srcdoc); };
  const url = new URL(iframe.src, document.baseURI);
  if (url.origin !== location.origin) return null;
  url.searchParams.set('measure', 'shown');
  return (/** @type {HTMLIFrameElement} */ hidden) => { hidden.src = url.href; };
}

/**
 * Lays a document out at a width; null when it could not be measured.
 * @param {(hidden: HTMLIFrameElement) => void} load @param {number} width @param {AbortSignal} signal
 * @param {HTMLElement[]} [links] to its headings @returns {Promise<Layout|null>}
 */
async function measureDocument(load, width, signal, links = []) {
  /** @type {HTMLIFrameElement[]} */
  const frames = [];
  try {
    const page = await loadFrame(load, false, width, FIRST_HEIGHT_PX, frames, signal), [frame] = frames, { documentElement } = page;
    const height = fitHeight(frame, page, FIRST_HEIGHT_PX);
    if (!height) return null;
    const headings = new Map();
    for (const { dataset: { heading } } of links) {
      const node = page.getElementById(decodeURIComponent(heading)), drawn = node && node.getClientRects().length;
      headings.set(heading, drawn ? node.getBoundingClientRect().top : null);
    }
    const hasBar = documentElement.scrollWidth > width; // below it, in the frame that is shown
    const layout = { height: height + (hasBar ? 20 : 0), headings, changes: changesOf(page), hasScrollers: hasScrollers(page) };
    frame.style.width = PAPER_WIDTH_PX + 'px';
    return { ...layout, paper: fitHeight(frame, page, FIRST_PAPER_PX) };
  } catch {
    return null;
  } finally {
    for (const frame of frames) frame.remove();
  }
}

/**
 * Makes a hidden frame as tall as its document, at the width that it has.
 * @param {HTMLIFrameElement} frame @param {Document} page @param {number} height at least
 * @returns {number} that height; 0: it has none that fits
 */
function fitHeight(frame, { documentElement }, height) {
  frame.style.height = height + 'px';
  for (let round = 0; documentElement.scrollHeight > height; round++) {
    if (round === MAX_ROUNDS || documentElement.scrollHeight > MAX_DOCUMENT_PX) return 0;
    height = documentElement.scrollHeight;
    frame.style.height = height + 'px';
  }
  return height;
}

/** Finds out how tall the frames of the page must be on paper. When someone prints it is too late for that. @param {HTMLIFrameElement|null} read is measured anyway */
async function preparePaper(read) {
  for (const iframe of /** @type {NodeListOf<HTMLIFrameElement>} */ (document.querySelectorAll('.viewer-frame > iframe.sandboxed'))) {
    if (paperHeights.has(iframe)) {
      applyPaper(iframe);
      continue;
    }
    const load = loaderOf(iframe), box = iframe.parentElement;
    if (iframe === read || !load || Number(box.dataset.size) > MAX_PAPER_BYTES) continue;
    paperHeights.set(iframe, 0);
    await waitUntilIdle();
    const layout = iframe.isConnected && await measureDocument(load, PAPER_WIDTH_PX, new AbortController().signal);
    if (layout) paperHeights.set(iframe, layout.paper);
    applyPaper(iframe);
  }
}

/** @param {HTMLIFrameElement} iframe */
function applyPaper(iframe) {
  const height = paperHeights.get(iframe), box = iframe.parentElement;
  if (!height || !box) return;
  box.dataset.paper = '';
  box.style.setProperty('--paper', height + 'px');
}

/** How far down each change of a comparison begins; lines next to each other are one. @param {Document} page */
function changesOf(page) {
  const tops = [];
  let end = -Infinity;
  for (const node of page.querySelectorAll('.f-add, .f-del')) {
    const { top, bottom, height } = node.getBoundingClientRect();
    if (!height) continue;
    if (top > end + 2) tops.push(top);
    end = Math.max(end, bottom);
  }
  return tops;
}

/** Whether something is read by scrolling inside of a box. @param {Document} page */
function hasScrollers(page) {
  const nodes = page.body.getElementsByTagName('*');
  const scrolls = (/** @type {Element} */ node) => node.scrollHeight > node.clientHeight + 1 && node.clientHeight > 0 && /auto|scroll/.test(page.defaultView.getComputedStyle(node).overflowY);
  return nodes.length > MAX_ELEMENTS || scrolls(page.body) || Array.prototype.some.call(nodes, scrolls);
}

/** @param {HTMLElement} root @returns {HTMLElement[]} */
const linksOf = root => [...root.querySelectorAll('[data-heading]')];

/** Puts on the page what was measured. @param {Reading} reading */
function apply({ root, box, iframe, layout }) {
  for (const part of root.querySelectorAll('[data-reading-bar], [data-reading-changes]')) part.hidden = !layout || 'readingChanges' in part.dataset && !layout.changes.length;
  if (!layout) return;
  const guess = viewTracker.guessHeight(box);
  const height = layout.hasScrollers ? Math.max(layout.height, guess) : layout.height; // never less than elsewhere, where it cannot be known
  box.dataset.full = String(height);
  box.style.height = height + box.offsetHeight - iframe.clientHeight + 'px';
  for (const link of linksOf(root)) link.parentElement.hidden = layout.headings.get(link.dataset.heading) === null;
  showMarks();
}

function queueMarks() {
  if (!current || isQueued) return;
  isQueued = true;
  requestAnimationFrame(() => {
    isQueued = false;
    showMarks();
  });
}

/** Where the document may be read from: below the bar. @param {Reading} reading */
const readingTop = ({ root }) => root.querySelector('.reading-head').getBoundingClientRect().bottom;

/** Marks the heading that is read, and how far the page is scrolled. */
function showMarks() {
  if (!current || !current.layout || !current.iframe.isConnected) return;
  const { root, iframe, layout } = current, { top, height } = iframe.getBoundingClientRect();
  const share = Math.max(0, Math.min(1, (innerHeight - top) / height));
  root.querySelector('[data-reading-bar]').style.setProperty('--share', String(share));
  const line = readingTop(current) + 2 * GAP_PX - top;
  let heading = '';
  for (const [id, at] of layout.headings) if (at !== null && at <= line) heading = id;
  for (const link of linksOf(root)) {
    const isHere = link.dataset.heading === heading;
    if (isHere === link.hasAttribute('aria-current')) continue;
    if (!isHere) link.removeAttribute('aria-current');
    else {
      link.setAttribute('aria-current', 'location');
      keepInSight(link);
    }
  }
}

/** Scrolls a list of its own, never the page. @param {HTMLElement} link */
function keepInSight(link) {
  const list = link.closest('.reading-outline'), box = list.getBoundingClientRect(), { top, bottom } = link.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) list.scrollTop += top - box.top - box.height / 3;
}

/** Says how much of the document was on the screen. */
function showProgress() {
  if (!current || !current.layout || !current.iframe.isConnected) return;
  const { root, iframe, change, layout } = current, note = root.querySelector('[data-reading-progress]');
  const percent = viewTracker.countParts('reading ' + (iframe.src || root.querySelector('h1').textContent), iframe.getBoundingClientRect());
  const parts = [tr('On screen so far: {0}', `${percent} %`)];
  if (change >= 0) parts.unshift(tr('Change {0} of {1}', change + 1, layout.changes.length));
  const text = parts.join(' · ');
  if (note.textContent !== text) note.textContent = text;
}

/** Scrolls the page to a place in the document. @param {Reading} reading @param {number} at */
function scrollTo({ iframe, root }, at) {
  const headHeight = root.querySelector('.reading-head').getBoundingClientRect().height;
  window.scrollTo({ top: scrollY + iframe.getBoundingClientRect().top + at - headHeight - GAP_PX });
}

/** @param {MouseEvent} event */
function onClick(event) {
  if (!current || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = closestTo(event, '.reading [data-heading]'), step = closestTo(event, '.reading [data-reading-step]');
  if (step) goToChange(Number(step.dataset.readingStep));
  if (!link) return;
  if (!current.layout) { // then its frame scrolls: a link leads there by itself
    if (link instanceof HTMLButtonElement) current.iframe.contentWindow.location.replace('about:srcdoc#' + link.dataset.heading);
    return;
  }
  const at = current.layout.headings.get(link.dataset.heading);
  if (typeof at !== 'number') return;
  event.preventDefault();
  scrollTo(current, at);
}

/** Goes to the change after or before the one that is read. @param {number} step 1 or -1 @returns {boolean} whether there is one */
function goToChange(step) {
  if (!current || !current.layout || !current.layout.changes.length) return false;
  const { changes } = current.layout;
  current.change = Math.max(0, Math.min(changes.length - 1, current.change < 0 ? (step > 0 ? 0 : changes.length - 1) : current.change + step));
  scrollTo(current, changes[current.change]);
  showProgress();
  return true;
}

/** @param {KeyboardEvent} event */
function onKeydown(event) {
  if (!current || !current.iframe.isConnected || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (event.key === 'Escape' && !document.querySelector('dialog[open], [popover]:popover-open, details.menu[open]')) {
    /** @type {HTMLElement} */
    const exit = current.root.querySelector('[data-reading-exit]');
    event.preventDefault();
    exit.click();
  } else if ((event.key === 'n' || event.key === 'p') && areKeysOn() && goToChange(event.key === 'n' ? 1 : -1)) event.preventDefault();
}

/** Whether the person lets single letters do something. */
function areKeysOn() {
  try { return localStorage.getItem('figs-keys') !== 'off'; } catch { return true; }
}

// Notes which parts of an attachment were on the screen. Loaded by hosted/decide.js, shared/reading.js, inspector/actions.js and inspector/compose.js.
// A sandboxed frame cannot tell what of it is on the screen. So the page makes the frame as tall as the document seems to be,
// notes which parts of it were on the screen for a second while the person was there, and then lets them say that they read
// it to its end. Nothing in the frame can do either.

import { $, closestTo } from './dom.js';
import { tr } from './translate.js';

export const TICK_MS = 250;
const TICKS_PER_SECOND = 5; // a fifth tick ends the second that began with the first
const PART_PX = 100, LINE_PX = 26, MAX_FRAME_PX = 40_000;
const REPORT_STEP_PERCENT = 10; // while someone scrolls; what they stop at is reported to the percent

const loadStarted = new WeakMap(); // by frame: when its document was first waited for; 0: it is there
/** By the file of a note: how often each part of its frame was on the screen. @type {Map<string, number[]>} */
const partTicks = new Map();
/** @type {Report|null} */
let report = null;
let reportedPercent = 0;
let lastPercent = 0, unchangedTicks = 0; // what the last tick measured, and for how many ticks it has been so

setInterval(tick, TICK_MS);
document.addEventListener('click', event => {
  const button = closestTo(event, '[data-view-end]');
  if (button) confirmRead(button);
});

/**
 * Begins to look at the page that is shown now.
 * @typedef {(file: string, part?: string) => Promise<boolean>} Report is told what was viewed, or which part; says whether that counts
 * @param {Report} onViewed
 */
export function track(onViewed) {
  report = onViewed;
  reportedPercent = lastPercent = unchangedTicks = 0;
  const frame = frameOf(currentNote());
  const height = frame && documentHeight(frame);
  if (height > frame?.clientHeight) frame.style.height = Math.min(height, MAX_FRAME_PX) + 'px';
}

/** How tall the document of a frame is, in pixels: as reading mode has measured it, else as it seems. @param {HTMLElement} frame */
const documentHeight = frame => Number(frame.dataset.full || Number(frame.dataset.lines) * LINE_PX);

/** Whether a document is taller than its frame can be made. @param {HTMLElement} frame */
const isTooTall = frame => !frame.dataset.full && documentHeight(frame) > MAX_FRAME_PX;

/** How tall a frame is made where its document can't be measured, in pixels. @param {HTMLElement} frame */
export const guessHeight = frame => Math.min(Number(frame.dataset.lines) * LINE_PX || 0, MAX_FRAME_PX);

/** The note about the file on the page, as long as the file does not count as viewed. */
const currentNote = () => document.querySelector('#view [data-view-note]:not(.is-done)');

/** The frame of the file that a note is about. @param {HTMLElement} note @returns {HTMLElement|null} */
const frameOf = note => note && note.closest('.viewer').querySelector('.viewer-frame');

/** How much of the frame was on the screen, in percent. @param {HTMLElement} note */
function percentViewed(note) {
  const frame = frameOf(note);
  return Math.floor(percentOf(note.dataset.viewNote) * (isTooTall(frame) ? MAX_FRAME_PX / documentHeight(frame) : 1));
}

/** How many parts were on the screen for a second, in percent. @param {string} key */
function percentOf(key) {
  const ticks = partTicks.get(key) || [];
  return ticks.length && 100 * ticks.filter(n => n >= TICKS_PER_SECOND).length / ticks.length;
}

/** Whether the person is at this page. */
const isPresent = () => !document.hidden && document.hasFocus();

/** Counts the parts that are on the screen now. */
function tick() {
  const note = currentNote(), frame = frameOf(note), inner = frame && frame.querySelector('iframe, .viewer-page');
  if (!frame || !isPresent() || !hasDocument(inner)) return;
  countParts(note.dataset.viewNote, (inner || frame).getBoundingClientRect());
  updateProgress(note);
}

/**
 * Counts the parts of a document that are on the screen now. It is called once in TICK_MS.
 * @param {string} key of the document @param {DOMRect} box where it is
 * @returns {number} how much of it was there for a second so far, in percent
 */
export function countParts(key, box) {
  if (!isPresent()) return Math.floor(percentOf(key));
  const partCount = Math.max(1, Math.ceil(box.height / PART_PX)), partHeight = box.height / partCount;
  let ticks = partTicks.get(key);
  if (!ticks || ticks.length !== partCount) partTicks.set(key, ticks = Array(partCount).fill(0)); // a frame of another height begins again
  const head = document.querySelector('.reading-head'), top = head ? Math.max(0, head.getBoundingClientRect().bottom) : 0;
  const bottom = Math.min(innerHeight, overlayTop($('deciding')), overlayTop(document.querySelector('.rail')));
  for (let i = 0; i < partCount; i++) {
    const from = box.top + i * partHeight;
    if (from >= top - 1 && from + partHeight <= bottom + 1) ticks[i]++;
  }
  return Math.floor(percentOf(key));
}

/** Where what may lie over the lower end of the window begins. @param {HTMLElement|null} element */
function overlayTop(element) {
  const box = element && /sticky|fixed/.test(getComputedStyle(element).position) && element.getBoundingClientRect();
  return box && box.top > innerHeight / 4 ? box.top : Infinity;
}

/** Whether a frame has its document. @param {HTMLElement|null} content */
function hasDocument(content) {
  if (!(content instanceof HTMLIFrameElement) || content.srcdoc || performance.getEntriesByName(content.src).length) return true;
  if (!loadStarted.has(content)) {
    loadStarted.set(content, Date.now());
    content.addEventListener('load', () => loadStarted.set(content, 0), { once: true });
  }
  return Date.now() - loadStarted.get(content) > 5000; // the browser may not have told
}

/** Says how much was on the screen, and reports it in steps. @param {HTMLElement} note */
function updateProgress(note) {
  const percent = percentViewed(note), button = note.querySelector('[data-view-end]'), status = note.querySelector('[data-on-screen]');
  if (!button) return;
  if (percent === 100) button.removeAttribute('aria-disabled');
  const text = percent === 100 ? '' : isTooTall(frameOf(note)) ? tr('Too long for this page. Open it on its own page to read it.')
    : percent ? tr('On screen so far: {0}', `${percent} %`) : tr('Scroll through all of it first.');
  if (status.textContent !== text) status.textContent = text;
  unchangedTicks = percent === lastPercent ? unchangedTicks + 1 : 0;
  lastPercent = percent;
  if (percent > reportedPercent && percent < 100 && (percent >= reportedPercent + REPORT_STEP_PERCENT || unchangedTicks >= TICKS_PER_SECOND)) {
    reportedPercent = percent;
    report(note.dataset.viewNote, `part-${percent}`);
  }
}

/** The person says that they read it to the end. @param {HTMLElement} button */
async function confirmRead(button) {
  const note = button.closest('[data-view-note]'), status = note.querySelector('[data-on-screen]');
  if (button.getAttribute('aria-disabled') === 'true' || !report) return;
  button.setAttribute('aria-disabled', 'true');
  if (await report(note.dataset.viewNote)) return markDone(note);
  button.removeAttribute('aria-disabled');
  status.textContent = tr('This was not recorded. Reload the page and try again.');
}

/** Shows that a file counts as viewed. The focus goes on from the button, which is gone. @param {HTMLElement} note */
function markDone(note) {
  const hadFocus = note.contains(document.activeElement);
  note.classList.add('is-done');
  if (!hadFocus) return;
  const message = note.querySelector('.view-done');
  message.tabIndex = -1;
  message.focus({ preventScroll: true });
}

/** The note of a file that was downloaded, which counts where nothing of it is shown. @param {string} sha256 @returns {boolean} whether it counts */
export function markDownloaded(sha256) {
  const note = currentNote();
  if (!note || frameOf(note) || !note.dataset.viewNote.startsWith(sha256)) return false;
  markDone(note);
  return true;
}

// Notes which parts of an attachment were on the screen. Loaded by hosted/decide.js, inspector/actions.js and inspector/compose.js.
// A sandboxed frame can tell nothing of what it shows, so the page looks at the frame: it makes it as tall as the document
// seems to be, notes which parts of it were on the screen for a second while the person was there, and then lets them say
// that they read it to its end. Nothing in the frame can do either.

import { $, closestTo } from './dom.js';

const EVERY = 250, SECOND = 5; // a look each so many milliseconds, and how many of them span a second
const PART = 100, LINE = 26, TALLEST = 40_000; // pixels
const STEP = 10; // percent that are reported while someone scrolls; what they stop at is reported to the percent

const since = new WeakMap(); // by frame: when its document was first waited for; 0: it is there
/** By the file of a note: how often each part of its frame was on the screen. @type {Map<string, number[]>} */
const parts = new Map();
/** @type {Report|null} */
let report = null;
let told = 0; // percent that were reported
let share = 0, still = 0; // what the last look measured, and for how many looks it has been so

setInterval(look, EVERY);
document.addEventListener('click', event => {
  const button = closestTo(event, '[data-view-end]');
  if (button) end(button);
});

/**
 * Begins to look at the page that is shown now.
 * @typedef {(file: string, part?: string) => Promise<boolean>} Report is told what was viewed, or which part; says whether that counts
 * @param {Report} tell
 */
export function settle(tell) {
  report = tell;
  told = share = still = 0;
  const frame = frameOf(note());
  const tall = frame && tallOf(frame);
  if (tall > frame?.clientHeight) frame.style.height = Math.min(tall, TALLEST) + 'px';
}

/** How tall the document of a frame seems to be, in pixels. @param {HTMLElement} frame */
const tallOf = frame => Number(frame.dataset.lines) * LINE;

/** The note about the file on the page, as long as the file does not count as viewed. */
const note = () => document.querySelector('#view [data-view-note]:not(.is-done)');
/** @param {HTMLElement} of a note @returns {HTMLElement|null} */
const frameOf = of => of && of.closest('.viewer').querySelector('.viewer-frame');

/** How much of the frame was on the screen, in percent. @param {HTMLElement} of its note */
function percentOf(of) {
  const seen = parts.get(of.dataset.viewNote) || [], shown = seen.filter(n => n >= SECOND).length;
  return shown ? Math.floor(100 * shown / seen.length * Math.min(1, TALLEST / tallOf(frameOf(of)) || 1)) : 0;
}

/** Counts the parts that are on the screen now. */
function look() {
  const of = note(), frame = frameOf(of), inner = frame && frame.querySelector('iframe, .viewer-page');
  if (!frame || document.hidden || !document.hasFocus() || !filled(inner)) return;
  const box = (inner || frame).getBoundingClientRect();
  const n = Math.max(1, Math.ceil(box.height / PART)), step = box.height / n, key = of.dataset.viewNote;
  let seen = parts.get(key);
  if (!seen || seen.length !== n) parts.set(key, seen = Array(n).fill(0)); // of another height it is looked at anew
  const bottom = Math.min(innerHeight, over($('deciding')), over(document.querySelector('.rail')));
  for (let i = 0; i < n; i++) {
    const from = box.top + i * step;
    if (from >= -1 && from + step <= bottom + 1) seen[i]++;
  }
  progress(of);
}

/** Where what may lie over the lower end of the window begins. @param {HTMLElement|null} node */
function over(node) {
  const box = node && /sticky|fixed/.test(getComputedStyle(node).position) && node.getBoundingClientRect();
  return box && box.top > innerHeight / 4 ? box.top : Infinity;
}

/** Whether a frame has its document. @param {HTMLElement|null} inner */
function filled(inner) {
  if (!(inner instanceof HTMLIFrameElement) || inner.srcdoc || performance.getEntriesByName(inner.src).length) return true;
  if (!since.has(inner)) {
    since.set(inner, Date.now());
    inner.addEventListener('load', () => since.set(inner, 0), { once: true });
  }
  return Date.now() - since.get(inner) > 5000; // the browser may not have told
}

/** Says how much was on the screen, and reports it in steps. @param {HTMLElement} of the note */
function progress(of) {
  const is = percentOf(of), button = of.querySelector('[data-view-end]'), word = of.querySelector('[data-on-screen]');
  if (!button) return;
  if (is === 100) button.removeAttribute('aria-disabled');
  const text = is === 100 ? '' : tallOf(frameOf(of)) > TALLEST ? 'Too long for this page. Open it on its own page to read it.'
    : is ? `${is} % of it was on the screen.` : 'Scroll through all of it first.';
  if (word.textContent !== text) word.textContent = text;
  still = is === share ? still + 1 : 0;
  share = is;
  if (is > told && is < 100 && (is >= told + STEP || still >= SECOND)) {
    told = is;
    report(of.dataset.viewNote, `part-${is}`);
  }
}

/** The person says that they read it to the end. @param {HTMLElement} button */
async function end(button) {
  const of = button.closest('[data-view-note]'), word = of.querySelector('[data-on-screen]');
  if (button.getAttribute('aria-disabled') === 'true' || !report) return;
  button.setAttribute('aria-disabled', 'true');
  if (await report(of.dataset.viewNote)) return done(of);
  button.removeAttribute('aria-disabled');
  word.textContent = 'This was not recorded. Load the page again, then say it once more.';
}

/** Shows that a file counts as viewed. The focus goes on from the button, which is gone. @param {HTMLElement} of its note */
function done(of) {
  const had = of.contains(document.activeElement);
  of.classList.add('is-done');
  if (!had) return;
  const said = of.querySelector('.view-done');
  said.tabIndex = -1;
  said.focus({ preventScroll: true });
}

/** The note of a file that was downloaded, which counts where nothing of it is shown. @param {string} sha256 @returns {boolean} whether it counts */
export function downloaded(sha256) {
  const of = note();
  if (!of || frameOf(of) || !of.dataset.viewNote.startsWith(sha256)) return false;
  done(of);
  return true;
}

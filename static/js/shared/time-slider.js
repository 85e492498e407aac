// Moves the page through a folder's life with a slider. Loaded by hosted/hosted.js and inspector/main.js.
// While it moves, the page shows how things stood there; where it is let go, the address follows. The keys [ and ] go one
// line back and on.

import { $, closestTo } from './dom.js';

const SLIDER = 'input[data-life]';

/** @type {(address: string) => Promise<ParentNode|null>} */
let read;
/** @type {(address: string) => void} */
let go;
/** @type {HTMLInputElement|null} */
let wanted = null;
let running = false;

/**
 * Listens to the slider.
 * @param {(address: string) => Promise<ParentNode|null>} reads reads the page of an address
 * @param {(address: string) => void} goes goes to an address
 */
export function listen(reads, goes) {
  read = reads;
  go = goes;
  document.addEventListener('input', event => isSlider(event.target) && preview(event.target));
  document.addEventListener('change', event => isSlider(event.target) && settle(event.target));
}

/** @param {EventTarget} node @returns {node is HTMLInputElement} */
const isSlider = node => node instanceof Element && node.matches(SLIDER);

/** Listens to it on pages that a program serves. @param {typeof import('../hosted/navigation.js')} pages */
export function serve(pages) {
  const at = (/** @type {string} */ address) => new URL(address, document.baseURI);
  listen(async address => (await pages.read(at(address))).page || null, address => pages.go(at(address)));
}

/** Goes where the link leads that goes one line back, or on. @param {string} which "back" or "on" */
export function step(which) {
  const link = document.querySelector(`#view a[data-step="${which}"]`);
  if (link) link.click();
  return Boolean(link);
}

/** Listens to the keys where nothing else does. */
export function keys() {
  document.addEventListener('keydown', event => {
    const which = { '[': 'back', ']': 'on' }[event.key];
    if (!which || event.defaultPrevented || event.isComposing || event.ctrlKey && !event.altKey || event.metaKey) return;
    if (closestTo(event, 'input:not([type="range"], [type="checkbox"], [type="radio"]), textarea, select, dialog, [contenteditable]')) return;
    if (step(which)) event.preventDefault();
  });
}

/** The address of where the slider is; at its end that is now. @param {HTMLInputElement} slider */
function address(slider) {
  const { life, from, to } = slider.dataset, value = Number(slider.value), most = Number(slider.max);
  if (value === most) return life.replace(/[?&]at=$/, '');
  if (from === undefined) return life + value;
  const at = Number(from) + (Number(to) - Number(from)) * value / most;
  return life + new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** @param {HTMLInputElement} slider */
function settle(slider) {
  wanted = null;
  go(address(slider));
}

/** One page is on its way at a time; of the places that the slider passes meanwhile, the last is shown. @param {HTMLInputElement} slider */
async function preview(slider) {
  wanted = slider;
  if (running) return;
  running = true;
  try {
    while (wanted) {
      const asked = address(wanted);
      wanted = null;
      const page = await read(asked), next = page && page.querySelector('#life-out'), shown = $('life-out');
      if (!next || !shown || !slider.isConnected) break;
      shown.replaceChildren(...[...next.childNodes].map(node => document.importNode(node, true)));
      const words = /** @type {HTMLElement} */ (next.querySelector('[data-life-words]'));
      if (words) slider.setAttribute('aria-valuetext', words.dataset.lifeWords);
    }
  } catch { /* where it is let go, the page itself says what is wrong */ } finally {
    running = false;
  }
}

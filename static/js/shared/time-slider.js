// Moves the page through a folder's life with a slider. Loaded by hosted/hosted.js and inspector/main.js.
// While it moves, the page shows a preview of that point in time; where it is released, the address follows. The keys [ and ] go
// one line back and on.

import { $, closestTo } from './dom.js';

const SLIDER_SELECTOR = 'input[data-life]';

/** @type {(address: string) => Promise<ParentNode|null>} */
let readPage;
/** @type {(address: string) => void} */
let goTo;
/** @type {HTMLInputElement|null} */
let pendingSlider = null;
let isReading = false;

/**
 * Listens to the slider.
 * @param {(address: string) => Promise<ParentNode|null>} read reads the page of an address
 * @param {(address: string) => void} go goes to an address
 */
export function listen(read, go) {
  readPage = read;
  goTo = go;
  document.addEventListener('input', event => isSlider(event.target) && preview(event.target));
  document.addEventListener('change', event => isSlider(event.target) && goToSlider(event.target));
}

/** @param {EventTarget} node @returns {node is HTMLInputElement} */
const isSlider = node => node instanceof Element && node.matches(SLIDER_SELECTOR);

/** Listens to the slider on pages of a server. @param {typeof import('../hosted/navigation.js')} navigation */
export function listenOnServer(navigation) {
  const toURL = (/** @type {string} */ address) => new URL(address, document.baseURI);
  listen(async address => (await navigation.fetchPage(toURL(address))).page || null, address => navigation.goTo(toURL(address)));
}

/** Goes one line back, or on. @param {string} direction "back" or "on" @returns {boolean} whether there is a link for that */
export function followStep(direction) {
  const link = document.querySelector(`#view a[data-step="${direction}"]`);
  if (link) link.click();
  return Boolean(link);
}

/** Listens to the keys where nothing else does. */
export function listenToKeys() {
  document.addEventListener('keydown', event => {
    const direction = { '[': 'back', ']': 'on' }[event.key];
    if (!direction || event.defaultPrevented || event.isComposing || event.ctrlKey && !event.altKey || event.metaKey) return;
    if (closestTo(event, 'input:not([type="range"], [type="checkbox"], [type="radio"]), textarea, select, dialog, [contenteditable]')) return;
    if (followStep(direction)) event.preventDefault();
  });
}

/** The address of where the slider is; at its end that is now. @param {HTMLInputElement} slider */
function addressAt(slider) {
  const { life: base, from, to } = slider.dataset, value = Number(slider.value), max = Number(slider.max);
  if (value === max) return base.replace(/[?&]at=$/, '');
  if (from === undefined) return base + value;
  const at = Number(from) + (Number(to) - Number(from)) * value / max;
  return base + new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Goes where the slider was released. @param {HTMLInputElement} slider */
function goToSlider(slider) {
  pendingSlider = null;
  goTo(addressAt(slider));
}

/** One page is on its way at a time; of the places that the slider passes meanwhile, the last is shown. @param {HTMLInputElement} slider */
async function preview(slider) {
  pendingSlider = slider;
  if (isReading) return;
  isReading = true;
  try {
    while (pendingSlider) {
      const address = addressAt(pendingSlider);
      pendingSlider = null;
      const page = await readPage(address), next = page && page.querySelector('#life-out'), shown = $('life-out');
      if (!next || !shown || !slider.isConnected) break;
      shown.replaceChildren(...[...next.childNodes].map(node => document.importNode(node, true)));
      const label = /** @type {HTMLElement} */ (next.querySelector('[data-life-words]'));
      if (label) slider.setAttribute('aria-valuetext', label.dataset.lifeWords);
    }
  } catch { /* where it is let go, the page itself says what is wrong */ } finally {
    isReading = false;
  }
}

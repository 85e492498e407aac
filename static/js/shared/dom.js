// Finds, makes and fills elements of the page. Loaded by inspector/main.js, hosted/hosted.js and most others.
// It also holds the one Trusted Types policy and the live region.

import { formatNumber, trCount } from './translate.js';

/** The element of an id, of whatever type its page gives it. @param {string} id @returns {HTMLElement & Record<string, any>} */
export const $ = id => /** @type {any} */ (document.getElementById(id));

/**
 * Settles when the whole file is parsed: the page's script is at its beginning.
 * @type {Promise<void>}
 */
export const domReady = new Promise(resolve => {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', () => resolve(), { once: true }); else resolve();
});

/** The text of one of the data blocks that travel inside the file. @param {string} name */
export const slotText = name => document.querySelector(`script[data-slot="${name}"]`).textContent;

/**
 * Makes an element. Text is always set as text, never as markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, any>} [props] @param {...(Node|string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

const policyRules = {
  /** @param {string} html */
  createHTML: html => html,
  /** @param {string} url */
  createScriptURL(url) {
    if (!url.startsWith('blob:')) throw new TypeError('only scripts of this file may run');
    return url;
  },
};

/** The only way markup and worker addresses enter the page (policy "figs"). */
export const trustedPolicy = window.trustedTypes ? window.trustedTypes.createPolicy('figs', policyRules) : policyRules;

/**
 * The closest element to where an event happened that a selector finds; null when there is none.
 * @template {Element} [E=HTMLElement]
 * @param {Event} event @param {string} selector @returns {E|null}
 */
export const closestTo = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/** Whether a key goes into a field or a dialog, where shortcuts do nothing. @param {Event} event */
export const isTyping = event => Boolean(closestTo(event, 'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog, [contenteditable]'));

/** Puts markup that the reader wrote into an element. @param {Element} node @param {string} html */
export function setHTML(node, html) {
  node.innerHTML = trustedPolicy.createHTML(html);
}

/**
 * A text that may quote a name from the folder. Characters that leave no mark, or turn the direction of others, are named.
 * Joiners stay, since emoji need them.
 * @param {string} text
 */
export const revealInvisible = text => String(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu,
  c => ('\n\t\u200d'.includes(c) ? c : `[U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`));

/** Lets screen readers read a sentence aloud. @param {string} sentence */
export function announce(sentence) {
  $('say').textContent = '';
  requestAnimationFrame(() => { $('say').textContent = sentence; });
}

/** Offers bytes to the person as a file. @param {string} name @param {string} type @param {BlobPart[]} parts */
export function saveFile(name, type, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * The units of bytes, the largest first.
 * @type {Array<[string, number]>}
 */
const UNITS = [['GB', 1e9], ['MB', 1e6], ['KB', 1e3]];

/** A number of bytes as people read it. @param {number} bytes */
export function formatBytes(bytes) {
  for (const [unit, unitBytes] of UNITS) {
    if (bytes >= unitBytes) return formatNumber(bytes / unitBytes, bytes >= 10 * unitBytes ? 0 : 1) + ' ' + unit;
  }
  return trCount(bytes, '1 byte', '{0} bytes');
}

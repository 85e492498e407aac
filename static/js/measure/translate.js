// Translates the sentences of scripts into the language of the page. Loaded by measure/measure.js and measure/show-measurement.js.

import { $ } from '../shared/dom.js';

/** The template that the page's translations were read from. @type {HTMLElement|null} */
let wordsTemplate = null;
/** The translations, by the English sentence. @type {Map<string, string>} */
let translations = new Map();

/**
 * A sentence of ours in the language of the page. {0}, {1}, … stand for the arguments; without any they stay, for fill. A
 * page in another language than English brings what scripts say, see scriptWords in components.
 * @param {string} english @param {...(string|number)} args
 */
export function tr(english, ...args) {
  const now = $('script-words');
  if (now !== wordsTemplate) {
    wordsTemplate = now;
    translations = new Map(now ? Array.from(now.content.children, (/** @type {HTMLElement} */ node) => [node.dataset.en, node.textContent]) : []);
  }
  const text = translations.get(english) || english;
  return args.length ? text.replace(/\{(\d)\}/g, (place, n) => String(args[n])) : text;
}

/** A sentence with nodes in its places. @param {string} sentence @param {...(Node|string)} parts */
export const fill = (sentence, ...parts) => sentence.split(/\{(\d)\}/).map((piece, i) => (i % 2 ? parts[Number(piece)] : piece));

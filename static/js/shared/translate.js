// Translates the sentences of scripts into the language of the page. Loaded by measure/measure.js, shared/reply-draft.js and others.

import { $ } from './dom.js';

/** The ids of the templates that hold translations, see components/i18n/script_words.templ. A page has those that it needs. */
const TEMPLATES = ['script-words', 'form-words', 'view-words', 'hosted-words'];
/** The templates that the translations were read from. @type {Array<HTMLElement|null>} */
let wordsTemplates = [];
/** The translations, by the English sentence. @type {Map<string, string>} */
let translations = new Map();

/**
 * Returns one of our sentences in the language of the page. {0}, {1}, … are replaced with the arguments; without arguments they
 * stay, for fill. A page in another language than English brings the translations in templates.
 * @param {string} english @param {...(string|number)} args
 */
export function tr(english, ...args) {
  const now = TEMPLATES.map($);
  if (now.some((template, i) => template !== wordsTemplates[i])) {
    wordsTemplates = now;
    translations = new Map(now.filter(Boolean).flatMap(template => Array.from(template.content.children, (/** @type {HTMLElement} */ node) => [node.dataset.en, node.textContent])));
  }
  const text = translations.get(english) || english;
  return args.length ? text.replace(/\{(\d)\}/g, (place, n) => String(args[n])) : text;
}

/** A sentence with nodes in its places. @param {string} sentence @param {...(Node|string)} parts */
export const fill = (sentence, ...parts) => sentence.split(/\{(\d)\}/).map((piece, i) => (i % 2 ? parts[Number(piece)] : piece));

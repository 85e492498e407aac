// Chooses the language of the inspector and translates its frame. Loaded by inspector/main.js, inspector/readers.js and inspector/share.js.
// It is the one chosen here, else the one that the browser asks for. Remembered where the browser allows it.

import { domReady, el, slotText } from '../shared/dom.js';
import { fill, tr, useWords } from '../shared/translate.js';

/**
 * The languages beside English, by their codes, with their translations of what the frame and scripts say. One that has no name is not offered.
 * @type {Record<string, {name: string, sentences: Record<string, string>}>}
 */
const LANGUAGES = JSON.parse(slotText('words'));
let chosen = '';

try {
  chosen = localStorage.getItem('figs-language') || '';
} catch { /* storage may be forbidden; the choice then lasts as long as the page */ }
useLanguage();

/** The code of the language, "de". */
export function language() {
  const codes = [chosen, ...navigator.languages || []].map(tag => (Object.hasOwn(LANGUAGES, tag) ? tag : tag.split('-')[0].toLowerCase()));
  return codes.find(code => code === 'en' || Object.hasOwn(LANGUAGES, code)) || 'en';
}

function useLanguage() {
  const code = language();
  useWords({ code, sentences: code === 'en' ? {} : LANGUAGES[code].sentences });
}

/** Fills the field for the language, and calls a function when another one is chosen. @param {HTMLSelectElement} field @param {() => void} changed */
export function listen(field, changed) {
  const offered = Object.entries(LANGUAGES).filter(([, { name }]) => name);
  field.append(...[['en', 'English'], ...offered.map(([code, { name }]) => [code, name])].map(([code, name]) => el('option', { value: code, lang: code }, name)));
  field.value = language();
  field.onchange = () => {
    chosen = field.value;
    try {
      localStorage.setItem('figs-language', chosen);
    } catch { /* as above */ }
    useLanguage();
    translateFrame();
    changed();
  };
}

/**
 * The sentences of the frame in English, with what stands in their places, and the attributes that hold some.
 * @type {Map<Element, {english: string, parts: Array<Element|string>, attributes: Map<string, string>}>}
 */
const frame = new Map();

/** Translates the elements that the file marks with data-tr, and the attributes of those with data-tr-attributes. */
export function translateFrame() {
  document.documentElement.lang = language();
  if (!frame.size && language() === 'en') return;
  for (const node of document.querySelectorAll('[data-tr], [data-tr-attributes]')) if (!frame.has(node)) frame.set(node, readSentences(/** @type {HTMLElement} */ (node)));
  for (const [node, { english, parts, attributes }] of frame) {
    if (english) node.replaceChildren(...fill(tr(english), ...parts));
    for (const [name, text] of attributes) node.setAttribute(name, tr(text));
  }
}

/** What an element says: its elements stand as {0}, {1}, … in its sentence, see internal/build/sentences. @param {HTMLElement} node */
function readSentences(node) {
  const parts = Array.from(node.children), { tr: translated, trAttributes = '' } = node.dataset;
  const pieces = Array.from(node.childNodes, child => (child instanceof Element ? `{${parts.indexOf(child)}}` : child.textContent));
  const names = trAttributes.split(' ').filter(Boolean);
  return { english: translated === undefined ? '' : pieces.join('').replace(/\s+/g, ' ').trim(), parts, attributes: new Map(names.map(name => [name, node.getAttribute(name)])) };
}

/** Gives an element of the frame another sentence. @param {Element} node @param {string} english @param {...string} parts for {0}, {1}, … */
export function setSentence(node, english, ...parts) {
  frame.set(node, { english, parts, attributes: new Map() });
  node.replaceChildren(...fill(tr(english), ...parts));
}

// Before the first paint, as soon as the last element of the frame is parsed: what follows in the file takes a while.
if (language() !== 'en') {
  const observer = new MutationObserver(() => {
    if (!document.querySelector('[data-slot="samples"]')) return;
    observer.disconnect(); // what follows changes the page, too
    translateFrame();
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });
  domReady.then(translateFrame);
}

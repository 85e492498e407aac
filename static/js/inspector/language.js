// Chooses the language of the pages. Loaded by inspector/main.js, inspector/readers.js and inspector/share.js.
// It is the one chosen here, else the one that the browser asks for. Remembered where the browser allows it.

import { $ } from '../shared/dom.js';

/** What each language calls itself. @type {Record<string, string>} */
const NAMES = { en: 'English', de: 'Deutsch' };
let chosen = '';

try {
  chosen = localStorage.getItem('figs-language') || '';
} catch { /* storage may be forbidden; the choice then lasts as long as the page */ }

/** Pseudo-English, which finds text that is not translated. The switch doesn't offer it. */
const PSEUDO = 'en-XA';

/** The code of the language, "de". */
export function language() {
  const asked = [chosen, ...navigator.languages || []].map(tag => tag === PSEUDO ? tag : tag.split('-')[0].toLowerCase());
  return asked.find(code => code === PSEUDO || Object.hasOwn(NAMES, code)) || 'en';
}

/** The language after the present one: the switch goes round. */
function nextLanguage() {
  const codes = Object.keys(NAMES);
  return codes[(codes.indexOf(language()) + 1) % codes.length];
}

/** Goes to the next one. @param {HTMLElement} button its switch */
export function switchLanguage(button) {
  chosen = nextLanguage();
  try {
    localStorage.setItem('figs-language', chosen);
  } catch { /* as above */ }
  labelButton(button);
}

/** Puts the next one on its switch, and says what the pages are in. @param {HTMLElement} button */
export function labelButton(button) {
  button.lang = nextLanguage();
  button.textContent = NAMES[nextLanguage()];
  $('view').lang = language();
}

// Switches between light and dark colours. Loaded by hosted/hosted.js and inspector/main.js.
// Or as the system says. Remembered where the browser allows it.

import { say } from './dom.js';

const ORDER = ['system', 'light', 'dark'];
/** @type {Record<string, string>} */
const SIGN = { system: '◐', light: '☀', dark: '☾' };
/** @type {Record<string, string>} */
const WORDS = { system: 'as the system says', light: 'light', dark: 'dark' };
let theme = 'system';

try {
  theme = ORDER.find(name => name === localStorage.getItem('figs-theme')) || 'system';
} catch { /* storage may be forbidden; the choice then lasts as long as the page */ }
paint();

/** Goes to the next of the three. @param {HTMLElement} button its switch */
export function next(button) {
  theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
  try {
    localStorage.setItem('figs-theme', theme);
  } catch { /* as above */ }
  paint();
  label(button);
  say('Colours: ' + WORDS[theme]);
}

/** Before the first paint, so that nothing flashes. */
function paint() {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme; else root.dataset.theme = theme;
}

/** Puts the choice on its switch. @param {HTMLElement} button */
export function label(button) {
  button.firstElementChild.textContent = SIGN[theme];
  button.setAttribute('aria-label', 'Colours: ' + WORDS[theme]);
  button.title = 'Colours: ' + WORDS[theme];
}

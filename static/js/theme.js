// Colours: as the system says, light, or dark. Remembered where the browser allows it.

import { say } from './dom.js';

const ORDER = ['system', 'light', 'dark'];
const SIGN = { system: '◐', light: '☀', dark: '☾' };
const WORDS = { system: 'as the system says', light: 'light', dark: 'dark' };
let theme = 'system';

/** @param {HTMLElement} button */
export function start(button) {
  try {
    theme = ORDER.find(name => name === localStorage.getItem('figs-theme')) || 'system';
  } catch { /* storage may be forbidden; the choice then lasts as long as the page */ }
  apply(button);
}

/** Goes to the next of the three. */
export function next(button) {
  theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
  try {
    localStorage.setItem('figs-theme', theme);
  } catch { /* as above */ }
  apply(button);
  say('Colours: ' + WORDS[theme]);
}

function apply(button) {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme; else root.dataset.theme = theme;
  button.firstElementChild.textContent = SIGN[theme];
  button.setAttribute('aria-label', 'Colours: ' + WORDS[theme]);
  button.title = 'Colours: ' + WORDS[theme];
}

// Switches between light and dark colours. Loaded by hosted/hosted.js and inspector/main.js.
// Or as the system says. Remembered where the browser allows it.

import { announce } from './dom.js';
import { msg, tr } from './translate.js';

const THEMES = ['system', 'light', 'dark'];
/** @type {Record<string, string>} */
const ICONS = { system: '◐', light: '☀', dark: '☾' };
/** @type {Record<string, string>} */
const LABELS = { system: msg('Colours: system setting'), light: msg('Colours: light'), dark: msg('Colours: dark') };
let theme = 'system';

try {
  theme = THEMES.find(name => name === localStorage.getItem('figs-theme')) || 'system';
} catch { /* storage may be forbidden; the choice then lasts as long as the page */ }
applyTheme();

/** Goes to the next of the three. @param {HTMLElement} button its switch */
export function switchTheme(button) {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  try {
    localStorage.setItem('figs-theme', theme);
  } catch { /* as above */ }
  applyTheme();
  labelButton(button);
  announce(label());
}

/** The choice, for people. */
const label = () => tr(LABELS[theme]);

/** Before the first paint, so that nothing flashes. */
function applyTheme() {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme; else root.dataset.theme = theme;
}

/** Puts the choice on its switch. @param {HTMLElement} button */
export function labelButton(button) {
  button.firstElementChild.textContent = ICONS[theme];
  button.setAttribute('aria-label', label());
  button.title = label();
}

// Filters a list while someone types. Loaded by hosted/hosted.js for pages with such a list.
// The page is requested with what the field contains, as its form would, without a new entry of the history.

import { closestTo } from '../shared/dom.js';
import * as navigation from './navigation.js';
import { patch } from './patch.js';

const PAUSE_MS = 250; // without typing, before the page is requested

const FIELD = 'form[data-typed] input[type="search"]';

let timer = 0;

document.addEventListener('input', event => {
  /** @type {HTMLInputElement|null} */
  const field = closestTo(event, FIELD);
  if (!field) return;
  clearTimeout(timer);
  timer = setTimeout(() => apply(field.form), PAUSE_MS);
});
document.addEventListener('submit', () => clearTimeout(timer));

// What someone types into stays; what is around it changes where it is.
document.addEventListener('figs:replace', (/** @type {CustomEvent<HTMLElement>} */ event) => {
  if (!document.activeElement.matches(FIELD) || !event.detail.querySelector(FIELD)) return;
  event.preventDefault();
  patch(document.getElementById('view'), event.detail);
});

/** @param {HTMLFormElement} form */
function apply(form) {
  if (!form.isConnected) return; // on another page by now
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value && typeof value === 'string') url.searchParams.append(name, value);
  navigation.goTo(url, 'replace');
}

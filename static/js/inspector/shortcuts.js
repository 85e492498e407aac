// Acts on the inspector's keys and lists them. Loaded by inspector/main.js and inspector/search.js.
// j and k go through the rows of a page, ? lists all keys and turns them off for those whom single letters disturb.

import { $, el, isTyping } from '../shared/dom.js';

const KEYS = [['j', 'next in the list'], ['k', 'previous in the list'], ['Enter', 'open it'], ['/', 'search'], ['[', 'one line back, where a point in time is shown'], [']', 'one line on'], ['?', 'this list']];
const ROWS = '#view :is(ol, ul) > :is(.row, .card, [data-live])';

let on = true;
/** @type {HTMLDialogElement|null} */
let dialog = null;

/** Whether keys do anything. */
export const areOn = () => on;

/** Listens to the keyboard. */
export function listen() {
  try {
    on = localStorage.getItem('figs-keys') !== 'off';
  } catch { /* storage may be forbidden; the keys then are on */ }
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event)) return;
    const act = { '?': open, j: () => on && move(1), k: () => on && move(-1) }[event.key]; // ? leads to the switch, so it always works
    if (act && act()) event.preventDefault();
  });
}

/** Moves the focus along the rows of the page. @param {number} step 1 or -1 @returns {boolean} whether there are any */
function move(step) {
  const links = $('view').hidden ? [] : [...document.querySelectorAll(ROWS)].map(row => row.querySelector('a[href]')).filter(link => link && link.checkVisibility());
  if (!links.length) return false;
  const row = document.activeElement.closest(ROWS), at = links.findIndex(link => link.closest(ROWS) === row);
  const link = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + step))];
  link.focus({ focusVisible: true });
  link.closest(ROWS).scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return true;
}

/** Shows the list of keys. */
function open() {
  if (!dialog) document.body.append(dialog = make());
  if (!dialog.open) dialog.showModal();
  return true;
}

function make() {
  const rows = KEYS.map(([key, what]) => el('tr', {}, el('th', { scope: 'row' }, el('kbd', { textContent: key })), el('td', { textContent: what })));
  const box = el('input', { type: 'checkbox', checked: on });
  box.addEventListener('change', () => {
    on = box.checked;
    try {
      localStorage.setItem('figs-keys', on ? 'on' : 'off');
    } catch { /* as above */ }
  });
  const made = el('dialog', { className: 'in-dialog' }, el('form', { method: 'dialog' },
    el('h2', { id: 'keys-title', textContent: 'Keys' }), el('table', {}, el('tbody', {}, ...rows)),
    el('p', {}, el('label', {}, box, ' Use these keys')), el('button', { type: 'submit', className: 'in-btn', textContent: 'Close' })));
  made.setAttribute('aria-labelledby', 'keys-title');
  return made;
}

// Keys for those who do not want to reach for the mouse. One letter is enough, which disturbs
// people who speak to their computer: the list of keys has a switch that turns them off.

import { el } from './dom.js';
import * as pages from './pages.js';

const KEYS = [
  ['j', 'the next in a list'], ['k', 'the one before'], ['Enter', 'open it'], ['/', 'search'],
  ['g i', 'the inbox'], ['g o', 'the org chart'], ['g a', 'activity'], ['?', 'this list'],
];

let on = true, dialog = null, leader = 0;

const acts = { j: () => move(1), k: () => move(-1), '/': search, '?': help, g: () => { leader = Date.now(); return true; } };

/** Listens to the keyboard. */
export function begin() {
  try {
    on = localStorage.getItem('figs-keys') !== 'off';
  } catch { /* storage may be forbidden; the choice then lasts as long as the page */ }
  document.addEventListener('keydown', pressed);
}

function pressed(event) {
  if (!on || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest && event.target.closest('input, textarea, select, dialog, [contenteditable]')) return;
  const second = Date.now() - leader < 1500;
  leader = 0;
  if (second ? goTo(event.key) : Object.hasOwn(acts, event.key) && acts[event.key]()) event.preventDefault();
}

/** Moves the focus along the lists of the page, which show their rows in order. */
function move(step) {
  const links = [...document.querySelectorAll('#view [data-live-list] [data-live]')].map(row => row.querySelector('a[href]')).filter(link => link && link.checkVisibility());
  if (links.length === 0) return false;
  const row = document.activeElement.closest('[data-live]');
  const at = links.findIndex(link => link.closest('[data-live]') === row);
  const link = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + step))];
  link.focus({ focusVisible: true });
  link.closest('[data-live]').scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return true;
}

function search() {
  const field = [...document.querySelectorAll('#view input[type="search"], input[data-search]')].find(node => node.checkVisibility());
  if (field) {
    field.focus();
    field.select();
    return true;
  }
  return follow('[data-search]');
}

const goTo = letter => follow(`[data-go="${CSS.escape(letter)}"]`);

function follow(selector) {
  const link = document.querySelector(`a${selector}`);
  if (link) pages.go(new URL(link.href));
  return Boolean(link);
}

/** Opens the list of keys. */
export function help() {
  if (!dialog) document.body.append(dialog = make());
  if (!dialog.open) dialog.showModal();
  return true;
}

function make() {
  const title = el('h2', { id: 'keys-title', textContent: 'Keys' });
  const rows = KEYS.map(([key, what]) => el('tr', {}, el('th', { scope: 'row' }, ...key.split(' ').flatMap(k => [el('kbd', { textContent: k }), ' '])), el('td', { textContent: what })));
  const box = el('input', { type: 'checkbox', checked: on });
  box.addEventListener('change', () => turn(box.checked));
  const close = el('button', { type: 'submit', className: 'button', textContent: 'Close' });
  const made = el('dialog', { className: 'in-dialog keys' }, el('form', { method: 'dialog' }, title, el('table', {}, el('tbody', {}, ...rows)), el('p', {}, el('label', {}, box, ' Use these keys')), close));
  made.setAttribute('aria-labelledby', 'keys-title');
  return made;
}

function turn(to) {
  on = to;
  try {
    if (on) localStorage.removeItem('figs-keys'); else localStorage.setItem('figs-keys', 'off');
  } catch { /* as above */ }
}

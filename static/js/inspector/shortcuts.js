// Acts on the inspector's keys and lists them. Loaded by inspector/main.js and inspector/search.js.
// j and k go through the rows of a page, ? lists all keys and turns them off for those whom single letters disturb.

import { $, el, isTyping } from '../shared/dom.js';
import { msg, tr } from '../shared/translate.js';

const KEYS = [['j', msg('next item')], ['k', msg('previous item')], ['Enter', msg('open item')], ['/', msg('search')], ['[', msg('previous line, when viewing a point in time')], [']', msg('next line')], ['?', msg('show this list')]];
const ROW_SELECTOR = '#view :is(ol, ul) > :is(.row, .card, [data-live])';

let isOn = true;
/** @type {HTMLDialogElement|null} */
let dialog = null;

/** Whether keys do anything. */
export const areShortcutsOn = () => isOn;

/** Listens to the keyboard. */
export function listen() {
  try {
    isOn = localStorage.getItem('figs-keys') !== 'off';
  } catch { /* storage may be forbidden; the keys then are on */ }
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event)) return;
    const act = { '?': openDialog, j: () => isOn && moveFocus(1), k: () => isOn && moveFocus(-1) }[event.key]; // ? leads to the switch, so it always works
    if (act && act()) event.preventDefault();
  });
}

/** Moves the focus along the rows of the page. @param {number} step 1 or -1 @returns {boolean} whether there are any */
function moveFocus(step) {
  const links = $('view').hidden ? [] : [...document.querySelectorAll(ROW_SELECTOR)].map(row => row.querySelector('a[href]')).filter(link => link && link.checkVisibility());
  if (!links.length) return false;
  const row = document.activeElement.closest(ROW_SELECTOR), index = links.findIndex(link => link.closest(ROW_SELECTOR) === row);
  const link = links[index < 0 ? (step > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, index + step))];
  link.focus({ focusVisible: true });
  link.closest(ROW_SELECTOR).scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return true;
}

/** Shows the list of keys. */
function openDialog() {
  if (!dialog) document.body.append(dialog = makeDialog());
  if (!dialog.open) dialog.showModal();
  return true;
}

function makeDialog() {
  const rows = KEYS.map(([key, what]) => el('tr', {}, el('th', { scope: 'row' }, el('kbd', { textContent: key })), el('td', { textContent: tr(what) })));
  const checkbox = el('input', { type: 'checkbox', checked: isOn });
  checkbox.addEventListener('change', () => {
    isOn = checkbox.checked;
    try {
      localStorage.setItem('figs-keys', isOn ? 'on' : 'off');
    } catch { /* as above */ }
  });
  const dialogNode = el('dialog', { className: 'in-dialog' }, el('form', { method: 'dialog' },
    el('h2', { id: 'keys-title', textContent: tr('Keys') }), el('table', {}, el('tbody', {}, ...rows)),
    el('p', {}, el('label', {}, checkbox, ' ' + tr('Use these keys'))), el('button', { type: 'submit', className: 'in-btn', textContent: tr('Close') })));
  dialogNode.setAttribute('aria-labelledby', 'keys-title');
  return dialogNode;
}

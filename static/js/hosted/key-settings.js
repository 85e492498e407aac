// Shows the list of keys, in which a person changes them. Loaded by hosted/keys.js.
// It says what each key does, and has the switch for all of them.

import { el } from '../shared/dom.js';
import { msg, tr } from '../shared/translate.js';

/** What each act does. @type {Record<string, string>} */
const DESCRIPTIONS = {
  next: msg('next item'), previous: msg('previous item'), search: msg('search'), approve: msg('go to the approve or answer button, or to what it needs first'),
  changes: msg('go to the note, then to “Request changes”'), decline: msg('go to the note, then to “Decline”'), snooze: msg('choose how long to snooze'), undo: msg('go to the undo button'),
  go: msg('first of two keys: followed by i for inbox, o for org chart, a for activity'), back: msg('previous line, when viewing a point in time'), on: msg('next line'), keys: msg('show this list'),
};

/** @typedef {Record<string, string>} Keymap the key of each act */

/** @type {HTMLDialogElement|null} */
let dialog = null;
/** @type {Keymap} */
let keymap;
/** @type {boolean} */
let isOn;
/** @type {Keymap} */
let defaults;
/** @type {(keymap: Keymap, isOn: boolean) => void} */
let onChange;
/** @type {Record<string, HTMLInputElement>} */
let fields;
/** @type {HTMLElement} */
let status;
/** @type {HTMLInputElement} */
let checkbox;

/**
 * Opens the list.
 * @param {Keymap} keys @param {boolean} isActive whether they do anything
 * @param {Keymap} usual the keys when no one has chosen others @param {(keymap: Keymap, isOn: boolean) => void} change is told of every change
 */
export function open(keys, isActive, usual, change) {
  keymap = { ...keys };
  isOn = isActive;
  defaults = usual;
  onChange = change;
  if (!dialog) document.body.append(dialog = makeDialog());
  showKeys();
  if (!dialog.open) dialog.showModal();
}

function makeDialog() {
  const title = el('h2', { id: 'keys-title', textContent: tr('Keys') });
  fields = Object.fromEntries(Object.keys(DESCRIPTIONS).map(name => [name, keyField(name)]));
  const rows = Object.entries(DESCRIPTIONS).map(([name, what]) => el('tr', {}, el('th', { scope: 'row' }, fields[name]), el('td', { id: 'keys-' + name, textContent: tr(what) })));
  rows.splice(2, 0, ...[[/^(Mac|iP)/.test(navigator.platform) ? '⌘ K' : tr('Ctrl K'), tr('go to an agent, an ask or a page by typing its name')], ['Enter', tr('open the full page')], ['Esc', tr('back to the list')]].map(([key, text]) => el('tr', {}, el('th', { scope: 'row' }, el('kbd', { textContent: key })), el('td', { textContent: text }))));
  checkbox = el('input', { type: 'checkbox' });
  checkbox.addEventListener('change', () => onChange(keymap, isOn = checkbox.checked));
  status = el('p', { className: 'small', role: 'status' });
  const reset = el('button', { type: 'button', className: 'button', textContent: tr('Reset to defaults') });
  reset.addEventListener('click', () => {
    onChange(keymap = { ...defaults }, isOn);
    showKeys();
    status.textContent = tr('All keys are reset to their defaults.');
  });
  const close = el('button', { type: 'submit', className: 'button', textContent: tr('Close') });
  const intro = el('p', { className: 'small soft', textContent: tr('Keys never submit a decision; only buttons do. To change a key, type another one in its field.') });
  const dialogNode = el('dialog', { className: 'in-dialog keys' }, el('form', { method: 'dialog' }, title, intro, el('table', {}, el('tbody', {}, ...rows)), status, el('p', {}, el('label', {}, checkbox, ' ' + tr('Use these keys'))), reset, ' ', close));
  dialogNode.setAttribute('aria-labelledby', 'keys-title');
  return dialogNode;
}

/** The field for the key of an act. @param {string} name */
function keyField(name) {
  const input = el('input', { type: 'text', className: 'mono', size: 2, autocomplete: 'off', spellcheck: false });
  input.setAttribute('aria-labelledby', 'keys-' + name);
  input.addEventListener('focus', () => input.select());
  input.addEventListener('input', () => {
    const key = [...input.value].find(c => c !== keymap[name]);
    if (key) setKey(name, key); else showKeys();
  });
  return input;
}

/** Gives an act another key, unless another act has it. @param {string} name @param {string} key */
function setKey(name, key) {
  const taken = Object.keys(keymap).find(other => other !== name && keymap[other] === key);
  if (key === ' ') status.textContent = tr('This can\'t be used as a key.');
  else if (taken) status.textContent = tr('“{0}” is already used: {1}. Change that key first.', key, tr(DESCRIPTIONS[taken]));
  else {
    keymap[name] = key;
    onChange(keymap, isOn);
    status.textContent = tr('“{0}” now means: {1}.', key, tr(DESCRIPTIONS[name]));
  }
  showKeys();
}

function showKeys() {
  for (const name of Object.keys(DESCRIPTIONS)) fields[name].value = keymap[name];
  checkbox.checked = isOn;
}

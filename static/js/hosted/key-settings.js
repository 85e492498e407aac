// Shows the list of keys, in which a person changes them. Loaded by hosted/keys.js.
// It says what each key does, and has the switch for all of them.

import { el } from '../shared/dom.js';

/** What each act does. @type {Record<string, string>} */
const WORDS = {
  next: 'the next in a list', previous: 'the one before', search: 'search', approve: 'to the button that approves or answers, or to what it needs first',
  changes: 'to the note, then to “Request changes”', decline: 'to the note, then to “Decline”', undo: 'to the button that takes a decision back',
  go: 'first of two keys: then i for the inbox, o for the org chart, a for activity', back: 'one line back, where a point in time is shown', on: 'one line on', keys: 'this list',
};

/** @typedef {Record<string, string>} Keymap the key of each act */

/** @type {HTMLDialogElement|null} */
let dialog = null;
/** @type {Keymap} */
let map;
/** @type {boolean} */
let on;
/** @type {Keymap} */
let usual;
/** @type {(map: Keymap, on: boolean) => void} */
let choose;
/** @type {Record<string, HTMLInputElement>} */
let fields;
/** @type {HTMLElement} */
let fault;
/** @type {HTMLInputElement} */
let box;

/**
 * Opens the list.
 * @param {Keymap} keys @param {boolean} active whether they do anything
 * @param {Keymap} original the keys when nobody has chosen others @param {(map: Keymap, on: boolean) => void} chosen told of every change
 */
export function open(keys, active, original, chosen) {
  map = { ...keys };
  on = active;
  usual = original;
  choose = chosen;
  if (!dialog) document.body.append(dialog = make());
  paint();
  if (!dialog.open) dialog.showModal();
}

function make() {
  const title = el('h2', { id: 'keys-title', textContent: 'Keys' });
  fields = Object.fromEntries(Object.keys(WORDS).map(name => [name, field(name)]));
  const rows = Object.entries(WORDS).map(([name, what]) => el('tr', {}, el('th', { scope: 'row' }, fields[name]), el('td', { id: 'keys-' + name, textContent: what })));
  rows.splice(2, 0, el('tr', {}, el('th', { scope: 'row' }, el('kbd', { textContent: 'Enter' })), el('td', { textContent: 'open it' })));
  box = el('input', { type: 'checkbox' });
  box.addEventListener('change', () => choose(map, on = box.checked));
  fault = el('p', { className: 'small', role: 'status' });
  const reset = el('button', { type: 'button', className: 'button', textContent: 'The usual keys' });
  reset.addEventListener('click', () => {
    choose(map = { ...usual }, on);
    paint();
    fault.textContent = 'All keys are the usual ones again.';
  });
  const close = el('button', { type: 'submit', className: 'button', textContent: 'Close' });
  const intro = el('p', { className: 'small soft', textContent: 'No key decides anything; you press a button for that. To change a key, type another one into its field.' });
  const made = el('dialog', { className: 'in-dialog keys' }, el('form', { method: 'dialog' }, title, intro, el('table', {}, el('tbody', {}, ...rows)), fault, el('p', {}, el('label', {}, box, ' Use these keys')), reset, ' ', close));
  made.setAttribute('aria-labelledby', 'keys-title');
  return made;
}

/** The field for the key of an act. @param {string} name */
function field(name) {
  const input = el('input', { type: 'text', className: 'mono', size: 2, autocomplete: 'off', spellcheck: false });
  input.setAttribute('aria-labelledby', 'keys-' + name);
  input.addEventListener('focus', () => input.select());
  input.addEventListener('input', () => {
    const key = [...input.value].find(c => c !== map[name]);
    if (key) change(name, key); else paint();
  });
  return input;
}

/** Gives an act another key, unless another act has it. @param {string} name @param {string} key */
function change(name, key) {
  const taken = Object.keys(map).find(other => other !== name && map[other] === key);
  if (key === ' ') fault.textContent = 'This cannot be a key here.';
  else if (taken) fault.textContent = `“${key}” already means: ${WORDS[taken]}. Give that another key first.`;
  else {
    map[name] = key;
    choose(map, on);
    fault.textContent = `“${key}” now means: ${WORDS[name]}.`;
  }
  paint();
}

function paint() {
  for (const name of Object.keys(WORDS)) fields[name].value = map[name];
  box.checked = on;
}

// Shows the dialog in which people type where they want to go: agents, asks, pages, settings. Loaded by hosted/app.js.
// The server says what matches; its links become the options of a list box. The page behind the dialog stays as it is.

import { el, trustedPolicy } from '../shared/dom.js';
import { tr, trCount } from '../shared/translate.js';

const TYPING_MS = 90; // without another letter, before the server is asked

/** @type {HTMLDialogElement|null} */
let dialog = null;
/** @type {HTMLInputElement} */
let field;
/** @type {HTMLElement} */
let list;
/** @type {HTMLElement} */
let status;
/** The address of the page that the list comes from. */
let pageAddress = '';
/** The options on the screen. @type {HTMLAnchorElement[]} */
let options = [];
let chosen = -1, timer = 0;
/** What is asked for; a newer question ends it. @type {AbortController|null} */
let request = null;
/** Whether Enter was pressed before the answer was there. */
let goesOnAnswer = false;

/** Opens the dialog. @param {string} address of the page that does the same @param {string} [typed] what was typed meanwhile */
export function open(address, typed = '') {
  pageAddress = address;
  if (!dialog) document.body.append(dialog = makeDialog());
  if (dialog.open) return field.select();
  field.value = typed;
  dialog.showModal();
  field.focus();
  ask();
}

function makeDialog() {
  field = el('input', { type: 'text', id: 'goto-field', autocomplete: 'off', spellcheck: false, maxLength: 200, placeholder: tr('Agent, ask or page') });
  list = el('div', { id: 'goto-list', role: 'listbox', tabIndex: -1 });
  status = el('p', { className: 'unseen', role: 'status' });
  for (const [name, value] of Object.entries({ 'role': 'combobox', 'aria-label': tr('Agent, ask or page'), 'aria-controls': list.id, 'aria-autocomplete': 'list', 'autocapitalize': 'off', 'enterkeyhint': 'go' })) field.setAttribute(name, value);
  list.setAttribute('aria-label', tr('Results'));
  field.addEventListener('input', () => {
    clearTimeout(timer);
    goesOnAnswer = false;
    timer = window.setTimeout(ask, TYPING_MS);
  });
  field.addEventListener('keydown', onKeydown);
  const node = el('dialog', { className: 'in-dialog goto-dialog' }, field, list, status);
  node.setAttribute('aria-label', tr('Go to'));
  node.addEventListener('close', () => {
    clearTimeout(timer);
    if (request) request.abort();
    options = [];
    choose(-1);
    list.replaceChildren();
  });
  node.addEventListener('click', event => { if (event.target === node || event.target instanceof Element && event.target.closest('a')) node.close(); }, true);
  document.addEventListener('figs:leave', () => node.close());
  return node;
}

/** @param {KeyboardEvent} event */
function onKeydown(event) {
  if (event.isComposing) return;
  const last = options.length - 1;
  /** @type {Record<string, () => void>} */
  const steps = {
    ArrowDown: () => choose(chosen < last ? chosen + 1 : 0), ArrowUp: () => choose(chosen > 0 ? chosen - 1 : last),
    PageDown: () => choose(Math.min(last, chosen + 8)), PageUp: () => choose(Math.max(0, chosen - 8)), Enter: () => follow(event),
  };
  if (!steps[event.key]) return;
  event.preventDefault();
  steps[event.key]();
}

/** Marks an option. The focus stays in the field. @param {number} index */
function choose(index) {
  if (options[chosen]) options[chosen].setAttribute('aria-selected', 'false');
  chosen = options.length ? index : -1;
  field.setAttribute('aria-expanded', String(chosen >= 0));
  if (chosen < 0) return field.removeAttribute('aria-activedescendant');
  options[chosen].setAttribute('aria-selected', 'true');
  options[chosen].scrollIntoView({ block: 'nearest' });
  field.setAttribute('aria-activedescendant', options[chosen].id);
}

/** Goes where the marked option leads; if the answer to what is typed isn't there yet, once it is. @param {{ctrlKey: boolean, metaKey: boolean}} event */
function follow({ ctrlKey, metaKey }) {
  if (timer || request) goesOnAnswer = true;
  else if (options[chosen]) options[chosen].dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey }));
}

/** Asks the server what matches. */
async function ask() {
  timer = 0;
  if (request) request.abort();
  const mine = request = new AbortController();
  const url = new URL(pageAddress, document.baseURI);
  url.search = new URLSearchParams({ as: 'list', q: field.value }).toString();
  let html = '', failed = false;
  try {
    const response = await fetch(url, { signal: mine.signal, redirect: 'error' });
    if (!response.ok) throw new Error(response.statusText);
    html = await response.text();
  } catch {
    failed = true;
  }
  if (request !== mine || mine.signal.aborted) return;
  request = null;
  if (failed) showFailure();
  else showAnswer(new DOMParser().parseFromString(trustedPolicy.createHTML(html), 'text/html'));
  const goes = goesOnAnswer;
  goesOnAnswer = false;
  if (goes) follow({ ctrlKey: false, metaKey: false });
}

/** Makes the links of the answer the options. @param {Document} answer */
function showAnswer(answer) {
  options = [];
  list.replaceChildren(...[...answer.querySelectorAll('section')].map(section => {
    const name = section.querySelector('h2').textContent;
    const group = el('div', { role: 'group', className: 'goto-group' }, el('p', { role: 'presentation', className: 'goto-heading', textContent: name }));
    group.setAttribute('aria-label', name);
    for (const link of section.querySelectorAll('a')) {
      const option = document.importNode(link, true);
      Object.assign(option, { id: 'goto-' + options.length, role: 'option', tabIndex: -1 });
      option.setAttribute('aria-selected', 'false');
      options.push(option);
      group.append(option);
    }
    return group;
  }));
  list.scrollTop = 0;
  chosen = -1;
  choose(0);
  status.textContent = answer.querySelector('.goto-none')?.textContent || trCount(options.length, '1 result', '{0} results');
}

function showFailure() {
  options = [];
  choose(-1);
  status.textContent = tr('The list couldn\'t be loaded.');
  list.replaceChildren(el('a', { id: 'goto-0', role: 'option', tabIndex: -1, className: 'goto-link', href: pageAddress, textContent: tr('The list couldn\'t be loaded.') + ' ' + tr('Open the page instead') }));
  options = [...list.querySelectorAll('a')];
  choose(0);
}

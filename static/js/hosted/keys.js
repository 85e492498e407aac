// Acts on the keys that a person presses on the server's pages. Loaded by hosted/hosted.js.
// One letter is enough, which disturbs people who speak to their computer: the list of keys has a switch that turns them
// off, and gives each another letter. No key decides anything: they lead to where one decides.

import { isTyping } from '../shared/dom.js';
import * as navigation from './navigation.js';

/** What keys do, and which ones do it when nobody has chosen others. @type {Record<string, string>} */
const USUAL = { next: 'j', previous: 'k', search: '/', approve: 'a', changes: 'c', decline: 'r', undo: 'u', go: 'g', back: '[', on: ']', keys: '?' };

let map = USUAL, on = true;
let leader = 0; // when the first of two keys was pressed
/** @type {(key: string) => boolean} */
let wish;

/** What each act does; whether there was anything to do. @type {Record<string, () => boolean>} */
const acts = {
  next: () => move(1), previous: () => move(-1), search, keys: help, go: () => { leader = Date.now(); return true; },
  approve: () => wish('a'), changes: () => wish('c'), decline: () => wish('r'), undo: () => wish('u'),
  back: () => follow('[data-step="back"]'), on: () => follow('[data-step="on"]'),
};

/** Listens to the keyboard. @param {(key: string) => boolean} decide what the keys that want to decide do */
export function begin(decide) {
  wish = decide;
  try {
    on = localStorage.getItem('figs-keys') !== 'off';
    map = { ...USUAL, ...JSON.parse(localStorage.getItem('figs-keymap')) };
  } catch { /* storage may be forbidden; the choice then lasts as long as the page */ }
  document.addEventListener('keydown', pressed);
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (!on || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event)) return;
  const second = Date.now() - leader < 1500, act = Object.keys(acts).find(name => map[name] === event.key);
  leader = 0;
  if (second ? goTo(event.key) : act && acts[act]()) event.preventDefault();
}

/** Moves the focus along the lists of the page, which show their rows in order. @param {number} step 1 or -1 */
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
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll('#view input[type="search"], input[data-search]');
  const field = [...fields].find(node => node.checkVisibility());
  if (field) {
    field.focus();
    field.select();
    return true;
  }
  return follow('[data-search]');
}

/** @param {string} letter the second of two keys */
const goTo = letter => follow(`[data-go="${CSS.escape(letter)}"]`);

/** @param {string} selector of a link */
function follow(selector) {
  /** @type {HTMLAnchorElement|null} */
  const link = document.querySelector(`a${selector}`);
  if (link) navigation.go(new URL(link.href));
  return Boolean(link);
}

/** Opens the list of keys, which is fetched when somebody wants to see it. */
export function help() {
  import('./key-settings.js').then(list => list.open(map, on, USUAL, choose), () => {});
  return true;
}

/** Takes other keys, or none. @param {Record<string, string>} to @param {boolean} active */
function choose(to, active) {
  map = to;
  on = active;
  try {
    localStorage.setItem('figs-keys', on ? 'on' : 'off');
    localStorage.setItem('figs-keymap', JSON.stringify(map));
  } catch { /* as above */ }
}

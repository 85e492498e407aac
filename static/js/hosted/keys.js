// Handles the keys that a person presses on the server's pages. Loaded by hosted/hosted.js.
// One letter is enough, which disturbs people who speak to their computer: the list of keys has a switch that turns them
// off, and gives each another letter. No key decides anything: they lead to where one decides.

import { isTyping } from '../shared/dom.js';
import * as navigation from './navigation.js';

/** What keys do, and which ones do it when no one has chosen others. @type {Record<string, string>} */
const DEFAULT_KEYS = { next: 'j', previous: 'k', search: '/', approve: 'a', changes: 'c', decline: 'd', undo: 'u', go: 'g', back: '[', on: ']', keys: '?', snooze: 'e' };
const OLD_DECLINE = 'r'; // declines, too, unless someone gave it to something else

let keymap = DEFAULT_KEYS, isOn = true;
let leaderAt = 0; // when the first of two keys was pressed
/** @type {(key: string) => boolean} */
let decideByKey;

/** What each act does; whether there was anything to do. @type {Record<string, () => boolean>} */
const actions = {
  next: () => moveFocus(1), previous: () => moveFocus(-1), search: focusSearch, keys: openSettings, go: () => { leaderAt = Date.now(); return true; },
  approve: () => decideByKey('a'), changes: () => decideByKey('c'), decline: () => decideByKey('r'), undo: () => decideByKey('u'),
  back: () => followLink('[data-step="back"]'), on: () => followLink('[data-step="on"]'), snooze: () => decideByKey('e'),
};

/** Listens to the keyboard. @param {(key: string) => boolean} decide what the keys for decisions do */
export function listen(decide) {
  decideByKey = decide;
  try {
    isOn = localStorage.getItem('figs-keys') !== 'off';
    keymap = { ...DEFAULT_KEYS, ...JSON.parse(localStorage.getItem('figs-keymap')) };
  } catch { /* storage may be forbidden; the choice then lasts as long as the page */ }
  document.addEventListener('keydown', onKeydown);
}

/** @param {KeyboardEvent} event */
function onKeydown(event) {
  if (!isOn || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event)) return;
  const isSecond = Date.now() - leaderAt < 1500, act = Object.keys(actions).find(name => keymap[name] === event.key) || event.key === OLD_DECLINE && 'decline';
  leaderAt = 0;
  if (isSecond ? goTo(event.key) : act && actions[act]()) event.preventDefault();
}

/** Moves the focus along the lists of the page, which show their rows in order. @param {number} step 1 or -1 */
function moveFocus(step) {
  if (!document.dispatchEvent(new CustomEvent('figs:move', { detail: step, cancelable: true }))) return true;
  const links = [...document.querySelectorAll('#view [data-live-list] [data-live]')].map(row => row.querySelector('a[href]')).filter(link => link && link.checkVisibility());
  if (links.length === 0) return false;
  const row = document.activeElement.closest('[data-live]');
  const index = links.findIndex(link => link.closest('[data-live]') === row);
  const link = links[index < 0 ? (step > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, index + step))];
  link.focus({ focusVisible: true });
  link.closest('[data-live]').scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return true;
}

/** Gives the focus to the field of a search, or goes to its page. */
function focusSearch() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll('#view input[type="search"], input[data-search]');
  const field = [...fields].find(node => node.checkVisibility());
  if (field) {
    field.focus();
    field.select();
    return true;
  }
  return followLink('[data-search]');
}

/** Goes to a page of the workspace. @param {string} letter the second of two keys */
const goTo = letter => followLink(`[data-go="${CSS.escape(letter)}"]`);

/** Goes where a link leads. @param {string} selector @returns {boolean} whether there is such a link */
function followLink(selector) {
  /** @type {HTMLAnchorElement|null} */
  const link = document.querySelector(`a${selector}`);
  if (link) navigation.goTo(new URL(link.href));
  return Boolean(link);
}

/** Opens the list of keys, which is fetched when someone wants to see it. */
export function openSettings() {
  import('./key-settings.js').then(list => list.open(keymap, isOn, DEFAULT_KEYS, saveKeys), () => {});
  return true;
}

/** Takes other keys, or none. @param {Record<string, string>} newKeymap @param {boolean} isActive */
function saveKeys(newKeymap, isActive) {
  keymap = newKeymap;
  isOn = isActive;
  try {
    localStorage.setItem('figs-keys', isOn ? 'on' : 'off');
    localStorage.setItem('figs-keymap', JSON.stringify(keymap));
  } catch { /* as above */ }
}

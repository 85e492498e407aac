// Keeps what a person has begun to reply to an ask. Loaded by hosted/decide.js, inspector/compose.js and inspector/attachment.js.
// The draft stays when the page around the form is written anew, and it is never bound to what that person has not seen: a
// form carries what its own page showed, and when that changes between two pages, ticks are given again and the page says so.

import { closestTo, count, el } from './dom.js';

/** @typedef {{name: string, value: string, checked: boolean}} SavedField */

const TYPED = new Set(['text', 'by', 'reason', 'quote-passage']), TICKS = new Set(['step', 'waive']), CHOICES = new Set(['chosen', 'next']);

/**
 * By the form's key: the fields as they were, and what the form was bound to.
 * @type {Map<string, {about: string, fields: SavedField[]}>}
 */
const kept = new Map();
let seen = { at: '', about: '' }; // what the page before showed of its ask
let news = ''; // the place of a form that says that its ask has changed

/** What a form is bound to: the ask's revision and its files. @param {ParentNode} form */
const about = form => Array.from(form.querySelectorAll('[name="revision"], [name="file"]'), (/** @type {Field} */ field) => field.value).join('\n');

/**
 * Notes what a form holds, before its page is replaced.
 * @param {HTMLFormElement} form @param {string} at names the ask
 */
export function take(form, at) {
  seen = { at, about: about(form) };
  if (!touched(form)) return kept.delete(at);
  kept.set(at, { about: seen.about, fields: fieldsOf(form).map(({ name, value, checked }) => ({ name, value, checked })) });
}

/** Whether someone has written or chosen something in a form. @param {HTMLFormElement} form */
export const touched = form => fieldsOf(form).some(changed);

/** @param {HTMLFormElement} form @returns {Field[]} */
const fieldsOf = form => elementsOf(form).filter(({ name }) => TYPED.has(name) || TICKS.has(name) || CHOICES.has(name));

/** @param {HTMLFormElement} form @returns {Field[]} */
const elementsOf = form => /** @type {any} */ ([...form.elements]);

/** @param {Field} field */
const changed = field => field.value !== field.defaultValue || field.checked !== field.defaultChecked;

const who = () => document.querySelector('.rail-name')?.textContent || '';

/** Keeps it over a full load of this window, which may be quicker than the draft on its way. @param {string} at */
export function stash(at) {
  try {
    sessionStorage.setItem('figs-words', JSON.stringify([at, kept.get(at), who()]));
  } catch { /* storage may be forbidden or full; there is the draft */ }
}

/** Takes what the page before left in this window. */
export function unstash() {
  try {
    const [at, was, by] = JSON.parse(sessionStorage.getItem('figs-words')) || [];
    sessionStorage.removeItem('figs-words');
    if (was && by === who()) kept.set(at, was); // in one window two people may sign in, one after the other
  } catch { /* as above */ }
}

/** Whether anything is kept that was not sent. */
export const isKept = () => kept.size > 0;

/** Forgets what was kept for a form: it was sent. @param {string} at */
export const forget = at => kept.delete(at);

/** The text that was kept for an ask, where there is no form any more. @param {string} at */
export function left(at) {
  const was = kept.get(at), text = was && was.fields.find(({ name }) => name === 'text');
  return text ? text.value : '';
}

/** Gives a fresh form what was kept for it. @param {HTMLFormElement} form @param {string} at names the ask */
export function give(form, at) {
  const was = kept.get(at), now = about(form);
  const other = was && was.about !== now || seen.at === at && seen.about !== now;
  if (was) for (const field of elementsOf(form)) fill(field, was.fields, other);
  if (seen.at !== at && news !== at) news = '';
  if (other) news = at;
  seen = { at, about: now };
  if (was && other) was.about = now;
  if (news === at && !document.querySelector('.deciding-behind')) form.prepend(el('p', { className: 'deciding-behind', role: 'alert' }, 'This ask has changed since you first opened it. Read it again before you decide. Your note is kept; confirm the steps again.'));
}

/** @param {Field} field @param {SavedField[]} fields @param {boolean} other whether the form is bound to something else now */
function fill(field, fields, other) {
  if (TYPED.has(field.name)) {
    const was = fields.find(({ name }) => name === field.name);
    if (was && !changed(field)) field.value = was.value;
  } else if (CHOICES.has(field.name) || TICKS.has(field.name) && !other) {
    const was = fields.find(({ name, value }) => name === field.name && value === field.value);
    if (was) field.checked = was.checked;
  }
}

/** The fields without which nothing is approved. @param {HTMLFormElement} form */
const lacking = form => elementsOf(form).filter(field => field.required && !field.validity.valid);

/** The labels of the ticks for files that are not viewed. @param {ParentNode} form */
const unviewed = form => [...form.querySelectorAll('[data-waive-file]')].filter(label => !label.closest('li').hidden);
/** @param {HTMLElement} label */
const waived = label => label.querySelector('input').checked;
/** @param {HTMLElement} label */
const nameOf = label => label.querySelector('bdi').textContent;

/**
 * Where the person goes to view a file: its tab, or what its note offers where it is open already.
 * @param {HTMLElement} label @returns {HTMLElement|undefined}
 */
function placeOf(label) {
  const sum = CSS.escape(label.dataset.waiveFile);
  return document.querySelector(`.file-tab[data-sha256="${sum}"]:not([aria-current])`)
    || [...document.querySelectorAll('.view-note button, .view-note a, #view .viewer-note :is(a, button)')].find(node => node.checkVisibility());
}

/**
 * Says which file is to be viewed first, or that a reason is missing; "" when nothing is.
 * @param {HTMLFormElement} form
 */
export function missing(form) {
  const labels = unviewed(form), label = labels.find(label => !waived(label));
  if (label) return placeOf(label)?.matches('.file-tab') ? `Open ${nameOf(label)} first.` : document.querySelector('#view .viewer-frame') ? `Read ${nameOf(label)} to its end first.` : `Download ${nameOf(label)} first.`;
  return labels.length && !reasonOf(form).value.trim() ? 'Say why you approve without viewing every file.' : '';
}

/** @param {HTMLFormElement} form @returns {Field} */
const reasonOf = form => form.elements.reason;

/** The first thing that an approval lacks: where the person goes next. @param {HTMLFormElement} form @returns {HTMLElement|undefined} */
export function first(form) {
  const labels = unviewed(form), label = labels.find(label => !waived(label));
  if (label) return placeOf(label) || label.querySelector('input');
  return labels.length && !reasonOf(form).value.trim() ? reasonOf(form) : lacking(form)[0];
}

/**
 * Holds an approval back that comes too early, says beside its button what is missing, and leads there.
 * @param {HTMLFormElement} form @param {Event} event a click on a button @returns {boolean} whether it may go
 */
export function ready(form, event) {
  const text = missing(form), old = form.querySelector('.deciding-first');
  const lacks = first(form), sheet = form.querySelector('[popover]:popover-open');
  if (old) old.remove();
  if (!lacks) return true;
  if (sheet && !sheet.contains(lacks)) sheet.hidePopover(); // what is missing is behind it
  if (!text) return false; // the browser says so
  event.preventDefault();
  const early = el('p', { className: 'deciding-first', role: 'alert' });
  const button = closestTo(event, 'button');
  if (button.checkVisibility()) button.parentElement.prepend(early); else form.querySelector('#decide-waits').append(early);
  early.textContent = text; // what is put into an alert that is there already is read aloud
  lacks.focus({ focusVisible: true });
  return false;
}

/**
 * Says beside the buttons what an approval still waits for.
 * @param {HTMLFormElement} form @returns {string} the sentence; "" when it waits for nothing
 */
export function tell(form) {
  const button = form.querySelector('button[value="approved"]');
  if (!button) return '';
  remember(form);
  const files = unviewed(form).filter(label => !waived(label)).length;
  const lacks = lacking(form), n = (/** @type {string} */ name) => lacks.filter(field => field.name === name).length;
  const words = [
    files && `open ${count(files, 'file')}`,
    !files && missing(form) && 'give a reason',
    n('hidden') && `read the hidden text of ${count(n('hidden'), 'file')}`,
    n('step') && `confirm ${count(n('step'), 'step')}`,
    n('by') && 'enter your name',
  ].filter(Boolean).join(', ');
  if (words) button.setAttribute('aria-disabled', 'true'); else button.removeAttribute('aria-disabled');
  const place = form.querySelector('#decide-waits') || button.parentElement;
  const said = form.querySelector('[data-missing]') || place.appendChild(el('p', { className: 'small', role: 'status' }));
  said.dataset.missing = '';
  for (const node of form.querySelectorAll('.until-ticked')) node.hidden = true; // which says the same, once and for all
  const text = words && `Before you approve: ${words}.`;
  if (said.textContent !== text) said.textContent = text;
  return text;
}

/**
 * By form and file: what the browser measured, which outlives the form on the page.
 * @type {Map<string, Measured>}
 * @typedef {{hidden: number, widths: number[]}} Measured how many texts are hidden, and at which widths they were looked for
 */
const undrawn = new Map();

/** @param {HTMLFormElement} form */
const formOf = form => form.getAttribute('action') || location.hash.split('?')[0];

/**
 * Notes what the browser measured of a file. Where it found text that it does not draw, an approval takes a tick.
 * @param {HTMLFormElement} form @param {string} file its SHA-256 or its key @param {Measured} found
 */
export function measured(form, file, found) {
  if (!file || !found.widths.length) return;
  undrawn.set(`${formOf(form)} ${file}`, found);
  tell(form);
}

/** Puts what was measured into a form. @param {HTMLFormElement} form */
function remember(form) {
  for (const label of form.querySelectorAll('[data-hidden-file]')) {
    const { hiddenFile, hiddenKey, number } = label.dataset, at = formOf(form);
    const found = undrawn.get(`${at} ${hiddenFile}`) || undrawn.get(`${at} ${hiddenKey}`);
    if (!found) continue;
    let field = /** @type {HTMLInputElement} */ (form.querySelector(`input[name="measured"][data-number="${number}"]`));
    if (!field) {
      field = form.appendChild(el('input', { type: 'hidden', name: 'measured' }));
      field.dataset.number = number;
    }
    field.value = `${number} ${found.hidden} ${found.widths.join()}`;
    if (!found.hidden) continue;
    label.closest('li').hidden = false;
    label.querySelector('input').required = true;
  }
}

/** A file counts as viewed: nothing waits for it any more. @param {HTMLElement} root @param {string} sha256 */
export function opened(root, sha256) {
  if (!sha256) return;
  const named = CSS.escape(sha256);
  const tabs = [...root.querySelectorAll(`:is([data-tick], .viewer-name)[data-sha256="${named}"]`)].filter(tab => !tab.matches('.is-opened, [data-opened]'));
  for (const tab of tabs) {
    tab.classList.add('is-opened');
    tab.dataset.opened = '';
    const sign = tab.querySelector('.unseen');
    if (sign) sign.textContent = 'viewed:';
  }
  const viewed = root.querySelector('[data-viewed]');
  if (viewed && tabs.length) viewed.textContent = String(Number(viewed.textContent) + 1);
  for (const node of root.querySelectorAll(`[data-waive-file="${named}"], [data-unviewed="${named}"]`)) node.closest('li').hidden = true;
  for (const details of root.querySelectorAll('.waiving')) details.hidden = !details.querySelector('li:not([hidden])');
  const early = root.querySelector('.deciding-first');
  if (early) early.remove();
}

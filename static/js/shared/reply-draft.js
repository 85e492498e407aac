// Keeps what a person has begun to reply to an ask. Loaded by hosted/decide.js, remarks/replace.js, inspector/compose.js and inspector/attachment.js.
// The draft stays when the page around the form is replaced, and it is never bound to what that person has not seen: a form
// holds what its own page showed. When that changes between two pages, the steps are to be ticked again, and the page says so.

import { $, closestTo, el } from './dom.js';
import { tr } from './translate.js';

/**
 * @typedef {{name: string, value: string, checked: boolean, key?: string}} SavedField key: see keyedFields
 * @typedef {{binding: string, fields: SavedField[]}} Draft the fields as they were, and what the form was bound to
 */

const TEXT_FIELDS = new Set(['text', 'by', 'reason', 'remark-text', 'remark-suggestion', 'remark-comment', 'remark-suggest', 'remark-quote', 'remark-from', 'remark-to']);
const CHECKBOXES = new Set(['step', 'waive', 'resolved', 'remark-suggests']), CHOICES = new Set(['chosen', 'next']);
const PLACE_FIELDS = new Set(['remark-file', 'remark-before', 'remark-after', 'remark-area', 'remark-view']); // of a remark that someone has begun

/**
 * By the form's key.
 * @type {Map<string, Draft>}
 */
const drafts = new Map();
let lastShown = { key: '', binding: '' }; // what the page before showed of its ask
let changedKey = ''; // the key of the form that says that its ask has changed

/** What a form is bound to: the ask's revision and its files. @param {ParentNode} form */
const bindingOf = form => Array.from(form.querySelectorAll('[name="revision"], [name="file"]'), (/** @type {Field} */ field) => field.value).join('\n');

/**
 * Notes what a form holds, before its page is replaced.
 * @param {HTMLFormElement} form @param {string} key names the ask
 */
export function saveDraft(form, key) {
  lastShown = { key, binding: bindingOf(form) };
  if (!isTouched(form)) return drafts.delete(key);
  drafts.set(key, { binding: lastShown.binding, fields: keyedFields(form).map(({ key, field: { name, value, checked } }) => ({ key, name, value, checked })) });
}

/** Whether someone has written or chosen something in a form. In the inspector, remarks are nowhere but on the page. @param {HTMLFormElement} form */
export const isTouched = form => elementsOf(form).some(field => isTyped(field) && isChanged(field)) || 'compose' in form.dataset && hasRemarks(form);

/** Whether remarks go with a reply. @param {HTMLFormElement} form */
export const hasRemarks = form => Boolean(form.elements.namedItem('remark'));

/** @param {Field} field */
const isTyped = ({ name }) => TEXT_FIELDS.has(name) || CHECKBOXES.has(name) || CHOICES.has(name);

/**
 * The fields that a draft keeps, each with what tells it from others of its name: its value where it is a box, the place of its
 * remark, and which of those it is.
 * @param {HTMLFormElement} form @returns {Array<{key: string, field: Field}>}
 */
function keyedFields(form) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  let place = '';
  return elementsOf(form).filter(field => isTyped(field) || PLACE_FIELDS.has(field.name) || field.name === 'remark').map(field => {
    const { name, value } = field;
    if (name === 'remark') place = value;
    const of = name + ' ' + (CHECKBOXES.has(name) || CHOICES.has(name) ? value : /^remark-(text|suggestion)$/.test(name) ? place : '');
    seen.set(of, (seen.get(of) || 0) + 1);
    return { key: seen.get(of) + of, field };
  });
}

/** All fields. @param {HTMLFormElement} form @returns {Field[]} */
const elementsOf = form => /** @type {any} */ ([...form.elements]);

/** @param {Field} field */
const isChanged = field => field.value !== field.defaultValue || field.checked !== field.defaultChecked;

/** Who is signed in. */
export const personName = () => document.querySelector('.rail-name')?.textContent || '';

/** Keeps a draft over a full load of this window, which may be quicker than its way to the server. @param {string} key */
export function saveToSession(key) {
  try {
    sessionStorage.setItem('figs-words', JSON.stringify([key, drafts.get(key), personName()]));
  } catch { /* storage may be forbidden or full; then the server has the draft */ }
}

/** Takes the draft that the page before left in this window. */
export function restoreFromSession() {
  try {
    const [key, draft, by] = JSON.parse(sessionStorage.getItem('figs-words')) || [];
    sessionStorage.removeItem('figs-words');
    if (draft && by === personName()) drafts.set(key, draft); // in one window two people may sign in, one after the other
  } catch { /* as above */ }
}

/** What is kept for a form. @param {string} key */
export const draftOf = key => drafts.get(key);

/** Keeps a draft that comes from elsewhere. @param {string} key @param {Draft} draft */
export const setDraft = (key, draft) => drafts.set(key, draft);

/** Whether anything is kept that was not sent. */
export const hasDrafts = () => drafts.size > 0;

/** Forgets what was kept for a form: it was sent. @param {string} key */
export const discardDraft = key => drafts.delete(key);

/** The text of a draft. @param {Draft} [draft] */
export const textOf = draft => draft?.fields.find(({ name }) => name === 'text')?.value || '';

/** The text that was kept for an ask, where there is no form any more. @param {string} key */
export const savedText = key => textOf(drafts.get(key));

/** The remarks that were kept for an ask, as a form has them. @param {string} key */
export function savedRemarks(key) {
  const draft = drafts.get(key);
  return new URLSearchParams(!draft ? [] : draft.fields.filter(({ name }) => /^remark(-text|-suggestion)?$/.test(name)).map(({ name, value }) => [name, value])).toString();
}

/** Puts what was kept into a fresh form. @param {HTMLFormElement} form @param {string} key names the ask */
export function restoreDraft(form, key) {
  const draft = drafts.get(key), binding = bindingOf(form);
  const isStale = draft && draft.binding !== binding || lastShown.key === key && lastShown.binding !== binding;
  if (draft) {
    for (const { key, field } of keyedFields(form)) restoreField(field, draft.fields.find(was => was.key === key), isStale, isBegun(draft.fields));
    unfoldRemark();
  }
  if (lastShown.key !== key && changedKey !== key) changedKey = '';
  if (isStale) changedKey = key;
  lastShown = { key, binding };
  if (draft && isStale) draft.binding = binding;
  if (changedKey === key && !document.querySelector('.deciding-behind')) form.prepend(el('p', { className: 'deciding-behind', role: 'alert' }, tr('This ask has changed since you first opened it. Read it again before you decide. Your note is kept; confirm the steps again.')));
}

/** Puts what was kept into a field. @param {Field} field @param {SavedField|undefined} was @param {boolean} isStale whether the form is bound to something else now @param {boolean} isBegun whether someone has begun a remark */
function restoreField(field, was, isStale, isBegun) {
  const { name } = field;
  if (!was) return;
  if (TEXT_FIELDS.has(name) ? !isChanged(field) : PLACE_FIELDS.has(name) && isBegun) field.value = was.value;
  else if (CHOICES.has(name) || CHECKBOXES.has(name) && !isStale) field.checked = was.checked;
}

/** Whether fields hold a remark that isn't added yet. @param {Array<{name: string, value: string}>} fields */
const isBegun = fields => fields.some(({ name, value }) => /^remark-(comment|suggest|quote|area|from)$/.test(name) && value);

/** Unfolds what was typed into a new remark. */
function unfoldRemark() {
  const form = $('remark-new');
  if (!form) return;
  const fields = /** @type {Field[]} */ ([...form.querySelectorAll('[name]')]);
  if (isBegun(fields)) form.open = true;
  for (const field of fields) {
    /** @type {HTMLDetailsElement|null} */
    const folded = field.closest('#remark-new details');
    if (folded && (field.checked || field.type !== 'checkbox' && field.value)) folded.open = true;
  }
}

/** The fields without which nothing is approved. @param {HTMLFormElement} form */
const invalidFields = form => elementsOf(form).filter(field => field.required && !field.validity.valid);

/** The labels of the ticks for files that are not viewed. @param {ParentNode} form */
const unviewedFiles = form => [...form.querySelectorAll('[data-waive-file]')].filter(label => !label.closest('li').hidden);

/** @param {HTMLElement} label */
const isWaived = label => label.querySelector('input').checked;

/** @param {HTMLElement} label */
const fileName = label => label.querySelector('bdi').textContent;

/**
 * Where the person goes to view a file: its tab, or what its note offers where it is open already.
 * @param {HTMLElement} label @returns {HTMLElement|undefined}
 */
function viewTarget(label) {
  const hash = CSS.escape(label.dataset.waiveFile);
  return document.querySelector(`.file-tab[data-sha256="${hash}"]:not([aria-current])`)
    || [...document.querySelectorAll('.view-note button, .view-note a, #view .viewer-note :is(a, button)')].find(node => node.checkVisibility());
}

/**
 * Says which file is to be viewed first, or that a reason is missing; "" when nothing is.
 * @param {HTMLFormElement} form
 */
export function viewHint(form) {
  const labels = unviewedFiles(form), label = labels.find(label => !isWaived(label));
  if (label) return viewTarget(label)?.matches('.file-tab') ? tr('Open {0} first.', fileName(label)) : document.querySelector('#view .viewer-frame') ? tr('Read {0} to its end first.', fileName(label)) : tr('Download {0} first.', fileName(label));
  return labels.length && !reasonOf(form).value.trim() ? tr('Say why you approve without viewing every file.') : '';
}

/** @param {HTMLFormElement} form @returns {Field} */
const reasonOf = form => form.elements.reason;

/** The first thing that an approval lacks: where the person goes next. @param {HTMLFormElement} form @returns {HTMLElement|undefined} */
export function firstBlocker(form) {
  const labels = unviewedFiles(form), unwaived = labels.find(label => !isWaived(label));
  if (unwaived) return viewTarget(unwaived) || unwaived.querySelector('input');
  return labels.length && !reasonOf(form).value.trim() ? reasonOf(form) : invalidFields(form)[0];
}

/**
 * Holds an approval back that comes too early, says beside its button what is missing, and leads there.
 * @param {HTMLFormElement} form @param {Event} event a click on a button @returns {boolean} whether it may go
 */
export function allowApproval(form, event) {
  const hint = viewHint(form), oldHint = form.querySelector('.deciding-first');
  const blocker = firstBlocker(form), sheet = form.querySelector('[popover]:popover-open');
  if (oldHint) oldHint.remove();
  if (!blocker) return true;
  if (sheet && !sheet.contains(blocker)) sheet.hidePopover(); // it covers what is missing
  if (!hint) return false; // the browser says so
  event.preventDefault();
  const hintNode = el('p', { className: 'deciding-first', role: 'alert' });
  const button = closestTo(event, 'button');
  if (button.checkVisibility()) button.parentElement.prepend(hintNode); else form.querySelector('#decide-waits').append(hintNode);
  hintNode.textContent = hint; // what is put into an alert that is there already is read aloud
  blocker.focus({ focusVisible: true });
  return false;
}

/** What to do a number of times; "" for none. @param {number} n @param {string} one @param {string} many has {0} for the number */
const countPhrase = (n, one, many) => (n > 1 ? many.replace('{0}', String(n)) : n ? one : '');

/**
 * Says beside the buttons what is missing before an approval.
 * @param {HTMLFormElement} form @returns {string} the sentence; "" when it waits for nothing
 */
export function updateApproval(form) {
  const button = form.querySelector('button[value="approved"]');
  if (!button) return '';
  fillMeasurements(form);
  const unviewed = unviewedFiles(form).filter(label => !isWaived(label)).length;
  const invalid = invalidFields(form), countOf = (/** @type {string} */ name) => invalid.filter(field => field.name === name).length;
  const steps = [
    countPhrase(unviewed, tr('open 1 file'), tr('open {0} files')),
    !unviewed && viewHint(form) && tr('give a reason'),
    countPhrase(countOf('hidden'), tr('read the hidden text of 1 file'), tr('read the hidden text of {0} files')),
    countPhrase(countOf('step'), tr('confirm 1 step'), tr('confirm {0} steps')),
    countOf('by') && tr('enter your name'),
  ].filter(Boolean).join(', ');
  if (steps) button.setAttribute('aria-disabled', 'true'); else button.removeAttribute('aria-disabled');
  const box = form.querySelector('#decide-waits') || button.parentElement;
  const status = form.querySelector('[data-missing]') || box.appendChild(el('p', { className: 'small', role: 'status' }));
  status.dataset.missing = '';
  for (const node of form.querySelectorAll('.until-ticked')) node.hidden = true; // it says the same for those without scripts
  const text = steps && tr('Before you approve: {0}.', steps);
  if (status.textContent !== text) status.textContent = text;
  return text;
}

/**
 * By form and file: what the browser measured, which outlives the form on the page.
 * @type {Map<string, Measured>}
 * @typedef {{hidden: number, widths: number[]}} Measured how many texts are hidden, and at which widths they were looked for
 */
const measurements = new Map();

/** What tells a form from others. @param {HTMLFormElement} form */
const formKey = form => form.getAttribute('action') || location.hash.split('?')[0];

/**
 * Notes what the browser measured of a file. Where it found text that it does not draw, an approval takes a tick.
 * @param {HTMLFormElement} form @param {string} file its SHA-256 or its key @param {Measured} found
 */
export function recordMeasurement(form, file, found) {
  if (!file || !found.widths.length) return;
  measurements.set(`${formKey(form)} ${file}`, found);
  updateApproval(form);
}

/** Puts what was measured into a form. @param {HTMLFormElement} form */
function fillMeasurements(form) {
  for (const label of form.querySelectorAll('[data-hidden-file]')) {
    const { hiddenFile, hiddenKey, number } = label.dataset, key = formKey(form);
    const found = measurements.get(`${key} ${hiddenFile}`) || measurements.get(`${key} ${hiddenKey}`);
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
export function markViewed(root, sha256) {
  if (!sha256) return;
  const hash = CSS.escape(sha256);
  const tabs = [...root.querySelectorAll(`:is([data-tick], .viewer-name)[data-sha256="${hash}"]`)].filter(tab => !tab.matches('.is-opened, [data-opened]'));
  for (const tab of tabs) {
    tab.classList.add('is-opened');
    tab.dataset.opened = '';
    const icon = tab.querySelector('.unseen');
    if (icon) icon.textContent = tr('viewed:');
  }
  const viewed = root.querySelector('[data-viewed]');
  if (viewed && tabs.length) viewed.textContent = String(Number(viewed.textContent) + 1);
  for (const node of root.querySelectorAll(`[data-waive-file="${hash}"], [data-unviewed="${hash}"]`)) node.closest('li').hidden = true;
  for (const details of root.querySelectorAll('.waiving')) details.hidden = !details.querySelector('li:not([hidden])');
  const hint = root.querySelector('.deciding-first');
  if (hint) hint.remove();
}

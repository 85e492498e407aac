// Puts a newer panel of remarks into the page. Loaded by remarks/panel.js and inspector/remarks.js.

import { $ } from '../shared/dom.js';
import * as replyDraft from '../shared/reply-draft.js';

/**
 * Puts a newer panel of remarks in the place of the page's. What it holds of a remark that was refused counts as typed.
 * @param {HTMLFormElement} form @param {HTMLElement} next
 */
export function replaceRemarks(form, next) {
  for (const field of next.querySelectorAll('#remark-new :is(textarea, input:not([type="hidden"])), [name="resolved"]')) {
    if ('compose' in form.dataset || !field.matches('[name="resolved"]')) forgetDefault(field);
  }
  $('remarks').replaceWith(next);
  try {
    sessionStorage.removeItem('selecting'); // the mode stays on: see passage-mode.js
  } catch { /* storage may be forbidden */ }
  const note = form.querySelector('[data-remarks-to-send]');
  if (note) {
    note.hidden = !next.dataset.toSend;
    note.firstElementChild.textContent = next.dataset.toSend;
  }
  for (const hint of form.querySelectorAll('.deciding-first')) hint.remove();
  replyDraft.updateApproval(form);
  document.dispatchEvent(new CustomEvent('figs:remarks'));
}

/** Lets what a page came with count as typed. @param {any} field */
function forgetDefault(field) {
  const { value, checked } = field;
  if (field.type === 'checkbox') field.defaultChecked = false; else field.defaultValue = '';
  if (field.type === 'checkbox') field.checked = checked; else field.value = value;
}

/** Gives the focus to the remark that a button was about, or to what is wrong. @param {string} action of the button, "add", "remove 2" */
export function focusRemark(action) {
  const panel = $('remarks'), items = panel.querySelectorAll('[data-remarks] > li'), [verb, number] = action.split(' ');
  const item = items[Math.min(verb === 'remove' ? Number(number) : items.length, items.length) - 1];
  /** @type {HTMLElement} */
  const node = panel.querySelector('.fault') ? panel.querySelector('[name="remark-comment"]') : !item ? panel.querySelector('#remark-new > summary') : verb === 'remove' ? item : item.querySelector('[name="remark-text"]');
  node.focus();
}

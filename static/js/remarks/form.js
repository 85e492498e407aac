// Leads from a place of an ask to the form for a remark on it. Loaded by hosted/decide.js and inspector/compose.js.
// Without it, the link leads to the form, and the person says there what the remark is about.

import { $, closestTo, el } from '../shared/dom.js';
import { tr } from '../shared/translate.js';

const CONTEXT_CHARS = 32, MIN_PASTED_CHARS = 12; // before and after a passage; of one that is pasted into the note

/** What is selected when someone presses a link: pressing it may end that. @type {Range|null} */
let pressed = null;

document.addEventListener('pointerdown', event => { pressed = closestTo(event, '[data-comment-on]') && selectedRange(); }, true);
document.addEventListener('click', onClick);
document.addEventListener('keydown', onKeydown);
document.addEventListener('paste', onPaste);

function selectedRange() {
  const selection = getSelection();
  return selection.isCollapsed || !selection.rangeCount ? null : selection.getRangeAt(0).cloneRange();
}

/** @param {MouseEvent} event */
function onClick(event) {
  if (closestTo(event, '[data-to-remarks]')) $('remarks').scrollIntoView({ block: 'start' });
  const link = closestTo(event, '[data-comment-on]'), form = $('remark-new');
  if (!link || !form || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const at = link.dataset.commentOn;
  openForm(form, at, at === '/request' ? passageIn(link.closest('.card'), pressed || selectedRange()) : {}); // a remark on a step is about all of it
  pressed = null;
}

/** A selected passage of the page, with what is around it. @param {Element} card @param {Range|null} range @returns {Record<string, string>} */
function passageIn(card, range) {
  if (!range || !card.contains(range.commonAncestorContainer)) return {};
  const before = document.createRange(), after = document.createRange();
  before.setStart(card, 0);
  before.setEnd(range.startContainer, range.startOffset);
  after.setStart(range.endContainer, range.endOffset);
  after.setEnd(card, card.childNodes.length);
  return { quote: textOf(range), before: before.toString().slice(-CONTEXT_CHARS), after: after.toString().slice(0, CONTEXT_CHARS) };
}

/** The text of a range, with the line breaks that the page shows. @param {Range} range */
function textOf(range) {
  const selection = getSelection(), text = selection.toString().trim();
  return text && selection.rangeCount && selection.getRangeAt(0).toString() === range.toString() ? text : range.toString().trim();
}

/** Opens the form for a remark. What was written stays. @param {HTMLElement & Record<string, any>} form @param {string} at what it is about @param {Record<string, string>} passage */
function openForm(form, at, { quote = '', before = '', after = '' }) {
  const fields = { file: at, quote, before, after, from: '', to: '', area: '' };
  for (const [name, value] of Object.entries(fields)) field(form, name).value = value;
  const shown = $('remark-shown'), where = /** @type {HTMLDetailsElement} */ (form.querySelector('.remark-where'));
  if (shown) shown.remove(); // of a passage that was selected in a file
  if (where) where.open = Boolean(quote);
  form.open = true;
  const comment = field(form, 'comment');
  comment.dispatchEvent(new Event('input', { bubbles: true })); // a draft is kept
  comment.focus({ preventScroll: true });
  form.scrollIntoView({ block: 'nearest' });
}

/** @param {ParentNode} form @param {string} name @returns {HTMLInputElement} */
const field = (form, name) => form.querySelector(`[name="remark-${name}"]`);

/** Ctrl or Cmd and Enter in a new remark adds it. @param {KeyboardEvent} event */
function onKeydown(event) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !closestTo(event, '#remark-new textarea')) return;
  event.preventDefault();
  $('remark-new').querySelector('[name="remark-do"]').click();
}

/** A passage that is pasted into the note can become a remark on its place instead. @param {EventAt<HTMLTextAreaElement, ClipboardEvent>} event */
function onPaste(event) {
  const note = event.target, passage = event.clipboardData.getData('text/plain').trim(), form = $('remark-new');
  if (!form || note.id !== 'reply-text' || passage.length < MIN_PASTED_CHARS) return;
  for (const old of document.querySelectorAll('[data-remark-offer]')) old.remove();
  const offer = el('button', { type: 'button', className: 'button button-small', textContent: tr('Make it a comment on this passage') });
  offer.dataset.remarkOffer = '';
  offer.onclick = () => {
    note.value = note.value.replaceAll('\r\n', '\n').replace(passage.replaceAll('\r\n', '\n'), () => '');
    offer.remove();
    openForm(form, field(form, 'file').value, { quote: passage });
  };
  note.after(offer);
}

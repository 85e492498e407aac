// Helps a person to answer an ask on a page of the server. Loaded by hosted/hosted.js.
// It keeps what is typed, says what an approval waits for, and counts down while a decision can be taken back. Nothing here
// decides by one key. Without this script the form does the same.

import { $, closestTo, el, announce } from '../shared/dom.js';
import * as live from './live.js';
import * as viewTracker from '../shared/view-tracker.js';
import { showRelativeTimes } from '../shared/time.js';
import * as replyDraft from '../shared/reply-draft.js';
import '../remarks/form.js';
import { tr } from '../shared/translate.js';
import { keepUnsent, removeUnsent, unsentOf } from './unsent.js';

const DRAFT_DELAY_MS = 1500; // without a key until a draft is kept

/** The form of the page. @type {HTMLFormElement|null} */
let form = null;
let askPath = ''; // the address of its ask
let isDirty = false, draftTimer = 0; // whether a draft is to be kept, and when
/** A draft on its way. @type {AbortController|null} */
let draftRequest = null;
/** Whether the page has said that drafts of this form are kept, or that they are not. @type {boolean|undefined} */
let isDraftKept;
let sentAt = 0; // when the form was sent
let savedText = ''; // the note as the server has it
let isRemarking = false; // its remarks are on their way
let aimedKey = 'c'; // what the person is about to do, by the key of its button
/**
 * By when a decision counts: the end by this clock, and how often it was looked for since, and when next.
 * @type {Map<string, {endsAt: number, checks: number, nextCheck: number}>}
 */
const countdowns = new Map();

addEventListener('pagehide', () => {
  if (isDirty && form && !sentAt) {
    replyDraft.saveDraft(form, askPath);
    replyDraft.saveToSession(askPath);
    if (!navigator.onLine) keepLocally();
  }
  saveDraft(true);
});
addEventListener('online', () => saveDraft());
addEventListener('pageshow', () => {
  replyDraft.restoreFromSession();
  sentAt = 0;
});
replyDraft.restoreFromSession();
document.addEventListener('visibilitychange', () => document.hidden && saveDraft(true));
document.addEventListener('figs:leave', () => {
  if (!form) return;
  replyDraft.saveDraft(form, askPath);
  saveDraft(true);
});
document.addEventListener('input', onInput);
document.addEventListener('submit', onSubmit);
document.addEventListener('keydown', onKeydown);
document.addEventListener('click', onClick);
document.addEventListener('figs:changed', onAskChanged);
document.addEventListener('figs:unsent', onUnsent);
setInterval(countDown, 500);

/** The button of a key. @param {string} key @returns {HTMLButtonElement|null} */
const decideButton = key => form.querySelector(`[data-decide-key="${key}"]`);

/** The options of a question, which are not all inside the form. @returns {Field[]} */
const choiceFields = () => /** @type {any} */ ([...form.elements]).filter((/** @type {Field} */ field) => field.name === 'chosen');

/** The button that sends the form to another address. @param {string} name the end of that address @returns {HTMLButtonElement|null} */
const submitButton = name => form.querySelector(`[formaction$="/${name}"], [formaction*="/${name}?"]`);

/** Takes over the form of the page that is shown now. */
export function update() {
  /** @type {HTMLFormElement|null} */
  const next = document.querySelector('form[data-decide]');
  if (next && next === form) return;
  form = next;
  isDirty = false;
  isDraftKept = undefined;
  sentAt = 0;
  if (!form && document.querySelector('.reading')) return; // the form comes back with the page around it
  if (!form) return showUnsentText();
  askPath = form.getAttribute('action').replace(/\/decide(\?.*)?$/, '');
  savedText = form.elements.text.defaultValue;
  restoreUnsent();
  if (replyDraft.isTouched(form)) scheduleDraft(); // someone was quicker than this script
  replyDraft.restoreDraft(form, askPath);
  replyDraft.updateApproval(form);
  viewTracker.track(recordView);
  const toggle = sessionStorage.getItem('selecting') && document.querySelector('[data-act="passages"]'); // a remark was added
  if (toggle) selectPassages(toggle);
}

/** Lets the person select passages of the attachment. @param {HTMLElement} toggle */
function selectPassages(toggle) {
  import('../remarks/passage-mode.js').then(mode => mode.toggle(toggle), () => {}); // then the form takes line numbers
}

/** Keeps the draft once nothing has been typed for a while. */
function scheduleDraft() {
  isDirty = true;
  clearTimeout(draftTimer);
  draftTimer = setTimeout(saveDraft, DRAFT_DELAY_MS);
}

/** Takes up what was typed without a connection. Where the server has another draft since, both are shown. */
function restoreUnsent() {
  const unsent = unsentOf(askPath, replyDraft.personName());
  if (!unsent || replyDraft.isTouched(form) || replyDraft.draftOf(askPath)) return;
  const text = replyDraft.textOf(unsent.draft);
  if (savedText !== unsent.base && savedText !== text) return showUnsentText(text);
  replyDraft.setDraft(askPath, unsent.draft);
  scheduleDraft();
}

/** Keeps the draft in this browser; whether that worked. */
function keepLocally() {
  replyDraft.saveDraft(form, askPath);
  const draft = replyDraft.draftOf(askPath);
  return Boolean(draft) && keepUnsent(askPath, { by: replyDraft.personName(), base: savedText, draft });
}

/** Shows what was typed for an ask that takes no reply now, so that it can be used elsewhere. */
function showUnsentText(text = askPath === location.pathname && replyDraft.savedText(askPath)) {
  if (!text) return;
  const area = el('textarea', { value: text, readOnly: true, rows: 3 });
  ($('deciding') || $('view')).append(el('label', { className: 'small' }, tr('Your text, which was not sent:'), area));
}

/** Tells the server what was viewed, or which part of it. @param {string} file @param {string} [part] @returns {Promise<boolean>} */
async function recordView(file, part) {
  if (!form) return false;
  const body = new URLSearchParams({ revision: form.elements.revision.value, file });
  if (part) body.set('part', part);
  const response = await fetch(askPath + '/viewed', { method: 'POST', body, headers: { Accept: 'application/json' } }).catch(() => Response.error());
  if (response.status !== 204) return false;
  if (!part) markViewed(file.split(' ')[0]);
  return true;
}

/** A file counts as viewed. @param {string} sha256 */
function markViewed(sha256) {
  replyDraft.markViewed($('view'), sha256);
  if (form) replyDraft.updateApproval(form);
}

/** What the browser measured of the file on the page. @param {string} sha256 @param {import('../shared/reply-draft.js').Measured} found */
export function recordMeasurement(sha256, found) {
  if (form) replyDraft.recordMeasurement(form, sha256, found);
}

/** A file that is never shown is viewed by downloading it. @param {MouseEvent} event */
function onClick(event) {
  const toggle = closestTo(event, '[data-act="passages"]');
  if (toggle) selectPassages(toggle);
  /** @type {HTMLAnchorElement|null} */
  const download = closestTo(event, 'a[href*="/a/"]');
  const hash = download && /[0-9a-f]{64}/.exec(download.pathname);
  if (form && hash) setTimeout(() => viewTracker.markDownloaded(hash[0]) && markViewed(hash[0]), 1000);
  /** @type {HTMLButtonElement|null} */
  const approve = form && closestTo(event, 'button[value="approved"]');
  if (approve && approve.form === form && !replyDraft.allowApproval(form, event) && !event.defaultPrevented) announce(replyDraft.updateApproval(form));
}

/** @param {EventAt<Field>} event */
function onInput(event) {
  if (!form || event.target.form !== form) return;
  replyDraft.updateApproval(form);
  const note = form.querySelector('[data-draft-note]');
  if (note) note.textContent = '';
  scheduleDraft();
}

/** Keeps what is typed as a draft. @param {unknown} [isLeaving] true: the page may be gone before the answer */
async function saveDraft(isLeaving) {
  clearTimeout(draftTimer);
  if (!isDirty || !form || sentAt || isRemarking || !submitButton('draft')) return;
  if (!navigator.onLine && isLeaving !== true) return showUnsent();
  isDirty = false;
  const request = draftRequest = new AbortController(), text = form.elements.text.value, path = askPath;
  const response = await fetch(path + '/draft', { method: 'POST', body: new URLSearchParams(fieldsOf(form)), headers: { Accept: 'application/json' }, keepalive: isLeaving === true, signal: request.signal })
    .catch(/** @returns {Response|null} */ () => null);
  const isKept = response && response.status === 204;
  if (isKept) removeUnsent(path);
  if (!response) isDirty = true;
  if (request !== draftRequest || path !== askPath || !form) return;
  if (!response && !request.signal.aborted) return showUnsent();
  if (isKept) savedText = text;
  delete form.dataset.unsent;
  showDraftState(isKept, isKept ? tr('Draft saved.') : tr('The draft couldn\'t be saved. Your text is only on this page.'));
}

/** Keeps the draft here, because the server can't be reached, and says so. */
function showUnsent() {
  const isKeptHere = keepLocally();
  form.dataset.unsent = '';
  showDraftState(false, isKeptHere ? tr('No connection. Kept as a draft.') : tr('No connection. Your text is kept on this page and saved as a draft when you are back online.'));
}

/** The form could not be sent: it is as if nobody had pressed its button. @param {Event} event */
function onUnsent(event) {
  try {
    sessionStorage.removeItem('figs-sent');
  } catch { /* storage may be forbidden */ }
  if (event.target !== form) return;
  sentAt = 0;
  isDirty = true;
  isDraftKept = undefined;
  saveDraft();
}

/** The fields of a form, which has no files. @param {HTMLFormElement} form @returns {any} */
const fieldsOf = form => new FormData(form);

/** Says in the form what became of its draft. @param {boolean} isKept @param {string} message */
function showDraftState(isKept, message) {
  const note = form && form.querySelector('[data-draft-note]');
  if (!note) return;
  note.textContent = message;
  if (isKept !== isDraftKept) announce(message); // once, not at every rest
  isDraftKept = isKept;
}

/** Sends a form once, and no verdict without the note that it needs. @param {SubmitEvent & {target: HTMLFormElement, submitter: HTMLButtonElement}} event */
function onSubmit(event) {
  if (event.target.matches('[data-undo], .put-off .menu')) return rememberSent('undo');
  if (event.target !== form || event.defaultPrevented) return;
  const button = event.submitter, note = form.elements.text;
  if (Date.now() - sentAt < 8000) return event.preventDefault();
  if (button && button.name === 'remark-do' && !isRemarking) {
    event.preventDefault();
    return changeRemarks(button);
  }
  if (button && /^(changes-requested|rejected)$/.test(button.value) && !note.value.trim() && !replyDraft.hasRemarks(form) && !('optional' in note.dataset)) {
    event.preventDefault();
    aimedKey = button.dataset.decideKey;
    note.focus();
    return announce(tr('Write a note first: the agent needs to know what to change, or why not.'));
  }
  sentAt = Date.now(); // no draft is kept of what is sent
  clearTimeout(draftTimer);
  if (draftRequest) draftRequest.abort();
  replyDraft.discardDraft(askPath);
  removeUnsent(askPath);
  if (button && button.name === 'verdict') rememberSent(button.value);
}

/** Adds, removes or repeats a remark; where a script can't, the browser sends the form. @param {HTMLButtonElement} button */
async function changeRemarks(button) {
  const current = form, path = askPath, text = form.elements.text.value;
  isRemarking = true; // an older draft must not come after it
  clearTimeout(draftTimer);
  if (draftRequest) draftRequest.abort();
  draftRequest = null;
  const isDone = await import('../remarks/panel.js').then(panel => panel.send(current, button), () => false);
  if (isDone) removeUnsent(path);
  if (form === current && isDone) savedText = text; else if (form === current) current.requestSubmit(button);
  isRemarking = false;
  if (form === current) scheduleDraft(); // of what was typed meanwhile
}

/** Lets the next page know that something was sent. @param {string} what */
function rememberSent(what) {
  try {
    sessionStorage.setItem('figs-sent', what);
  } catch { /* storage may be forbidden; then the focus begins at the top */ }
}

/** After a decision the next page is read from its headline on, unless it says what went wrong, or what became of it. */
export function focusOutcome() {
  try {
    if (!sessionStorage.getItem('figs-sent')) return;
    sessionStorage.removeItem('figs-sent');
  } catch {
    return;
  }
  const outcome = ['#deciding [role="alert"]', '#deciding:has([data-undo]) h2', '#deciding .done', '.panes-ask h1', '#view h1'].map(place => document.querySelector(place)).find(Boolean);
  if (!outcome) return;
  outcome.tabIndex = -1;
  outcome.focus();
}

/** Ctrl or Cmd and Enter in the note: an answer is sent; of verdicts only the button is found, which is then pressed or not. @param {KeyboardEvent} event */
function onKeydown(event) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !form || event.target !== form.elements.text) return;
  event.preventDefault();
  /** @type {HTMLButtonElement|null} */
  const answer = form.querySelector('button[value="answer"]');
  if (answer) form.requestSubmit(answer); else focusButton(decideButton(aimedKey));
}

/** Gives the focus to a button, which the person then presses or not. @param {HTMLElement} button */
function focusButton(button) {
  reveal(button);
  button.focus({ focusVisible: true });
  announce(tr('{0}: press Enter.', button.textContent.trim()));
}

/** Leads to the button of a key, or to what the button needs first. @param {string} key @returns {boolean} whether there is one */
export function focusDecision(key) {
  if (key === 'u') {
    const shown = [...document.querySelectorAll('[data-undo] button')].filter(button => button.checkVisibility());
    const undo = shown.sort((a, b) => effectiveAt(b) - effectiveAt(a))[0]; // the latest decision
    if (undo) focusButton(undo);
    return Boolean(undo);
  }
  if (key === 'e') return focusSnooze();
  const button = form && decideButton(key);
  if (!button) return false;
  aimedKey = key;
  const note = form.elements.text, hasAnswer = note.value.trim() || replyDraft.hasRemarks(form) || choiceFields().find(option => option.checked && option.value);
  const blocker = button.value === 'approved' ? replyDraft.firstBlocker(form) : hasAnswer ? null : choiceFields()[0] || note;
  if (!blocker) return focusButton(button), true;
  reveal(blocker);
  blocker.focus({ focusVisible: true });
  announce(button.value === 'approved' ? replyDraft.viewHint(form) || replyDraft.updateApproval(form) : tr('{0}: write a note or choose an option first.', button.textContent.trim()));
  return true;
}

/** When the decision of an undo button takes effect. @param {Element} button */
const effectiveAt = button => Number(button.closest('form').dataset.effective);

/** Opens the choice of how long to snooze, or leads to the button that ends it. */
function focusSnooze() {
  /** @type {HTMLButtonElement|null} */
  const button = document.querySelector('.desk-acts [name="until"]');
  if (!button) return false;
  /** @type {HTMLDetailsElement|null} */
  const menu = button.closest('.put-off');
  if (menu) menu.open = true;
  focusButton(button);
  return true;
}

/** Says that the ask has changed, in the place of the form's buttons. Where that is out of sight, the page's banner says so. @param {Event} event */
function onAskChanged(event) {
  const note = form && form.querySelector('[data-changed-note]');
  if (!note) return;
  if (note.hidden) {
    note.hidden = false;
    note.querySelector('time').dateTime = new Date().toISOString();
    showRelativeTimes(note);
    announce(note.textContent);
  }
  if (note.checkVisibility()) event.preventDefault();
}

/** Brings a part of the form into sight: it may be folded away, or in the sheet of a phone. @param {HTMLElement} node */
function reveal(node) {
  /** @type {HTMLDetailsElement|null} */
  const folded = node.closest('.correcting');
  const sheet = node.closest('[popover]');
  if (folded) folded.open = true;
  if (sheet && !node.checkVisibility()) sheet.showPopover();
}

/** How long a decision can be taken back. Clocks differ: what is not within ten seconds is taken for ten. */
function countDown() {
  for (const note of document.querySelectorAll('[data-changed-note]:not([hidden])')) showRelativeTimes(note);
  for (const undo of document.querySelectorAll('[data-undo]')) {
    const due = undo.dataset.effective, ahead = Number(due) / 1000 - Date.now();
    if (!countdowns.has(due)) countdowns.set(due, { endsAt: Date.now() + (ahead > -1000 && ahead < 11_000 ? ahead : 10_000), checks: 0, nextCheck: 0 });
    const countdown = countdowns.get(due), left = Math.ceil((countdown.endsAt - Date.now()) / 1000), node = undo.querySelector('[data-countdown]');
    const text = left > 0 ? tr('{0} s left', left) : tr('Time is up.');
    if (node && node.textContent !== text) node.textContent = text;
    if (left > 0 || countdown.checks >= 5 || Date.now() < countdown.nextCheck) continue;
    countdown.nextCheck = Date.now() + 2000 * ++countdown.checks;
    live.refresh();
  }
}

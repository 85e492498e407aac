// Helps a person to answer an ask on a page of the server. Loaded by hosted/hosted.js.
// What is typed is kept, what an approval waits for is said, a decision that can be taken back counts down. Nothing here
// decides by one key, and nothing of it is needed: the form does the same without.

import { $, closestTo, el, say } from '../shared/dom.js';
import * as live from './live.js';
import * as viewTracker from '../shared/view-tracker.js';
import { relate } from '../shared/time.js';
import * as replyDraft from '../shared/reply-draft.js';

const REST = 1500; // milliseconds without a key until a draft is kept

/** The form of the page. @type {HTMLFormElement|null} */
let form = null;
let at = ''; // the address of its ask
let typed = false, timer = 0; // a draft that is to be kept
/** A draft on its way. @type {AbortController|null} */
let keeping = null;
/** Whether the page has said that drafts of this form are kept, or that they are not. @type {boolean|undefined} */
let told;
let sent = 0; // when the form was sent
let aim = 'c'; // what the person is about to do, by the key of its button
/**
 * By when a decision counts: the end by this clock, and how often it was looked for since, and when next.
 * @type {Map<string, {at: number, looks: number, next: number}>}
 */
const ends = new Map();

addEventListener('pagehide', () => {
  if (typed && form && !sent) {
    replyDraft.take(form, at);
    replyDraft.stash(at);
  }
  keep(true);
});
addEventListener('online', () => keep());
addEventListener('pageshow', () => {
  replyDraft.unstash();
  sent = 0;
});
replyDraft.unstash();
document.addEventListener('visibilitychange', () => document.hidden && keep(true));
document.addEventListener('figs:leave', () => {
  if (!form) return;
  replyDraft.take(form, at);
  keep(true);
});
document.addEventListener('input', noted);
document.addEventListener('submit', submitted);
document.addEventListener('paste', pasted);
document.addEventListener('keydown', hurried);
document.addEventListener('click', clicked);
document.addEventListener('figs:changed', changed);
setInterval(countDown, 500);

/** @param {string} key @returns {HTMLButtonElement|null} */
const press = key => form.querySelector(`[data-decide-key="${key}"]`);
/** The options of a question, which are not all inside the form. @returns {Field[]} */
const options = () => /** @type {any} */ ([...form.elements]).filter((/** @type {Field} */ field) => field.name === 'chosen');

/** @param {string} name of the action @returns {HTMLButtonElement|null} */
const sender = name => form.querySelector(`[formaction$="/${name}"]`);

/** Looks at the page that is on the screen now. */
export function settle() {
  /** @type {HTMLFormElement|null} */
  const next = document.querySelector('form[data-decide]');
  if (next && next === form) return;
  form = next;
  typed = false;
  told = undefined;
  sent = 0;
  if (!form) return unsaid();
  at = form.getAttribute('action').replace(/\/decide$/, '');
  if (replyDraft.touched(form)) rest(); // someone was quicker than this script
  replyDraft.give(form, at);
  replyDraft.tell(form);
  viewTracker.settle(viewed);
}

/** Keeps the draft once nothing has been typed for a while. */
function rest() {
  typed = true;
  clearTimeout(timer);
  timer = setTimeout(keep, REST);
}

/** Words for an ask that takes none now are shown, so that they can be used elsewhere. */
function unsaid() {
  const text = at === location.pathname && replyDraft.left(at);
  if (!text) return;
  const area = el('textarea', { value: text, readOnly: true, rows: 3 });
  ($('deciding') || $('view')).append(el('label', { className: 'small' }, 'Your words, which were not sent:', area));
}

/** Tells the server what was viewed, or which part of it. @param {string} file @param {string} [part] @returns {Promise<boolean>} */
async function viewed(file, part) {
  if (!form) return false;
  const of = form, body = new URLSearchParams({ revision: of.elements.revision.value, file });
  if (part) body.set('part', part);
  const answer = await fetch(at + '/viewed', { method: 'POST', body, headers: { Accept: 'application/json' } }).catch(() => Response.error());
  if (answer.status !== 204) return false;
  if (!part) counted(file.split(' ')[0]);
  return true;
}

/** A file counts as viewed. @param {string} sha256 */
function counted(sha256) {
  replyDraft.opened($('view'), sha256);
  if (form) replyDraft.tell(form);
}

/** What the browser measured of the file on the page. @param {string} sha256 @param {import('../shared/reply-draft.js').Measured} found */
export function measured(sha256, found) {
  if (form) replyDraft.measured(form, sha256, found);
}

/** A file that is never shown is viewed by downloading it. @param {MouseEvent} event */
function clicked(event) {
  /** @type {HTMLAnchorElement|null} */
  const link = closestTo(event, 'a[href*="/a/"]');
  const sum = link && /[0-9a-f]{64}/.exec(link.pathname);
  if (form && sum) setTimeout(() => viewTracker.downloaded(sum[0]) && counted(sum[0]), 1000);
  /** @type {HTMLButtonElement|null} */
  const approve = form && closestTo(event, 'button[value="approved"]');
  if (approve && approve.form === form && !replyDraft.ready(form, event) && !event.defaultPrevented) say(replyDraft.tell(form));
}

/** @param {EventAt<Field>} event */
function noted(event) {
  if (!form || event.target.form !== form) return;
  replyDraft.tell(form);
  const note = form.querySelector('[data-draft-note]');
  if (note) note.textContent = '';
  rest();
}

/** Keeps what is typed as a draft. @param {unknown} [leaving] true: the page may be gone before the answer */
async function keep(leaving) {
  clearTimeout(timer);
  if (!typed || !form || sent || !sender('draft')) return;
  if (!navigator.onLine && leaving !== true) return kept(false, 'No connection. Your words are kept on this page, and as a draft once you are online.');
  typed = false;
  const mine = keeping = new AbortController();
  const taken = await fetch(at + '/draft', { method: 'POST', body: new URLSearchParams(fieldsOf(form)), headers: { Accept: 'application/json' }, keepalive: leaving === true, signal: mine.signal })
    .then(answer => answer.status === 204, () => { typed = true; });
  if (mine === keeping) kept(Boolean(taken), taken ? 'Kept as a draft.' : 'Not kept as a draft: the server did not take it. Your words are only on this page.');
}

/** The fields of a form, which has no files. @param {HTMLFormElement} form @returns {any} */
const fieldsOf = form => new FormData(form);

/** Says in the form what became of its draft. @param {boolean} was @param {string} words */
function kept(was, words) {
  const note = form && form.querySelector('[data-draft-note]');
  if (!note) return;
  note.textContent = words;
  if (was !== told) say(words); // once, not at every rest
  told = was;
}

/** Sends a form once, and no verdict without the note that it needs. @param {SubmitEvent & {target: HTMLFormElement, submitter: HTMLButtonElement}} event */
function submitted(event) {
  if (event.target.matches('[data-undo]')) return remember('undo');
  if (event.target !== form || event.defaultPrevented) return;
  const by = event.submitter, note = form.elements.text;
  if (Date.now() - sent < 8000) return event.preventDefault();
  if (!navigator.onLine) {
    event.preventDefault();
    typed = true;
    told = undefined;
    return keep();
  }
  if (by && /^(changes-requested|rejected)$/.test(by.value) && !note.value.trim() && !('optional' in note.dataset)) {
    event.preventDefault();
    aim = by.dataset.decideKey;
    note.focus();
    return say('Write a note first: the agent needs to know what to change, or why not.');
  }
  sent = Date.now(); // from now on a draft would outlive what it was a draft of
  clearTimeout(timer);
  if (keeping) keeping.abort();
  replyDraft.forget(at);
  if (by && by.name === 'verdict') remember(by.value);
}

/** Leaves word for the next page. @param {string} what was sent */
function remember(what) {
  try {
    sessionStorage.setItem('figs-sent', what);
  } catch { /* storage may be forbidden; then the focus begins at the top */ }
}

/** After a decision the next page is read from its headline on, unless it says what went wrong, or what became of it. */
export function arrive() {
  try {
    if (!sessionStorage.getItem('figs-sent')) return;
    sessionStorage.removeItem('figs-sent');
  } catch {
    return;
  }
  const head = ['#deciding [role="alert"]', '#deciding:has([data-undo]) h2', '#deciding .done', '#view h1'].map(place => document.querySelector(place)).find(Boolean);
  if (!head) return;
  head.tabIndex = -1;
  head.focus();
}

/** Ctrl or Cmd and Enter in the note: an answer is sent; of verdicts only the button is found, which is then pressed or not. @param {KeyboardEvent} event */
function hurried(event) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !form || event.target !== form.elements.text) return;
  event.preventDefault();
  /** @type {HTMLButtonElement|null} */
  const answer = form.querySelector('button[value="answer"]');
  if (answer) form.requestSubmit(answer); else find(press(aim));
}

/** @param {HTMLElement} button */
function find(button) {
  reveal(button);
  button.focus({ focusVisible: true });
  say(`${button.textContent.trim()}: press Enter.`);
}

/** What a key wants: it leads to the button, or to what the button needs first. @param {string} key @returns {boolean} whether there is such a thing */
export function wish(key) {
  if (key === 'u') {
    const undo = [...document.querySelectorAll('[data-undo] button')].find(button => button.checkVisibility());
    if (undo) find(undo);
    return Boolean(undo);
  }
  const button = form && press(key);
  if (!button) return false;
  aim = key;
  const note = form.elements.text, said = note.value.trim() || options().find(option => option.checked && option.value);
  const lacks = button.value === 'approved' ? replyDraft.first(form) : said ? null : options()[0] || note;
  if (!lacks) return find(button), true;
  reveal(lacks);
  lacks.focus({ focusVisible: true });
  say(button.value === 'approved' ? replyDraft.missing(form) || replyDraft.tell(form) : `${button.textContent.trim()}: first say what.`);
  return true;
}

/** A passage that is pasted into the note can be quoted with its place instead. @param {EventAt<HTMLElement, ClipboardEvent>} event */
function pasted(event) {
  const passage = event.clipboardData.getData('text/plain').trim(), send = form && sender('quote');
  if (!send || event.target !== form.elements.text || passage.length < 12) return;
  for (const old of form.querySelectorAll('[data-quote-offer]')) old.remove();
  const offer = el('button', { type: 'button', className: 'button button-small', textContent: 'Quote it with file and lines' });
  offer.dataset.quoteOffer = '';
  offer.onclick = () => {
    const note = form.elements.text, value = note.value.replaceAll('\r\n', '\n'), it = passage.replaceAll('\r\n', '\n');
    note.value = value.replace(it, () => '');
    for (const name of ['from', 'to']) form.elements['quote-' + name].value = '';
    form.elements['quote-passage'].value = passage;
    form.requestSubmit(send);
  };
  event.target.after(offer);
}

/** Says that the ask has changed, in the place of the form's buttons. Where that is out of sight, the page's banner says so. @param {Event} event */
function changed(event) {
  const note = form && form.querySelector('[data-changed-note]');
  if (!note) return;
  if (note.hidden) {
    note.hidden = false;
    note.querySelector('time').dateTime = new Date().toISOString();
    relate(note);
    say(note.textContent);
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
  for (const note of document.querySelectorAll('[data-changed-note]:not([hidden])')) relate(note);
  for (const undo of document.querySelectorAll('[data-undo]')) {
    const due = undo.dataset.effective, ahead = Number(due) / 1000 - Date.now();
    if (!ends.has(due)) ends.set(due, { at: Date.now() + (ahead > -1000 && ahead < 11_000 ? ahead : 10_000), looks: 0, next: 0 });
    const end = ends.get(due), left = Math.ceil((end.at - Date.now()) / 1000), node = undo.querySelector('[data-countdown]');
    const text = left > 0 ? `${left} s left` : 'Time is up.';
    if (node && node.textContent !== text) node.textContent = text;
    if (left > 0 || end.looks >= 5 || Date.now() < end.next) continue;
    end.next = Date.now() + 2000 * ++end.looks;
    live.refresh();
  }
}

// Composes a reply to an ask as a line of messages.jsonl. Loaded by inspector/main.js and inspector/route.js.
// Nothing can be sent here: the person copies the line, saves it, or appends it to the folder.

import { $, closestTo, el, setHTML, saveFile, announce } from '../shared/dom.js';
import { currentPath } from './address.js';
import { appendReply } from './append.js';
import { toFailure } from '../files/failure.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';
import * as viewTracker from '../shared/view-tracker.js';
import { markViewed } from './attachment.js';
import * as replyDraft from '../shared/reply-draft.js';
import '../remarks/form.js';
import * as remarks from './remarks.js';
import { tr } from '../shared/translate.js';

/** @import { Session } from './session.js' */

/** @type {Session} */
let session;

/**
 * The replies that were composed for a folder, by what they say: saying it twice is one reply.
 * @type {{folder: object|null, replies: Map<string, Answer>}}
 * @typedef {{head: any, body: Uint8Array}} Answer of the reader
 */
let composed = { folder: null, replies: new Map() };

/** The remarks with which the page that comes is written, and its key. */
let written = { key: '', remarks: '' };

/** Listens to the form. @param {Session} openSession */
export function listen(openSession) {
  session = openSession;
  document.addEventListener('submit', onSubmit);
  document.addEventListener('input', onInput);
  document.addEventListener('keydown', onKeydown);
  document.addEventListener('click', onClick);
  addEventListener('beforeunload', event => {
    saveDraft();
    if (replyDraft.hasDrafts()) event.preventDefault(); // the browser asks
  });
}

/** @returns {HTMLFormElement|null} */
const form = () => document.querySelector('form[data-compose]');

/** What the reader must know of the person to write the page of an ask. @param {Session} session */
export function personFields(session) {
  return { by: rememberedName(), id: randomUUID(), opened: Object.fromEntries(session.viewedFiles), parts: Object.fromEntries(session.percentSeen) };
}

/** The name that the person gave before. @param {string} [newName] the one to remember from now on */
function rememberedName(newName) {
  try {
    if (newName) localStorage.setItem('figs-name', newName);
    return localStorage.getItem('figs-name') || '';
  } catch {
    return newName || ''; // storage may be forbidden; then the page asks again
  }
}

/** A random UUID, also where the browser offers none: on plain http. */
function randomUUID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = bytes[6] & 15 | 64;
  bytes[8] = bytes[8] & 63 | 128;
  return Array.from(bytes, (byte, i) => ([4, 6, 8, 10].includes(i) ? '-' : '') + byte.toString(16).padStart(2, '0')).join('');
}

/** Keeps what was typed in a page that is about to go. */
export function saveDraft() {
  const current = form();
  if (!current) return;
  replyDraft.saveDraft(current, current.dataset.at);
  if ('appended' in current.dataset) replyDraft.discardDraft(current.dataset.at);
}

/** The key of the ask of a page. A folder that is read again may be found at another place, but not under another name. @param {string} path */
function keyOf(path) {
  const agent = session.folder && session.folder.agents[Number(path.split('/')[1]) - 1];
  return `${path.split('?')[0]} ${agent ? agent.name : ''}`;
}

/** The remarks that were made on the ask of a page, as a form has them: the page is written with them. @param {string} path */
export function savedRemarks(path) {
  saveDraft();
  written = { key: keyOf(path), remarks: replyDraft.savedRemarks(keyOf(path)) };
  return written.remarks;
}

/** Puts what was typed into the page that came. @param {string} path of the page */
export function restoreDraft(path) {
  const current = form();
  if (!current) return;
  const key = current.dataset.at = keyOf(path), saved = replyDraft.savedRemarks(key);
  replyDraft.restoreDraft(current, key);
  if (written.key === key && written.remarks !== saved) remarks.refresh(session, current, saved, path, personFields(session)).catch(() => {}); // one came while the page was on its way
  replyDraft.updateApproval(current);
  viewTracker.track(recordView);
}

/** Notes what was viewed, or which part of it. @param {string} file @param {string} [part] */
async function recordView(file, part) {
  const stage = $('view').querySelector('[data-show]'), key = stage && `${stage.dataset.agent}/${stage.dataset.key}`, sha256 = session.shownFiles.get(key);
  if (!sha256) return false;
  if (!part) return markViewed(session, stage, sha256);
  session.percentSeen.set(key, Math.max(session.percentSeen.get(key) || 0, Number(part.slice('part-'.length))));
  return true;
}

/** @param {EventAt<HTMLFormElement, SubmitEvent>} event */
async function onSubmit(event) {
  if (event.target !== form()) return;
  event.preventDefault();
  const button = /** @type {HTMLButtonElement|null} */ (event.submitter);
  try {
    if (button && button.name === 'remark-do') await changeRemarks(event.target, button); else await compose(event.target, button);
  } catch (error) {
    errors.showFailure(toFailure(error), []);
  }
}

/** @param {HTMLFormElement} source @param {HTMLButtonElement} button */
async function changeRemarks(source, button) {
  await remarks.change(session, source, button, currentPath(), personFields(session));
  clearComposed(source);
}

/** Lets the reader write the reply, and shows it. @param {HTMLFormElement} source @param {HTMLElement|null} button that was pressed */
async function compose(source, button) {
  const path = currentPath(), output = $('composed'), fields = new URLSearchParams(/** @type {any} it has no files */ (new FormData(source, button)));
  const { id, opened, parts } = personFields(session);
  const replyFields = new URLSearchParams(fields);
  replyFields.delete('key');
  replyFields.delete('measured'); // which arrives in its own time, and says nothing else about the reply
  const replyKey = path + '\n' + replyFields + '\n' + JSON.stringify(opened); // how much of a file was on the screen grows while someone reads
  if (composed.folder !== session.folder) composed = { folder: session.folder, replies: new Map() };
  if (!composed.replies.has(replyKey)) {
    const { head } = await session.readers.ask('view', { op: 'plan', path });
    const selection = await session.askEngine('select', head.request);
    const answer = await session.readers.ask('view', { op: 'reply', path, form: fields.toString(), id, opened, parts, ...time.clock() }, selection);
    if (answer.head.status === 200) composed.replies.set(replyKey, answer);
    return showReply(output, answer, source);
  }
  showReply(output, composed.replies.get(replyKey), source);
}

/** Shows a reply with the ways to use it. @param {HTMLElement} output @param {Answer} answer @param {HTMLFormElement} source */
function showReply(output, { head, body }, source) {
  setHTML(output, new TextDecoder().decode(body));
  output.dataset.ask = head.ask;
  if (head.told && !source.elements.unresolved) source.append(el('input', { type: 'hidden', name: 'unresolved', value: '1' }));
  if (head.status !== 200) return focusError(output, source);
  rememberedName(source.elements.by && source.elements.by.value.trim());
  if (head.note) output.append(el('p', { className: 'small' }, head.note));
  const button = output.querySelector('[data-append-line]');
  if (window.showDirectoryPicker) {
    output.append(el('p', { className: 'small' }, tr('The browser replaces the whole file to append to it, so do this only while the agent is idle. Choose the agent’s folder when asked. Copying the line into the agent’s chat or terminal is always safe.')));
  } else {
    if (button) button.remove();
    output.append(el('p', { className: 'small' }, tr('This browser can’t write to a folder. Copy the line into the agent’s chat or terminal, or save it as a file.')));
  }
  output.append(el('p', { role: 'status', className: 'composed-said' }));
  focusOn(output.querySelector('h3') || output);
  announce(tr('Your reply is ready as one line. Nothing was written or sent yet.'));
}

/** What is wrong is shown where the line would be; the words stay in the form. @param {HTMLElement} output @param {HTMLFormElement} source */
function focusError(output, source) {
  const alert = output.querySelector('[role="alert"]') || output;
  focusOn(alert);
  for (const node of source.querySelectorAll('[aria-invalid]')) node.removeAttribute('aria-invalid');
}

/** @param {HTMLElement} node */
function focusOn(node) {
  node.tabIndex = -1;
  node.focus();
  node.scrollIntoView({ block: 'nearest' });
}

/** A line that says something else than the form is removed. @param {EventAt<Field>} event */
function onInput(event) {
  const current = form();
  if (!current || event.target.form !== current) return;
  replyDraft.updateApproval(current);
  clearComposed(current);
}

/** Removes a line that says something else than the form. @param {HTMLFormElement} source */
function clearComposed(source) {
  delete source.dataset.appended;
  $('composed').replaceChildren();
}

/** Ctrl or Cmd and Enter in the note: an answer is composed; of verdicts only a button is found. @param {KeyboardEvent} event */
function onKeydown(event) {
  const current = form();
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !current || event.target !== current.elements.text) return;
  event.preventDefault();
  const answer = current.querySelector('button[value="answer"]');
  if (answer) current.requestSubmit(answer); else current.querySelector('[data-decide-key="c"]').focus();
}

/** @param {MouseEvent} event */
async function onClick(event) {
  /** @type {HTMLButtonElement|null} */
  const approve = form() && closestTo(event, 'button[value="approved"]');
  if (approve && approve.form === form() && !replyDraft.allowApproval(form(), event) && !event.defaultPrevented) announce(replyDraft.updateApproval(form()));
  /** @type {HTMLButtonElement|null} */
  const button = closestTo(event, '[data-save-line], [data-append-line]');
  if (!button) return;
  const { saveLine, appendLine } = button.dataset, ask = $('composed').dataset.ask;
  if (saveLine) return saveFile(`messages-${ask.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^[-.]+/, '') || 'reply'}.jsonl`, 'application/octet-stream', ['\n' + saveLine + '\n']);
  button.disabled = true;
  const result = await appendReply(session, Number(currentPath().split('/')[1]) - 1, ask, appendLine).catch(error => /** @type {import('./append.js').Result} */ ({ text: tr('Nothing was written: {0}', toFailure(error).message) }));
  button.disabled = false;
  if (result) showAppendResult(button, result);
}

/** @param {HTMLButtonElement} button @param {import('./append.js').Result} result */
function showAppendResult(button, { text, done, reopen }) {
  const status = document.querySelector('.composed-said');
  if (!status) return;
  status.replaceChildren(el('span', {}, text));
  if (done) {
    button.disabled = true;
    if (form()) form().dataset.appended = '';
  }
  if (reopen) status.append(' ', el('button', { type: 'button', className: 'button button-small', onclick: reopen }, tr('Read the folder again')));
}

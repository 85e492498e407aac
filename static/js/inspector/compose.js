// Composes a reply to an ask as a line of messages.jsonl. Loaded by inspector/main.js and inspector/route.js.
// Nothing can be sent here: the person copies the line, saves it, or appends it to the folder.

import { $, closestTo, el, put, save, say } from '../shared/dom.js';
import { path } from './address.js';
import { append } from './append.js';
import { failureOf } from '../files/failure.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';
import * as viewTracker from '../shared/view-tracker.js';
import { counts } from './attachment.js';
import * as replyDraft from '../shared/reply-draft.js';

/** @type {import('./session.js').Session} */
let session;
/**
 * The replies that were composed for a folder, by what they say: saying it twice is one reply.
 * @type {{of: object|null, lines: Map<string, Answer>}}
 * @typedef {{head: any, body: Uint8Array}} Answer of the reader
 */
let made = { of: null, lines: new Map() };

/** @param {import('./session.js').Session} of */
export function listen(of) {
  session = of;
  document.addEventListener('submit', submitted);
  document.addEventListener('input', noted);
  document.addEventListener('keydown', hurried);
  document.addEventListener('click', clicked);
  addEventListener('beforeunload', event => {
    leave();
    if (replyDraft.isKept()) event.preventDefault(); // the browser asks
  });
}

/** @returns {HTMLFormElement|null} */
const form = () => document.querySelector('form[data-compose]');

/** What the reader must know of the person to write the page of an ask. @param {import('./session.js').Session} of */
export function person(of) {
  return { by: name(), id: identity(), opened: Object.fromEntries(of.viewed), parts: Object.fromEntries(of.parts) };
}

/** The name that the person gave before. @param {string} [to] the one to remember from now on */
function name(to) {
  try {
    if (to) localStorage.setItem('figs-name', to);
    return localStorage.getItem('figs-name') || '';
  } catch {
    return to || ''; // storage may be forbidden; then the page asks again
  }
}

/** A random UUID, also where the browser offers none: on plain http. */
function identity() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = bytes[6] & 15 | 64;
  bytes[8] = bytes[8] & 63 | 128;
  return Array.from(bytes, (byte, i) => ([4, 6, 8, 10].includes(i) ? '-' : '') + byte.toString(16).padStart(2, '0')).join('');
}

/** Takes what was typed from a page that is about to go. */
export function leave() {
  const here = form();
  if (!here) return;
  replyDraft.take(here, here.dataset.at);
  if ('appended' in here.dataset) replyDraft.forget(here.dataset.at);
}

/** Gives it to the page that came. A folder that is read again may be found at another place, but not under another name. @param {string} to its path */
export function arrive(to) {
  const here = form();
  if (!here) return;
  const agent = session.folder.agents[Number(to.split('/')[1]) - 1];
  here.dataset.at = `${to.split('?')[0]} ${agent ? agent.name : ''}`;
  replyDraft.give(here, here.dataset.at);
  replyDraft.tell(here);
  viewTracker.settle(viewed);
}

/** Notes what was viewed, or which part of it. @param {string} file @param {string} [part] */
async function viewed(file, part) {
  const stage = $('view').querySelector('[data-show]'), key = stage && `${stage.dataset.agent}/${stage.dataset.key}`, sha256 = session.seen.get(key);
  if (!sha256) return false;
  if (!part) return counts(session, stage, sha256);
  session.parts.set(key, Math.max(session.parts.get(key) || 0, Number(part.slice('part-'.length))));
  return true;
}

/** @param {EventAt<HTMLFormElement, SubmitEvent>} event */
async function submitted(event) {
  if (event.target !== form()) return;
  event.preventDefault();
  try {
    await compose(event.target, event.submitter);
  } catch (error) {
    errors.showFailure(failureOf(error), []);
  }
}

/** @param {HTMLFormElement} from @param {HTMLElement|null} button that was pressed */
async function compose(from, button) {
  const to = path(), place = $('composed'), fields = new URLSearchParams(/** @type {any} it has no files */ (new FormData(from, button)));
  const { id, opened, parts } = person(session);
  const said = new URLSearchParams(fields);
  said.delete('key');
  said.delete('measured'); // which arrives in its own time, and says nothing else about the reply
  const sort = to + '\n' + said + '\n' + JSON.stringify(opened); // how much of a file was on the screen grows while someone reads
  if (made.of !== session.folder) made = { of: session.folder, lines: new Map() };
  if (!made.lines.has(sort)) {
    const { head } = await session.readers.ask('view', { op: 'plan', path: to });
    const selection = await session.query('select', head.request);
    const answer = await session.readers.ask('view', { op: 'reply', path: to, form: fields.toString(), id, opened, parts, ...time.clock() }, selection);
    if (answer.head.status === 200) made.lines.set(sort, answer);
    return show(place, answer, from);
  }
  show(place, made.lines.get(sort), from);
}

/** @param {HTMLElement} place @param {Answer} answer @param {HTMLFormElement} from */
function show(place, { head, body }, from) {
  put(place, new TextDecoder().decode(body));
  place.dataset.ask = head.ask;
  if (head.status !== 200) return wrong(place, from);
  name(from.elements.by && from.elements.by.value.trim());
  if (head.note) place.append(el('p', { className: 'small' }, head.note));
  const button = place.querySelector('[data-append-line]');
  if (window.showDirectoryPicker) {
    place.append(el('p', { className: 'small' }, 'A browser appends by replacing the whole file: do it only while the agent is idle, and choose its folder when you are asked. Copying the line into the agent’s chat or terminal is always safe.'));
  } else {
    if (button) button.remove();
    place.append(el('p', { className: 'small' }, 'This browser cannot write to a folder. Copy the line into the agent’s chat or terminal, or save it as a file.'));
  }
  place.append(el('p', { role: 'status', className: 'composed-said' }));
  focus(place.querySelector('h3') || place);
  say('Your reply is one line now. Nothing was written or sent yet.');
}

/** What is wrong is shown where the line would be; the words stay in the form. @param {HTMLElement} place @param {HTMLFormElement} from */
function wrong(place, from) {
  const fault = place.querySelector('[role="alert"]') || place;
  focus(fault);
  for (const node of from.querySelectorAll('[aria-invalid]')) node.removeAttribute('aria-invalid');
}

/** @param {HTMLElement} node */
function focus(node) {
  node.tabIndex = -1;
  node.focus();
  node.scrollIntoView({ block: 'nearest' });
}

/** A line that says something else than the form is removed. @param {EventAt<Field>} event */
function noted(event) {
  const here = form();
  if (!here || event.target.form !== here) return;
  replyDraft.tell(here);
  delete here.dataset.appended;
  $('composed').replaceChildren();
}

/** Ctrl or Cmd and Enter in the note: an answer is composed; of verdicts only a button is found. @param {KeyboardEvent} event */
function hurried(event) {
  const here = form();
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !here || event.target !== here.elements.text) return;
  event.preventDefault();
  const answer = here.querySelector('button[value="answer"]');
  if (answer) here.requestSubmit(answer); else here.querySelector('[data-decide-key="c"]').focus();
}

/** @param {MouseEvent} event */
async function clicked(event) {
  /** @type {HTMLButtonElement|null} */
  const approve = form() && closestTo(event, 'button[value="approved"]');
  if (approve && approve.form === form() && !replyDraft.ready(form(), event) && !event.defaultPrevented) say(replyDraft.tell(form()));
  /** @type {HTMLButtonElement|null} */
  const button = closestTo(event, '[data-save-line], [data-append-line]');
  if (!button) return;
  const { saveLine, appendLine } = button.dataset, ask = $('composed').dataset.ask;
  if (saveLine) return save(`messages-${ask.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^[-.]+/, '') || 'reply'}.jsonl`, 'application/octet-stream', ['\n' + saveLine + '\n']);
  button.disabled = true;
  const said = await append(session, Number(path().split('/')[1]) - 1, ask, appendLine).catch(error => /** @type {import('./append.js').Result} */ ({ text: `Nothing was appended: ${failureOf(error).message}` }));
  button.disabled = false;
  if (said) tell(button, said);
}

/** @param {HTMLButtonElement} button @param {import('./append.js').Result} result */
function tell(button, { text, done, again }) {
  const place = document.querySelector('.composed-said');
  if (!place) return;
  place.replaceChildren(el('span', {}, text));
  if (done) {
    button.disabled = true;
    if (form()) form().dataset.appended = '';
  }
  if (again) place.append(' ', el('button', { type: 'button', className: 'button button-small', onclick: again }, 'Read the folder again'));
}

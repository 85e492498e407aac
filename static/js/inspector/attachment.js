// Shows an attachment in a frame without rights. Loaded by inspector/route.js, inspector/actions.js, inspector/compose.js and inspector/hidden-text.js.
// A worker that nothing else needs makes a file safe and is ended when that takes too long; what surrounds the frame is
// written by the reader that writes pages. This page itself parses no byte of a file.

import { $, el, put, say, trusted } from '../shared/dom.js';
import { Failure, failureOf } from '../files/failure.js';
import * as showMeasurement from '../measure/show-measurement.js';
import { hex } from '../files/sha256.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';
import * as replyDraft from '../shared/reply-draft.js';

export const MOST = 10 << 20; // an attachment (§7); larger ones are not read
const ENDED = new Set(['timeout', 'memory', 'crash']); // the worker did not survive the file
const LOOKS = new Set(['html', 'image', 'svg']); // compared by how they look, too

let turn = 0, busy = false;

/** Ends what the page before began: a worker that is still at its file, and measuring. @param {import('./session.js').Session} session */
export function leave(session) {
  turn++;
  if (busy) session.readers.end('sandbox');
  busy = false;
  showMeasurement.leave();
}

/**
 * Shows the attachment of a page, where it has one. It settles when that is shown.
 * @param {import('./session.js').Session} session @param {HTMLElement} root
 */
export async function fill(session, root) {
  tick(session, root);
  const stage = root.querySelector('[data-show]');
  if (!stage) return;
  const mine = turn, current = () => mine === turn;
  stage.setAttribute('aria-busy', 'true');
  try {
    const sha256 = await (stage.dataset.view === 'compare' ? compare : show)(session, stage, current);
    if (current()) shown(session, stage, root, sha256);
  } catch (error) {
    if (current()) failed(session, stage, failureOf(error));
  } finally {
    stage.removeAttribute('aria-busy');
  }
}

/**
 * @typedef {() => boolean} Current whether the page that asked is still the one that is shown
 * @typedef {{head: any, body: Uint8Array}} Answer of a reader
 */

/**
 * @param {import('./session.js').Session} session @param {HTMLElement} stage @param {Current} current
 * @returns {Promise<string|undefined>} the hash of what is shown; undefined of a file that is too large
 */
async function show(session, stage, current) {
  const { show: name, view } = stage.dataset;
  const file = await read(session, stage, name);
  if (!file.bytes) return void await write(session, stage, current, { op: 'large', name, view, size: file.size });
  try {
    const made = await safe(session, current, { op: 'sanitize', name, view }, file.bytes);
    await write(session, stage, current, { op: 'viewer', shown: sheet(made) }, undefined, [made]);
    return made.head.report.sha256;
  } catch (error) {
    if (!current() || !ENDED.has(failureOf(error).code)) throw error;
    await write(session, stage, current, { op: 'stopped', name, view }, file.bytes);
    return hex(file.bytes);
  }
}

/** @param {import('./session.js').Session} session @param {HTMLElement} stage @param {Current} current @returns {Promise<string|undefined>} */
async function compare(session, stage, current) {
  const names = [stage.dataset.show, stage.dataset.with];
  const files = [await read(session, stage, names[0]), await read(session, stage, names[1])];
  if (files.some(file => !file.bytes)) throw new Failure('answer', 'One of the two files is larger than 10 MiB, the most that an attachment may have.');
  const [before, after] = files.map(({ bytes }, i) => ({ name: names[i], size: bytes.length }));
  const both = new Uint8Array(before.size + after.size);
  both.set(files[0].bytes);
  both.set(files[1].bytes, before.size);
  const made = await safe(session, current, { op: 'compare', before, after }, both);
  const { comparison } = made.head, beside = [];
  if (!comparison.same && comparison.way !== 'facts' && LOOKS.has(comparison.before.kind) && LOOKS.has(comparison.after.kind)) {
    for (const [i, { bytes }] of files.entries()) beside.push(await safe(session, current, { op: 'sanitize', name: names[i], view: 'rendered' }, bytes));
  }
  const request = { op: 'viewer', comparison, document: made.body.length > 0, beside: beside.map(sheet) };
  await write(session, stage, current, request, undefined, [made, ...beside]);
  return undefined;
}

/** What a viewer is written for. @param {Answer} made */
const sheet = made => ({ report: made.head.report, document: made.body.length > 0 });

/** A file of the folder: its bytes, unless it is too large. @param {import('./session.js').Session} session @param {HTMLElement} stage @param {string} name */
async function read(session, stage, name) {
  const file = await session.file(stage.dataset.agent, name);
  return { size: file.size, bytes: file.size <= MOST ? new Uint8Array(await file.arrayBuffer()) : null };
}

/**
 * Asks the worker that may not come back.
 * @param {import('./session.js').Session} session @param {Current} current @param {object} request @param {Uint8Array} bytes
 */
async function safe(session, current, request, bytes) {
  if (!current()) throw new Failure('cancelled');
  busy = true;
  try {
    return await session.readers.ask('sandbox', request, bytes);
  } finally {
    if (current()) busy = false;
  }
}

/**
 * Writes the stage, and puts the documents into its frames, in their order.
 * @param {import('./session.js').Session} session @param {HTMLElement} stage @param {Current} current
 * @param {object} request @param {Uint8Array} [bytes] @param {Answer[]} [made]
 */
async function write(session, stage, current, request, bytes, made = []) {
  if (!current()) throw new Failure('cancelled');
  const { body } = await session.readers.ask('view', { ...request, agent: stage.dataset.agent }, bytes);
  if (!current()) return;
  put(stage, new TextDecoder().decode(body));
  stage.classList.remove('is-empty');
  stage.style.minHeight = '';
  const frames = /** @type {NodeListOf<HTMLIFrameElement>} */ (stage.querySelectorAll('iframe[data-document]'));
  const documents = made.filter(({ body }) => body.length).map(({ body }) => trusted.createHTML(new TextDecoder().decode(body)));
  for (const [i, html] of documents.entries()) frames[i].srcdoc = html;
  const [first] = made;
  if (made.length === 1 && first.body.length && first.head.report && first.head.report.view === 'rendered') {
    showMeasurement.look(stage, (hidden, twin) => { hidden.srcdoc = twin ? trusted.createHTML('<!doctype html><title>figs-web</title>') : documents[0]; },
      found => { const form = composeForm(); if (form) replyDraft.measured(form, stage.dataset.key, found); });
  }
}

/** @returns {HTMLFormElement|null} */
const composeForm = () => $('view').querySelector('form[data-compose]');

/** @param {import('./session.js').Session} session @param {HTMLElement} stage @param {HTMLElement} root @param {string} [sha256] */
function shown(session, stage, root, sha256 = '') {
  const { agent, key, view, show, with: other } = stage.dataset;
  opened(session, agent, key, sha256);
  tick(session, root);
  time.relate(stage);
  say(view === 'compare' ? `${show} and ${other} are compared.` : `${show} is shown.`);
}

/** Notes that a file was shown, or downloaded. @param {import('./session.js').Session} session @param {string} agent @param {string} key @param {string} sha256 */
export function opened(session, agent, key, sha256) {
  const at = agent + '/' + key;
  if (sha256 || !session.seen.has(at)) session.seen.set(at, sha256);
}

/** Notes that the file on the stage was viewed, and drops what waited for that. @param {import('./session.js').Session} session @param {HTMLElement} stage @param {string} sha256 @returns {boolean} whether it counts */
export function counts(session, stage, sha256) {
  const { agent, key } = stage.dataset, root = $('view'), form = composeForm();
  const tab = /** @type {HTMLElement} */ (root.querySelector(`[data-tick="${CSS.escape(key)}"][data-sha256], .viewer-name[data-sha256]`));
  if (!sha256 || !tab || !form) return false;
  session.viewed.set(`${agent}/${key}`, sha256);
  replyDraft.opened(root, tab.dataset.sha256);
  replyDraft.tell(form);
  return true;
}

/** Marks the tabs of files that were shown since the folder was read. @param {import('./session.js').Session} session @param {HTMLElement} root */
function tick(session, root) {
  const stage = root.querySelector('[data-show]');
  if (!stage) return;
  for (const tab of root.querySelectorAll('[data-tick]')) {
    if (session.seen.has(stage.dataset.agent + '/' + tab.dataset.tick) && !tab.dataset.sha256 && !tab.querySelector('.tick')) {
      const sign = el('span', { className: 'tick', title: 'Shown since this folder was opened' }, '✓');
      sign.setAttribute('role', 'img');
      sign.setAttribute('aria-label', 'shown');
      tab.append(sign);
    }
  }
}

/** The stage says what happened; a message offers the next step. @param {import('./session.js').Session} session @param {HTMLElement} stage @param {Failure} failure */
function failed(session, stage, failure) {
  stage.replaceChildren(el('p', { className: 'stage-wait soft' }, 'This file could not be shown.'));
  const stale = failure.code === 'file_changed' || failure.code === 'unreadable' || session.lost();
  errors.showFailure(failure, stale ? [['Read the folder again', () => session.again()]] : []);
}

// Shows an attachment in a frame without rights. Loaded by inspector/route.js, inspector/actions.js, inspector/compose.js, inspector/remarks.js and inspector/hidden-text.js.
// A worker that nothing else needs makes a file safe and is ended when that takes too long; what surrounds the frame is
// written by the reader that writes pages. This page itself parses no byte of a file.

import { $, el, setHTML, announce, trustedPolicy } from '../shared/dom.js';
import { Failure, toFailure } from '../files/failure.js';
import { tr } from '../shared/translate.js';
import * as passageMode from '../remarks/passage-mode.js';
import * as showMeasurement from '../measure/show-measurement.js';
import { sha256Hex } from '../files/sha256.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';
import * as reading from '../shared/reading.js';
import * as replyDraft from '../shared/reply-draft.js';

/** @import { Session } from './session.js' */

export const MAX_ATTACHMENT_BYTES = 10 << 20; // an attachment (§7); larger ones are not read
export const FATAL_CODES = new Set(['timeout', 'memory', 'crash']); // the worker did not survive the file
const VISUAL_KINDS = new Set(['html', 'image', 'svg']); // compared by how they look, too

let generation = 0, busy = 0; // how often the worker was asked and has not answered

/** Ends what the page before began: a worker that is still at its file, and measuring. @param {Session} session */
export function leave(session) {
  generation++;
  if (busy) session.readers.kill('sandbox');
  busy = 0;
  showMeasurement.stop();
  passageMode.stop();
}

/**
 * Shows the attachment of a page, where it has one. It settles when that is shown.
 * @param {Session} session @param {HTMLElement} root
 */
export async function render(session, root) {
  markTabs(session, root);
  const stage = root.querySelector('[data-show]');
  if (!stage) return;
  const started = generation, isCurrent = () => started === generation;
  stage.setAttribute('aria-busy', 'true');
  try {
    const sha256 = await (stage.dataset.view === 'compare' ? showComparison : showFile)(session, stage, isCurrent);
    if (isCurrent()) announceShown(session, stage, root, sha256);
  } catch (error) {
    if (isCurrent()) showFailed(session, stage, toFailure(error));
  } finally {
    stage.removeAttribute('aria-busy');
  }
}

/**
 * @typedef {() => boolean} IsCurrent whether the page that asked is still the one that is shown
 * @typedef {{head: any, body: Uint8Array}} Answer of a reader
 */

/**
 * Shows one file.
 * @param {Session} session @param {HTMLElement} stage @param {IsCurrent} isCurrent
 * @returns {Promise<string|undefined>} the hash of what is shown; undefined of a file that is too large
 */
async function showFile(session, stage, isCurrent) {
  const { show: name, view } = stage.dataset;
  const file = await readAttachment(session, stage, name);
  if (!file.bytes) return void await renderStage(session, stage, isCurrent, { op: 'large', name, view, size: file.size });
  try {
    const sanitized = await askSandbox(session, isCurrent, { op: 'sanitize', name, view }, file.bytes);
    await renderStage(session, stage, isCurrent, { op: 'viewer', shown: viewerData(sanitized), reading: 'read' in stage.dataset }, undefined, [sanitized]);
    return sanitized.head.report.sha256;
  } catch (error) {
    if (!isCurrent() || !FATAL_CODES.has(toFailure(error).code)) throw error;
    await renderStage(session, stage, isCurrent, { op: 'stopped', name, view }, file.bytes);
    return sha256Hex(file.bytes);
  }
}

/** Shows how two files differ. @param {Session} session @param {HTMLElement} stage @param {IsCurrent} isCurrent @returns {Promise<string|undefined>} */
async function showComparison(session, stage, isCurrent) {
  const names = [stage.dataset.show, stage.dataset.with];
  const files = [await readAttachment(session, stage, names[0]), await readAttachment(session, stage, names[1])];
  if (files.some(file => !file.bytes)) throw new Failure('answer', 'One of the two files is larger than 10 MiB, the limit for an attachment.');
  const [before, after] = files.map(({ bytes }, i) => ({ name: names[i], size: bytes.length }));
  const joined = new Uint8Array(before.size + after.size);
  joined.set(files[0].bytes);
  joined.set(files[1].bytes, before.size);
  const compared = await askSandbox(session, isCurrent, { op: 'compare', before, after }, joined);
  const { comparison } = compared.head, rendered = [];
  if (!comparison.same && comparison.way !== 'facts' && VISUAL_KINDS.has(comparison.before.kind) && VISUAL_KINDS.has(comparison.after.kind)) {
    for (const [i, { bytes }] of files.entries()) rendered.push(await askSandbox(session, isCurrent, { op: 'sanitize', name: names[i], view: 'rendered' }, bytes));
  }
  const request = { op: 'viewer', comparison, document: compared.body.length > 0, beside: rendered.map(viewerData) };
  await renderStage(session, stage, isCurrent, request, undefined, [compared, ...rendered]);
  return undefined;
}

/** What a viewer is written for. @param {Answer} sanitized */
const viewerData = ({ head, body }) => ({ report: head.report, document: body.length > 0 });

/** A file of the folder: its bytes, unless it is too large. @param {Session} session @param {HTMLElement} stage @param {string} name */
async function readAttachment(session, stage, name) {
  const file = await session.file(stage.dataset.agent, name);
  return { size: file.size, bytes: file.size <= MAX_ATTACHMENT_BYTES ? new Uint8Array(await file.arrayBuffer()) : null };
}

/**
 * Asks the worker that may hang.
 * @param {Session} session @param {IsCurrent} isCurrent @param {object} request @param {Uint8Array} bytes
 */
async function askSandbox(session, isCurrent, request, bytes) {
  if (!isCurrent()) throw new Failure('cancelled');
  busy++;
  try {
    return await session.readers.ask('sandbox', request, bytes);
  } finally {
    if (isCurrent()) busy--;
  }
}

/**
 * Reads an attachment for remarks on it; null of one that is too large.
 * @param {Session} session @param {string} agent @param {string} name @param {(bytes: Uint8Array) => void} onBytes is given its bytes first
 */
export async function readAttachmentText(session, agent, name, onBytes) {
  const started = generation, isCurrent = () => started === generation;
  const file = await session.file(agent, name);
  if (file.size > MAX_ATTACHMENT_BYTES) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  onBytes(bytes);
  return askSandbox(session, isCurrent, { op: 'read', name }, bytes);
}

/**
 * Writes the stage, and puts the documents into its frames, in their order.
 * @param {Session} session @param {HTMLElement} stage @param {IsCurrent} isCurrent
 * @param {object} request @param {Uint8Array} [bytes] @param {Answer[]} [results]
 */
async function renderStage(session, stage, isCurrent, request, bytes, results = []) {
  if (!isCurrent()) throw new Failure('cancelled');
  const { body } = await session.readers.ask('view', { ...request, agent: stage.dataset.agent }, bytes);
  if (!isCurrent()) return;
  setHTML(stage, new TextDecoder().decode(body));
  stage.classList.remove('is-empty');
  stage.style.minHeight = '';
  const frames = /** @type {NodeListOf<HTMLIFrameElement>} */ (stage.querySelectorAll('iframe[data-document]'));
  const documents = results.filter(({ body }) => body.length).map(({ body }) => trustedPolicy.createHTML(new TextDecoder().decode(body)));
  for (const [i, html] of documents.entries()) frames[i].srcdoc = html;
  reading.update();
  const [first] = results;
  if (results.length === 1 && first.body.length && first.head.report && first.head.report.view === 'rendered') {
    showMeasurement.observe(stage, (hidden, twin) => { hidden.srcdoc = twin ? trustedPolicy.createHTML('<!doctype html><title>figs-web</title>') : documents[0]; },
      found => { const form = composeForm(); if (form) replyDraft.recordMeasurement(form, stage.dataset.key, found); });
  }
}

/** @returns {HTMLFormElement|null} */
const composeForm = () => $('view').querySelector('form[data-compose]');

/** @param {Session} session @param {HTMLElement} stage @param {HTMLElement} root @param {string} [sha256] */
function announceShown(session, stage, root, sha256 = '') {
  const { agent, key, view, show, with: otherName } = stage.dataset;
  markShown(session, agent, key, sha256);
  markTabs(session, root);
  time.showRelativeTimes(stage);
  announce(view === 'compare' ? tr('{0} and {1} are compared.', show, otherName) : tr('{0} is shown.', show));
}

/** Notes that a file was shown, or downloaded. @param {Session} session @param {string} agent @param {string} key @param {string} sha256 */
export function markShown(session, agent, key, sha256) {
  const file = agent + '/' + key;
  if (sha256 || !session.shownFiles.has(file)) session.shownFiles.set(file, sha256);
}

/** Notes that the file on the stage was viewed, and drops what waited for that. @param {Session} session @param {HTMLElement} stage @param {string} sha256 @returns {boolean} whether it counts */
export function markViewed(session, stage, sha256) {
  const { agent, key } = stage.dataset, root = $('view'), form = composeForm();
  const tab = /** @type {HTMLElement} */ (root.querySelector(`[data-tick="${CSS.escape(key)}"][data-sha256], .viewer-name[data-sha256]`));
  if (!sha256 || !tab || !form) return false;
  session.viewedFiles.set(`${agent}/${key}`, sha256);
  replyDraft.markViewed(root, tab.dataset.sha256);
  replyDraft.updateApproval(form);
  return true;
}

/** Marks the tabs of files that were shown since the folder was read. @param {Session} session @param {HTMLElement} root */
function markTabs(session, root) {
  const stage = root.querySelector('[data-show]');
  if (!stage) return;
  for (const tab of root.querySelectorAll('[data-tick]')) {
    if (session.shownFiles.has(stage.dataset.agent + '/' + tab.dataset.tick) && !tab.dataset.sha256 && !tab.querySelector('.tick')) {
      const icon = el('span', { className: 'tick', title: tr('Shown since this folder was opened') }, '✓');
      icon.setAttribute('role', 'img');
      icon.setAttribute('aria-label', 'shown');
      tab.append(icon);
    }
  }
}

/** The stage says what happened; a message offers the next step. @param {Session} session @param {HTMLElement} stage @param {Failure} failure */
function showFailed(session, stage, failure) {
  stage.replaceChildren(el('p', { className: 'stage-wait soft' }, tr('This file couldn\'t be shown.')));
  const isStale = failure.code === 'file_changed' || failure.code === 'unreadable' || session.isLost();
  errors.showFailure(failure, isStale ? [[tr('Read the folder again'), () => session.reopen()]] : []);
}

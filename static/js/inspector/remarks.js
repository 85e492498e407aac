// Changes the remarks of a reply that is composed here. Loaded by inspector/compose.js and inspector/route.js.
// It also says what became of those of the previous round.
// The reader that writes pages says which attachments it needs, and gets their bytes and their plain text. That text is made by
// the worker of the sandbox, which may hang.

import { $, el, setHTML, announce } from '../shared/dom.js';
import { Failure, toFailure } from '../files/failure.js';
import { pack } from '../files/pack.js';
import { focusRemark, replaceRemarks } from '../remarks/replace.js';
import * as time from '../shared/time.js';
import { tr } from '../shared/translate.js';
import { readAttachmentText, FATAL_CODES } from './attachment.js';

/** @import { Session } from './session.js' */

const MAX_BYTES = 32 << 20; // of all attachments that are read for remarks on one ask

/**
 * The attachments that were read for the remarks on one ask.
 * @typedef {{head: object, content: Uint8Array, plain: Uint8Array}} ReadFile
 * @type {{folder: object|null, path: string, files: ReadFile[], bytes: number}}
 */
let readFiles = { folder: null, path: '', files: [], bytes: 0 };

/**
 * Adds, removes or repeats a remark, as the button says.
 * @param {Session} session @param {HTMLFormElement} form @param {HTMLButtonElement} button @param {string} path of the page @param {object} person
 */
export async function change(session, form, button, path, person) {
  const panel = $('remarks');
  panel.inert = true; // what is typed now would be lost
  panel.setAttribute('aria-busy', 'true');
  try {
    const { head, html } = await askReader(session, form, button.value, path, person);
    if (!form.isConnected) return;
    show(form, html);
    focusRemark(button.value);
    if (head.status === 200) announce(button.value.startsWith('remove') ? tr('Comment removed.') : tr('Comment added. It is sent with your reply.'));
  } catch (error) {
    if (form.isConnected) throw error; // else the person went on, and what was asked was ended
  } finally {
    panel.inert = false;
    panel.removeAttribute('aria-busy');
  }
}

/** Writes the panel again from what the form holds. @param {Session} session @param {HTMLFormElement} form @param {string} fields @param {string} path @param {object} person */
export async function refresh(session, form, fields, path, person) {
  const { html } = await askReader(session, form, '', path, person, fields);
  if (form.isConnected) show(form, html);
}

/** @param {HTMLFormElement} form @param {string} html */
function show(form, html) {
  replaceRemarks(form, panelOf(html));
  time.showRelativeTimes($('remarks'));
}

/** @param {string} html @returns {HTMLElement} */
function panelOf(html) {
  const template = el('template');
  setHTML(template, html);
  return /** @type {HTMLElement} */ (template.content.querySelector('#remarks'));
}

/**
 * Says what became of the places of earlier remarks, once the page's own attachment is shown.
 * @param {Session} session @param {HTMLElement} root @param {Promise<void>} shown @param {string} path @param {object} person
 */
export async function judge(session, root, shown, path, person) {
  /** @type {HTMLFormElement|null} */
  const form = root.querySelector('form[data-compose]');
  if (!form || !root.querySelector('[data-earlier-remarks][data-unread]')) return;
  await shown;
  try {
    if (!form.isConnected) return;
    const { html } = await askReader(session, form, '', path, person);
    if (form.isConnected) replaceEarlier(panelOf(html).querySelector('.earlier-remarks'));
  } catch { /* the remarks are there without it */ }
}

/** Puts newer cards of the earlier remarks in the place of those on the page. @param {HTMLDetailsElement} next */
function replaceEarlier(next) {
  /** @type {HTMLDetailsElement} */
  const old = $('remarks').querySelector('.earlier-remarks'), focused = document.activeElement;
  const card = focused.closest('li'), place = old.contains(focused) && (card ? `#${card.id} ${focused.localName}` : 'summary');
  next.open = old.open;
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (next.querySelectorAll('[name="resolved"]'))) {
    const was = /** @type {HTMLInputElement} */ (old.querySelector(`[name="resolved"][value="${box.value}"]`));
    box.defaultChecked = false;
    box.checked = was.checked;
  }
  old.replaceWith(next);
  /** @type {HTMLElement} */
  const again = place && next.querySelector(place);
  if (again) again.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent('figs:remarks'));
}

/**
 * Asks the reader for the panel; where it needs attachments, once more with them.
 * @param {Session} session @param {HTMLFormElement} form @param {string} action of the button; "" for none
 * @param {string} path @param {object} person @param {string} [fields] instead of the form's
 */
async function askReader(session, form, action, path, person, fields) {
  const values = fields === undefined ? new URLSearchParams(/** @type {any} it has no files */ (new FormData(form))).toString() : fields;
  const { head: plan } = await session.readers.ask('view', { op: 'plan', path });
  const selection = await session.askEngine('select', plan.request), known = filesOf(session, path);
  for (let round = 0; round < 3; round++) { // the files of a remark, then those of earlier ones
    const request = { op: 'remarks', path, do: action, form: values, attached: known.files.map(({ head }) => head), ...person, ...time.clock() };
    const { head, body } = await session.readers.ask('view', request, pack([selection, ...known.files.flatMap(({ content, plain }) => [content, plain])]));
    if (!head.needs) return { head, html: new TextDecoder().decode(body) };
    for (const need of head.needs) known.files.push(await readFile(session, path.split('/')[1], need));
  }
  throw new Failure('answer');
}

/** What was read for the remarks on the ask of a page. @param {Session} session @param {string} path */
function filesOf(session, path) {
  const [page] = path.split('?');
  if (readFiles.folder !== session.folder || readFiles.path !== page) readFiles = { folder: session.folder, path: page, files: [], bytes: 0 };
  return readFiles;
}

/** Reads an attachment that the reader needs. @param {Session} session @param {string} agent @param {{key: string, name: string}} need @returns {Promise<ReadFile>} */
async function readFile(session, agent, { key, name }) {
  const none = new Uint8Array();
  /** @type {Uint8Array|undefined} */
  let content;
  try {
    const file = await session.file(agent, name);
    if (file.size > MAX_BYTES - readFiles.bytes) return { head: { key, problem: 'large' }, content: none, plain: none };
    const read = await readAttachmentText(session, agent, name, bytes => { content = bytes; });
    if (!read) return { head: { key, problem: 'large' }, content: none, plain: none };
    readFiles.bytes += content.length;
    return { head: { key, ...read.head.read }, content: read.head.read.text ? content : none, plain: read.body };
  } catch (error) {
    const { code } = toFailure(error);
    if (code === 'cancelled') throw error;
    return FATAL_CODES.has(code) && content ? { head: { key, problem: 'stopped' }, content, plain: none } : { head: { key, problem: 'missing' }, content: none, plain: none };
  }
}

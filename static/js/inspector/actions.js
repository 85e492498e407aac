// Handles the buttons and forms of the inspector. Loaded by inspector/main.js.
// The document listens for all of them: the page's own (data-act) and those that the reader wrote (data-copy, data-export,
// data-download, data-query).

import { $, closestTo, el, saveFile, announce } from '../shared/dom.js';
import { currentPath } from './address.js';
import { MAX_ATTACHMENT_BYTES, markViewed, markShown } from './attachment.js';
import { toFailure } from '../files/failure.js';
import { tr } from '../shared/translate.js';
import { markDownloaded } from '../shared/view-tracker.js';
import { sha256Hex } from '../files/sha256.js';
import * as errors from './errors.js';

/** @import { Session } from './session.js' */

const STALE_CODES = new Set(['file_changed', 'unreadable']); // reading again may help

/**
 * Listens to clicks on buttons, to forms and to choices.
 * @param {Session} session @param {Record<string, (button: HTMLElement) => void>} pageActions what data-act does
 */
export function listen(session, pageActions) {
  /** By the attribute that a button has. @type {Record<string, (button: HTMLElement) => void|Promise<void>>} */
  const handlers = {
    act: button => pageActions[button.dataset.act] && pageActions[button.dataset.act](button),
    sample: button => pageActions.sample(button),
    copy: button => copyText(button),
    export: button => exportFindings(session, button),
    download: button => downloadAttachment(session, button),
  };
  const selector = '[data-act], [data-sample], [data-copy], [data-export], [data-download]';
  document.addEventListener('click', async event => {
    const button = closestTo(event, selector);
    if (!button) return;
    event.preventDefault();
    try {
      await handlers[Object.keys(handlers).find(kind => kind in button.dataset)](button);
    } catch (error) {
      const failure = toFailure(error);
      errors.showFailure(failure, STALE_CODES.has(failure.code) || session.isLost() ? [[tr('Read the folder again'), () => session.reopen()]] : []);
    }
  });
  document.addEventListener('submit', submitFilter);
  document.addEventListener('change', applyChoice);
}

/** A choice in a filter is applied at once. @param {EventAt<HTMLSelectElement>} event */
function applyChoice({ target: { tagName, form } }) {
  if (tagName === 'SELECT' && form && 'query' in form.dataset) form.requestSubmit();
}

/** The number of a button's agent, as pages write it: "1", or "p1" of another folder. @param {HTMLElement} button */
const agentNumber = button => button.dataset.agent || '1';

/** Copies the text of a button, which says so for a while. @param {HTMLElement} button */
async function copyText(button) {
  const text = button.dataset.copy;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // plain http, or forbidden: the old way
    const area = el('textarea', { value: text, className: 'in-say' });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  const before = button.textContent;
  const copied = button.textContent = tr('Copied');
  announce(copied);
  setTimeout(() => { if (button.textContent === copied) button.textContent = before; }, 1600);
}

/** Saves the findings of an agent as JSON or SARIF. @param {Session} session @param {HTMLElement} button */
async function exportFindings(session, button) {
  const number = Number(agentNumber(button)) - 1, root = session.projectRoot(agentNumber(button));
  const findings = root ? (await session.askReader({ op: 'project', step: 'findings', root: root.no })).body : await session.askEngine('call', { op: 'findings', agent: number });
  const folder = root ? root.folder : session.folder.agents[number].path;
  const name = fileName(root ? `${root.name}-${root.kind}` : folder) + '-findings';
  if (button.dataset.export === 'json') return saveFile(name + '.json', 'application/json', [findings]);
  const { head, body } = await session.readers.ask('view', { op: 'sarif', folder }, findings);
  saveFile(head.name || name + '.sarif', head.type || 'application/sarif+json', [body]);
}

/** A file name from where the agent was found: letters, digits, dot, dash. @param {string} path */
function fileName(path) {
  return (path || '').replace(/\/?\.figs$/, '').replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^[-.]+/, '') || 'figs';
}

/** Saves an attachment, which counts as viewing one that is not shown. @param {Session} session @param {HTMLElement} button */
async function downloadAttachment(session, button) {
  const name = button.dataset.download;
  const file = await session.file(agentNumber(button), name);
  saveFile(name, 'application/octet-stream', [file]);
  const stage = button.closest('[data-show]');
  if (!stage || stage.dataset.show !== name || file.size > MAX_ATTACHMENT_BYTES) return;
  const sha256 = await sha256Hex(new Uint8Array(await file.arrayBuffer())), note = $('view').querySelector('[data-view-note]');
  markShown(session, stage.dataset.agent, stage.dataset.key, sha256);
  if (note && markDownloaded(note.dataset.viewNote.split(' ')[0])) markViewed(session, stage, sha256);
}

/** A filter form's fields become the address's query; its page is kept. @param {EventAt<HTMLFormElement, SubmitEvent>} event */
function submitFilter(event) {
  const form = event.target;
  if (!('query' in form.dataset)) return;
  event.preventDefault();
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, event.submitter)) if (value) fields.append(name, String(value));
  const page = (form.getAttribute('action') || '#' + currentPath()).replace(/^[^#]*#/, '').split('?')[0];
  const text = fields.toString();
  location.hash = page + (text ? '?' + text : '');
}

// Does what the buttons and forms of the inspector ask for. Loaded by inspector/main.js.
// By delegation: the page's own (data-act) and those that the reader wrote (data-copy, data-export, data-download,
// data-query).

import { $, closestTo, el, save, say } from '../shared/dom.js';
import { path } from './address.js';
import { MOST, counts, opened } from './attachment.js';
import { failureOf } from '../files/failure.js';
import { downloaded } from '../shared/view-tracker.js';
import { hex } from '../files/sha256.js';
import * as errors from './errors.js';

const STALE = new Set(['file_changed', 'unreadable']); // reading again may help

/**
 * Listens to clicks on buttons, to forms and to choices.
 * @param {import('./session.js').Session} session @param {Record<string, (button: HTMLElement) => void>} own what data-act does
 */
export function listen(session, own) {
  /** By the attribute that a button has. @type {Record<string, (button: HTMLElement) => void|Promise<void>>} */
  const kinds = {
    act: button => own[button.dataset.act] && own[button.dataset.act](button),
    sample: button => own.sample(button),
    copy: button => copy(button),
    export: button => exportFindings(session, button),
    download: button => download(session, button),
  };
  const selector = '[data-act], [data-sample], [data-copy], [data-export], [data-download]';
  document.addEventListener('click', async event => {
    const button = closestTo(event, selector);
    if (!button) return;
    event.preventDefault();
    try {
      await kinds[Object.keys(kinds).find(kind => kind in button.dataset)](button);
    } catch (error) {
      const failure = failureOf(error);
      errors.showFailure(failure, STALE.has(failure.code) || session.lost() ? [['Read the folder again', () => session.again()]] : []);
    }
  });
  document.addEventListener('submit', query);
  document.addEventListener('change', chosen);
}

/** A choice in a filter is applied at once. @param {EventAt<HTMLSelectElement>} event */
function chosen({ target: { tagName, form } }) {
  if (tagName === 'SELECT' && form && 'query' in form.dataset) form.requestSubmit();
}

/** The number of a button's agent, as pages write it: "1", or "p1" of another folder. @param {HTMLElement} button */
const agent = button => button.dataset.agent || '1';

/** @param {HTMLElement} button */
async function copy(button) {
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
  button.textContent = 'Copied';
  say('Copied.');
  setTimeout(() => { if (button.textContent === 'Copied') button.textContent = before; }, 1600);
}

/** @param {import('./session.js').Session} session @param {HTMLElement} button */
async function exportFindings(session, button) {
  const number = Number(agent(button)) - 1, root = session.root(agent(button));
  const findings = root ? (await session.show({ op: 'project', step: 'findings', root: root.no })).body : await session.query('raw', { op: 'findings', agent: number });
  const folder = root ? root.folder : session.folder.agents[number].path;
  const name = fileName(root ? `${root.name}-${root.kind}` : folder) + '-findings';
  if (button.dataset.export === 'json') return save(name + '.json', 'application/json', [findings]);
  const { head, body } = await session.readers.ask('view', { op: 'sarif', folder }, findings);
  save(head.name || name + '.sarif', head.type || 'application/sarif+json', [body]);
}

/** A file name from where the agent was found: letters, digits, dot, dash. @param {string} path */
function fileName(path) {
  return (path || '').replace(/\/?\.figs$/, '').replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^[-.]+/, '') || 'figs';
}

/** @param {import('./session.js').Session} session @param {HTMLElement} button */
async function download(session, button) {
  const name = button.dataset.download;
  const file = await session.file(agent(button), name);
  save(name, 'application/octet-stream', [file]);
  const stage = button.closest('[data-show]');
  if (!stage || stage.dataset.show !== name || file.size > MOST) return;
  const sha256 = await hex(new Uint8Array(await file.arrayBuffer())), note = $('view').querySelector('[data-view-note]');
  opened(session, stage.dataset.agent, stage.dataset.key, sha256);
  if (note && downloaded(note.dataset.viewNote.split(' ')[0])) counts(session, stage, sha256);
}

/** A filter form's fields become the address's query; its page is kept. @param {EventAt<HTMLFormElement, SubmitEvent>} event */
function query(event) {
  const form = event.target;
  if (!('query' in form.dataset)) return;
  event.preventDefault();
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, event.submitter)) if (value) fields.append(name, String(value));
  const page = (form.getAttribute('action') || '#' + path()).replace(/^[^#]*#/, '').split('?')[0];
  const text = fields.toString();
  location.hash = page + (text ? '?' + text : '');
}

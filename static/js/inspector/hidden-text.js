// Looks for hidden text in the attachments of an agent. Loaded by inspector/route.js.
// The worker of the sandbox looks through the files one after the other. The page of hidden text lists what was
// found; an ask says when one of its attachments hides something.

import { setHTML, announce } from '../shared/dom.js';
import { formatNumber, tr } from '../shared/translate.js';
import { MAX_ATTACHMENT_BYTES } from './attachment.js';
import { toFailure } from '../files/failure.js';
import { FILES, LEDGER_COUNT } from '../files/find-folders.js';

/** @import { Session } from './session.js' */

const PIECE_BYTES = 2 << 20; // of a ledger
const MAX_PASSAGES = 300;       // of one ledger

let generation = 0, isBusy = false;

/** Ends what the page before began. @param {Session} session */
export function leave(session) {
  generation++;
  if (isBusy) session.readers.kill('sandbox');
  isBusy = false;
}

/**
 * Looks where the page asks for it, once its own attachment is shown.
 * @param {Session} session @param {HTMLElement} root @param {Promise<void>} shown
 */
export async function scan(session, root, shown) {
  const page = root.querySelector('[data-lens]'), ask = root.querySelector('[data-lens-ask]');
  if (!page && !ask) return;
  const started = generation, isCurrent = () => started === generation;
  await shown;
  try {
    if (page && isCurrent()) await scanAgent(session, page, isCurrent);
    if (ask && isCurrent()) await scanAsk(session, ask, isCurrent);
  } catch (error) {
    if (!isCurrent()) return;
    const status = root.querySelector('[data-lens-at]');
    if (status) status.textContent = tr('The check stopped early: {0}', toFailure(error).message);
  }
}

/**
 * @typedef {{readings: Array<{key: string, reading: object}>, missed: number}} Found
 * @typedef {() => boolean} IsCurrent whether the page that asked is still the one that is shown
 */

/** Asks the worker of the sandbox. @param {Session} session @param {object} request @param {Uint8Array} bytes */
async function askSandbox(session, request, bytes) {
  isBusy = true;
  try {
    return (await session.readers.ask('sandbox', { op: 'lens', ...request }, bytes)).head;
  } finally {
    isBusy = false;
  }
}

/**
 * Looks through all that an agent has; says first how far that is, then what was found.
 * @param {Session} session @param {HTMLElement} page @param {IsCurrent} isCurrent
 */
async function scanAgent(session, page, isCurrent) {
  const agent = page.dataset.lens, status = page.querySelector('[data-lens-at]');
  /** @type {Found} */
  const found = { readings: [], missed: 0 };
  const report = (/** @type {string} */ words) => { status.textContent = words; };
  if (page.dataset.first !== undefined) {
    for (const name of FILES.slice(0, LEDGER_COUNT)) {
      const reading = await scanLedger(session, agent, name, report, isCurrent);
      if (!isCurrent()) return;
      if (reading) found.readings.push({ key: '', reading });
    }
    for (const name of FILES.slice(LEDGER_COUNT)) {
      const file = await protocolFile(session, agent, name);
      if (!isCurrent()) return;
      if (file && file.size <= MAX_ATTACHMENT_BYTES) found.readings.push({ key: '', reading: (await askSandbox(session, { step: 'small', name }, await readBytes(file))).reading });
    }
  }
  await scanAttachments(session, agent, page, found, isCurrent, (n, all) => report(tr('Checked {0} of {1} attachments.', formatNumber(n), formatNumber(all))));
  if (!isCurrent()) return;
  const { body } = await session.readers.ask('view', { op: 'lens', step: 'page', agent, found });
  if (!isCurrent()) return;
  setHTML(page, new TextDecoder().decode(body));
  const heading = page.querySelector('h1');
  announce(heading ? heading.textContent : '');
}

/**
 * Looks through the attachments of an ask; nothing is said as long as nothing is hidden.
 * @param {Session} session @param {HTMLElement} output @param {IsCurrent} isCurrent
 */
async function scanAsk(session, output, isCurrent) {
  /** @type {Found} */
  const found = { readings: [], missed: 0 };
  await scanAttachments(session, output.dataset.lensAsk, output, found, isCurrent);
  if (!isCurrent()) return;
  const { body } = await session.readers.ask('view', { op: 'lens', step: 'notice', agent: output.dataset.lensAsk, path: output.dataset.path, found });
  if (isCurrent()) setHTML(output, new TextDecoder().decode(body));
}

/**
 * The attachments that a page names.
 * @param {Session} session @param {string} agent @param {HTMLElement} root
 * @param {Found} found @param {IsCurrent} isCurrent @param {(n: number, all: number) => void} [report]
 */
async function scanAttachments(session, agent, root, found, isCurrent, report = () => {}) {
  const files = [...root.querySelectorAll('[data-lens-file]')];
  for (const [n, node] of files.entries()) {
    if (!isCurrent()) return;
    const { lensFile: key, look: name } = node.dataset;
    report(n, files.length);
    try {
      const file = await session.file(agent, name);
      const reading = file.size > MAX_ATTACHMENT_BYTES
        ? { name, size: file.size, unread: tr('It is larger than 10 MiB, the limit for an attachment, so it wasn\'t checked.') }
        : (await askSandbox(session, { step: 'file', name }, await readBytes(file))).reading;
      found.readings.push({ key, reading });
    } catch (error) {
      if (!isCurrent()) return;
      const why = toFailure(error).code === 'timeout' ? tr('Checking it took more than 10 seconds, so it was stopped.') : tr('It couldn\'t be read.');
      found.readings.push({ key, reading: { name, size: 0, unread: why } });
    }
  }
}

/**
 * A ledger, in pieces that end with a line.
 * @param {Session} session @param {string} agent @param {string} name
 * @param {(words: string) => void} report @param {IsCurrent} isCurrent
 */
async function scanLedger(session, agent, name, report, isCurrent) {
  const file = await protocolFile(session, agent, name);
  if (!file) return null;
  const result = { name, size: file.size, passages: /** @type {object[]} */ ([]), more: 0 };
  for (let offset = 0, line = 0, size = PIECE_BYTES; offset < file.size && isCurrent();) {
    report(tr('Checking {0}: {1}.', name, Math.floor(100 * offset / file.size) + ' %'));
    const piece = await readBytes(file.slice(offset, offset + size)), isLast = offset + piece.length >= file.size;
    const end = isLast ? piece.length : piece.lastIndexOf(10) + 1;
    if (!end) {
      size *= 2; // one line that is longer than a piece
      continue;
    }
    const { reading, lines } = await askSandbox(session, { step: 'lines', name, line }, piece.slice(0, end));
    const left = MAX_PASSAGES - result.passages.length, found = reading.passages || [];
    result.passages.push(...found.slice(0, left));
    result.more += (reading.more || 0) + Math.max(0, found.length - left);
    [offset, line, size] = [offset + end, lines || line, PIECE_BYTES];
  }
  return result;
}

/** A file that the protocol names. @param {Session} session @param {string} agent its number @param {string} name @returns {Promise<Blob|null>} */
const protocolFile = (session, agent, name) => session.askEngine('protocolFile', { agent: Number(agent) - 1, file: FILES.indexOf(name) });

/** @param {Blob} blob */
const readBytes = async blob => new Uint8Array(await blob.arrayBuffer());

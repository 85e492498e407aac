// Finds receipts that lie beside a folder. Loaded by files/find-folders.js, inspector/folder-input.js, worker/engine.js and worker/sources.js.
// They are files whose name says so, and JSON that says it is one.
// Inside .figs no one looks: the protocol has no receipts there.

import { readText as textOf } from './blob.js';

const MAX_RECEIPT_BYTES = 16 << 20; // bytes of a receipt
const MAX_CANDIDATES = 200;   // files that are opened to see whether they are one

/** Whether a name is that of a receipt. @param {string} name */
export const isReceiptName = name => /(^|\.)receipt\.json$/i.test(name);

/**
 * The receipts among files.
 * @param {Array<[string, () => Promise<File>]>} files with their paths
 * @typedef {{name: string, file: File, agent: string, ask: string, attachments: string[]}} Receipt agent, ask: their ids; "" where it has none
 * @returns {Promise<Receipt[]>}
 */
export async function readReceipts(files) {
  /** @type {Receipt[]} */
  const list = [];
  for (const [name, open] of files.slice(0, MAX_CANDIDATES)) {
    const file = await open().catch(() => /** @type {File|null} */ (null));
    const text = file && file.size <= MAX_RECEIPT_BYTES ? await textOf(file).catch(() => '') : '';
    if (text && isReceipt(name, text)) list.push({ name, file, ...receiptFacts(text) });
  }
  return list;
}

/** @param {string} name @param {string} text */
const isReceipt = (name, text) => isReceiptName(name.slice(name.lastIndexOf('/') + 1)) || text.includes('"figs-web-receipt/');

/** Whose folder it belongs to, and which files it names. Whether it is a receipt at all, the reader decides. @param {string} text */
function receiptFacts(text) {
  try {
    const { agent, ask, attachments } = JSON.parse(text);
    return { agent: String(agent.id).toLowerCase(), ask: String(ask.id), attachments: attachments.map((/** @type {any} */ a) => a.name).filter((/** @type {unknown} */ name) => typeof name === 'string') };
  } catch {
    return { agent: '', ask: '', attachments: [] };
  }
}

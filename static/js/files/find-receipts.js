// Finds receipts that lie beside a folder. Loaded by files/find-folders.js, inspector/folder-input.js, worker/engine.js and worker/sources.js.
// They are files whose name says so, and JSON that says it is one.
// Inside .figs nobody looks: the protocol has no receipts there.

import { text as textOf } from './blob.js';

const MOST = 16 << 20; // bytes of a receipt
const LOOKED = 200;   // files that are opened to see whether they are one

/** Whether a name is that of a receipt. */
export const named = name => /(^|\.)receipt\.json$/i.test(name);

/**
 * The receipts among files.
 * @param {Array<[string, () => Promise<File>]>} files with their paths
 * @returns {Promise<Array<{name: string, file: File, agent: string, ask: string, attachments: string[]}>>}
 */
export async function receiptsOf(files) {
  const list = [];
  for (const [name, open] of files.slice(0, LOOKED)) {
    const file = await open().catch(() => null);
    const text = file && file.size <= MOST ? await textOf(file).catch(() => '') : '';
    if (text && isReceipt(name, text)) list.push({ name, file, ...facts(text) });
  }
  return list;
}

const isReceipt = (name, text) => named(name.slice(name.lastIndexOf('/') + 1)) || text.includes('"figs-web-receipt/');

/** Whose folder it belongs to, and which files it names. What is no such thing is the reader's to refuse. */
function facts(text) {
  try {
    const { agent, ask, attachments } = JSON.parse(text);
    return { agent: String(agent.id).toLowerCase(), ask: String(ask.id), attachments: attachments.map(a => a.name).filter(name => typeof name === 'string') };
  } catch {
    return { agent: '', ask: '', attachments: [] };
  }
}

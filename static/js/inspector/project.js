// Lets the reader learn the other folders of agents in what was given. Loaded by inspector/session.js.
// The reader says which files it wants, the engine's worker reads them, it says what else to look at, that is looked at.
// This page only hands the bytes on.

const LIMIT = 60_000; // ms for one step

/**
 * @typedef {{no: number, kind: string, path: string, name: string, folder: string, errors: number}} Root another folder of agents
 * @param {import('./readers.js').Readers} readers
 * @param {(op: string, value?: any) => Promise<Uint8Array>} ask asks the engine
 * @param {Pick<import('./session.js').OpenFolder, 'others'|'now'>} folder @param {number} project the number that requests name it by
 * @returns {Promise<{roots?: Root[], notes?: string[]}>}
 */
export async function study(readers, ask, { others: { name, top }, now }, project) {
  const tell = (/** @type {string} */ step, /** @type {Uint8Array} */ bytes, more = {}) => readers.ask('view', { op: 'project', step, ...more }, bytes, { limit: LIMIT, transfer: [bytes.buffer] });
  const listed = await tell('list', await ask('paths'), { name, top, project });
  if (!listed.head.found) return {};
  const given = await tell('give', await ask('contents', listed.body));
  return (await tell('look', await ask('targets', given.body), { now })).head;
}

// Lets the reader read the other folders of agents in what was given. Loaded by inspector/session.js.
// The reader says which files it wants, the engine's worker reads them, then it says what
// else to look at, and the worker looks. This page only hands the bytes on.

const STEP_LIMIT_MS = 60_000; // for one step

/**
 * @typedef {{no: number, kind: string, path: string, name: string, folder: string, errors: number}} Root another folder of agents
 * @param {import('./readers.js').Readers} readers
 * @param {(op: string, value?: any) => Promise<Uint8Array>} askEngine asks the engine
 * @param {Pick<import('./session.js').OpenFolder, 'project'|'now'>} folder @param {number} number that requests name it by
 * @returns {Promise<{roots?: Root[], notes?: string[]}>}
 */
export async function readProject(readers, askEngine, { project: { name, top }, now }, number) {
  const askReader = (/** @type {string} */ step, /** @type {Uint8Array} */ bytes, more = {}) => readers.ask('view', { op: 'project', step, ...more }, bytes, { limit: STEP_LIMIT_MS, transfer: [bytes.buffer] });
  const listed = await askReader('list', await askEngine('projectPaths'), { name, top, project: number });
  if (!listed.head.found) return {};
  const contents = await askReader('give', await askEngine('projectContents', listed.body));
  return (await askReader('look', await askEngine('projectTargets', contents.body), { now })).head;
}

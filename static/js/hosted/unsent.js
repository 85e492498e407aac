// Keeps in this browser what was typed and did not reach the server, until it does. Loaded by hosted/decide.js and hosted/app.js.
// It outlives the page and the window, which a phone closes without asking; signing out forgets it.

const KEY = 'figs-unsent', MAX_AGE_MS = 7 * 24 * 3600_000, MAX_DRAFTS = 20;

/**
 * @typedef {{by: string, at: number, base: string, draft: import('../shared/reply-draft.js').Draft}} Unsent
 *   whose it is, when it was kept, the text that the server had then, and the draft
 */

/** What is kept, by the path of the ask. @returns {Record<string, Unsent>} */
function load() {
  try {
    const all = JSON.parse(localStorage.getItem(KEY)) || {};
    return Object.fromEntries(Object.entries(all).filter(([, { at }]) => Date.now() - at < MAX_AGE_MS));
  } catch {
    return {};
  }
}

/** @param {Record<string, Unsent>} all @returns {boolean} whether the browser keeps it */
function store(all) {
  try {
    const newest = Object.entries(all).sort(([, a], [, b]) => b.at - a.at).slice(0, MAX_DRAFTS);
    if (newest.length) localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(newest))); else localStorage.removeItem(KEY);
    return true;
  } catch {
    return false; // storage may be forbidden or full
  }
}

/** Keeps a draft. @param {string} path @param {Omit<Unsent, 'at'>} unsent */
export const keepUnsent = (path, unsent) => store({ ...load(), [path]: { ...unsent, at: Date.now() } });

/** The draft that was kept for an ask by this person: two may use a browser, one after the other. @param {string} path @param {string} by */
export function unsentOf(path, by) {
  const unsent = load()[path];
  return unsent && unsent.by === by ? unsent : null;
}

/** Forgets the draft of an ask: the server has it. @param {string} path */
export function removeUnsent(path) {
  const { [path]: removed, ...others } = load();
  if (removed) store(others);
}

/** Forgets all of them. */
export const forgetUnsent = () => store({});

// A directory of this machine, as a list of files.

import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isRelevant, MAX_ENTRIES, SKIPPED } from './sources.js';

/** @typedef {import('./sources.js').Entry} Entry */

/**
 * Lists what may belong to agents, nearest to the root first. Links to folders, and links that leave the root, are not
 * followed.
 * @param {string} root @returns {Promise<{entries: Entry[], notes: string[]}>}
 */
export async function listDirectory(root) {
  const real = await realpath(root);
  /** @type {Entry[]} */
  const entries = [];
  /** @type {string[]} */
  const notes = [];
  let level = [''];
  let seen = 0;
  while (level.length && seen < MAX_ENTRIES) {
    const below = [];
    for (const prefix of level) {
      for (const item of await children(join(root, prefix), prefix, notes)) {
        if (++seen > MAX_ENTRIES) break;
        const path = prefix + item.name;
        if (item.isDirectory()) {
          if (SKIPPED.has(item.name) || isRelevant(path)) entries.push({ path, size: 0, kind: 'folder' });
          if (!SKIPPED.has(item.name)) below.push(path + '/');
        } else if (item.isSymbolicLink()) entries.push(await linkEntry(real, root, path));
        else if (isRelevant(path)) entries.push(item.isFile() ? fileEntry(path, join(root, path), (await stat(join(root, path))).size) : { path, size: 0, kind: 'other' });
      }
    }
    level = below;
  }
  if (seen > MAX_ENTRIES) notes.push(`The search stopped after ${MAX_ENTRIES} entries; open a folder nearer to the .figs folder to see the rest.`);
  return { entries, notes };
}

/** @param {string} folder @param {string} prefix @param {string[]} notes */
async function children(folder, prefix, notes) {
  try {
    const items = await readdir(folder, { withFileTypes: true });
    return items.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (!prefix) throw error;
    notes.push(`Could not be opened: ${JSON.stringify(prefix.slice(0, -1))}.`);
    return [];
  }
}

/** @param {string} real @param {string} root @param {string} path @returns {Promise<Entry>} */
async function linkEntry(real, root, path) {
  try {
    const target = await realpath(join(root, path));
    const info = await stat(target);
    const isInside = relative(real, target).split(sep)[0] !== '..';
    return isInside && info.isFile() ? fileEntry(path, target, info.size) : { path, size: 0, kind: 'link' };
  } catch {
    return { path, size: 0, kind: 'dangling' };
  }
}

/** @param {string} path @param {string} file @param {number} size @returns {Entry} */
function fileEntry(path, file, size) {
  /** @type {import('node:fs').Stats} */
  let before;
  let count = 0;
  return {
    path,
    size,
    async *read() {
      const handle = await open(file);
      try {
        before = await handle.stat();
        count = 0;
        while (count < before.size) { // a file that grows as fast as it is read must end too
          const buffer = new Uint8Array(Math.min(1 << 20, before.size - count));
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, count);
          if (!bytesRead) return;
          count += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await handle.close();
      }
    },
    async changed() {
      const after = await stat(file).catch(() => null);
      if (!after) return 'it was removed';
      if (after.size !== before.size || count !== before.size) return `its size went from ${bytes(before.size)} to ${bytes(after.size)}`;
      return after.mtimeMs === before.mtimeMs ? '' : 'it was written again';
    },
  };
}

/** @param {number} n */
const bytes = n => (n === 1 ? '1 byte' : `${n} bytes`);

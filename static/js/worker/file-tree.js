// Keeps the paths of files so that they can be opened again. Loaded by worker/engine.js.
// These are the files that the other folders name. Only paths are kept: each handle of a browser costs memory.

import { projectPrefix } from '../files/project-paths.js';
import { SKIPPED_FOLDERS } from '../files/find-folders.js';

const MAX_PATH_LENGTH = 4096;

/**
 * @typedef {{name: string, paths: string[], at: (path: string) => Promise<Opener|null>, isPartial?: boolean, isZip?: boolean}} Root
 *   a folder that was given, or files without one (name ""); at: how to open a file, null of a folder; isPartial: not all of
 *   it was handed over
 * @typedef {import('../files/find-folders.js').Opener} Opener
 */

/** The files of everything that was given, by their paths. */
export class FileTree {
  /** @param {Root[]} roots */
  constructor(roots) {
    const one = roots.length === 1 && roots[0];
    this.isProject = false; // whether a kind of other folders may be in it
    /** With what their paths begin with here. @type {Array<{root: Root, prefix: string}>} */
    this.roots = [];
    for (const root of roots) {
      const inProject = projectPrefix(root.name, root.paths);
      if (inProject !== undefined) this.isProject = true;
      let prefix = inProject || (one || !root.name ? '' : root.name + '/');
      if (this.roots.some(other => other.prefix === prefix)) prefix = `${root.name} (${this.roots.length + 1})/${inProject || ''}`;
      this.roots.push({ root, prefix });
    }
    this.roots.sort((a, b) => b.prefix.length - a.prefix.length);
    this.name = one && !one.isZip && !this.roots[0].prefix ? one.name : ''; // of what its paths begin at
    this.top = one && one.name || 'what was dropped';                   // for people, where that has none
  }

  /** Every file, from the top of what was given. */
  paths() {
    return this.roots.flatMap(({ root, prefix }) => root.paths.map(path => prefix + path));
  }

  /**
   * What is at a path: how to open it, null of a folder, undefined where no one can know: not everything was given,
   * and browsers refuse some names (TypeError). A symbolic link is nothing to them.
   * @param {string} path @returns {Promise<Opener|null|undefined>} rejects with NotFoundError when nothing is there
   */
  async openerAt(path) {
    const found = this.roots.find(({ prefix }) => path.startsWith(prefix));
    if (!found) return undefined;
    const { root, prefix } = found;
    const inside = path.slice(prefix.length);
    try {
      if (inside === '.') return null;
      return await root.at(inside.slice(0, MAX_PATH_LENGTH));
    } catch (error) {
      if (root.isPartial || error instanceof TypeError || inside.split('/').some(name => SKIPPED_FOLDERS.has(name))) return undefined;
      throw error;
    }
  }
}

// Keeps the paths of files so that they can be opened again. Loaded by worker/engine.js.
// These are the files that the other folders name. Only paths are kept: each handle of a browser costs memory.

import { placed } from '../files/project-paths.js';
import { SKIP } from '../files/find-folders.js';

const LONGEST = 4096; // of a path

/**
 * @typedef {{name: string, paths: string[], at: (path: string) => Promise<Open|null>, part?: boolean, zip?: boolean}} Top
 *   a folder that was given, or files without one (name ""); at: how to open a file, null of a folder; part: not all of
 *   it was handed over; zip: it is a zip
 * @typedef {(() => Promise<File>) & {size?: number}} Open size: where it is known without opening
 */

export class Tree {
  /** @param {Top[]} tops */
  constructor(tops) {
    const one = tops.length === 1 && tops[0];
    this.found = false;
    /** With what their paths begin with here. @type {Array<{top: Top, before: string}>} */
    this.tops = [];
    for (const top of tops) {
      const place = placed(top.name, top.paths);
      if (place !== undefined) this.found = true;
      let before = place || (one || !top.name ? '' : top.name + '/');
      if (this.tops.some(other => other.before === before)) before = `${top.name} (${this.tops.length + 1})/${place || ''}`;
      this.tops.push({ top, before });
    }
    this.tops.sort((a, b) => b.before.length - a.before.length);
    this.name = one && !one.zip && !this.tops[0].before ? one.name : ''; // of what its paths begin at
    this.top = one && one.name || 'what was dropped';                   // for people, where that has none
  }

  /** Every file, from the top of what was given. */
  paths() {
    return this.tops.flatMap(({ top, before }) => top.paths.map(path => before + path));
  }

  /**
   * What stands at a path: how to open it, null of a folder, undefined where nobody can know: not everything was given,
   * and some names browsers refuse (TypeError). A symbolic link is nothing to them.
   * @param {string} path @returns {Promise<Open|null|undefined>} rejects with NotFoundError when nothing does
   */
  async at(path) {
    const found = this.tops.find(({ before }) => path.startsWith(before));
    if (!found) return undefined;
    const { top, before } = found;
    const inside = path.slice(before.length);
    try {
      if (inside === '.') return null;
      return await top.at(inside.slice(0, LONGEST));
    } catch (error) {
      if (top.part || error instanceof TypeError || inside.split('/').some(name => SKIP.has(name))) return undefined;
      throw error;
    }
  }
}

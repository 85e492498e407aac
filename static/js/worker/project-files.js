// Finds, reads and hashes the files of the other folders of agents. Loaded by worker/engine.js.
// The reader must know them to judge these folders, and opens none itself. Many are read side by side; all of it goes over
// in one run of bytes.

import { buffer } from '../files/blob.js';
import { Failure, failureOf } from '../files/failure.js';
import { pack, unpack } from '../files/pack.js';
import { hexOf } from '../files/sha256.js';

const TOGETHER = 64;     // files that are opened side by side
const SMALL = 1 << 20;   // files up to this size, in bytes, are hashed side by side
const GIVEN = 64 << 20;  // bytes that the reader is given
const HASHED = 1 << 30;  // bytes that are hashed; of further files only the size is known

/**
 * @typedef {import('../files/find-folders.js').OpenedFile|MissingFile|null|undefined} Found
 *   a file, or, where no more than its size is wanted, what knows it; null, undefined: see Tree.at
 * @typedef {Failure & {gone?: boolean}} MissingFile gone: there is no such file
 */

export class Others {
  /** @param {import('./file-tree.js').Tree} tree @param {import('./engine.js').Engine} engine whose reading it is a part of */
  constructor(tree, engine) {
    this.tree = tree;
    this.engine = engine;
    /** Large files are hashed one after the other. @type {Promise<string>} */
    this.turn = Promise.resolve('');
  }

  /** The paths of all files. */
  paths() {
    return pack(this.tree.paths());
  }

  /**
   * The files that the reader wants, each with its most bytes: for each why there is none, and its bytes or the browser's word.
   * @param {Uint8Array} wanted packed: path, most bytes
   */
  contents(wanted) {
    let left = GIVEN;
    return this.each(wanted, async (file, most) => {
      if (!file) return ['unreadable', 'the browser does not open it'];
      if (file instanceof Failure) return ['unreadable', file.message];
      if (file.damaged) return ['unreadable', file.damaged];
      if (file.size > most) return ['large', file.size + ' bytes'];
      if (file.size > left) return ['unreadable', 'a browser reads at most 64 MiB of such files; figs-web doctor reads more'];
      left -= file.size;
      return ['', new Uint8Array(await buffer(file))];
    });
  }

  /**
   * What is at each path: a word, its size, and its SHA-256 where it has at most so many bytes.
   * @param {Uint8Array} listed packed: path, most bytes
   */
  targets(listed) {
    let left = HASHED;
    return this.each(listed, async (file, most, path) => {
      if (file === null) return ['folder', '', ''];
      if (!file) return ['unknown', '', ''];
      if (file instanceof Failure) return [file.gone ? 'missing' : 'unreadable', '', file.message];
      if (file.damaged) return ['unreadable', '', file.damaged];
      if (file.size > Math.min(most, left)) return ['file', String(file.size), ''];
      left -= file.size;
      return ['file', String(file.size), await this.hash(file, path)];
    });
  }

  /** One file, for the viewer. @param {string} path */
  async file(path) {
    const open = await this.tree.at(path);
    if (!open) throw new Failure('missing', `${path} is not in this copy of the folder.`);
    return open();
  }

  /**
   * Calls a function with each of the files that the reader listed, in their order, and packs what it returns.
   * @param {Uint8Array} listed @param {(file: Found, most: number, path: string) => Promise<Array<string|Uint8Array>>} use
   */
  async each(listed, use) {
    const list = unpack(listed), pieces = [];
    for (let at = 0; at < list.length; at += 2 * TOGETHER) {
      this.engine.progress({ file: list[at], files: at / 2, of: list.length / 2 });
      const some = list.slice(at, at + 2 * TOGETHER), paths = some.filter((_, i) => i % 2 === 0), most = (/** @type {number} */ i) => Number(some[2 * i + 1]);
      const files = await this.wait(paths.map((path, i) => this.find(path, most(i))));
      const used = await this.wait(files.map((file, i) => use(file, most(i), paths[i]).catch(error => use(failureOf(error), most(i), paths[i]))));
      for (const some of used) pieces.push(...some);
    }
    return pack(pieces);
  }

  /**
   * Waits for all, unless the person cancels.
   * @template T @param {Array<Promise<T>>} all
   */
  async wait(all) {
    const done = await Promise.race([Promise.all(all), this.engine.halted]);
    if (this.engine.stopped) throw new Failure('cancelled');
    return done;
  }

  /** @param {string} path @param {number} most bytes that are wanted of it; below 0: only its size @returns {Promise<Found>} */
  async find(path, most) {
    try {
      const open = await this.tree.at(path);
      return open && (most < 0 && open.size >= 0 ? /** @type {any} */ (open) : await open());
    } catch (error) {
      return Object.assign(failureOf(error), { gone: error.name === 'NotFoundError' });
    }
  }

  /** @param {Blob} file @param {string} path */
  hash(file, path) {
    const hash = () => hexOf(file, done => {
      if (this.engine.stopped) throw new Failure('cancelled');
      this.engine.progress({ file: path, done, total: file.size });
    });
    return file.size > SMALL ? this.turn = this.turn.catch(() => {}).then(hash) : hash();
  }
}

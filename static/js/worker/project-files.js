// Finds, reads and hashes the files of the other folders of agents. Loaded by worker/engine.js.
// The reader must know them to judge these folders, and opens none itself. Many are read side by side; all of them are handed
// over as one piece of bytes.

import { readBuffer } from '../files/blob.js';
import { Failure, toFailure } from '../files/failure.js';
import { pack, unpack } from '../files/pack.js';
import { sha256HexOfBlob } from '../files/sha256.js';

/** @import { Engine } from './engine.js' */

const PARALLEL_FILES = 64;           // files that are opened side by side
const SMALL_FILE_BYTES = 1 << 20;    // files up to this size are hashed side by side
const MAX_GIVEN_BYTES = 64 << 20;    // that the reader is given
const MAX_HASHED_BYTES = 1 << 30;    // of further files only the size is known

/**
 * @typedef {import('../files/find-folders.js').OpenedFile|MissingFile|null|undefined} Found
 *   a file, or, where no more than its size is wanted, what knows it; null, undefined: see FileTree.openerAt
 * @typedef {Failure & {isGone?: boolean}} MissingFile isGone: there is no such file
 */

/** What the reader asks of the files of a project. */
export class ProjectFiles {
  /** @param {import('./file-tree.js').FileTree} tree @param {Engine} engine whose reading it is a part of */
  constructor(tree, engine) {
    this.tree = tree;
    this.engine = engine;
    /** Large files are hashed one after the other. @type {Promise<string>} */
    this.lastHash = Promise.resolve('');
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
    let bytesLeft = MAX_GIVEN_BYTES;
    return this.mapFiles(wanted, async (file, maxBytes) => {
      if (!file) return ['unreadable', 'the browser can\'t open it'];
      if (file instanceof Failure) return ['unreadable', file.english];
      if (file.damaged) return ['unreadable', file.damaged];
      if (file.size > maxBytes) return ['large', file.size + ' bytes'];
      if (file.size > bytesLeft) return ['unreadable', 'a browser reads at most 64 MiB of such files; figs-web doctor reads more'];
      bytesLeft -= file.size;
      return ['', new Uint8Array(await readBuffer(file))];
    });
  }

  /**
   * What is at each path: a word, its size, and its SHA-256 where it has at most so many bytes.
   * @param {Uint8Array} listed packed: path, most bytes
   */
  targets(listed) {
    let bytesLeft = MAX_HASHED_BYTES;
    return this.mapFiles(listed, async (file, maxBytes, path) => {
      if (file === null) return ['folder', '', ''];
      if (!file) return ['unknown', '', ''];
      if (file instanceof Failure) return [file.isGone ? 'missing' : 'unreadable', '', file.english];
      if (file.damaged) return ['unreadable', '', file.damaged];
      if (file.size > Math.min(maxBytes, bytesLeft)) return ['file', String(file.size), ''];
      bytesLeft -= file.size;
      return ['file', String(file.size), await this.hash(file, path)];
    });
  }

  /** One file, for the viewer. @param {string} path */
  async file(path) {
    const open = await this.tree.openerAt(path);
    if (!open) throw new Failure('missing', '{0} is not in this copy of the folder.', path);
    return open();
  }

  /**
   * Calls a function with each of the files that the reader listed, in their order, and packs what it returns.
   * @param {Uint8Array} listed @param {(file: Found, maxBytes: number, path: string) => Promise<Array<string|Uint8Array>>} convert
   */
  async mapFiles(listed, convert) {
    const list = unpack(listed), pieces = [];
    for (let at = 0; at < list.length; at += 2 * PARALLEL_FILES) {
      this.engine.progress({ file: list[at], files: at / 2, of: list.length / 2 });
      const some = list.slice(at, at + 2 * PARALLEL_FILES), paths = some.filter((_, i) => i % 2 === 0), maxBytes = (/** @type {number} */ i) => Number(some[2 * i + 1]);
      const files = await this.waitForAll(paths.map((path, i) => this.openFile(path, maxBytes(i))));
      const results = await this.waitForAll(files.map((file, i) => convert(file, maxBytes(i), paths[i]).catch(error => convert(toFailure(error), maxBytes(i), paths[i]))));
      for (const some of results) pieces.push(...some);
    }
    return pack(pieces);
  }

  /**
   * Waits for all, unless the person cancels.
   * @template T @param {Array<Promise<T>>} all
   */
  async waitForAll(all) {
    const done = await Promise.race([Promise.all(all), this.engine.halted]);
    if (this.engine.isStopped) throw new Failure('cancelled');
    return done;
  }

  /** Opens a file. @param {string} path @param {number} maxBytes bytes that are wanted of it; below 0: only its size @returns {Promise<Found>} */
  async openFile(path, maxBytes) {
    try {
      const open = await this.tree.openerAt(path);
      return open && (maxBytes < 0 && open.size >= 0 ? /** @type {any} */ (open) : await open());
    } catch (error) {
      return Object.assign(toFailure(error), { isGone: error.name === 'NotFoundError' });
    }
  }

  /** The SHA-256 of a file; of large ones one after the other. @param {Blob} file @param {string} path */
  hash(file, path) {
    const hash = () => sha256HexOfBlob(file, done => {
      if (this.engine.isStopped) throw new Failure('cancelled');
      this.engine.progress({ file: path, done, total: file.size });
    });
    return file.size > SMALL_FILE_BYTES ? this.lastHash = this.lastHash.catch(() => {}).then(hash) : hash();
  }
}

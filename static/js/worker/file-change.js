// Tells whether a file is still what it was when it was opened. Loaded by worker/engine.js.
// A File is a snapshot that does not know; the disk does.

import { readBuffer } from '../files/blob.js';
import { toFailure } from '../files/failure.js';

/** @param {number} size */
const byteCount = size => size + (size === 1 ? ' byte' : ' bytes');

/**
 * Says in a few words how a file changed since it was opened; "" when it did not.
 * @param {Blob & {lastModified?: number}} file
 * @param {() => Promise<File>} [open] opens it again, where there is a handle; else the browser is asked for a byte,
 *   which it refuses (where it can tell) when the file is another
 * @returns {Promise<string>}
 */
export async function describeChange(file, open) {
  try {
    if (!open) return await readBuffer(file.slice(0, 1)), '';
    const now = await open();
    if (now.size !== file.size) return `its size went from ${byteCount(file.size)} to ${byteCount(now.size)}`;
    return now.lastModified === file.lastModified ? '' : 'it was written again';
  } catch (error) {
    if (error.name === 'NotFoundError') return 'it was removed';
    return toFailure(error).code === 'file_changed' ? 'it was written again' : ''; // it was read, whatever keeps it now
  }
}

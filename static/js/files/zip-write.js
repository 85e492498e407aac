// Writes a zip. Loaded by inspector/share.js.
// Each file is deflated by the browser, where it can, behind its header, then the directory. The sizes are
// those of attachments and ledgers, far below what needs the 64-bit form; what is larger is refused.

import { Failure } from './failure.js';
import { CRC } from './zip-read.js';

const MAX_UINT32 = 2 ** 32 - 1; // bytes, of each number in a directory of 32 bits
const UTF8_FLAG = 0x800;

/** @param {Blob} blob @returns {Promise<number>} its CRC-32, read part by part */
async function crc32(blob) {
  let crc = -1;
  for (let at = 0; at < blob.size; at += 4 << 20) {
    const bytes = new Uint8Array(await blob.slice(at, at + (4 << 20)).arrayBuffer());
    for (let i = 0; i < bytes.length; i++) crc = CRC[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** @param {Blob} blob @returns {Promise<Blob|null>} null where the browser cannot */
async function deflate(blob) {
  if (typeof CompressionStream !== 'function') return null;
  try {
    return await new Response(blob.stream().pipeThrough(new CompressionStream('deflate-raw'))).blob();
  } catch {
    return null; // an older browser has the stream and not the format: the file is stored
  }
}

/** Seconds of a day and days, as a zip has them. @param {Date} date */
function dosTime(date) {
  return [date.getUTCHours() << 11 | date.getUTCMinutes() << 5 | date.getUTCSeconds() >> 1, (date.getUTCFullYear() - 1980) << 9 | (date.getUTCMonth() + 1) << 5 | date.getUTCDate()];
}

/**
 * @param {Array<[string, Blob]>} files names with their content @param {Date} made
 * @returns {Promise<Blob>}
 */
export async function writeZip(files, made) {
  const parts = [], directory = [], [time, day] = dosTime(made);
  let offset = 0, length = 0;
  for (const [path, blob] of files) {
    const name = new TextEncoder().encode(path), crc = await crc32(blob), deflated = await deflate(blob);
    const packed = deflated && deflated.size < blob.size ? deflated : blob;
    if (offset + packed.size > MAX_UINT32 || blob.size > MAX_UINT32 || files.length > 65_000) throw new Failure('zip', 'The copy is too large for a zip made in a browser. Use figs-web share in a terminal.');
    // version, flags, method, time, day, checksum, sizes, length of the name, of the rest
    const common = [[2, 20], [2, UTF8_FLAG], [2, packed === blob ? 0 : 8], [2, time], [2, day], [4, crc], [4, packed.size], [4, blob.size], [2, name.length], [2, 0]];
    const local = encodeRecord(0x04034b50, common);
    parts.push(local, name, packed);
    const entry = encodeRecord(0x02014b50, [[2, 0x314], ...common, [2, 0], [2, 0], [2, 0], [4, 0o100600 << 16 >>> 0], [4, offset]]);
    directory.push(entry, name);
    offset += local.length + name.length + packed.size;
    length += entry.length + name.length;
  }
  const end = encodeRecord(0x06054b50, [[2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, offset], [2, 0]]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** A signature and numbers of two or four bytes. @param {number} signature @param {number[][]} numbers size and value */
function encodeRecord(signature, numbers) {
  const bytes = new Uint8Array(4 + numbers.reduce((sum, [size]) => sum + size, 0)), view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [size, value] of numbers) {
    if (size === 2) view.setUint16(at, value, true); else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

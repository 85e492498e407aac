// Reads a zip and the entries that are needed. Loaded by worker/sources.js and files/zip-write.js.
// It reads by slices: the directory at its end first, then only the entries that are needed, inflated by the browser
// into a Blob (which may live on disk). Sizes are checked against what the directory promised while they are written, so a
// bomb stops early.

import { readBuffer, readStream as streamOf } from './blob.js';
import { formatNumber, tr } from '../shared/translate.js';
import { Failure } from './failure.js';

const MAX_ENTRIES = 200_000;         // entries
const MAX_UNPACKED_BYTES = 4 * 2 ** 30;    // bytes unpacked from one zip
const MAX_RATIO = 200;            // unpacked to packed, of entries past 16 MiB
const END_SIGNATURE = 0x06054b50, END64_SIGNATURE = 0x06064b50, LOCATOR_SIGNATURE = 0x07064b50, ENTRY_SIGNATURE = 0x02014b50, LOCAL_SIGNATURE = 0x04034b50;

/** @param {Blob} file @param {number} at @param {number} length */
const readView = async (file, at, length) => new DataView(await readBuffer(file.slice(at, at + length)));
/** @param {DataView} view @param {number} at */
const readUint64 = (view, at) => Number(view.getBigUint64(at, true));

/** Whether a file begins like a zip, empty ones included. @param {Blob} file */
export async function isZip(file) {
  const view = await readView(file, 0, 4);
  return view.byteLength === 4 && (view.getUint32(0, true) === LOCAL_SIGNATURE || view.getUint32(0, true) === END_SIGNATURE);
}

/**
 * Lists a zip.
 * @param {File} file
 * @returns {Promise<{files: import('./find-folders.js').NamedOpener[], notes: string[]}>}
 */
export async function openZip(file) {
  const { at, length, entries } = await findDirectory(file);
  if (entries > MAX_ENTRIES) throw new Failure('zip', 'This zip holds {0} entries; at most {1} are read.', formatNumber(entries), formatNumber(MAX_ENTRIES));
  if (length > 512 * entries + 65_536 || at + length > file.size) throw damagedZip();
  const view = await readView(file, at, length);
  /** @type {ZipState} */
  const state = { file, bytesLeft: MAX_UNPACKED_BYTES, unsafe: [], foreign: [], bombs: [] };
  /** @type {import('./find-folders.js').NamedOpener[]} */
  const files = [];
  const seen = new Set();
  for (let p = 0; p + 46 <= view.byteLength && view.getUint32(p, true) === ENTRY_SIGNATURE;) {
    const entry = readEntry(view, p);
    p = entry.next;
    const path = pathOf(entry.name);
    if (!entry.foreign && !path.endsWith('/') && seen.size === seen.add(path).size) throw new Failure('zip', 'This zip has two files named {0}. Programs disagree about which one to unpack. Zip the folder again with a standard tool.', JSON.stringify(path));
    const name = acceptEntry(entry, state);
    if (name) files.push([name, Object.assign(() => unpackEntry(entry, name, state), { size: entry.size })]);
  }
  return { files, notes: notesOf(state) };
}

/**
 * @typedef {{file: File, bytesLeft: number, unsafe: string[], foreign: string[], bombs: string[]}} ZipState
 *   left: bytes that may still be unpacked; then names of what is set aside
 * @typedef {ReturnType<typeof readEntry> & {isCounted?: boolean}} Entry counted: its size is taken from what is left
 */

/** Finds the directory: the end record, or its 64-bit form. @param {File} file */
async function findDirectory(file) {
  const tail = await readView(file, Math.max(0, file.size - 65_557), 65_557);
  let p = tail.byteLength - 22;
  while (p >= 0 && tail.getUint32(p, true) !== END_SIGNATURE) p--;
  if (p < 0) throw damagedZip();
  const small = { at: tail.getUint32(p + 16, true), length: tail.getUint32(p + 12, true), entries: tail.getUint16(p + 10, true) };
  if (p < 20 || tail.getUint32(p - 20, true) !== LOCATOR_SIGNATURE) return small;
  const end = await readView(file, readUint64(tail, p - 12), 56);
  if (end.byteLength < 56 || end.getUint32(0, true) !== END64_SIGNATURE) throw damagedZip();
  return { at: readUint64(end, 48), length: readUint64(end, 40), entries: readUint64(end, 32) };
}

/** One entry of the directory, with its 64-bit sizes where it has them. @param {DataView} view @param {number} p where it begins */
function readEntry(view, p) {
  const u16 = (/** @type {number} */ at) => view.getUint16(p + at, true), u32 = (/** @type {number} */ at) => view.getUint32(p + at, true);
  const nameEnd = 46 + u16(28), next = p + nameEnd + u16(30) + u16(32);
  if (next > view.byteLength) throw damagedZip();
  const entry = {
    ...decodeName(new Uint8Array(view.buffer, p + 46, u16(28))),
    flags: u16(8), method: u16(10), crc: u32(16), packed: u32(20), size: u32(24), offset: u32(42), unix: u32(38) >>> 16, next,
  };
  for (let q = nameEnd; q + 4 <= nameEnd + u16(30); q += 4 + u16(q + 2)) {
    if (u16(q) !== 1) continue;
    let at = p + q + 4;
    for (const field of /** @type {const} */ (['size', 'packed', 'offset'])) {
      if (entry[field] !== 0xffffffff) continue;
      if (at + 8 > view.byteLength) throw damagedZip();
      entry[field] = readUint64(view, at);
      at += 8;
    }
  }
  return entry;
}

/** A name as it is shown, and whether its bytes are another encoding's: two such names may look like one. @param {Uint8Array} bytes */
function decodeName(bytes) {
  const name = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (!name.includes('\ufffd')) return { name, foreign: false };
  const again = new TextEncoder().encode(name);
  return { name, foreign: again.length !== bytes.length || again.some((b, i) => b !== bytes[i]) };
}

/** The path that an entry's name comes to, as every reader here understands it. @param {string} name */
const pathOf = name => name.replaceAll('\\', '/').split('/').filter((part, i, all) => part !== '.' && (part !== '' || i === 0 || i === all.length - 1)).join('/');

/** The entry's path, or "" when it is a folder or is set aside. @param {Entry} entry @param {ZipState} state */
function acceptEntry(entry, state) {
  const name = pathOf(entry.name);
  if (name.endsWith('/')) return '';
  if (entry.foreign) return state.foreign.push(entry.name), '';
  const unsafe = name.startsWith('/') || /^[a-z]:/i.test(name) || name.includes('\0') || name.split('/').includes('..');
  const link = (entry.unix & 0o170000) === 0o120000;
  if (unsafe || link) return state.unsafe.push(entry.name), '';
  if (entry.size > 16 * 2 ** 20 && entry.size > entry.packed * MAX_RATIO) return state.bombs.push(entry.name), '';
  return name;
}

/** @param {ZipState} state */
function notesOf({ unsafe, foreign, bombs }) {
  const notes = [];
  const firstNames = (/** @type {string[]} */ names) => (names.length > 3 ? tr('{0} and {1} more', names.slice(0, 3).join(', '), formatNumber(names.length - 3)) : names.join(', '));
  if (unsafe.length) notes.push(tr('Skipped, because the name points outside the zip or is a link: {0}.', firstNames(unsafe)));
  if (foreign.length) notes.push(tr('Skipped, because the name is not UTF-8: {0}.', firstNames(foreign)));
  if (bombs.length) notes.push(tr('Skipped as a possible zip bomb, because it unpacks to more than {0} times its size: {1}.', formatNumber(MAX_RATIO), firstNames(bombs)));
  return notes;
}

/** Inflates one entry into a File; what is damaged is still shown, with a word on it. @param {Entry} entry @param {string} name @param {ZipState} state */
async function unpackEntry(entry, name, state) {
  if (entry.flags & 1) throw new Failure('zip', '{0} is encrypted. Unpack the zip first, then drop the folder.', name);
  if (entry.method !== 0 && entry.method !== 8) throw new Failure('zip', '{0} uses a compression that browsers don’t support (method {1}).', name, entry.method);
  if (!entry.isCounted) state.bytesLeft -= entry.size;
  entry.isCounted = true;
  if (state.bytesLeft < 0) throw new Failure('zip', 'This zip unpacks to more than {0} GB. Unpack it yourself, then drop the folder.', MAX_UNPACKED_BYTES / 2 ** 30);
  const local = await readView(state.file, entry.offset, 30);
  if (local.byteLength < 30 || local.getUint32(0, true) !== LOCAL_SIGNATURE) throw damagedZip();
  const at = entry.offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  let stream = streamOf(state.file.slice(at, at + entry.packed));
  if (entry.method === 8) stream = stream.pipeThrough(/** @type {any} TypeScript's library lets a BufferSource in only */ (new DecompressionStream('deflate-raw')));
  const guard = { damaged: '', why: new Failure('zip', '{0} is damaged inside the zip and can’t be unpacked.', name) };
  const blob = await new Response(stream.pipeThrough(checkStream(entry, name, guard))).blob().catch(() => { throw guard.why; });
  return Object.assign(new File([blob], name.slice(name.lastIndexOf('/') + 1)), { damaged: guard.damaged });
}

/**
 * Passes bytes on while they agree with the directory's size and checksum.
 * @param {Entry} entry @param {string} name
 * @param {{why: Failure, damaged: string}} guard is told why the stream ends, or how the file is damaged
 */
function checkStream(entry, name, guard) {
  let size = 0, crc = -1;
  return new TransformStream({
    transform(chunk, out) {
      size += chunk.length;
      if (size > entry.size) throw (guard.why = new Failure('zip', '{0} unpacks to more than the zip says: it is damaged, or a zip bomb.', name));
      for (let i = 0; i < chunk.length; i++) crc = CRC[(crc ^ chunk[i]) & 255] ^ (crc >>> 8);
      out.enqueue(chunk);
    },
    flush() {
      if (size !== entry.size || ~crc >>> 0 !== entry.crc) guard.damaged = 'it is damaged inside the zip: its checksum does not match';
    },
  });
}

/** The table of CRC-32. */
export const CRC = Int32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
  return n;
});

const damagedZip = () => new Failure('zip', 'This zip is damaged or incomplete: its list of files can’t be read.');

// What can be opened, as one list of files with their paths.

/**
 * A file or a folder that was found.
 * @typedef {object} Entry
 * @property {string} path
 * @property {number} size in bytes
 * @property {'folder'|'link'|'dangling'|'other'} [kind] none for a file
 * @property {() => AsyncIterable<Uint8Array>} [read]
 * @property {() => Promise<string>} [changed] after reading: how it changed since it was opened; '' if it did not
 * @typedef {{name: string, entries: Entry[], notes?: string[]}} Listing
 */

const FILES = new Set(['runs.jsonl', 'asks.jsonl', 'messages.jsonl', 'agent.json', 'config.json', 'CONTRACT.md', 'GUIDE.md']);
export const SKIPPED = new Set(['.git', 'node_modules', '__MACOSX']);
export const MAX_ENTRIES = 200_000;

/** Whether a path may belong to an agent's folder. @param {string} path */
export function isRelevant(path) {
  const parts = path.split('/');
  return FILES.has(parts[parts.length - 1]) || parts[parts.length - 2] === 'artifacts' || parts.includes('.figs');
}

/**
 * @param {any} source @param {import('./open.js').Platform} platform @param {string} [name]
 * @returns {Promise<Listing>}
 */
export async function list(source, platform, name) {
  const listing = await find(source, platform);
  return { ...listing, name: name ?? listing.name, entries: listing.entries.filter(e => e.kind || isRelevant(e.path)) };
}

/** @param {any} source @param {import('./open.js').Platform} platform @returns {Promise<Listing>} */
async function find(source, platform) {
  if (typeof source === 'string' || source instanceof URL) return platform.directory(source);
  if (source && source.kind === 'directory' && source.entries) return listHandle(source);
  if (!source || !(source[Symbol.iterator] || source[Symbol.asyncIterator])) throw new TypeError('open takes a path, a FileList, a directory handle, or an iterable of { path, data } or { path, stream }.');
  const entries = [];
  let name = '';
  for await (const item of source) {
    if (typeof File !== 'undefined' && item instanceof File) {
      const path = item.webkitRelativePath || item.name;
      const slash = item.webkitRelativePath ? path.indexOf('/') : -1;
      if (slash > 0) name ||= path.slice(0, slash);
      entries.push(blobEntry(path.slice(slash + 1), item));
    } else entries.push(await itemEntry(item));
  }
  return { name, entries };
}

/** @param {FileSystemDirectoryHandle} handle @returns {Promise<Listing>} */
async function listHandle(handle) {
  /** @type {Entry[]} */
  const entries = [];
  /** @type {Array<[string, FileSystemDirectoryHandle]>} */
  let level = [['', handle]];
  let seen = 0;
  /** @type {string[]} */
  const notes = [];
  while (level.length && seen < MAX_ENTRIES) {
    /** @type {typeof level} */
    const below = [];
    for (const [prefix, folder] of level) {
      for await (const [name, child] of folder.entries()) {
        if (++seen > MAX_ENTRIES) break;
        const path = prefix + name;
        if (child.kind === 'file') {
          if (isRelevant(path)) entries.push(blobEntry(path, await /** @type {FileSystemFileHandle} */ (child).getFile()));
          continue;
        }
        if (SKIPPED.has(name) || isRelevant(path)) entries.push({ path, size: 0, kind: 'folder' });
        if (!SKIPPED.has(name)) below.push([path + '/', /** @type {FileSystemDirectoryHandle} */ (child)]);
      }
    }
    level = below;
  }
  if (seen > MAX_ENTRIES) notes.push(`The search stopped after ${MAX_ENTRIES} entries; open a folder nearer to the .figs folder to see the rest.`);
  return { name: handle.name, entries, notes };
}

/** @param {string} path @param {Blob} blob @returns {Entry} */
const blobEntry = (path, blob) => ({ path, size: blob.size, read: () => streamChunks(blob.stream()) });

/** @param {{path: string, data?: any, stream?: any, size?: number}} item @returns {Promise<Entry>} */
async function itemEntry({ path, data, stream, size }) {
  if (typeof path !== 'string') throw new TypeError('Each file needs a path.');
  if (data instanceof Blob) return blobEntry(path, data);
  if (data !== undefined) return bytesEntry(path, toBytes(data, path));
  if (!stream) throw new TypeError(`${path} has neither data nor a stream.`);
  const read = () => streamChunks(typeof stream === 'function' ? stream() : stream);
  if (size === undefined && isRelevant(path) && path.split('/').at(-2) === 'artifacts') { // of attachments the size must be known
    const parts = [];
    for await (const part of read()) parts.push(part);
    return blobEntry(path, new Blob(/** @type {BlobPart[]} */ (parts)));
  }
  return { path, size: size ?? 0, read };
}

/** @param {string} path @param {Uint8Array} bytes @returns {Entry} */
const bytesEntry = (path, bytes) => ({ path, size: bytes.length, async *read() { yield bytes; } });

/** @param {any} data @param {string} path @returns {Uint8Array} */
function toBytes(data, path) {
  if (typeof data === 'string') return new TextEncoder().encode(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError(`The data of ${path} is neither bytes, a Blob nor text.`);
}

/** A stream of the web, which not every browser can iterate, or anything that can be iterated. @param {any} stream @returns {AsyncIterable<Uint8Array>} */
async function* streamChunks(stream) {
  if (stream[Symbol.asyncIterator]) return yield* stream;
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

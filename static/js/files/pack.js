// Joins several pieces of bytes into one and takes them apart again. Loaded by inspector/share.js and worker/project-files.js.
// The run of bytes is handed over and not copied: each piece after its length, four bytes, the lowest first.
// wasm/reader/pages/packed.go does the same.

/** @param {Array<string|Uint8Array>} pieces @returns {Uint8Array<ArrayBuffer>} */
export function pack(pieces) {
  const encoder = new TextEncoder();
  const parts = pieces.map(piece => (typeof piece === 'string' ? encoder.encode(piece) : piece));
  const all = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0)), view = new DataView(all.buffer);
  let at = 0;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    all.set(part, at + 4);
    at += 4 + part.length;
  }
  return all;
}

/** @param {Uint8Array} bytes @returns {string[]} */
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), decoder = new TextDecoder(), pieces = [];
  for (let at = 0; at < bytes.length;) {
    const next = at + 4 + view.getUint32(at, true);
    pieces.push(decoder.decode(bytes.subarray(at + 4, next)));
    at = next;
  }
  return pieces;
}

// Joins several pieces of bytes into one and takes them apart again. Loaded by inspector/share.js and worker/project-files.js.
// The run of bytes is handed over and not copied: each piece after its length, four bytes, the lowest first.
// wasm/reader/pages/packed.go does the same.

/** @param {Array<string|Uint8Array>} pieces @returns {Uint8Array<ArrayBuffer>} */
export function pack(pieces) {
  const encoder = new TextEncoder();
  const parts = pieces.map(piece => (typeof piece === 'string' ? encoder.encode(piece) : piece));
  const packed = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0)), view = new DataView(packed.buffer);
  let offset = 0;
  for (const part of parts) {
    view.setUint32(offset, part.length, true);
    packed.set(part, offset + 4);
    offset += 4 + part.length;
  }
  return packed;
}

/** @param {Uint8Array} bytes @returns {string[]} */
export function unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), decoder = new TextDecoder(), pieces = [];
  for (let offset = 0; offset < bytes.length;) {
    const next = offset + 4 + view.getUint32(offset, true);
    pieces.push(decoder.decode(bytes.subarray(offset + 4, next)));
    offset = next;
  }
  return pieces;
}

// Computes SHA-256 hashes, also where the browser offers none. Loaded by inspector/save-copy.js, worker/worker.js and others.
// For pages on plain http, where browsers hide SubtleCrypto. FIPS 180-4.

import { readBuffer } from './blob.js';

/** @type {number[]} */
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every(p => n % p)) primes.push(n);
/** @param {number} x */
const fraction = x => ((x - Math.floor(x)) * 2 ** 32) | 0;
const K = Int32Array.from(primes, p => fraction(Math.cbrt(p)));
const H = Int32Array.from(primes.slice(0, 8), p => fraction(Math.sqrt(p)));

/** @param {number} x @param {number} n bits */
const rotateRight = (x, n) => (x >>> n) | (x << (32 - n));

/** @param {Int32Array} h the state @param {DataView} view @param {number} at where the block begins @param {Int32Array} w room for 64 words */
function hashBlock(h, view, at, w) {
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >>> 3)) + (rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >>> 10));
  }
  let a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], z = h[7];
  for (let i = 0; i < 64; i++) {
    const one = (z + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const two = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    z = g; g = f; f = e; e = (d + one) | 0;
    d = c; c = b; b = a; a = (one + two) | 0;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e, h[5] += f, h[6] += g, h[7] += z; // lists would take half the time
}

/** Takes the whole blocks of some bytes into h, and returns the rest. @param {Int32Array} h @param {Uint8Array} bytes */
function hashBlocks(h, bytes) {
  const wholeBytes = bytes.length - (bytes.length % 64), w = new Int32Array(64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, wholeBytes);
  for (let offset = 0; offset < wholeBytes; offset += 64) hashBlock(h, view, offset, w);
  return bytes.subarray(wholeBytes);
}

/** Ends with what is left of so many bytes. @param {Int32Array} h @param {Uint8Array} rest @param {number} size */
function finish(h, rest, size) {
  const tail = new Uint8Array(rest.length < 56 ? 64 : 128);
  tail.set(rest);
  tail[rest.length] = 0x80;
  new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(size) * 8n);
  hashBlocks(h, tail);
  const out = new DataView(new ArrayBuffer(32));
  h.forEach((word, i) => out.setInt32(i * 4, word));
  return new Uint8Array(out.buffer);
}

/** The hash of bytes, by our own code. @param {Uint8Array} bytes @returns {Uint8Array} */
export function sha256(bytes) {
  const h = H.slice();
  return finish(h, hashBlocks(h, bytes), bytes.length);
}

/** @param {Uint8Array} sum */
const toHex = sum => Array.from(sum, b => b.toString(16).padStart(2, '0')).join('');

/** Lower-case hex of the hash, by the browser's own code where it offers it. @param {Uint8Array<ArrayBuffer>} bytes */
export async function sha256Hex(bytes) {
  const subtle = globalThis.crypto && crypto.subtle;
  return toHex(subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256(bytes));
}

const MAX_AT_ONCE_BYTES = 64 << 20; // bytes up to which a file is hashed at once
const PART_BYTES = 4 << 20;   // of a larger one, whole blocks

/** The same of a file of any size. @param {Blob} blob @param {(done: number) => void} onPart told before each part */
export async function sha256HexOfBlob(blob, onPart) {
  if (blob.size <= MAX_AT_ONCE_BYTES) return sha256Hex(new Uint8Array(await readBuffer(blob)));
  const h = H.slice();
  let rest;
  for (let done = 0; done < blob.size; done += PART_BYTES) {
    onPart(done);
    rest = hashBlocks(h, new Uint8Array(await readBuffer(blob.slice(done, done + PART_BYTES))));
  }
  return toHex(finish(h, rest, blob.size));
}

// Lists what this browser lacks of what the inspector needs. Loaded by inspector/main.js.

/**
 * What the inspector needs, and whether the browser has it. A check may throw where it has not.
 * @type {Array<[string, () => unknown]>}
 */
const FEATURES = [
  ['WebAssembly with 64-bit numbers', () => typeof WebAssembly === 'object' && typeof BigInt === 'function'],
  ['Web Workers', () => typeof Worker === 'function'],
  ['DecompressionStream', () => typeof DecompressionStream === 'function' && new DecompressionStream('deflate-raw')],
  ['Blob streams', () => typeof Blob === 'function' && 'stream' in Blob.prototype],
  ['the dialog element', () => typeof HTMLDialogElement === 'function'],
  ['Trusted Types or plain markup', () => 'innerHTML' in Element.prototype],
];

/** @returns {string[]} names of what is missing; empty: all is there */
export function missingFeatures() {
  return FEATURES.filter(([, has]) => {
    try {
      return !has();
    } catch {
      return true;
    }
  }).map(([name]) => name);
}

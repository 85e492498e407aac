// Lists what this browser lacks of what the inspector needs. Loaded by inspector/main.js.

import { msg, tr } from '../shared/translate.js';

/**
 * What the inspector needs, and whether the browser has it. A check may throw where it has not.
 * @type {Array<[string, () => unknown]>}
 */
const FEATURES = [
  [msg('WebAssembly with 64-bit numbers'), () => typeof WebAssembly === 'object' && typeof BigInt === 'function'],
  [msg('Web Workers'), () => typeof Worker === 'function'],
  ['DecompressionStream', () => typeof DecompressionStream === 'function' && new DecompressionStream('deflate-raw')],
  [msg('Blob streams'), () => typeof Blob === 'function' && 'stream' in Blob.prototype],
  [msg('the dialog element'), () => typeof HTMLDialogElement === 'function'],
  [msg('Trusted Types or plain markup'), () => 'innerHTML' in Element.prototype],
];

/** @returns {string[]} names of what is missing; empty: all is there */
export function missingFeatures() {
  return FEATURES.filter(([, has]) => {
    try {
      return !has();
    } catch {
      return true;
    }
  }).map(([name]) => tr(name));
}

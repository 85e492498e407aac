// Saves the inspector's own file as it was loaded. Loaded by inspector/main.js and inspector/share.js.
// The file carries its own shell as text, so putting the data blocks back into their places gives the bytes that were
// loaded, whatever the page or an add-on has since done to the document.

import { saveFile, slotText } from '../shared/dom.js';
import { sha256Hex } from '../files/sha256.js';

/**
 * The whole file with another folder in its slot, and its seal renewed: the hash of the file with an empty seal.
 * @param {string} share JSON without a "<" @returns {Promise<string>}
 */
export async function buildSharedCopy(share) {
  const unsealed = assemble({ share, seal: '' });
  return assemble({ share, seal: await sha256Hex(new TextEncoder().encode(unsealed)) });
}

/** @param {Record<string, string>} [replaced] parts by name @returns {string} the whole file, byte for byte as it was built, but for the parts that are given */
function assemble(replaced = {}) {
  const meta = (/** @type {string} */ name) => document.querySelector(`meta[${name}]`).getAttribute('content');
  /** @type {Record<string, string>} */
  const original = {
    policy: meta('http-equiv="Content-Security-Policy"'),
    seal: meta('name="figs-seal"'),
    css: document.querySelector('style').textContent,
    script: ownScript,
  };
  const shell = new TextDecoder().decode(Uint8Array.from(atob(slotText('shell')), c => c.charCodeAt(0)));
  return shell.replace(/\[\[([a-z]+)\]\]/g, (_, name) => replaced[name] ?? original[name] ?? slotText(name));
}

/** The script that runs, as it is in the file; only known while it starts. */
const ownScript = document.currentScript ? document.currentScript.textContent : '';

/** Saves the file. */
export function saveCopy() {
  saveFile('inspector.html', 'text/html', [assemble()]);
}

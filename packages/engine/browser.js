// The package in browsers, where no file can be opened by its path.

import { bind } from './lib/open.js';

const moduleURL = () => new URL('./engine.wasm', import.meta.url);

/** @type {import('./lib/open.js').Platform} */
const platform = {
  async compile() {
    const response = await fetch(moduleURL());
    if (!response.ok) throw new Error(`${moduleURL()}: HTTP status ${response.status}`);
    const isWasm = (response.headers.get('content-type') || '').startsWith('application/wasm');
    return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  },
  fetch: async url => new Uint8Array(await (await fetch(url)).arrayBuffer()),
  directory() {
    throw new TypeError('A browser can’t open a folder by its path. Pass a FileList, a directory handle, or files with their paths.');
  },
  worker() {
    const worker = new Worker(new URL('./lib/browser-worker.js', import.meta.url), { type: 'module' });
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      listen(onMessage, onError) {
        worker.onmessage = ({ data }) => onMessage(data);
        worker.onerror = ({ message }) => onError(new Error(message || 'The worker could not be started.'));
      },
      hold() {},
      end: () => worker.terminate(),
    };
  },
};

export const { open, compare, compareJSON, version, EngineError } = bind(platform);

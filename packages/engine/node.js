// The package in Node, and wherever modules of Node are available.

import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bind } from './lib/open.js';
import { listDirectory } from './lib/directory.js';

/** @type {import('./lib/open.js').Platform} */
const platform = {
  compile: async () => WebAssembly.compile(await readFile(new URL('./engine.wasm', import.meta.url))),
  fetch: async url => (url.protocol === 'file:' ? readFile(url) : new Uint8Array(await (await fetch(url)).arrayBuffer())),
  async directory(path) {
    const root = resolve(path instanceof URL ? fileURLToPath(path) : path);
    return { name: basename(root), ...await listDirectory(root) };
  },
  worker() {
    const worker = new Worker(new URL('./lib/node-worker.js', import.meta.url));
    return {
      post: (message, transfer) => worker.postMessage(message, transfer),
      listen(onMessage, onError) {
        worker.on('message', onMessage);
        worker.on('error', onError);
      },
      hold: isBusy => (isBusy ? worker.ref() : worker.unref()), // an idle worker lets the program end
      end: () => worker.terminate(),
    };
  },
};

export const { open, compare, compareJSON, version, EngineError } = bind(platform);

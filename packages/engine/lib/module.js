// A running engine: the WebAssembly module, in this thread.

import { goRuntime } from './wasm-exec.js';
import { EngineError } from './failure.js';
import { version } from './version.js';

/**
 * An engine, wherever it runs.
 * @typedef {object} Engine
 * @property {(request: object) => Promise<Uint8Array>} call answers a request; the bytes are the caller's
 * @property {(agent: number, file: number, chunk: Uint8Array) => Promise<void>} feed
 * @property {() => void} close
 */

/** Timers of Go's scheduler, which must neither keep a program running nor fire once the engine is closed. */
function timers() {
  const running = new Set();
  return {
    /** @param {() => void} callback @param {number} delay */
    set(callback, delay) {
      const id = setTimeout(() => {
        running.delete(id);
        callback();
      }, delay);
      running.add(id);
      /** @type {any} */ (id).unref?.();
      return id;
    },
    clear() {
      for (const id of running) clearTimeout(id);
    },
  };
}

/**
 * Starts a compiled module, and refuses one that is not of this package's version.
 * @param {WebAssembly.Module} compiled
 * @returns {Promise<Engine>}
 */
export async function start(compiled) {
  const clock = timers();
  const { Go, scope } = goRuntime(clock.set);
  let output = '';
  const decoder = new TextDecoder();
  /** @param {number} _ @param {Uint8Array} bytes */
  scope.fs.writeSync = (_, bytes) => {
    output = (output + decoder.decode(bytes, { stream: true })).slice(0, 2000);
    return bytes.length;
  };
  /** @type {EngineError|null} */
  let failure = null;
  const go = new Go();
  /** @param {number} code */
  go.exit = code => {
    const isOutOfMemory = /out of memory|cannot allocate|makeslice/.test(output);
    failure = new EngineError(isOutOfMemory ? 'memory' : 'crash', isOutOfMemory ? 'The engine ran out of memory.' : output.split('\n')[0] || `The engine ended with code ${code}.`);
  };
  const exported = WebAssembly.Module.exports(compiled).map(({ name }) => name);
  if (!['mem', 'buffer', 'feed', 'call'].every(name => exported.includes(name))) throw refused('another program');
  const instance = await WebAssembly.instantiate(compiled, go.importObject);
  go.run(instance).catch(() => {}); // it runs until its main function sleeps, and never returns
  /** @type {Record<string, any>} */
  let exports = instance.exports;

  /** @param {string} name @param {...number} args */
  function invoke(name, ...args) {
    if (failure) throw failure;
    let result;
    try {
      result = exports[name](...args);
    } catch (trap) {
      failure ||= new EngineError(trap instanceof RangeError ? 'memory' : 'crash', String(trap instanceof Error ? trap.message : trap));
    }
    if (failure) throw failure;
    return result;
  }

  /** Copies bytes into the module. Its memory may move at every call. @param {Uint8Array} bytes */
  function write(bytes) {
    const at = invoke('buffer', bytes.length) >>> 0;
    new Uint8Array(exports.mem.buffer, at, bytes.length).set(bytes);
  }

  /** @type {Engine} */
  const engine = {
    async call(request) {
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      write(bytes);
      const packed = BigInt.asUintN(64, invoke('call', bytes.length));
      return new Uint8Array(exports.mem.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn)).slice();
    },
    async feed(agent, file, chunk) {
      write(chunk);
      invoke('feed', agent, file, chunk.length);
    },
    close() {
      failure = new EngineError('closed', 'The folder is closed.');
      clock.clear();
      exports = {};
    },
  };
  const found = JSON.parse(decoder.decode(await engine.call({ op: 'version' })));
  if (found.version !== version) {
    engine.close();
    throw refused(found.version ? `version ${found.version}` : 'another version');
  }
  return engine;
}

/** @param {string} what */
const refused = what => new EngineError('version', `The WebAssembly module is ${what} and this package is version ${version}: use the engine.wasm that comes with the package.`);

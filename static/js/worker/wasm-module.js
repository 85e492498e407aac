// Starts a Go WebAssembly module and calls it with bytes. Loaded by worker/worker.js and worker/engine.js.

import '../../wasm/wasm_exec.js';
import { Failure } from '../files/failure.js';
import { msg } from '../shared/translate.js';

/** @param {string} text in base64 */
const decodeBase64 = text => (Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), c => c.charCodeAt(0)));

/**
 * The bytes of a module that travels as gzip in base64, as a stream. A Blob would do, but WebKit reads none in a worker of
 * a page from disk.
 * @param {string} text
 */
const unpack = text => new Response(decodeBase64(text)).body.pipeThrough(new DecompressionStream('gzip'));

/** Compiles the module while it is still being unpacked. @param {string} text @returns {Promise<WebAssembly.Module>} */
export function compile(text) {
  return WebAssembly.compileStreaming(new Response(unpack(text), { headers: { 'content-type': 'application/wasm' } }));
}

/** The unpacked bytes of the module. @param {string} text @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function unpackedBytes(text) {
  return new Uint8Array(await new Response(unpack(text)).arrayBuffer());
}

/** A Go program as a WebAssembly module: an exported buffer takes bytes, exported functions read them. */
export class GoModule {
  constructor() {
    /** Why the module has ended; it answers nothing any more. @type {Failure|undefined} */
    this.failure = undefined;
    /** @type {Record<string, any>} */
    this.exports = {};
  }

  /**
   * Starts a compiled module.
   * @param {WebAssembly.Module} compiled
   * @param {Record<string, string>} [env] what the module finds in its environment
   */
  static async start(compiled, env = {}) {
    const self = new GoModule();
    let output = '';
    const decoder = new TextDecoder();
    globalThis.fs.writeSync = (fd, text) => {
      output = (output + decoder.decode(text, { stream: true })).slice(0, 2000);
      return text.length;
    };
    const go = new Go();
    go.env = env;
    go.exit = code => {
      const isOutOfMemory = /out of memory|cannot allocate|makeslice/.test(output);
      self.failure = new Failure(isOutOfMemory ? 'memory' : 'crash', output.split('\n')[0] || msg('The module ended with code {0}.'), code);
    };
    const instance = await WebAssembly.instantiate(compiled, go.importObject);
    go.run(instance).catch(() => {}); // runs until its main sleeps; never ends by itself
    self.exports = instance.exports;
    return self;
  }

  /** Calls an export; a panic or a trap ends the module for good. @param {string} name @param {...number} args */
  callExport(name, ...args) {
    if (this.failure) throw this.failure;
    let result;
    try {
      result = this.exports[name](...args);
    } catch (trap) {
      this.failure ||= new Failure(trap instanceof RangeError ? 'memory' : 'crash', String(trap.message || trap));
    }
    if (this.failure) throw this.failure;
    return result;
  }

  /** Copies bytes into the module's buffer. The memory may move at every call. @param {...Uint8Array} parts @returns {number} how many */
  write(...parts) {
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    let at = this.callExport('buffer', size) >>> 0;
    for (const part of parts) {
      new Uint8Array(this.exports.mem.buffer, at, part.length).set(part);
      at += part.length;
    }
    return size;
  }

  /** Asks the module. @param {...Uint8Array} request in parts @returns {Uint8Array} a copy of the answer */
  call(...request) {
    const size = this.write(...request);
    const packed = BigInt.asUintN(64, this.callExport('call', size));
    return new Uint8Array(this.exports.mem.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn)).slice();
  }
}

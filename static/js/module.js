// Starting a Go WebAssembly module inside a worker, and calling it with bytes.

import '../wasm/wasm_exec.js';
import { Expansion } from './expand.js';
import { Failure } from './failure.js';

/**
 * Unpacks a module that travels packed and in base64, and compiles it while it is unpacked.
 * @param {boolean} [roomy] whether it may take as much memory as two large folders need
 * @returns {Promise<{module: WebAssembly.Module, bytes: Uint8Array}>} bytes: those that run
 */
export async function unpack(text, roomy) {
  const expansion = new Expansion(Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), c => c.charCodeAt(0)));
  if (roomy) {
    while (expansion.written < expansion.out.length) expansion.next();
    widen(expansion.out);
    return { module: await WebAssembly.compile(expansion.out), bytes: expansion.out };
  }
  const run = new ReadableStream({
    pull(controller) {
      controller.enqueue(expansion.next());
      if (expansion.written === expansion.out.length) controller.close();
    },
  }, { highWaterMark: 4 });
  const module = await WebAssembly.compileStreaming(new Response(run, { headers: { 'content-type': 'application/wasm' } }));
  return { module, bytes: expansion.out };
}

const MEMORY = 5, MOST = [0xff, 0x7f]; // the section that says how much memory there may be; nearly a GiB, in pages of 64 KiB

/** The reader's memory ends at 512 MiB, which the build wrote in two bytes, so that an attachment cannot take more. A folder may. */
function widen(bytes) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      value |= (bytes[at] & 127) << shift;
      if (bytes[at++] < 128) return value >>> 0;
    }
  };
  for (;;) {
    const section = bytes[at++], end = number() + at;
    if (section === MEMORY) {
      at += 2; // one memory, with a maximum
      number();
      if (end - at === MOST.length) bytes.set(MOST, at);
      return;
    }
    at = end;
  }
}

export class Module {
  /**
   * @param {WebAssembly.Module} compiled
   * @param {Record<string, string>} [env] what the module finds in its environment
   * @param {string} [prefix] of the exports that are called
   */
  static async start(compiled, env = {}, prefix = '') {
    const self = new Module();
    self.prefix = prefix;
    let said = '';
    const decoder = new TextDecoder();
    globalThis.fs.writeSync = (fd, text) => {
      said = (said + decoder.decode(text, { stream: true })).slice(0, 2000);
      return text.length;
    };
    const go = new globalThis.Go();
    go.env = env;
    go.exit = code => {
      const memory = /out of memory|cannot allocate|makeslice/.test(said);
      self.ended = new Failure(memory ? 'memory' : 'crash', said.split('\n')[0] || `The module ended with code ${code}.`);
    };
    const instance = await WebAssembly.instantiate(compiled, go.importObject);
    go.run(instance).catch(() => {}); // runs until its main sleeps; never ends by itself
    self.exports = instance.exports;
    return self;
  }

  /** Calls an export; a panic or a trap ends the module for good. */
  run(name, ...args) {
    if (this.ended) throw this.ended;
    let result;
    try {
      result = this.exports[this.prefix + name](...args);
    } catch (trap) {
      this.ended ||= new Failure(trap instanceof RangeError ? 'memory' : 'crash', String(trap.message || trap));
    }
    if (this.ended) throw this.ended;
    return result;
  }

  /** Copies bytes into the module's buffer. The memory may move at every call. */
  write(...parts) {
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    let at = this.run('buffer', size) >>> 0;
    for (const part of parts) {
      new Uint8Array(this.exports.mem.buffer, at, part.length).set(part);
      at += part.length;
    }
    return size;
  }

  /** @param {...Uint8Array} request in parts @returns {Uint8Array} a copy of the answer */
  call(...request) {
    const size = this.write(...request);
    const packed = BigInt.asUintN(64, this.run('call', size));
    return new Uint8Array(this.exports.mem.buffer, Number(packed >> 32n), Number(packed & 0xffffffffn)).slice();
  }
}

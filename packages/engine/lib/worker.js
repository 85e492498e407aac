// The engine in a worker, and the other end of the line.

import { EngineError } from './failure.js';
import { start } from './module.js';

/**
 * A request of the page or program, and its answer.
 * @typedef {{id: number, op: 'start'|'call'|'feed', module?: WebAssembly.Module, request?: object, agent?: number, file?: number, chunk?: Uint8Array}} Message
 * @typedef {{id: number, bytes?: Uint8Array, failed?: {code: any, message: string}}} Answer
 * @typedef {object} Line
 * @property {(message: Message, transfer: ArrayBuffer[]) => void} post
 * @property {(onMessage: (answer: Answer) => void, onError: (error: Error) => void) => void} listen
 * @property {(isBusy: boolean) => void} hold whether the program waits for an answer
 * @property {() => void} end
 */

/**
 * Answers messages in the worker.
 * @param {(answer: Answer, transfer: ArrayBuffer[]) => void} post
 * @returns {(message: Message) => Promise<void>}
 */
export function serve(post) {
  /** @type {import('./module.js').Engine} */
  let engine;
  return async ({ id, op, module, request, agent = 0, file = 0, chunk }) => {
    try {
      let bytes;
      if (op === 'start' && module) engine = await start(module);
      else if (op === 'feed' && chunk) await engine.feed(agent, file, chunk);
      else if (request) bytes = await engine.call(request);
      post({ id, bytes }, bytes ? [/** @type {ArrayBuffer} */ (bytes.buffer)] : []);
    } catch (error) {
      const { code = 'crash', message } = /** @type {any} */ (error);
      post({ id, failed: { code, message } }, []);
    }
  };
}

/**
 * Starts the engine in a worker.
 * @param {Line} line @param {WebAssembly.Module} module
 * @returns {Promise<import('./module.js').Engine>}
 */
export async function startWorker(line, module) {
  /** @type {Map<number, {resolve: (bytes: any) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  /** @type {Error|null} */
  let ended = null;
  let last = 0;
  /** @param {Error} why */
  function end(why) {
    ended ||= why;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    line.end();
  }
  line.listen(({ id, bytes, failed }) => {
    const caller = waiting.get(id);
    waiting.delete(id);
    if (!waiting.size) line.hold(false);
    if (failed) caller?.reject(new EngineError(failed.code, failed.message));
    else caller?.resolve(bytes);
  }, error => end(new EngineError('crash', error.message)));
  /** @param {Omit<Message, 'id'>} message @param {ArrayBuffer[]} [transfer] @returns {Promise<any>} */
  const send = (message, transfer = []) => new Promise((resolve, reject) => {
    if (ended) return reject(ended);
    const id = ++last;
    waiting.set(id, { resolve, reject });
    line.hold(true);
    line.post({ id, ...message }, transfer);
  });
  try {
    await send({ op: 'start', module });
  } catch (error) {
    end(/** @type {Error} */ (error));
    throw error;
  }
  return {
    call: request => send({ op: 'call', request }),
    feed(agent, file, chunk) {
      const own = chunk.slice(); // the caller's bytes stay the caller's
      return send({ op: 'feed', agent, file, chunk: own }, [own.buffer]);
    },
    close: () => end(new EngineError('closed', 'The folder is closed.')),
  };
}

// Asks a worker questions and takes its answers. Loaded by inspector/readers.js and inspector/session.js.
// Questions go out with a number, answers come back with it.
// A killed worker settles nothing by itself, so killing one here rejects all it question.

import { serveReads } from '../files/blob.js';
import { slotText, trustedPolicy } from '../shared/dom.js';
import { Failure } from '../files/failure.js';
import { currentWords, msg } from '../shared/translate.js';

/** @type {string|undefined} */
let scriptURL;

/** The workers' script travels as data; a blob: worker inherits the page's whole policy. */
function workerScript() {
  scriptURL ||= URL.createObjectURL(new Blob([slotText('worker')], { type: 'text/javascript' }));
  return trustedPolicy.createScriptURL(scriptURL);
}

/** A worker, with the questions that it has not answered yet. */
export class WorkerClient {
  /** @param {string} name @param {(kind: string, value: any) => void} [onEvent] is told what it sends without being asked */
  constructor(name, onEvent = () => {}) {
    this.onEvent = onEvent;
    /** Questions without an answer yet, by their number. @type {Map<number, {resolve: (ok: any) => void, reject: (why: Failure) => void, timers: number[]}>} */
    this.pending = new Map();
    this.number = 0;
    /** Why the worker was ended. @type {Failure|null} */
    this.failure = null;
    /** Settles when it can be asked; set by whoever starts it. @type {Promise<any>} */
    this.ready = Promise.resolve();
    this.worker = new Worker(workerScript(), { name });
    const { port1, port2 } = new MessageChannel();
    serveReads(port1);
    this.worker.postMessage({ id: 0, op: 'connect', value: port2 }, [port2]);
    this.send('words', currentWords());
    this.worker.onmessage = event => this.onMessage(event.data);
    this.worker.onerror = event => this.kill(new Failure('crash', event.message || msg('The worker couldn’t start.')));
  }

  /**
   * Asks the worker. After `limit` ms without an answer it is killed; `slow` is called after 1.5 s.
   * @param {string} op @param {any} [value]
   * @param {{limit?: number, slow?: () => void, transfer?: Transferable[]}} [how]
   * @returns {Promise<any>}
   */
  ask(op, value, { limit = 0, slow, transfer = [] } = {}) {
    if (this.failure) return Promise.reject(this.failure);
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      /** @type {number[]} */
      const timers = [];
      if (limit) timers.push(setTimeout(() => this.kill(new Failure('timeout', 'No answer within {0} seconds.', limit / 1000)), limit));
      if (slow) timers.push(setTimeout(slow, 1500));
      this.pending.set(id, { resolve, reject, timers });
      this.worker.postMessage({ id, op, value }, transfer);
    });
  }

  /** Tells the worker something that has no answer. @param {string} op @param {any} [value] */
  send(op, value) {
    if (!this.failure) this.worker.postMessage({ id: 0, op, value });
  }

  /** Takes an answer or an event. @param {any} message of the worker */
  onMessage({ id, ok, failed, event, value }) {
    if (event) return this.onEvent(event, value);
    const question = this.pending.get(id);
    if (!question) return;
    this.pending.delete(id);
    question.timers.forEach(clearTimeout);
    if (!failed) return question.resolve(ok);
    const failure = new Failure(failed.code, failed.message);
    question.reject(failure);
    if (failed.fatal) this.kill(failure);
  }

  /** Ends the worker at once; what it has not answered is rejected with the failure. @param {Failure} failure */
  kill(failure) {
    if (this.failure) return;
    this.failure = failure;
    this.worker.terminate();
    for (const { reject, timers } of this.pending.values()) {
      timers.forEach(clearTimeout);
      reject(failure);
    }
    this.pending.clear();
    this.onEvent('dead', failure);
  }
}

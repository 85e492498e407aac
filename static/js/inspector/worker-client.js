// Asks a worker questions and takes its answers. Loaded by inspector/readers.js and inspector/session.js.
// Questions go out with a number, answers come back with it.
// A killed worker settles nothing by itself, so killing one here rejects all it owed.

import { answer } from '../files/blob.js';
import { slot, trusted } from '../shared/dom.js';
import { Failure } from '../files/failure.js';

/** @type {string|undefined} */
let address;

/** The workers' script travels as data; a blob: worker inherits the page's whole policy. */
function script() {
  address ||= URL.createObjectURL(new Blob([slot('worker')], { type: 'text/javascript' }));
  return trusted.createScriptURL(address);
}

export class Peer {
  /** @param {string} name @param {(kind: string, value: any) => void} [heard] what it says unasked */
  constructor(name, heard = () => {}) {
    this.heard = heard;
    /** Questions without an answer yet, by their number. @type {Map<number, {resolve: (ok: any) => void, reject: (why: Failure) => void, timers: number[]}>} */
    this.owed = new Map();
    this.number = 0;
    /** Why the worker was ended. @type {Failure|null} */
    this.dead = null;
    /** Settles when it can be asked; set by whoever starts it. @type {Promise<any>} */
    this.ready = Promise.resolve();
    this.worker = new Worker(script(), { name });
    const { port1, port2 } = new MessageChannel();
    answer(port1);
    this.worker.postMessage({ id: 0, op: 'page', value: port2 }, [port2]);
    this.worker.onmessage = event => this.take(event.data);
    this.worker.onerror = event => this.kill(new Failure('crash', event.message || 'The worker could not start.'));
  }

  /**
   * Asks the worker. After `limit` ms without an answer the worker is killed.
   * @param {string} op @param {any} [value]
   * @param {{limit?: number, slow?: () => void, transfer?: Transferable[]}} [how]
   * @returns {Promise<any>}
   */
  ask(op, value, { limit = 0, slow, transfer = [] } = {}) {
    if (this.dead) return Promise.reject(this.dead);
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      const timers = [];
      if (limit) timers.push(setTimeout(() => this.kill(new Failure('timeout', `No answer within ${limit / 1000} seconds.`)), limit));
      if (slow) timers.push(setTimeout(slow, 1500));
      this.owed.set(id, { resolve, reject, timers });
      this.worker.postMessage({ id, op, value }, transfer);
    });
  }

  /** Tells the worker something that has no answer. @param {string} op @param {any} [value] */
  tell(op, value) {
    if (!this.dead) this.worker.postMessage({ id: 0, op, value });
  }

  /** @param {any} message of the worker */
  take({ id, ok, failed, event, value }) {
    if (event) return this.heard(event, value);
    const owed = this.owed.get(id);
    if (!owed) return;
    this.owed.delete(id);
    owed.timers.forEach(clearTimeout);
    if (!failed) return owed.resolve(ok);
    const failure = new Failure(failed.code, failed.message);
    owed.reject(failure);
    if (failed.fatal) this.kill(failure);
  }

  /** Ends the worker at once; what it has not answered is rejected with the failure. @param {Failure} failure */
  kill(failure) {
    if (this.dead) return;
    this.dead = failure;
    this.worker.terminate();
    for (const { reject, timers } of this.owed.values()) {
      timers.forEach(clearTimeout);
      reject(failure);
    }
    this.owed.clear();
    this.heard('dead', failure);
  }
}

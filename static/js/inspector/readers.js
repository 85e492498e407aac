// Starts and replaces the workers that write pages and look at attachments. Loaded by inspector/session.js.
// `view` writes pages, `sandbox` looks at attachments and may hang or run out of memory. All are instances of one compiled
// module, so any of them can step in; one that is killed is replaced by one that has already started.

import { domReady, slotText } from '../shared/dom.js';
import { Failure } from '../files/failure.js';
import { WorkerClient } from './worker-client.js';
import { language } from './language.js';

const ANSWER_LIMIT_MS = 10_000;

/** Starting a reader occupies two cores for a while: the page that someone waits for comes first. */
const PREPARE_DELAY_MS = 1000;

/** A module's memory never shrinks: beyond this a fresh one is started, so that one attachment leaves room for the next. */
const MAX_SANDBOX_BYTES = 128 << 20;

/** The workers that run the reader. */
export class Readers {
  /**
   * @param {(kind: string, value: any) => void} onEvent is told what workers send without being asked
   * @param {Promise<any>} startAfter what to wait for first: on two cores one module starts sooner than two
   */
  constructor(onEvent, startAfter) {
    this.onEvent = onEvent;
    this.startAfter = startAfter;
    /** The compiled reader, once there is one. @type {WebAssembly.Module|null} */
    this.module = null;
    /** A worker to step in when one is slow. @type {WorkerClient|null} */
    this.spare = null;
    this.view = this.startWorker('view');
    /** @type {WorkerClient|null} */
    this.sandbox = null;
    this.view.ready.then(() => this.prepareSandbox(), () => {});
  }

  /** Starts a worker for attachments when no one waits for a page. It may have to write pages, so it writes one: the first takes twice as long. */
  prepareSandbox() {
    const start = async () => {
      if (this.sandbox) return;
      const client = this.sandbox = this.startWorker('sandbox');
      await client.ready;
      await client.ask('reader', { header: { language: language(), op: 'page', path: '/' } });
    };
    setTimeout(() => (window.requestIdleCallback || setTimeout)(() => start().catch(() => {})), PREPARE_DELAY_MS);
  }

  /** Starts a worker, from the compiled module once there is one. @param {string} name */
  startWorker(name) {
    const client = new WorkerClient(name, this.onEvent);
    client.ready = this.start(client);
    client.ready.catch(() => {});
    return client;
  }

  /** Lets a worker start the reader. @param {WorkerClient} client */
  async start(client) {
    if (!this.module) await Promise.all([domReady, this.startAfter]);
    const source = this.module ? { module: this.module } : { text: slotText('reader') };
    const answer = await client.ask('boot', { role: 'reader', ...source }, { limit: 60_000 });
    if (this.module) return;
    this.module = answer.module;
    this.onEvent('ready', { role: 'reader' });
  }

  /** The worker of a role; one that has ended is replaced by whichever is ready soonest. @param {'view'|'sandbox'} role */
  client(role) {
    const current = this[role];
    if (current && !current.failure) return current;
    const spare = this.spare || (role === 'view' ? this.sandbox : null);
    if (spare === this.spare) this.spare = null; else this.sandbox = null;
    this[role] = spare && !spare.failure ? spare : this.startWorker(role);
    this.prepareSandbox();
    return this[role];
  }

  /** Ends the worker of a role; what it was asked fails as cancelled. @param {'view'|'sandbox'} role */
  kill(role) {
    if (this[role]) this[role].kill(new Failure('cancelled', 'It is no longer needed.'));
  }

  /** Replaces the worker of the sandbox, whose memory has grown. */
  replaceSandbox() {
    this.kill('sandbox');
    this.sandbox = null;
    this.prepareSandbox();
  }

  /**
   * Asks a reader: a header object, then bytes.
   * @param {'view'|'sandbox'} role @param {any} header @param {Uint8Array} [payload]
   * @param {{limit?: number, transfer?: Transferable[]}} [options] as WorkerClient.ask
   * @returns {Promise<{head: any, body: Uint8Array<ArrayBuffer>, memory: number}>}
   */
  async ask(role, header, payload, options) {
    const client = this.client(role);
    await client.ready;
    const slow = () => { this.spare ||= this.startWorker('spare'); };
    const answer = await client.ask('reader', { header: { language: language(), ...header }, payload }, { limit: ANSWER_LIMIT_MS, slow, ...options });
    if (role === 'sandbox' && answer.memory > MAX_SANDBOX_BYTES && !client.pending.size) this.replaceSandbox();
    if (answer.head.error) throw new Failure('answer', answer.head.error);
    return answer;
  }
}

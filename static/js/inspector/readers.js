// Starts and replaces the workers that write pages and look at attachments. Loaded by inspector/session.js.
// `view` writes pages, `sandbox` looks at attachments and may hang or run out of memory. All are instances of one compiled
// module, so any of them can step in; one that is killed is replaced by one that has already started.

import { parsed, slot } from '../shared/dom.js';
import { Failure } from '../files/failure.js';
import { Peer } from './worker-client.js';
import { language } from './language.js';

const LIMIT = 10_000;

/** A module's memory never shrinks: beyond this, in bytes, what one attachment took would be missing to the next. */
const WORN = 128 << 20;

export class Readers {
  /**
   * @param {(kind: string, value: any) => void} heard is told what workers say unasked
   * @param {Promise<any>} after what to let pass first: two cores start one module sooner than two
   */
  constructor(heard, after) {
    this.heard = heard;
    this.after = after;
    /** The compiled reader, once there is one. @type {WebAssembly.Module|null} */
    this.module = null;
    /** A worker to step in when one is slow. @type {Peer|null} */
    this.spare = null;
    this.view = this.boot('view');
    /** @type {Peer|null} */
    this.sandbox = null;
    this.view.ready.then(() => this.idle(() => { this.sandbox ||= this.boot('sandbox'); }), () => {});
  }

  /** Calls a function once the page is idle. @param {() => void} work */
  idle(work) {
    (window.requestIdleCallback || (f => setTimeout(f, 200)))(work);
  }

  /** Starts a worker, from the compiled module once there is one. @param {string} name */
  boot(name) {
    const peer = new Peer(name, this.heard);
    peer.ready = this.start(peer);
    peer.ready.catch(() => {});
    return peer;
  }

  /** @param {Peer} peer */
  async start(peer) {
    if (!this.module) await Promise.all([parsed, this.after]);
    const from = this.module ? { module: this.module } : { text: slot('reader') };
    const answer = await peer.ask('boot', { role: 'reader', ...from }, { limit: 60_000 });
    if (this.module) return;
    this.module = answer.module;
    this.heard('ready', { role: 'reader' });
  }

  /** The worker of a role; a dead one is replaced by whichever is ready soonest. @param {'view'|'sandbox'} role */
  peer(role) {
    const now = this[role];
    if (now && !now.dead) return now;
    const spare = this.spare || (role === 'view' ? this.sandbox : null);
    if (spare === this.spare) this.spare = null; else this.sandbox = null;
    this[role] = spare && !spare.dead ? spare : this.boot(role);
    this.idle(() => { this.sandbox ||= this.boot('sandbox'); });
    return this[role];
  }

  /** Ends the worker of a role while it is at work; what it was asked fails as cancelled. @param {'view'|'sandbox'} role */
  end(role) {
    if (this[role]) this[role].kill(new Failure('cancelled', 'It is no longer needed.'));
  }

  /** Replaces the worker of the sandbox, whose memory has grown. */
  renew() {
    this.end('sandbox');
    this.sandbox = null;
    this.idle(() => { this.sandbox ||= this.boot('sandbox'); });
  }

  /**
   * Asks a reader: a header object, then bytes.
   * @param {'view'|'sandbox'} role @param {any} header @param {Uint8Array} [payload]
   * @param {{limit?: number, transfer?: Transferable[]}} [how] as Peer.ask
   * @returns {Promise<{head: any, body: Uint8Array<ArrayBuffer>, memory: number}>}
   */
  async ask(role, header, payload, how) {
    const peer = this.peer(role);
    await peer.ready;
    const slow = () => { this.spare ||= this.boot('spare'); };
    const answer = await peer.ask('reader', { header: { language: language(), ...header }, payload }, { limit: LIMIT, slow, ...how });
    if (role === 'sandbox' && answer.memory > WORN && !peer.owed.size) this.renew();
    if (answer.head.error) throw new Failure('answer', answer.head.error);
    return answer;
  }
}

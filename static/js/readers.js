// The reader's workers: `view` writes pages, `sandbox` looks at attachments and may hang or
// run out of memory. All are instances of one compiled module, so any of them can step in;
// one that is killed is replaced by one that has already started.

import { slot } from './dom.js';
import { Peer } from './peer.js';

const LIMIT = 10_000;

export class Readers {
  /** @param {(kind: string, value: any) => void} heard */
  constructor(heard) {
    this.heard = heard;
    this.module = null;
    this.spare = null;
    this.view = this.boot('view', { text: slot('reader') });
    this.sandbox = null;
    this.view.ready.then(() => this.idle(() => { this.sandbox ||= this.boot('sandbox'); }), () => {});
  }

  idle(work) {
    (window.requestIdleCallback || (f => setTimeout(f, 200)))(work);
  }

  boot(name, from = { module: this.module }) {
    const peer = new Peer(name, this.heard);
    const started = performance.now();
    peer.ready = peer.ask('boot', { role: 'reader', ...from }, { limit: 60_000 }).then(answer => {
      this.module ||= answer.module;
      if (from.text) this.heard('ready', { role: 'reader', ms: performance.now() - started });
    });
    peer.ready.catch(() => {});
    return peer;
  }

  /** The worker of a role; a dead one is replaced by whichever is ready soonest. */
  peer(role) {
    const now = this[role];
    if (now && !now.dead) return now;
    const spare = this.spare || (role === 'view' ? this.sandbox : null);
    if (spare === this.spare) this.spare = null; else this.sandbox = null;
    this[role] = spare && !spare.dead ? spare : this.boot(role, this.module ? undefined : { text: slot('reader') });
    this.idle(() => { this.sandbox ||= this.boot('sandbox'); });
    return this[role];
  }

  /**
   * Asks a reader: a header object, then bytes.
   * @param {'view'|'sandbox'} role @param {any} header @param {Uint8Array} [payload]
   * @returns {Promise<{head: any, body: Uint8Array}>}
   */
  async ask(role, header, payload) {
    const peer = this.peer(role);
    await peer.ready;
    const slow = () => { this.spare ||= this.boot('spare'); };
    return peer.ask('reader', { header, payload }, { limit: LIMIT, slow });
  }
}

// The second engine. The first one reads and checks and answers the plain pages, and every visitor waits for it; what reaches
// further (earlier points, comparing, searching, the cost of waiting, small examples) is answered by the whole engine, which the
// reader's module carries. It reads the same folder once more, in a worker of its own, when it is first wanted.

import { slot } from './dom.js';
import { Failure } from './failure.js';
import { Peer } from './peer.js';

const PLAIN = new Set(['none', 'overview', 'agent', 'jobs', 'job', 'asks', 'ask', 'messages', 'files', 'file', 'findings', 'lines', 'text']);
const OPS = new Set(['beside', 'differ', 'kept']);
const RAW = new Set(['key', 'print', 'since', 'shelve']);
const QUICK = 8 << 20; // bytes of ledgers that are read again just to say what was mended in them
const STAYS = 16 << 20; // bytes of ledgers after which it is started anew for the next folder: its memory never shrinks

export class Second {
  /** @param {import('./readers.js').Readers} readers */
  constructor(readers) {
    this.readers = readers;
    this.peer = null;
    this.key = null;     // of prints, as it was told last
    this.reading = null; // while it reads the folder that is open, and after
    this.bytes = 0;      // of the largest folder that it has read
  }

  /** Whether a question is one for the whole engine. @param {any} folder that is open */
  answers(op, value, folder) {
    if (OPS.has(op)) return true;
    if (op === 'raw') return RAW.has(value.op) || Boolean(value.at);
    if (op !== 'select') return false;
    if (!PLAIN.has(value.page) || value.at || value.sort) return true;
    // What changed while the first one read, only the first one knows.
    return value.page === 'findings' && (value.state === 'mended' || !folder.changed.length && (this.read || folder.bytes <= QUICK));
  }

  /** Asks it; the first time it starts, and of each folder it reads it. */
  async ask(op, value, open) {
    if (value.op === 'key') {
      this.key = value; // without it every line would look like another
      if (!this.read) return null; // it is told when it starts
    }
    if (!this.reading || this.peer.dead) this.reading = this.start(open);
    await this.reading;
    return this.peer.ask(op, value);
  }

  async start({ sources, now, keep, bytes }) {
    const boots = !this.peer || this.peer.dead;
    if (boots) [this.peer, this.bytes] = [new Peer('second', () => {}), 0];
    const { peer } = this;
    this.read = false;
    this.bytes = Math.max(this.bytes, bytes);
    try {
      await this.readers.view.ready; // two cores start one module sooner than two
      if (boots) await peer.ask('boot', { role: 'second', text: slot('reader') }, { limit: 60_000 });
      await peer.ask('read', { sources, now, keep });
      if (this.key) await peer.ask('raw', this.key);
      this.read = true;
    } catch (error) {
      peer.kill(new Failure('cancelled', 'It is no longer needed.'));
      throw error;
    }
  }

  /** Forgets the folder that was open. What is started stays for the next one, unless it is at work or has grown. */
  end() {
    this.read = false;
    this.reading = null;
    if (this.peer && (this.peer.owed.size || this.bytes > STAYS)) this.peer.kill(new Failure('cancelled', 'It is no longer needed.'));
  }
}

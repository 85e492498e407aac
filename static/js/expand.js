// Putting back the long repetitions that were taken out of a module before it was compressed
// (internal/inspector/artifact, squeeze): columns of numbers first, then the bytes between.

const HEAD = 20, SHORTEST = 16;

/** A transformer: squeezed bytes in, the module out; `out` is the whole of it at the end. */
export class Expansion {
  constructor() {
    this.head = new Uint8Array(HEAD);
    this.have = 0;     // bytes of the head, then of the columns
    this.out = null;
    this.at = 0;       // written
    this.match = -1;   // the one that comes next
    this.left = 0;     // literal bytes before it
    this.recent = [0, 0, 0, 0]; // distances, newest first
  }

  transform(chunk, controller) {
    chunk = this.prepare(chunk);
    if (!chunk) return;
    const from = this.at;
    for (let i = 0; i < chunk.length;) {
      const n = Math.min(this.left, chunk.length - i);
      this.out.set(chunk.subarray(i, i + n), this.at);
      this.at += n;
      this.left -= n;
      i += n;
      this.copy();
    }
    controller.enqueue(this.out.subarray(from, this.at));
  }

  flush(controller) {
    if (!this.out || this.at !== this.out.length) controller.error(new TypeError('The module in this page is damaged.'));
  }

  /** Takes head and columns off the stream; what is left are literals. */
  prepare(chunk) {
    if (!this.columns) {
      chunk = this.fill(this.head, chunk);
      if (this.have < HEAD) return null;
      const [size, count, runs, lengths, fresh] = new Uint32Array(this.head.buffer), upper = runs + lengths;
      Object.assign(this, { out: new Uint8Array(size), columns: new Uint8Array(upper + count + 2 * fresh), count, fresh, run: 0, length: runs, upper, middle: upper + count, have: 0 });
    }
    if (this.match < 0) {
      chunk = this.fill(this.columns, chunk);
      if (this.have < this.columns.length) return null;
      this.next();
      this.copy();
    }
    return chunk;
  }

  fill(into, chunk) {
    const part = chunk.subarray(0, into.length - this.have);
    into.set(part, this.have);
    this.have += part.length;
    return chunk.subarray(part.length);
  }

  /** Copies every match that is due. */
  copy() {
    const { out } = this;
    while (!this.left && this.match < this.count) {
      const back = this.distance();
      const n = SHORTEST + this.number('length'), from = this.at - back;
      if (back >= n) out.copyWithin(this.at, from, from + n);
      else for (let k = 0; k < n; k++) out[this.at + k] = out[from + k]; // a match may reach into itself
      this.at += n;
      this.next();
    }
  }

  /** How far back the next match begins: as far as one of the last four, or anew. */
  distance() {
    const { columns, recent } = this, upper = columns[this.upper++];
    const back = upper < 252 ? upper << 16 | columns[this.middle] << 8 | columns[this.fresh + this.middle++] : recent.splice(255 - upper, 1)[0];
    recent.unshift(back);
    recent.length = 4;
    return back;
  }

  /** How many literals stand before the next match, or after the last. */
  next() {
    this.left = ++this.match < this.count ? this.number('run') : this.out.length - this.at;
  }

  /** The next varint of a column. */
  number(column) {
    let value = 0, shift = 0, byte;
    do {
      byte = this.columns[this[column]++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return value;
  }
}

// Unpacking a module: sequences of literal bytes and of matches with what came before, in codes whose tables stand in front.
// internal/inspector/dense packs it, and says how everything is written.

const SEGMENT = 20, SHORTEST = 2, LONGEST = 12, PLAIN = 16;
const LITERAL = { symbols: 256, contexts: 512 }, RUN = { symbols: 64, contexts: 2 }, LENGTH = { symbols: 64, contexts: 5 }, DISTANCE = { symbols: 64, contexts: 2 };
const MASK = (1 << LONGEST) - 1, SHORT = 48; // bytes that a loop copies sooner than a call does
const FEW = LONGEST + 1, MANY = LONGEST + 2;
const damaged = () => new TypeError('The module in this page is damaged.');

/** Writes `out` segment by segment, so that what is there can be compiled while the rest is unpacked. */
export class Expansion {
  /** @param {Uint8Array} packed */
  constructor(packed) {
    this.packed = packed;
    this.at = 4;     // read
    this.bits = 0;   // read and not used, the lowest first
    this.count = 0;  // of those
    const size = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
    const segments = Math.max(1, Math.ceil(size / (1 << SEGMENT)));
    this.out = new Uint8Array(size);
    this.written = 0;
    this.recent = [0, 0, 0, 0]; // distances, newest first
    this.known = 0;             // whether the last match was at one of them
    [this.literal, this.run, this.length, this.distance] = [LITERAL, RUN, LENGTH, DISTANCE].map(shape => this.stream(shape, segments));
  }

  /** Unpacks at least one segment more; returns what is new. */
  next() {
    const { out } = this, from = this.written;
    const end = Math.min(out.length, (from >> SEGMENT) + 1 << SEGMENT);
    while (this.written < end) this.sequence(out);
    if (this.at > this.packed.length + 8) throw damaged();
    return out.subarray(from, this.written);
  }

  /** Literal bytes, then a match. What is read stays in variables of the loop: this runs a million times while somebody waits. */
  sequence(out) {
    const { packed, literal: { tables, of } } = this, segment = this.written >> SEGMENT, [back] = this.recent;
    const first = this.written, stop = first + this.number(this.symbol(this.run, segment, this.known));
    if (stop > out.length) throw damaged();
    let { at, bits, count } = this, last = first ? out[first - 1] : 0;
    for (let to = first; to < stop; to++) {
      while (count < LONGEST) {
        bits |= packed[at++] << count;
        count += 8;
      }
      const context = to === first && back ? 256 + out[to - back] : last;
      const entry = tables[of[(to >> SEGMENT) * LITERAL.contexts + context] << LONGEST | bits & MASK], n = entry & 15;
      if (!n) throw damaged();
      bits >>>= n;
      count -= n;
      last = out[to] = entry >> 4;
    }
    [this.at, this.bits, this.count, this.written] = [at, bits, count, stop];
    if (stop < out.length) this.match(out, segment);
  }

  match(out, segment) {
    const { written, recent } = this, distance = this.symbol(this.distance, segment, this.known);
    this.known = distance < 4 ? 1 : 0;
    const back = distance < 4 ? recent[distance] : this.apart(distance);
    for (let place = Math.min(distance, 3); place; place--) recent[place] = recent[place - 1];
    recent[0] = back;
    const kind = distance < 1 ? 0 : distance < 4 ? 1 : distance < 20 ? 2 : distance < 36 ? 3 : 4;
    const n = SHORTEST + this.number(this.symbol(this.length, segment, kind)), start = written - back, end = written + n;
    if (start < 0 || start === written || end > out.length) throw damaged();
    if (n > SHORT && start + n <= written) out.copyWithin(written, start, start + n);
    else for (let to = written, from = start; to < end; to++, from++) out[to] = out[from]; // a match may reach into itself
    this.written = end;
  }

  /** At least 24 bits more; past the end they are zeros. */
  fill() {
    while (this.count <= 23) {
      this.bits |= this.packed[this.at++] << this.count;
      this.count += 8;
    }
  }

  plain(n) {
    this.fill();
    const value = this.bits & (1 << n) - 1;
    this.bits >>>= n;
    this.count -= n;
    return value;
  }

  /** The next symbol by one of the tables, each of which has an entry for whatever the next bits are: symbol and length. */
  code(tables, number) {
    if (this.count < LONGEST) this.fill();
    const entry = tables[number << LONGEST | this.bits & MASK], n = entry & 15;
    if (!n) throw damaged();
    this.bits >>>= n;
    this.count -= n;
    return entry >> 4;
  }

  symbol(stream, segment, context) {
    return this.code(stream.tables, stream.of[segment * stream.contexts + context]);
  }

  number(symbol) {
    if (symbol < PLAIN) return symbol;
    const n = (symbol - PLAIN >> 1) + 3;
    return (2 + (symbol & 1) << n) | this.plain(n);
  }

  apart(symbol) {
    if (symbol < 6) return 1;
    const n = (symbol - 4 >> 1) - 1;
    return (2 + (symbol & 1) << n) | this.plain(n);
  }

  stream({ symbols, contexts }, segments) {
    const count = this.plain(7), tables = new Uint16Array(count << LONGEST), of = new Uint8Array(segments * contexts);
    const said = this.small(MANY + 1);
    for (let number = 0; number < count; number++) {
      const lengths = new Uint8Array(symbols);
      for (let i = 0; i < symbols; i++) {
        const symbol = this.code(said, 0);
        if (symbol < FEW) lengths[i] = symbol;
        else i += symbol === FEW ? 2 + this.plain(3) : 10 + this.plain(7);
      }
      table(lengths, tables.subarray(number << LONGEST, number + 1 << LONGEST));
    }
    const which = this.small(count + 1);
    for (let i = 0; i < of.length; i++) {
      const symbol = this.code(which, 0);
      of[i] = symbol ? symbol - 1 : i >= contexts ? of[i - contexts] : i ? of[i - 1] : 0;
    }
    return { tables, of, contexts };
  }

  /** The table of a code that stands before others. */
  small(symbols) {
    const lengths = Uint8Array.from({ length: symbols }, () => this.plain(4));
    return table(lengths, new Uint16Array(1 << LONGEST));
  }
}

/** Codes by their lengths: the shorter first, of equal length in the order of symbols; the highest bit of a code comes first. */
function table(lengths, into) {
  let code = 0;
  for (let n = 1; n <= LONGEST; n++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== n) continue;
      let turned = 0;
      for (let k = 0; k < n; k++) turned |= (code >> k & 1) << n - 1 - k;
      for (let at = turned; at < into.length; at += 1 << n) into[at] = symbol << 4 | n;
      code++;
    }
    code <<= 1;
  }
  return into;
}

// Finds passages in the text of an attachment. Loaded by remarks/passage-mode.js.
// It reads a hidden copy of the document that is on the screen: which texts have a place in it, in the order of the document.
// What is selected is a part of the joined text; its quote is shown on our page before it is sent.

/** @typedef {[left: number, top: number, right: number, bottom: number]} Box in pixels of the frame */
/**
 * A text node with its visible characters.
 * @typedef {{node: Text, start: number, text: string, offsets: number[]|null, boxes: Box[], clip: Box}} Piece
 *   start: of its text in the joined text; offsets: of each character in the node; null: where they are in the text
 */
/** @typedef {{style: CSSStyleDeclaration, block: Element, clip: Box, opacity: number, visible: boolean}} About an element: clip: what cuts it off */

const MAX_PIECES = 60_000, MAX_PARTLY = 4000; // texts of a document; characters of a text that is cut off, looked at one by one
const CELL_PX = 64, MAX_CELLS = 600_000; // squares in which a point's texts are looked for
const CONTEXT = 32; // characters before and after a quote
const MAX_DISTANCE_PX = 40; // of a point from the text it selects
const MAX_PLACES = 5000; // at which a quote is looked for
const NOT_TEXT = '.f-mark, .f-zoom, .f-unseen > b, style'; // what the sandbox itself adds; classes that begin with f- are ours alone
const INVISIBLE = /[\s\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0\ufe00-\ufe0f]/u;
const MIN_OPACITY = 0.1, MIN_FONT_PX = 4; // of a text that can be read
const ALPHA = /^rgba\(.*, ([\d.]+)\)$|\/ ([\d.]+)\)$/; // in a computed colour

/** Says that a document has too many texts. */
export class TooLarge extends Error {}

/** The visible text of a document. */
export class Passages {
  /** @param {Document} document of the hidden copy @param {number} width @param {number} height of its frame */
  constructor(document, width, height) {
    this.document = document;
    this.window = document.defaultView;
    /** @type {Box} */
    this.frame = [0, 0, width, height];
    this.range = document.createRange();
    /** @type {Piece[]} */
    this.pieces = [];
    /** @type {Map<number, Piece[]>} */
    this.cells = new Map();
    this.left = MAX_CELLS;
    this.outside = 0; // texts that lie outside the frame
    this.cutOff = 0; // texts that a box in the document cuts off
    /** @type {Map<Element, About>} */
    this.known = new Map();
    this.text = '';
    /** @type {{text: string, at: Uint32Array}|null} */
    this.bare = null;
    this.read();
  }

  /** Joins the texts of the document. */
  read() {
    /** @type {string[]} */
    const parts = [];
    /** @type {Element|null} */
    let block = null;
    let length = 0, last = '', broken = false;
    const walk = this.document.createTreeWalker(this.document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
      node => (node instanceof this.window.Element ? (node.matches(NOT_TEXT) ? NodeFilter.FILTER_REJECT : node.localName === 'br' ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP) : NodeFilter.FILTER_ACCEPT));
    while (walk.nextNode()) {
      const node = /** @type {Text} */ (walk.currentNode);
      if (node.nodeType !== Node.TEXT_NODE) {
        broken = true;
        continue;
      }
      const { block: own, clip, visible, style } = this.about(node.parentElement);
      if (!visible) continue;
      const changed = block !== null && own !== block;
      const collapses = !/^(pre|break-spaces)|preserve/.test(style.whiteSpaceCollapse ?? style.whiteSpace);
      const piece = this.pieceOf(node, clip, collapses, !parts.length || changed || broken || /\s$/.test(last));
      if (!piece) continue;
      if (parts.length && (changed || broken) && !last.endsWith('\n')) {
        const beside = changed && !broken && this.isBeside(block, own);
        parts.push(last = beside ? ' ' : '\n');
        length++;
      }
      block = own;
      broken = false;
      piece.start = length;
      parts.push(last = piece.text);
      length += piece.text.length;
      if (this.pieces.push(piece) > MAX_PIECES) throw new TooLarge();
      this.place(piece);
    }
    this.text = parts.join('');
  }

  /** What is known of an element: its style, the block it is in, what cuts it off, and whether it is drawn. @param {Element} element @returns {About} */
  about(element) {
    const known = this.known.get(element);
    if (known) return known;
    const style = this.window.getComputedStyle(element), parent = element.parentElement;
    const above = parent ? this.about(parent) : { block: element, clip: this.frame, opacity: 1 };
    const isRoot = element === this.document.documentElement || element === this.document.body;
    const isPage = element === this.document.documentElement || element === this.document.body && this.about(parent).style.overflow === 'visible'; // its overflow is that of the frame
    let clip = above.clip;
    if (style.position === 'absolute') {
      let container = parent;
      while (container && container !== this.document.documentElement && this.about(container).style.position === 'static' && this.about(container).style.transform === 'none') container = container.parentElement;
      clip = container ? this.about(container).clip : this.frame;
    }
    if (!isPage && style.overflow !== 'visible' && style.display !== 'inline' && style.display !== 'contents') clip = meet(clip, boxOf(element.getBoundingClientRect()));
    const isInline = /^(inline(?!-block)|contents|ruby)/.test(style.display) || element.matches('.f-block'); // those of a long file go on in the next
    const block = isInline && !isRoot ? above.block : element;
    const fill = style.webkitTextFillColor || style.color;
    const isDrawnOtherwise = style.textShadow !== 'none' || style.webkitBackgroundClip === 'text' || parseFloat(style.webkitTextStrokeWidth) > 0;
    const opacity = above.opacity * Number(style.opacity), ink = isDrawnOtherwise ? 1 : alphaOf(fill);
    const visible = opacity * ink >= MIN_OPACITY && style.visibility === 'visible' && parseFloat(style.fontSize) >= MIN_FONT_PX;
    const about = { style, block, clip, opacity, visible };
    this.known.set(element, about);
    return about;
  }

  /** Whether two blocks are cells of a row, or boxes within a line. @param {Element} a @param {Element} b */
  isBeside(a, b) {
    const [x, y] = [a, b].map(element => this.about(element).style.display);
    return x === 'table-cell' && y === 'table-cell' && a.parentElement === b.parentElement || x === 'inline-block' || y === 'inline-block';
  }

  /**
   * The visible characters of a text; null when it has none.
   * @param {Text} node @param {Box} clip @param {boolean} collapses whether runs of white space are drawn as one space @param {boolean} begins whether a space before it is not drawn
   * @returns {Piece|null}
   */
  pieceOf(node, clip, collapses, begins) {
    const data = node.data, blank = !/\S/.test(data);
    if (blank && (collapses && begins || !data)) return null;
    this.range.selectNodeContents(node);
    const all = Array.from(this.range.getClientRects(), boxOf).filter(box => box[2] > box[0] && box[3] > box[1]);
    const boxes = all.map(box => meet(box, clip)).filter(hasSize);
    if (!boxes.length) {
      if (blank && !collapses) return { node, start: 0, text: data, offsets: null, boxes, clip }; // an empty line
      if (!blank && all.some(box => box[3] > 0 && box[2] > 0)) {
        if (clip === this.frame && all.some(box => box[1] >= this.frame[3] || box[0] >= this.frame[2])) this.outside++; else if (clip !== this.frame) this.cutOff++;
      }
      return null;
    }
    /** @type {Piece} */
    const piece = { node, start: 0, text: data, offsets: null, boxes, clip };
    const partly = all.some(box => !covers(clip, box));
    if (!partly && !(collapses && /^\s|\s\s|[\t\n\r\f]/.test(data))) return piece;
    const offsets = [];
    let text = '', space = begins;
    for (let i = 0; i < data.length; i++) {
      const c = data[i], isSpace = collapses && ' \t\n\r\f'.includes(c);
      if (isSpace && space) continue;
      if (partly && !/\s/.test(c) && (i >= MAX_PARTLY || !this.isDrawn(node, i, clip))) continue;
      text += isSpace ? ' ' : c;
      offsets.push(i);
      space = isSpace;
    }
    if (!text || partly && !/\S/.test(text) && !blank) return null;
    return Object.assign(piece, { text, offsets });
  }

  /** Whether at least half of a character is inside a box. @param {Text} node @param {number} offset @param {Box} clip */
  isDrawn(node, offset, clip) {
    this.range.setStart(node, offset);
    this.range.setEnd(node, offset + 1);
    for (const rect of this.range.getClientRects()) {
      const box = boxOf(rect), [l, t, r, b] = meet(box, clip);
      if (r > l && b > t && (r - l) * (b - t) * 2 >= (box[2] - box[0]) * (box[3] - box[1])) return true;
    }
    return false;
  }

  /** Notes in which squares a text lies. @param {Piece} piece */
  place(piece) {
    for (const [l, t, r, b] of piece.boxes) {
      for (let y = Math.floor(t / CELL_PX); y <= b / CELL_PX; y++) {
        for (let x = Math.floor(l / CELL_PX); x <= r / CELL_PX; x++) {
          if (--this.left < 0) throw new TooLarge();
          const key = y * 4096 + x, there = this.cells.get(key);
          if (!there) this.cells.set(key, [piece]); else if (there.at(-1) !== piece) there.push(piece);
        }
      }
    }
  }

  /**
   * The place in the joined text of the character at a point; -1 when there is none near it.
   * @param {number} x @param {number} y in pixels of the frame @param {boolean} [near] however far
   */
  at(x, y, near = false) {
    const here = (this.cells.get(Math.floor(y / CELL_PX) * 4096 + Math.floor(x / CELL_PX)) || []).filter(piece => piece.boxes.some(box => isInside(x, y, box)));
    if (here.length) {
      const piece = this.topmost(here, x, y), found = piece ? this.charAt(piece, x, y) : -1;
      if (found >= 0 || !piece) return found;
    }
    /** @type {{piece: Piece|null, box: Box|null, distance: number}} */
    let best = { piece: null, box: null, distance: near ? Infinity : MAX_DISTANCE_PX };
    for (const piece of this.pieces) {
      for (const box of piece.boxes) {
        const dx = Math.max(box[0] - x, 0, x - box[2]), dy = Math.max(box[1] - y, 0, y - box[3]), distance = Math.hypot(near ? dx / 8 : dx, dy);
        if (distance < best.distance) best = { piece, box, distance };
      }
    }
    if (!best.piece) return -1;
    const [l, t, r, b] = best.box;
    return this.charAt(best.piece, Math.min(Math.max(x, l + 0.6), r - 0.6), Math.min(Math.max(y, t + 0.6), b - 0.6), best.box);
  }

  /** Of texts at a point, the one that is drawn last; null when a box covers them. @param {Piece[]} pieces @param {number} x @param {number} y @returns {Piece|null} */
  topmost(pieces, x, y) {
    for (const element of this.document.elementsFromPoint(x, y)) {
      const own = pieces.filter(piece => piece.node.parentElement === element);
      if (own.length) return own.at(-1);
      if (!pieces.some(piece => element.contains(piece.node)) && this.isSolid(element)) return null;
    }
    return pieces.at(-1);
  }

  /** Whether nothing behind an element can be seen. @param {Element} element */
  isSolid(element) {
    const { style, opacity } = this.about(element);
    return opacity === 1 && (element.localName === 'img' || alphaOf(style.backgroundColor) === 1);
  }

  /**
   * The place in the joined text of the character of a text at a point. The text is halved until one character is left,
   * because boxes need not follow one another in any direction.
   * @param {Piece} piece @param {number} x @param {number} y @param {Box} [line] the line whose first or last character is taken when no character is there
   */
  charAt(piece, x, y, line) {
    const at = (/** @type {number} */ i) => (piece.offsets ? piece.offsets[i] : i);
    const reaches = (/** @type {number} */ i, /** @type {number} */ j) => {
      this.range.setStart(piece.node, at(i));
      this.range.setEnd(piece.node, at(j - 1) + 1);
      for (const rect of this.range.getClientRects()) if (isInside(x, y, boxOf(rect))) return true;
      return false;
    };
    /** @param {number} i @param {number} j @returns {number} */
    const search = (i, j) => {
      if (!reaches(i, j)) return -1;
      if (j - i === 1) return i;
      const middle = (i + j) >> 1, left = search(i, middle);
      return left >= 0 ? left : search(middle, j);
    };
    let found = search(0, piece.text.length);
    if (found < 0 && line) { // between two characters, or in a part that draws nothing
      let best = Infinity;
      const most = Math.min(piece.text.length, MAX_PARTLY);
      for (let i = 0; i < most; i++) {
        this.range.setStart(piece.node, at(i));
        this.range.setEnd(piece.node, at(i) + 1);
        const [rect] = this.range.getClientRects();
        if (!rect) continue;
        const distance = Math.hypot((rect.left + rect.right) / 2 - x, (rect.top + rect.bottom) / 2 - y);
        if (distance < best) [best, found] = [distance, i];
      }
    }
    return found < 0 ? -1 : piece.start + found;
  }

  /** The piece that a place of the joined text is in, or the one after it. @param {number} at @returns {number} its index */
  indexOf(at) {
    let low = 0, high = this.pieces.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1, piece = this.pieces[middle];
      if (piece.start + piece.text.length <= at) low = middle + 1; else high = middle;
    }
    return low;
  }

  /** The boxes of a part of the joined text, as far as they are visible. @param {number} from @param {number} to @param {number} most how many */
  boxes(from, to, most) {
    /** @type {Box[]} */
    const list = [];
    for (let i = this.indexOf(from); i < this.pieces.length && this.pieces[i].start < to && list.length < most; i++) {
      const piece = this.pieces[i], a = Math.max(from - piece.start, 0), b = Math.min(to - piece.start, piece.text.length);
      if (b <= a) continue;
      if (a === 0 && b === piece.text.length) {
        list.push(...piece.boxes.slice(0, most));
        continue;
      }
      this.range.setStart(piece.node, piece.offsets ? piece.offsets[a] : a);
      this.range.setEnd(piece.node, (piece.offsets ? piece.offsets[b - 1] : b - 1) + 1);
      for (const rect of this.range.getClientRects()) {
        const box = meet(boxOf(rect), piece.clip);
        if (hasSize(box)) list.push(box);
      }
    }
    return list.slice(0, most);
  }

  /** A part of the joined text without halves of characters, and without white space at its ends. @param {number} from @param {number} to @returns {[number, number]} */
  whole(from, to) {
    const { text } = this, joins = /^[\p{M}\u200d\ufe00-\ufe0f\udc00-\udfff]/u;
    while (from > 0 && (isLow(text, from) || joins.test(text.slice(from, from + 2)))) from--;
    while (to < text.length && (isLow(text, to) || joins.test(text.slice(to, to + 2)) || text[to - 1] === '\u200d')) to++;
    while (from < to && /\s/.test(text[from])) from++;
    while (to > from && /\s/.test(text[to - 1])) to--;
    return [from, to];
  }

  /** What is sent of a part of the joined text. @param {number} from @param {number} to */
  quote(from, to) {
    let before = Math.max(0, from - CONTEXT), after = Math.min(this.text.length, to + CONTEXT);
    if (isLow(this.text, before)) before++;
    if (isLow(this.text, after)) after--;
    return { quote: this.text.slice(from, to), before: this.text.slice(before, from), after: this.text.slice(to, after) };
  }

  /** The lines of the joined text: paragraphs, cells of a table, or lines of a file. @returns {Array<[number, number]>} */
  blocks() {
    return Array.from(this.text.matchAll(/[^\n]*\S[^\n]*/g), match => this.whole(match.index, match.index + match[0].length));
  }

  /**
   * Where a remark was made: the place of its quote with the most text around it in common. White space and characters that
   * leave no mark do not count. null: the quote is not there.
   * @param {{quote: string, before: string, after: string}} remark @returns {[number, number]|null}
   */
  find({ quote, before, after }) {
    this.bare ??= stripped(this.text);
    const { text, at } = this.bare, [wanted, left, right] = [quote, before, after].map(part => stripped(part).text);
    if (!wanted) return null;
    let best = -1, most = -1, places = 0;
    for (let i = text.indexOf(wanted); i >= 0 && places < MAX_PLACES; i = text.indexOf(wanted, i + 1), places++) {
      let n = 0, m = 0;
      while (n < left.length && text[i - 1 - n] === left[left.length - 1 - n]) n++;
      while (m < right.length && text[i + wanted.length + m] === right[m]) m++;
      if (n + m > most) [best, most] = [i, n + m];
    }
    return best < 0 ? null : [at[best], at[best + wanted.length - 1] + 1];
  }
}

/** How opaque a computed colour is. @param {string} colour */
function alphaOf(colour) {
  const [, a, b] = ALPHA.exec(colour) || [];
  return colour === 'transparent' ? 0 : Number(a ?? b ?? 1);
}

/** @param {DOMRect} rect @returns {Box} */
const boxOf = ({ left, top, right, bottom }) => [left, top, right, bottom];

/** @param {Box} a @param {Box} b @returns {Box} */
const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];

/** Whether something of a box can be seen. @param {Box} box */
const hasSize = ([l, t, r, b]) => r - l > 0.5 && b - t > 0.5;

/** @param {Box} a @param {Box} b */
const covers = (a, b) => a[0] <= b[0] + 1 && a[1] <= b[1] + 1 && a[2] >= b[2] - 1 && a[3] >= b[3] - 1;

/** @param {number} x @param {number} y @param {Box} box */
const isInside = (x, y, [l, t, r, b]) => x >= l && x < r && y >= t && y < b;

/** Whether the second half of a character is at a place. @param {string} text @param {number} at */
const isLow = (text, at) => { const c = text.charCodeAt(at); return c >= 0xdc00 && c <= 0xdfff; };

/** A text without what leaves no mark, and where each of its characters was. @param {string} text */
function stripped(text) {
  const at = new Uint32Array(text.length);
  let bare = '', i = 0, n = 0;
  for (const c of text) {
    if (!INVISIBLE.test(c)) for (let k = 0; k < c.length; k++) {
      bare += c[k];
      at[n++] = i + k;
    }
    i += c.length;
  }
  return { text: bare, at };
}

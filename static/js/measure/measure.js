// Measures which texts of a document the browser draws. Loaded by measure/show-measurement.js.
// Which texts of a sanitized document a browser draws. A sandboxed frame can tell nothing, so the document is laid out
// again in two hidden frames that run no script: one as it is shown, and one as an SVG picture can hold it. Where both
// agree, the picture is painted with and without its texts, and the pixels that differ are what a person can see.
//
// What is shown to people keeps its empty sandbox. These frames have allow-same-origin, which lets this script read
// their layout, never allow-scripts; they hold sanitized bytes under the document's own policy, are inert, and are gone
// when the measuring ends.

import { trusted } from '../shared/dom.js';
import { tr } from './translate.js';

const MOST_TEXTS = 20_000, MOST_ELEMENTS = 30_000, MOST_RULES = 2000, MOST_DRAWINGS = 100, MOST_LABELS = 300, MOST_CELLS = 500_000; // beyond that nothing is measured
const LONGEST = 10_000; // milliseconds for one width
const SLICE = 30; // milliseconds of work in one go
const CELL = 64; // pixels of a square in which texts are looked for that lie over each other
const TILE = 2048; // pixels of a document that are read in one go
const CANVAS = 4096; // pixels of a drawing, each way
const TALLEST = 200_000, LONG = 32_000; // pixels of a document that are looked at, and of one picture
const WIDEST = 4; // widths of the frame that are looked at beside each other
const LAYERS = 8; // texts over each other that can be told apart
const SCREEN = 800; // pixels
const BLANK = 2 * SCREEN; // so much of nothing before a text, and nobody gets there
const CONTRAST = 1.6; // to one: below that nobody reads it
const PART = 0.6; // of a text's width
const SMALLEST = 4; // pixels that a word is high
const WORD = /[\p{L}\p{N}]/u;

const VIEWPORT = /[\d.](?:[sld]?v(?:h|b|i)|[sld]?vm(?:in|ax))\b/i; // lengths that depend on the height of the window

/**
 * @typedef {'drawn'|'low'|'partly'|'far'|'never'|'folded'|'inside'|'unknown'} Sight
 * drawn; below a contrast of 1.6 to 1; less than it is; after two empty screens; not at all; in a closed details
 * element; by scrolling inside a box; not measured
 * @typedef {{text: string, sight: Sight, why: string}} Verdict
 * @typedef {{width: number, texts: Verdict[], unmeasured?: string, ms: number}} Measured
 * @typedef {[number, number, number, number]} Box left, top, width, height in the document
 * @typedef {() => Promise<void>} Pause lets the page do other work, and throws when the measuring is to end
 * @typedef {(frame: HTMLIFrameElement, twin: boolean) => void} Load gives a frame the document, or an empty one in standards mode
 * @typedef {{boxes: Box[], lines: Array<number[]|null>, contrast: number}} Marks
 *   lines: for each box, from which to which pixel something differs, left, right, top, bottom; contrast: the greatest
 * @typedef {Marks & {node: Node, text: string, mark: Element, layer: number, below: number, ground?: number}} Drawn
 *   a text or a drawing; mark: what stands for it in the twin; layer: it is hidden with the others of that layer; below:
 *   pixels of nothing before it; ground: the pixel behind it
 * @typedef {{mark: string, width: number, frame: number, step: number, tall: number, wide: number, ground: string, xml: string}} Picture
 *   mark: the name of marks; frame: the frame's height; step: height of one part; tall, wide: of the document; xml: of the twin
 */

/** @param {number} n */
const figure = n => n.toLocaleString(document.documentElement.lang || 'en');

/** Says why nothing could be measured. */
class Unmeasured extends Error {}

/**
 * Measures a document at one width.
 * @param {Load} load
 * @param {number} width of the frame, in CSS pixels @param {number} height of the frame
 * @param {AbortSignal} signal ends it
 * @param {(sofar: Measured & {of: number}) => void} [progress] hears between tiles what is known of the texts above
 * @returns {Promise<Measured>}
 */
export async function measure(load, width, height, signal, progress = () => {}) {
  const begun = performance.now();
  /** @type {HTMLIFrameElement[]} */
  const frames = [];
  let since = begun;
  const pause = async () => {
    if (performance.now() - since < SLICE) return;
    await rest();
    since = performance.now();
    if (signal.aborted) throw new Unmeasured(tr('The page has moved on.'));
    if (performance.now() - begun > LONGEST) throw new Unmeasured(tr('It takes too long to draw.'));
  };
  try {
    const [shown, twin] = await Promise.all([false, true].map(is => framed(load, is, width, height, frames, signal)));
    await pause();
    const texts = textsOf(shown);
    const images = imagesOf(shown), picture = await twinOf(shown, twin, texts, images, width, pause);
    await paint(picture, [...texts, ...images], pause, bottom => {
      const above = texts.filter(text => text.boxes.length && text.boxes.every(([x, y, w, h]) => x + w <= width && y + h <= bottom));
      progress({ width, texts: above.map(text => told(text, width)), of: texts.length, ms: performance.now() - begun });
    });
    const list = texts.map(text => told(text, width));
    for (const image of images) list.push(...await inside(image, told(image, width), pause));
    return { width, texts: list, ms: performance.now() - begun };
  } catch (error) {
    return { width, texts: [], unmeasured: error instanceof Unmeasured ? error.message : tr('This browser does not let a page measure it.'), ms: performance.now() - begun };
  } finally {
    for (const frame of frames) frame.remove();
  }
}

/** Waits until the page has nothing better to do, and is looked at. */
function rest() {
  return new Promise(resolve => {
    const go = () => (document.hidden ? document.addEventListener('visibilitychange', go, { once: true })
      : window.requestIdleCallback ? requestIdleCallback(resolve, { timeout: 300 }) : setTimeout(resolve, 1));
    go();
  });
}

/**
 * A hidden frame with a document in it.
 * @param {Load} load @param {boolean} twin @param {number} width @param {number} height
 * @param {HTMLIFrameElement[]} frames takes the frame @param {AbortSignal} signal @returns {Promise<Document>}
 */
function framed(load, twin, width, height, frames, signal) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.className = 'measuring';
  frame.setAttribute('scrolling', 'no'); // a scrollbar would take room that the picture does not have
  frame.inert = true;
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  frame.referrerPolicy = 'no-referrer';
  frame.style.width = width + 'px';
  frame.style.height = height + 'px';
  frames.push(frame);
  return new Promise((resolve, reject) => {
    frame.onload = () => {
      const d = frame.contentDocument;
      if (d && d.body) resolve(whole(d)); else reject(new Unmeasured(tr('This browser does not let a page look into the frame.')));
    };
    signal.addEventListener('abort', () => reject(new Unmeasured(tr('The page has moved on.'))), { once: true });
    setTimeout(() => reject(new Unmeasured(tr('The document did not load.'))), LONGEST);
    load(frame, twin);
    document.body.append(frame);
  });
}

const BLOCKS = '.f-block{content-visibility:visible!important}'; // ours, of a long text: WebKit never draws those in pictures

/** A document of which all is laid out. @param {Document} d */
function whole(d) {
  const sheet = new (windowOf(d).CSSStyleSheet)();
  sheet.replaceSync(BLOCKS);
  d.adoptedStyleSheets = [sheet];
  return d;
}

/** @param {Document} d @returns {Window & typeof globalThis} */
const windowOf = d => d.defaultView;

/** Whether a node is text of the file. Names of classes that begin with f- are ours alone. A gauge is drawn, its figure is not. @param {Node} node */
const shows = ({ nodeValue: data, parentElement: parent }) => /\S/.test(data) && parent.localName !== 'style' && !parent.closest('.f-zoom') && (/\p{L}/u.test(data) || !parent.closest('meter, progress'));

/** The texts of a document, with where each of their lines is. @param {Document} d @returns {Drawn[]} */
function textsOf(d) {
  /** @type {Drawn[]} */
  const list = [];
  const walk = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT), range = d.createRange(), win = d.defaultView;
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (!shows(node)) continue;
    if (list.length === MOST_TEXTS) throw new Unmeasured(tr('It has more than {0} pieces of text.', figure(MOST_TEXTS)));
    range.selectNodeContents(node);
    list.push(measurable(node, clean(node.nodeValue), boxesOf(range, win)));
  }
  return list;
}

const DRAWING = 'img[src^="data:image/svg+xml"]';

/** @param {Node} node @param {string} text @param {Box[]} boxes @returns {Drawn} of which nothing is measured yet */
const measurable = (node, text, boxes) => ({ node, text, boxes, mark: null, layer: 0, lines: Array(boxes.length).fill(null), contrast: 1, below: 0 });

/** The drawings of a document. They can hold text, and are told apart from the page like a text. @param {Document} d @returns {Drawn[]} */
function imagesOf(d) {
  const win = d.defaultView, list = Array.from(d.querySelectorAll(DRAWING));
  if (list.length > MOST_DRAWINGS) throw new Unmeasured(tr('It has more than {0} drawings.', figure(MOST_DRAWINGS)));
  return list.map(node => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return measurable(node, '', width && height ? [[left + win.scrollX, top + win.scrollY, width, height]] : []);
  });
}

/** @param {Range} range @param {Window} win @returns {Box[]} */
const boxesOf = (range, win) => Array.from(range.getClientRects(), ({ left, top, width, height }) => [left + win.scrollX, top + win.scrollY, width, height]);

/**
 * Builds in the second frame what an SVG picture can hold, with a mark around each text, and makes sure that it is laid
 * out and styled like the document that is shown: whatever tells the two apart would make the picture a lie.
 * @param {Document} shown @param {Document} twin @param {Drawn[]} texts @param {Drawn[]} images @param {number} width @param {Pause} pause
 * @returns {Promise<Picture>}
 */
async function twinOf(shown, twin, texts, images, width, pause) {
  const mark = 'm' + Array.from(crypto.getRandomValues(new Uint32Array(3)), n => n.toString(36)).join('');
  const root = shown.documentElement, win = shown.defaultView;
  const tall = Math.min(TALLEST, Math.max(win.innerHeight, root.scrollHeight)), wide = Math.min(WIDEST * width, Math.max(width, root.scrollWidth));
  const svg = twin.createElementNS('http://www.w3.org/2000/svg', 'svg'), hole = twin.createElementNS('http://www.w3.org/2000/svg', 'foreignObject');
  const copy = twin.importNode(root, true);
  for (const style of copy.querySelectorAll('style')) style.textContent = style.textContent.replaceAll(':root', `:is(html,.${mark})`);
  const ground = groundOf(root, shown.body, win);
  const { fontSize } = win.getComputedStyle(root), ours = new Set();
  const sheet = (/** @type {string} */ text) => {
    const style = twin.createElement('style');
    style.textContent = text;
    ours.add(style);
    return style;
  };
  const head = copy.querySelector('head');
  const size = fontSize === '16px' ? '' : `;font-size:${fontSize}`; // one that is set, if only to the same, would make monospace text larger
  head.append(sheet(`html[${mark}]{display:flow-root!important;margin:0!important${size && size + '!important'}}`));
  // Of important rules, those of the first layer win: no rule of the document changes a mark, or shows what is hidden.
  head.prepend(sheet(`@layer ${mark}{${mark}{all:unset!important;direction:inherit!important;unicode-bidi:normal!important}${BLOCKS}/*${mark}*/}`));
  for (const x of copy.querySelectorAll('meta, title, base, link')) x.remove();
  if (win.getComputedStyle(root).display !== 'none') copy.setAttribute(mark, '');
  const marks = marked(copy, twin, mark), drawings = Array.from(copy.querySelectorAll(DRAWING));
  if (marks.length !== texts.length || drawings.length !== images.length) throw new Unmeasured(tr('It reads differently each time.'));
  hole.setAttribute('width', String(width));
  hole.setAttribute('height', String(win.innerHeight));
  hole.setAttribute('style', 'overflow:visible');
  hole.append(copy);
  svg.append(hole);
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(win.innerHeight));
  svg.setAttribute('style', 'display:block' + size);
  twin.replaceChild(svg, twin.documentElement);
  await pause();
  await same(shown, copy, ours, new Set(marks), pause);
  const range = twin.createRange();
  for (let i = 0; i < texts.length; i++) {
    range.selectNodeContents(marks[i].firstChild);
    const there = boxesOf(range, twin.defaultView), here = texts[i].boxes;
    if (folded(texts[i].node.parentElement)) continue;
    if (there.length !== here.length || there.some((box, k) => box.some((n, x) => Math.abs(n - here[k][x]) > 1))) {
      throw new Unmeasured(tr('Its text is laid out differently when it is measured.'));
    }
  }
  texts.forEach((text, i) => { text.mark = marks[i]; });
  images.forEach((image, i) => { image.mark = drawings[i]; });
  layers([...texts, ...images]);
  for (const text of [...texts, ...images]) text.mark.setAttribute(mark, String(text.layer));
  const xml = new XMLSerializer().serializeToString(copy);
  const frame = win.innerHeight, step = VIEWPORT.test(xml) ? frame : Math.max(Math.min(tall, LONG), frame); // a picture's height is that of its viewport
  return { mark, width, frame, step, tall, wide, ground, xml };
}

/** Wraps each text into an element of a name that no rule can know. @param {Element} copy @param {Document} twin @param {string} name */
function marked(copy, twin, name) {
  /** @type {ChildNode[]} */
  const list = [];
  const walk = twin.createTreeWalker(copy.querySelector('body'), NodeFilter.SHOW_TEXT);
  /** @type {Element[]} */
  const marks = [];
  while (walk.nextNode()) if (shows(walk.currentNode)) list.push(/** @type {Text} */ (walk.currentNode));
  for (const node of list) {
    const wrap = twin.createElement(name);
    node.replaceWith(wrap);
    wrap.append(node);
    marks.push(wrap);
  }
  return marks;
}

/**
 * Makes sure that every rule reaches the same elements in both documents. Rules can count ancestors and siblings, of which
 * the copy has other ones. Those that reach a mark do nothing to it, unless they write before or after it.
 * @param {Document} shown @param {Element} copy @param {Set<Element>} ours @param {Set<Element>} marks @param {Pause} pause
 */
async function same(shown, copy, ours, marks, pause) {
  const here = Array.from(shown.querySelectorAll('style')), there = Array.from(copy.querySelectorAll('style')).filter(style => !ours.has(style));
  const elements = indexed(shown.querySelectorAll('html, body, body *')), copies = indexed([copy, ...Array.from(copy.querySelectorAll('body, body *')).filter(x => !marks.has(x))]);
  if (here.length !== there.length || elements.size !== copies.size) throw new Unmeasured(tr('It reads differently each time.'));
  if (elements.size > MOST_ELEMENTS) throw new Unmeasured(tr('It has more than {0} elements.', figure(MOST_ELEMENTS)));
  const [a, b] = [here, there].map(list => list.flatMap(style => rules(style.sheet)));
  if (a.length !== b.length || a.length > MOST_RULES) throw new Unmeasured(tr('It has too many rules.'));
  for (let i = 0; i < a.length; i++) {
    if (i % 16 === 15) await pause();
    const x = Array.from(shown.querySelectorAll(a[i].reaches), node => elements.get(node)), y = [];
    for (const node of copy.parentNode.querySelectorAll(b[i].reaches)) {
      if (b[i].writes && marks.has(node)) throw new Unmeasured(changes());
      y.push(copies.get(node));
    }
    if (x.filter(n => n !== undefined).join() !== y.filter(n => n !== undefined).join()) throw new Unmeasured(changes());
  }
}

const changes = () => tr('Its style changes when it is measured.');

/** @param {Iterable<Element>} list @returns {Map<Element, number>} */
const indexed = list => new Map(Array.from(list, (node, i) => [node, i]));

/**
 * The rules of a sheet: what each reaches, or what its pseudo-elements belong to, and whether it writes text.
 * @param {any} sheet a sheet, or a rule that holds others @returns {Array<{reaches: string, writes: boolean}>}
 */
function rules(sheet) {
  return Array.from(sheet ? sheet.cssRules : []).flatMap((/** @type {any} */ rule) => (rule.selectorText === undefined ? rules(rule) : [{
    reaches: rule.selectorText.replace(/::[\w-]+(\([^)]*\))?|:(before|after|first-line|first-letter)\b/g, '').replace(/(^|[\s>+~,(])(?=[,)]|$)/g, '$1*'),
    writes: rule.style.content !== '',
  }]));
}

/** The colour behind the whole page: a browser takes it from the root element, or else from body. @param {Element} root @param {Element} body @param {Window} win */
function groundOf(root, body, win) {
  const clear = (/** @type {string} */ colour) => colour === 'rgba(0, 0, 0, 0)' || colour === 'transparent';
  return [root, body].map(node => win.getComputedStyle(node).backgroundColor).find(colour => !clear(colour)) || '#fff';
}

/** Gives texts that lie over each other different layers, so that each is hidden alone. @param {Drawn[]} texts */
function layers(texts) {
  /** @type {Map<string, Drawn[]>} */
  const grid = new Map();
  let cellsLeft = MOST_CELLS;
  for (const text of texts) {
    const used = new Set(), cells = new Set();
    for (const [x, y, w, h] of text.boxes) {
      cellsLeft -= (w / CELL + 2) * (h / CELL + 2);
      if (!(cellsLeft > 0)) throw new Unmeasured(tr('Its text takes too much room.'));
      for (let cx = Math.floor((x - 3) / CELL); cx <= (x + w + 3) / CELL; cx++) for (let cy = Math.floor((y - 3) / CELL); cy <= (y + h + 3) / CELL; cy++) cells.add(cx + ',' + cy);
    }
    for (const cell of cells) {
      for (const other of grid.get(cell) || []) if (!used.has(other.layer) && touch(text, other)) used.add(other.layer);
    }
    let layer = 0;
    while (used.has(layer)) layer++;
    text.layer = layer;
    for (const cell of cells) {
      const there = grid.get(cell);
      if (!there) grid.set(cell, [text]); else if (there.length < 200) there.push(text); else text.layer = LAYERS;
    }
  }
}

/** @param {Drawn} a @param {Drawn} b */
const touch = (a, b) => a.boxes.some(([x, y, w, h]) => b.boxes.some(([X, Y, W, H]) => x - 3 < X + W && X - 3 < x + w && y - 3 < Y + H && Y - 3 < y + h));

/**
 * Paints the picture with and without its texts and counts what differs.
 * @param {Picture} picture @param {Drawn[]} texts @param {Pause} pause
 * @param {(bottom: number) => void} upto is told between tiles how far down it is
 */
async function paint(picture, texts, pause, upto) {
  const { width, step, tall, wide } = picture, count = Math.min(LAYERS, Math.max(-1, ...texts.map(text => text.layer)) + 1);
  for (const text of texts) Object.assign(text, { contrast: 1, lines: Array(text.boxes.length).fill(null), below: 0 });
  /** @type {Blank} */
  let blank = { run: 0, before: 0, last: null };
  for (let x = 0; x < wide; x += width) {
    for (let y = 0; y < tall; y += step) {
      const inTile = texts.filter(text => text.boxes.some(([X, Y, W, H]) => X < x + width && X + W > x && Y < y + step && Y + H > y));
      if (!inTile.length && x > 0) continue;
      const all = await ofPart(picture, -1, x, y, pause);
      if (!x && !y) steady(all);
      const without = [];
      for (let layer = 0; layer < count; layer++) without.push(inTile.some(text => text.layer === layer) ? await ofPart(picture, layer, x, y, pause) : null);
      for (let top = 0; top < step && y + top < tall; top += TILE) {
        const height = Math.min(TILE, step - top, tall - y - top);
        const A = pixels(all, width, top, height);
        if (x === 0) blank = emptied(A, width, height, y + top, blank, texts);
        for (let layer = 0; layer < count; layer++) {
          const mine = inTile.filter(text => text.layer === layer && text.boxes.some(([, Y, , H]) => Y < y + top + height && Y + H > y + top));
          if (!mine.length) continue;
          const B = pixels(without[layer], width, top, height);
          for (const text of mine) text.ground = text.ground ?? groundAt(A, text.boxes[0], width, height, x, y + top);
          for (const text of mine) differ(text, A, B, width, height, x, y + top);
          await pause();
        }
        if (x === 0 && y + top + height < tall) upto(y + top + height);
      }
    }
  }
}

/**
 * One part of the picture as an image, without the texts of a layer; -1 hides none.
 * @param {Picture} picture @param {number} layer @param {number} x @param {number} y @param {Pause} pause
 */
async function ofPart({ mark, width, frame, step, tall, ground, xml }, layer, x, y, pause) {
  const hide = layer < 0 ? '' : `[${mark}="${layer}"]{visibility:hidden!important}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${step}" viewBox="${x} ${y} ${width} ${step}">` +
    ['#fff', ground].map(fill => `<rect x="0" y="0" width="${WIDEST * width}" height="${tall}" fill="${fill}"/>`).join('') +
    `<foreignObject x="0" y="0" width="${width}" height="${frame}" style="overflow:visible">${xml.replace(`/*${mark}*/`, hide)}</foreignObject></svg>`;
  const image = new Image();
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);
  await image.decode().catch(() => { throw new Unmeasured(tr('This browser cannot draw it as a picture.')); });
  await pause();
  return image;
}

/** @type {OffscreenCanvas|undefined} */
let canvas;

/** The pixels of a part of an image, one number each. A drawing is painted whole, on white. @param {HTMLImageElement} image @param {number} width @param {number} top @param {number} height */
function pixels(image, width, top, height, whole = false) {
  canvas = canvas || new OffscreenCanvas(1, 1);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height }); // setting them clears it, which takes time
  const g = canvas.getContext('2d', { willReadFrequently: true });
  if (whole) {
    g.fillStyle = '#fff';
    g.fillRect(0, 0, width, height);
    g.drawImage(image, 0, 0, width, height);
  } else {
    g.drawImage(image, 0, top, width, height, 0, 0, width, height); // it has a ground of its own
  }
  return new Uint32Array(g.getImageData(0, 0, width, height).data.buffer);
}

/** A browser may give a page other pixels than it draws. Then nothing can be measured. @param {HTMLImageElement} image */
function steady(image) {
  const test = new OffscreenCanvas(16, 16), g = test.getContext('2d', { willReadFrequently: true });
  for (let i = 0; i < 256; i++) {
    g.fillStyle = `rgb(${i},${255 - i},${i ^ 85})`;
    g.fillRect(i % 16, i >> 4, 1, 1);
  }
  const { data } = g.getImageData(0, 0, 16, 16);
  for (let i = 0; i < 256; i++) {
    if (data[4 * i] !== i || data[4 * i + 1] !== 255 - i || data[4 * i + 2] !== (i ^ 85)) throw new Unmeasured(tr('This browser gives pages other pixels than it draws.'));
  }
  const A = pixels(image, 64, 0, 64), B = pixels(image, 64, 0, 64);
  if (A.some((n, i) => n !== B[i])) throw new Unmeasured(tr('This browser gives pages other pixels than it draws.'));
}

/**
 * Follows how many rows in turn show nothing, and tells texts how much of nothing is before them. Gaps of less than half a
 * screen are none.
 * @typedef {{run: number, before: number, last: number|null}} Blank rows in turn, rows of gaps before them, the last row's pixel
 * @param {Uint32Array} A @param {number} width @param {number} height @param {number} top @param {Blank} so far @param {Drawn[]} texts
 */
function emptied(A, width, height, top, { run, before, last }, texts) {
  /** @type {Map<number, Drawn[]>} */
  const starts = new Map();
  for (const text of texts) {
    const y = Math.floor(Math.min(...text.boxes.map(box => box[1])));
    if (y >= top && y < top + height) starts.set(y, [...(starts.get(y) || []), text]);
  }
  const gap = () => (run > SCREEN / 2 ? run : 0);
  for (let row = 0; row < height; row++) {
    for (const text of starts.get(top + row) || []) text.below = before + gap();
    const at = row * width, first = A[at];
    let same = last === null || first === last;
    for (let i = at + 1; same && i < at + width; i++) same = A[i] === first;
    if (!same) before += gap();
    run = same ? run + 1 : 0;
    last = first;
  }
  return { run, before, last };
}

/** The pixel behind the first line of a text, at its lower left corner. @param {Uint32Array} A @param {Box} box @param {number} width @param {number} height @param {number} left @param {number} top */
function groundAt(A, [x, y, , h], width, height, left, top) {
  const col = Math.round(x - left) + 1, row = Math.round(y - top + h) - 2;
  return col >= 0 && col < width && row >= 0 && row < height ? A[row * width + col] : undefined;
}

/**
 * Notes for each line of a text where in it pixels differ, and how much.
 * @param {Marks} text @param {Uint32Array} A with it @param {Uint32Array} B without it
 * @param {number} width @param {number} height @param {number} left @param {number} top
 */
function differ(text, A, B, width, height, left, top) {
  text.boxes.forEach(([x, y, w, h], k) => {
    const from = Math.max(0, Math.floor(x - left) - 2), to = Math.min(width, Math.ceil(x - left + w) + 2);
    for (let row = Math.max(0, Math.floor(y - top) - 2); row < Math.min(height, y - top + h + 2); row++) {
      let first = row * width + from, last = row * width + to - 1;
      const end = last + 1;
      while (first < end && A[first] === B[first]) first++;
      if (first === end) continue;
      while (A[last] === B[last]) last--;
      for (let at = first; at <= last && text.contrast < CONTRAST; at++) if (A[at] !== B[at]) text.contrast = Math.max(text.contrast, contrast(A[at], B[at]));
      const line = text.lines[k] || (text.lines[k] = [Infinity, -Infinity, Infinity, -Infinity]), start = row * width - left;
      line[0] = Math.min(line[0], first - start);
      line[1] = Math.max(line[1], last - start);
      line[2] = Math.min(line[2], row + top);
      line[3] = Math.max(line[3], row + top);
    }
  });
}

/** @param {number} byte of a colour */
const part = byte => (byte <= 10 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
/** @param {number} n a pixel */
const light = n => 0.2126 * part(n & 255) + 0.7152 * part(n >> 8 & 255) + 0.0722 * part(n >> 16 & 255);

/** The contrast of two pixels, as WCAG 2 defines it. @param {number} a @param {number} b */
function contrast(a, b) {
  const x = light(a), y = light(b);
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/**
 * What becomes of the texts of a drawing: it is painted once for each of them, without it.
 * @param {Drawn} drawing @param {Verdict} verdict of the whole drawing @param {Pause} pause @returns {Promise<Verdict[]>}
 */
async function inside({ node, boxes }, { sight, why }, pause) {
  const svg = new DOMParser().parseFromString(trusted.createHTML(decoded(/** @type {Element} */ (node).getAttribute('src'))), 'image/svg+xml');
  const labels = Array.from(svg.querySelectorAll('text')).filter(text => !text.parentElement.closest('text') && /\S/.test(text.textContent));
  const all = (/** @type {Sight} */ sight, /** @type {string} */ why) => labels.map(label => ({ text: clean(label.textContent).slice(0, 600), sight, why }));
  if (!labels.length) return [];
  if (sight === 'never' || sight === 'folded' || sight === 'inside' || sight === 'unknown' || sight === 'far') return all(sight, why);
  if (labels.length > MOST_LABELS) return all('unknown', tr('the drawing has too many texts'));
  if (/:empty/i.test(svg.documentElement.outerHTML)) return all('unknown', changes());
  const [, , w, h] = boxes[0], scale = Math.min(1, CANVAS / Math.max(w, h)), width = Math.ceil(w * scale), height = Math.ceil(h * scale);
  const draw = async () => {
    const image = new Image(width, height);
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(new XMLSerializer().serializeToString(svg));
    await image.decode().catch(() => { throw new Unmeasured(tr('This browser cannot draw it as a picture.')); });
    await pause();
    return pixels(image, width, 0, height, true);
  };
  /** @type {Verdict[]} */
  const list = [];
  const A = await draw();
  for (const label of labels) {
    const words = label.textContent, was = Array.from(label.childNodes);
    /** @type {Marks} */
    const text = { boxes: [[0, 0, width, height]], lines: [null], contrast: 1 };
    label.replaceChildren();
    differ(text, A, await draw(), width, height, 0, 0);
    label.replaceChildren(...was);
    const is = (/** @type {Sight} */ sight, why = '') => list.push({ text: clean(words).slice(0, 600), sight, why });
    const [line] = text.lines;
    if (!line) is('never', tr('leaves no mark in the drawing'));
    else if (text.contrast < CONTRAST) is('low', tr('almost the colour of its ground'));
    else if (WORD.test(words) && line[3] - line[2] + 1 < SMALLEST) is('low', tr('too small to read'));
    else is('drawn');
  }
  return list;
}

/** @param {string} text */
const clean = text => text.trim().replace(/\s+/g, ' ');

/** The text of a data address. @param {string} address */
function decoded(address) {
  const at = address.indexOf(','), body = address.slice(at + 1);
  return address.slice(0, at).endsWith(';base64') ? new TextDecoder().decode(Uint8Array.from(atob(body), c => c.charCodeAt(0))) : decodeURIComponent(body);
}

/** What became of one text. @param {Drawn} text @param {number} width @returns {Verdict} */
function told(text, width) {
  const { boxes, lines, node, layer } = text, parent = node.parentElement;
  const is = (/** @type {Sight} */ sight, why = '') => ({ text: text.text.slice(0, 600), sight, why });
  if (boxes.length && boxes.every(([x]) => x > 3 * width)) return is('far', tr('far to the right'));
  if (boxes.length && boxes.every(([x, y]) => y >= TALLEST || x >= WIDEST * width)) return is('unknown', tr('further away than is looked at'));
  if (layer >= LAYERS && boxes.length) return is('unknown', tr('too many texts lie over each other'));
  const drawn = boxes.filter((box, k) => lines[k]);
  if (!drawn.length) {
    if (folded(parent)) return is('folded');
    if (scrolled(parent)) return is('inside');
    return is('never', reason(text));
  }
  if (text.contrast < CONTRAST) return is('low', tr('almost the colour of its ground'));
  if (WORD.test(text.text) && lines.every(line => !line || line[3] - line[2] + 1 < SMALLEST)) return is('low', tr('too small to read'));
  const cut = boxes.filter(([, , w, h], k) => w > 8 && h > 4 && (!lines[k] || lines[k][1] - lines[k][0] + 1 < PART * w - 8));
  if (cut.length) return is(scrolled(parent) ? 'inside' : 'partly', tr('cut off or covered'));
  if (text.below > BLANK) return is('far', tr('after more than two empty screens'));
  const ys = boxes.map(([, y, , h]) => [y, y + h]).sort((a, b) => a[0] - b[0]);
  if (ys.some(([y], k) => k && y - ys[k - 1][1] > BLANK)) { // one text with a gap in it
    return { text: clean(text.node.nodeValue.split(/\n\s{40,}/).at(-1)).slice(0, 600), sight: 'far', why: tr('after more than two empty screens') };
  }
  return is('drawn');
}

/** Whether an element is inside a details element that is closed. @param {Element} node */
function folded(node) {
  for (let x = node.closest('details:not([open])'); x; x = x.parentElement.closest('details:not([open])')) {
    const first = x.querySelector(':scope > summary');
    if (!first || !first.contains(node)) return true;
  }
  return false;
}

/** Whether a box around an element can be scrolled inside, and is large enough that a person would. @param {Element} node */
function scrolled(node) {
  for (let x = node; x && x.localName !== 'body'; x = x.parentElement) {
    const { overflowX, overflowY } = x.ownerDocument.defaultView.getComputedStyle(x);
    if (/auto|scroll/.test(overflowY) && x.scrollHeight > x.clientHeight + 1 && x.clientHeight >= 40 && x.clientWidth >= 80) return true;
    if (/auto|scroll/.test(overflowX) && x.scrollWidth > x.clientWidth + 1 && x.clientHeight >= 12 && x.clientWidth >= 80) return true;
  }
  return false;
}

/** The pixel of a colour, in whatever notation. @param {string} colour */
function inkOf(colour) {
  const g = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  g.fillStyle = '#fff';
  g.fillRect(0, 0, 1, 1);
  g.fillStyle = colour;
  g.fillRect(0, 0, 1, 1);
  return new Uint32Array(g.getImageData(0, 0, 1, 1).data.buffer)[0];
}

/** Why a text is not drawn, as far as its style says. @param {Drawn} text */
function reason({ node, boxes, ground }) {
  const { color, fontSize, visibility, display } = node.ownerDocument.defaultView.getComputedStyle(node.parentElement);
  if (!boxes.length) return display === 'none' ? 'display: none' : tr('takes no room');
  if (visibility !== 'visible') return 'visibility: ' + visibility;
  if (parseFloat(fontSize) < 3) return tr('font size {0}', fontSize);
  if (boxes.every(([x, y, w, h]) => x + w <= 0 || y + h <= 0)) return tr('off the page');
  return ground !== undefined && contrast(inkOf(color), ground) < CONTRAST ? tr('in the colour of its ground') : tr('covered or cut off');
}

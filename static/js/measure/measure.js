// Measures which texts of a document the browser draws. Loaded by measure/show-measurement.js.
// A sandboxed frame cannot tell which texts of its document the browser draws. So the document is laid out
// again in two hidden frames that run no script: one as it is shown, and one as an SVG picture can hold it. Where both
// agree, the picture is painted with and without its texts, and the pixels that differ are what a person can see.
//
// What is shown to people keeps its empty sandbox. These frames have allow-same-origin, which lets this script read
// their layout, never allow-scripts; they hold sanitized bytes under the document's own policy, are inert, and are gone
// when the measuring ends.

import { trustedPolicy } from '../shared/dom.js';
import { checkPixels, contrast, MIN_CONTRAST, pixelBehind, pixelOf, pixels, recordDifferences, trackBlankRows } from './pixels.js';
import { tr } from '../shared/translate.js';

/** @import { Blank, Box, Marks } from './pixels.js' */

const MAX_TEXTS = 20_000, MAX_ELEMENTS = 30_000, MAX_RULES = 2000, MAX_DRAWINGS = 100, MAX_LABELS = 300, MAX_CELLS = 500_000; // beyond that nothing is measured
const MAX_MS = 10_000; // for one width
const SLICE_MS = 30; // of work in one go
const CELL_PX = 64; // a square in which texts are looked for that lie over each other
const TILE_PX = 2048; // rows that are read in one go
const MAX_CANVAS_PX = 4096; // of a drawing, each way
const MAX_DOCUMENT_PX = 200_000, MAX_PICTURE_PX = 32_000; // of a document that is looked at, and of one picture
const MAX_WIDTHS = 4; // widths of the frame that are looked at beside each other
const MAX_LAYERS = 8; // texts over each other that can be told apart
const MAX_BLANK_PX = 1600; // two screens of nothing before a text: no one gets there
const MIN_WIDTH_SHARE = 0.6; // of a text: what is narrower is cut off
const MIN_WORD_PX = 4; // height of a word that can be read
const WORD = /[\p{L}\p{N}]/u;

const VIEWPORT_UNIT = /[\d.](?:[sld]?v(?:h|b|i)|[sld]?vm(?:in|ax))\b/i; // lengths that depend on the height of the window

/**
 * @typedef {'drawn'|'low'|'partly'|'far'|'never'|'folded'|'inside'|'unknown'} Sight
 * drawn; below a contrast of 1.6 to 1; less than it is; after two empty screens; not at all; in a closed details
 * element; by scrolling inside a box; not measured
 * @typedef {{text: string, sight: Sight, why: string}} Verdict
 * @typedef {{width: number, texts: Verdict[], unmeasured?: string, ms: number}} Measured
 * @typedef {() => Promise<void>} Pause lets the page do other work, and throws when the measuring is to end
 * @typedef {(frame: HTMLIFrameElement, twin: boolean) => void} Load gives a frame the document, or an empty one in standards mode
 * @typedef {Marks & {node: Node, text: string, mark: Element, layer: number, blankAbove: number, ground?: number}} Drawn
 *   a text or a drawing; mark: what stands for it in the twin; layer: it is hidden with the others of that layer;
 *   blankAbove: pixels of nothing before it; ground: the pixel behind it
 * @typedef {{mark: string, width: number, frameHeight: number, partHeight: number, fullHeight: number, fullWidth: number, background: string, xml: string}} Picture
 *   mark: the name of marks; partHeight: of the pictures that are drawn one after the other; fullHeight, fullWidth: of the
 *   document; xml: of the twin
 */

/** @param {number} n */
const formatNumber = n => n.toLocaleString(document.documentElement.lang || 'en');

/** Says why nothing could be measured. */
class Unmeasured extends Error {}

/**
 * Measures a document at one width.
 * @param {Load} load
 * @param {number} width of the frame, in CSS pixels @param {number} height of the frame
 * @param {AbortSignal} signal ends it
 * @param {(partial: Measured & {of: number}) => void} [progress] hears between tiles what is known of the texts above
 * @returns {Promise<Measured>}
 */
export async function measure(load, width, height, signal, progress = () => {}) {
  const started = performance.now();
  /** @type {HTMLIFrameElement[]} */
  const frames = [];
  let sliceStarted = started;
  const pause = async () => {
    if (performance.now() - sliceStarted < SLICE_MS) return;
    await waitUntilIdle();
    sliceStarted = performance.now();
    if (signal.aborted) throw new Unmeasured(tr('The measurement was stopped because the page changed.'));
    if (performance.now() - started > MAX_MS) throw new Unmeasured(tr('It takes too long to draw.'));
  };
  try {
    const [shown, twin] = await Promise.all([false, true].map(is => loadFrame(load, is, width, height, frames, signal)));
    await pause();
    const texts = textsOf(shown);
    const images = drawingsOf(shown), picture = await buildTwin(shown, twin, texts, images, width, pause);
    await paint(picture, [...texts, ...images], pause, bottom => {
      const above = texts.filter(text => text.boxes.length && text.boxes.every(([x, y, w, h]) => x + w <= width && y + h <= bottom));
      progress({ width, texts: above.map(text => verdictOf(text, width)), of: texts.length, ms: performance.now() - started });
    });
    const list = texts.map(text => verdictOf(text, width));
    for (const image of images) list.push(...await textsOfDrawing(image, verdictOf(image, width), pause));
    return { width, texts: list, ms: performance.now() - started };
  } catch (error) {
    return { width, texts: [], unmeasured: error instanceof Unmeasured ? error.message : tr('This browser doesn\'t let the page measure it.'), ms: performance.now() - started };
  } finally {
    for (const frame of frames) frame.remove();
  }
}

/** Waits until the page has nothing better to do, and is looked at. */
export function waitUntilIdle() {
  return new Promise(resolve => {
    const resume = () => (document.hidden ? document.addEventListener('visibilitychange', resume, { once: true })
      : window.requestIdleCallback ? requestIdleCallback(resolve, { timeout: 300 }) : setTimeout(resolve, 1));
    resume();
  });
}

/**
 * A hidden frame with a document in it.
 * @param {Load} load @param {boolean} twin @param {number} width @param {number} height
 * @param {HTMLIFrameElement[]} frames takes the frame @param {AbortSignal} signal @returns {Promise<Document>}
 */
export function loadFrame(load, twin, width, height, frames, signal) {
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
      if (d && d.body) resolve(layOutAll(d)); else reject(new Unmeasured(tr('This browser doesn\'t let the page read the frame.')));
    };
    signal.addEventListener('abort', () => reject(new Unmeasured(tr('The measurement was stopped because the page changed.'))), { once: true });
    setTimeout(() => reject(new Unmeasured(tr('The document didn\'t load.'))), MAX_MS);
    load(frame, twin);
    document.body.append(frame);
  });
}

const BLOCKS = '.f-block{content-visibility:visible!important}'; // ours, of a long text: WebKit never draws those in pictures

/** A document of which all is laid out. @param {Document} d */
function layOutAll(d) {
  const sheet = new (windowOf(d).CSSStyleSheet)();
  sheet.replaceSync(BLOCKS);
  d.adoptedStyleSheets = [sheet];
  return d;
}

/** @param {Document} d @returns {Window & typeof globalThis} */
const windowOf = d => d.defaultView;

/** Whether a node is text of the file. Names of classes that begin with f- are ours alone. A gauge is drawn, its figure is not. @param {Node} node */
const isText = ({ nodeValue: data, parentElement: parent }) => /\S/.test(data) && parent.localName !== 'style' && !parent.closest('.f-zoom') && (/\p{L}/u.test(data) || !parent.closest('meter, progress'));

/** The texts of a document, with where each of their lines is. @param {Document} d @returns {Drawn[]} */
function textsOf(d) {
  /** @type {Drawn[]} */
  const list = [];
  const walk = d.createTreeWalker(d.body, NodeFilter.SHOW_TEXT), range = d.createRange(), win = d.defaultView;
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (!isText(node)) continue;
    if (list.length === MAX_TEXTS) throw new Unmeasured(tr('It has more than {0} pieces of text.', formatNumber(MAX_TEXTS)));
    range.selectNodeContents(node);
    list.push(measurable(node, collapseSpace(node.nodeValue), boxesOf(range, win)));
  }
  return list;
}

const DRAWING = 'img[src^="data:image/svg+xml"]';

/** @param {Node} node @param {string} text @param {Box[]} boxes @returns {Drawn} of which nothing is measured yet */
const measurable = (node, text, boxes) => ({ node, text, boxes, mark: null, layer: 0, lines: Array(boxes.length).fill(null), contrast: 1, blankAbove: 0 });

/** The drawings of a document. They can hold text, and are told apart from the page like a text. @param {Document} d @returns {Drawn[]} */
function drawingsOf(d) {
  const win = d.defaultView, list = Array.from(d.querySelectorAll(DRAWING));
  if (list.length > MAX_DRAWINGS) throw new Unmeasured(tr('It has more than {0} drawings.', formatNumber(MAX_DRAWINGS)));
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
async function buildTwin(shown, twin, texts, images, width, pause) {
  const mark = 'm' + Array.from(crypto.getRandomValues(new Uint32Array(3)), n => n.toString(36)).join('');
  const root = shown.documentElement, win = shown.defaultView;
  const height = Math.min(MAX_DOCUMENT_PX, Math.max(win.innerHeight, root.scrollHeight)), fullWidth = Math.min(MAX_WIDTHS * width, Math.max(width, root.scrollWidth));
  const svg = twin.createElementNS('http://www.w3.org/2000/svg', 'svg'), foreignObject = twin.createElementNS('http://www.w3.org/2000/svg', 'foreignObject');
  const copy = twin.importNode(root, true);
  for (const style of copy.querySelectorAll('style')) style.textContent = style.textContent.replaceAll(':root', `:is(html,.${mark})`);
  const background = backgroundOf(root, shown.body, win);
  const { fontSize } = win.getComputedStyle(root), ownStyles = new Set();
  const sheet = (/** @type {string} */ text) => {
    const style = twin.createElement('style');
    style.textContent = text;
    ownStyles.add(style);
    return style;
  };
  const head = copy.querySelector('head');
  const size = fontSize === '16px' ? '' : `;font-size:${fontSize}`; // one that is set, if only to the same, would make monospace text larger
  head.append(sheet(`html[${mark}]{display:flow-root!important;margin:0!important${size && size + '!important'}}`));
  // Of important rules, those of the first layer win: no rule of the document changes a mark, or shows what is hidden.
  head.prepend(sheet(`@layer ${mark}{${mark}{all:unset!important;direction:inherit!important;unicode-bidi:normal!important}${BLOCKS}/*${mark}*/}`));
  for (const x of copy.querySelectorAll('meta, title, base, link')) x.remove();
  if (win.getComputedStyle(root).display !== 'none') copy.setAttribute(mark, '');
  const marks = wrapTexts(copy, twin, mark), drawings = Array.from(copy.querySelectorAll(DRAWING));
  if (marks.length !== texts.length || drawings.length !== images.length) throw new Unmeasured(tr('Its content differs each time it is read.'));
  foreignObject.setAttribute('width', String(width));
  foreignObject.setAttribute('height', String(win.innerHeight));
  foreignObject.setAttribute('style', 'overflow:visible');
  foreignObject.append(copy);
  svg.append(foreignObject);
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(win.innerHeight));
  svg.setAttribute('style', 'display:block' + size);
  twin.replaceChild(svg, twin.documentElement);
  await pause();
  await checkSameRules(shown, copy, ownStyles, new Set(marks), pause);
  const range = twin.createRange();
  for (let i = 0; i < texts.length; i++) {
    range.selectNodeContents(marks[i].firstChild);
    const twinBoxes = boxesOf(range, twin.defaultView), boxes = texts[i].boxes;
    if (isFolded(texts[i].node.parentElement)) continue;
    if (twinBoxes.length !== boxes.length || twinBoxes.some((box, k) => box.some((n, x) => Math.abs(n - boxes[k][x]) > 1))) {
      throw new Unmeasured(tr('Its text is laid out differently while it is measured.'));
    }
  }
  texts.forEach((text, i) => { text.mark = marks[i]; });
  images.forEach((image, i) => { image.mark = drawings[i]; });
  assignLayers([...texts, ...images]);
  for (const text of [...texts, ...images]) text.mark.setAttribute(mark, String(text.layer));
  const xml = new XMLSerializer().serializeToString(copy);
  const frameHeight = win.innerHeight, partHeight = VIEWPORT_UNIT.test(xml) ? frameHeight : Math.max(Math.min(height, MAX_PICTURE_PX), frameHeight); // a picture's height is that of its viewport
  return { mark, width, frameHeight, partHeight, fullHeight: height, fullWidth, background, xml };
}

/** Wraps each text into an element of a name that no rule can know. @param {Element} copy @param {Document} twin @param {string} name */
function wrapTexts(copy, twin, name) {
  /** @type {ChildNode[]} */
  const list = [];
  const walk = twin.createTreeWalker(copy.querySelector('body'), NodeFilter.SHOW_TEXT);
  /** @type {Element[]} */
  const marks = [];
  while (walk.nextNode()) if (isText(walk.currentNode)) list.push(/** @type {Text} */ (walk.currentNode));
  for (const node of list) {
    const wrapper = twin.createElement(name);
    node.replaceWith(wrapper);
    wrapper.append(node);
    marks.push(wrapper);
  }
  return marks;
}

/**
 * Makes sure that every rule reaches the same elements in both documents. Rules can count ancestors and siblings, of which
 * the copy has other ones. Those that reach a mark do nothing to it, unless they write before or after it.
 * @param {Document} shown @param {Element} copy @param {Set<Element>} ours @param {Set<Element>} marks @param {Pause} pause
 */
async function checkSameRules(shown, copy, ours, marks, pause) {
  const here = Array.from(shown.querySelectorAll('style')), there = Array.from(copy.querySelectorAll('style')).filter(style => !ours.has(style));
  const elements = indexOf(shown.querySelectorAll('html, body, body *')), copies = indexOf([copy, ...Array.from(copy.querySelectorAll('body, body *')).filter(x => !marks.has(x))]);
  if (here.length !== there.length || elements.size !== copies.size) throw new Unmeasured(tr('Its content differs each time it is read.'));
  if (elements.size > MAX_ELEMENTS) throw new Unmeasured(tr('It has more than {0} elements.', formatNumber(MAX_ELEMENTS)));
  const [a, b] = [here, there].map(list => list.flatMap(style => rulesOf(style.sheet)));
  if (a.length !== b.length || a.length > MAX_RULES) throw new Unmeasured(tr('It has too many rules.'));
  for (let i = 0; i < a.length; i++) {
    if (i % 16 === 15) await pause();
    const x = Array.from(shown.querySelectorAll(a[i].reaches), node => elements.get(node)), y = [];
    for (const node of copy.parentNode.querySelectorAll(b[i].reaches)) {
      if (b[i].writes && marks.has(node)) throw new Unmeasured(styleChanges());
      y.push(copies.get(node));
    }
    if (x.filter(n => n !== undefined).join() !== y.filter(n => n !== undefined).join()) throw new Unmeasured(styleChanges());
  }
}

const styleChanges = () => tr('Its style changes while it is measured.');

/** @param {Iterable<Element>} list @returns {Map<Element, number>} */
const indexOf = list => new Map(Array.from(list, (node, i) => [node, i]));

/**
 * The rules of a sheet: what each reaches, or what its pseudo-elements belong to, and whether it writes text.
 * @param {any} sheet a sheet, or a rule that holds others @returns {Array<{reaches: string, writes: boolean}>}
 */
function rulesOf(sheet) {
  return Array.from(sheet ? sheet.cssRules : []).flatMap((/** @type {any} */ rule) => (rule.selectorText === undefined ? rulesOf(rule) : [{
    reaches: rule.selectorText.replace(/::[\w-]+(\([^)]*\))?|:(before|after|first-line|first-letter)\b/g, '').replace(/(^|[\s>+~,(])(?=[,)]|$)/g, '$1*'),
    writes: rule.style.content !== '',
  }]));
}

/** The colour behind the whole page: a browser takes it from the root element, or else from body. @param {Element} root @param {Element} body @param {Window} win */
function backgroundOf(root, body, win) {
  const isTransparent = (/** @type {string} */ colour) => colour === 'rgba(0, 0, 0, 0)' || colour === 'transparent';
  return [root, body].map(node => win.getComputedStyle(node).backgroundColor).find(colour => !isTransparent(colour)) || '#fff';
}

/** Gives texts that lie over each other different layers, so that each is hidden alone. @param {Drawn[]} texts */
function assignLayers(texts) {
  /** @type {Map<string, Drawn[]>} */
  const grid = new Map();
  let cellsLeft = MAX_CELLS;
  for (const text of texts) {
    const used = new Set(), cells = new Set();
    for (const [x, y, w, h] of text.boxes) {
      cellsLeft -= (w / CELL_PX + 2) * (h / CELL_PX + 2);
      if (!(cellsLeft > 0)) throw new Unmeasured(tr('Its text takes up too much space.'));
      for (let cx = Math.floor((x - 3) / CELL_PX); cx <= (x + w + 3) / CELL_PX; cx++) for (let cy = Math.floor((y - 3) / CELL_PX); cy <= (y + h + 3) / CELL_PX; cy++) cells.add(cx + ',' + cy);
    }
    for (const cell of cells) {
      for (const other of grid.get(cell) || []) if (!used.has(other.layer) && overlaps(text, other)) used.add(other.layer);
    }
    let layer = 0;
    while (used.has(layer)) layer++;
    text.layer = layer;
    for (const cell of cells) {
      const there = grid.get(cell);
      if (!there) grid.set(cell, [text]); else if (there.length < 200) there.push(text); else text.layer = MAX_LAYERS;
    }
  }
}

/** @param {Drawn} a @param {Drawn} b */
const overlaps = (a, b) => a.boxes.some(([x, y, w, h]) => b.boxes.some(([X, Y, W, H]) => x - 3 < X + W && X - 3 < x + w && y - 3 < Y + H && Y - 3 < y + h));

/**
 * Paints the picture with and without its texts and counts what differs.
 * @param {Picture} picture @param {Drawn[]} texts @param {Pause} pause
 * @param {(bottom: number) => void} onRows is told between tiles how far down it is
 */
async function paint(picture, texts, pause, onRows) {
  const { width, partHeight, fullHeight, fullWidth } = picture, count = Math.min(MAX_LAYERS, Math.max(-1, ...texts.map(text => text.layer)) + 1);
  /** @type {Blank} */
  let blank = { run: 0, before: 0, last: null };
  for (let x = 0; x < fullWidth; x += width) {
    for (let y = 0; y < fullHeight; y += partHeight) {
      const inTile = texts.filter(text => text.boxes.some(([X, Y, W, H]) => X < x + width && X + W > x && Y < y + partHeight && Y + H > y));
      if (!inTile.length && x > 0) continue;
      const all = await drawPart(picture, -1, x, y, pause);
      if (!x && !y && !checkPixels(all)) throw new Unmeasured(tr('This browser reports different pixels than it draws.'));
      const without = [];
      for (let layer = 0; layer < count; layer++) without.push(inTile.some(text => text.layer === layer) ? await drawPart(picture, layer, x, y, pause) : null);
      for (let top = 0; top < partHeight && y + top < fullHeight; top += TILE_PX) {
        const height = Math.min(TILE_PX, partHeight - top, fullHeight - y - top);
        const A = pixels(all, width, top, height);
        if (x === 0) blank = trackBlankRows(A, width, height, y + top, blank, texts);
        for (let layer = 0; layer < count; layer++) {
          const mine = inTile.filter(text => text.layer === layer && text.boxes.some(([, Y, , H]) => Y < y + top + height && Y + H > y + top));
          if (!mine.length) continue;
          const B = pixels(without[layer], width, top, height);
          for (const text of mine) text.ground = text.ground ?? pixelBehind(A, text.boxes[0], width, height, x, y + top);
          for (const text of mine) recordDifferences(text, A, B, width, height, x, y + top);
          await pause();
        }
        if (x === 0 && y + top + height < fullHeight) onRows(y + top + height);
      }
    }
  }
}

/**
 * One part of the picture as an image, without the texts of a layer; -1 hides none.
 * @param {Picture} picture @param {number} layer @param {number} x @param {number} y @param {Pause} pause
 */
async function drawPart({ mark, width, frameHeight, partHeight, fullHeight, background, xml }, layer, x, y, pause) {
  const hide = layer < 0 ? '' : `[${mark}="${layer}"]{visibility:hidden!important}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${partHeight}" viewBox="${x} ${y} ${width} ${partHeight}">` +
    ['#fff', background].map(fill => `<rect x="0" y="0" width="${MAX_WIDTHS * width}" height="${fullHeight}" fill="${fill}"/>`).join('') +
    `<foreignObject x="0" y="0" width="${width}" height="${frameHeight}" style="overflow:visible">${xml.replace(`/*${mark}*/`, hide)}</foreignObject></svg>`;
  const image = new Image();
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);
  await image.decode().catch(() => { throw new Unmeasured(tr('This browser can\'t draw it as a picture.')); });
  await pause();
  return image;
}

/**
 * What becomes of the texts of a drawing: it is painted once for each of them, without it.
 * @param {Drawn} drawing @param {Verdict} verdict of the whole drawing @param {Pause} pause @returns {Promise<Verdict[]>}
 */
async function textsOfDrawing({ node, boxes }, { sight, why }, pause) {
  const svg = new DOMParser().parseFromString(trustedPolicy.createHTML(decodeDataURL(/** @type {Element} */ (node).getAttribute('src'))), 'image/svg+xml');
  const labels = Array.from(svg.querySelectorAll('text')).filter(text => !text.parentElement.closest('text') && /\S/.test(text.textContent));
  const all = (/** @type {Sight} */ sight, /** @type {string} */ why) => labels.map(label => ({ text: collapseSpace(label.textContent).slice(0, 600), sight, why }));
  if (!labels.length) return [];
  if (sight === 'never' || sight === 'folded' || sight === 'inside' || sight === 'unknown' || sight === 'far') return all(sight, why);
  if (labels.length > MAX_LABELS) return all('unknown', tr('too many texts in the drawing'));
  if (/:empty/i.test(svg.documentElement.outerHTML)) return all('unknown', styleChanges());
  const [, , w, h] = boxes[0], scale = Math.min(1, MAX_CANVAS_PX / Math.max(w, h)), width = Math.ceil(w * scale), height = Math.ceil(h * scale);
  const draw = async () => {
    const image = new Image(width, height);
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(new XMLSerializer().serializeToString(svg));
    await image.decode().catch(() => { throw new Unmeasured(tr('This browser can\'t draw it as a picture.')); });
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
    recordDifferences(text, A, await draw(), width, height, 0, 0);
    label.replaceChildren(...was);
    const is = (/** @type {Sight} */ sight, why = '') => list.push({ text: collapseSpace(words).slice(0, 600), sight, why });
    const [line] = text.lines;
    if (!line) is('never', tr('not visible in the drawing'));
    else if (text.contrast < MIN_CONTRAST) is('low', tr('almost the same colour as its background'));
    else if (WORD.test(words) && line[3] - line[2] + 1 < MIN_WORD_PX) is('low', tr('too small to read'));
    else is('drawn');
  }
  return list;
}

/** @param {string} text */
const collapseSpace = text => text.trim().replace(/\s+/g, ' ');

/** The text of a data address. @param {string} address */
function decodeDataURL(address) {
  const at = address.indexOf(','), body = address.slice(at + 1);
  return address.slice(0, at).endsWith(';base64') ? new TextDecoder().decode(Uint8Array.from(atob(body), c => c.charCodeAt(0))) : decodeURIComponent(body);
}

/** What became of one text. @param {Drawn} text @param {number} width @returns {Verdict} */
function verdictOf(text, width) {
  const { boxes, lines, node, layer } = text, parent = node.parentElement;
  const is = (/** @type {Sight} */ sight, why = '') => ({ text: text.text.slice(0, 600), sight, why });
  if (boxes.length && boxes.every(([x]) => x > 3 * width)) return is('far', tr('far to the right'));
  if (boxes.length && boxes.every(([x, y]) => y >= MAX_DOCUMENT_PX || x >= MAX_WIDTHS * width)) return is('unknown', tr('too far away to be checked'));
  if (layer >= MAX_LAYERS && boxes.length) return is('unknown', tr('too many overlapping texts'));
  const drawn = boxes.filter((box, k) => lines[k]);
  if (!drawn.length) {
    if (isFolded(parent)) return is('folded');
    if (isScrollable(parent)) return is('inside');
    return is('never', whyNotDrawn(text));
  }
  if (text.contrast < MIN_CONTRAST) return is('low', tr('almost the same colour as its background'));
  if (WORD.test(text.text) && lines.every(line => !line || line[3] - line[2] + 1 < MIN_WORD_PX)) return is('low', tr('too small to read'));
  const cut = boxes.filter(([, , w, h], k) => w > 8 && h > 4 && (!lines[k] || lines[k][1] - lines[k][0] + 1 < MIN_WIDTH_SHARE * w - 8));
  if (cut.length) return is(isScrollable(parent) ? 'inside' : 'partly', tr('cut off or covered'));
  if (text.blankAbove > MAX_BLANK_PX) return is('far', tr('after more than two empty screens'));
  const ys = boxes.map(([, y, , h]) => [y, y + h]).sort((a, b) => a[0] - b[0]);
  if (ys.some(([y], k) => k && y - ys[k - 1][1] > MAX_BLANK_PX)) { // one text with a gap in it
    return { text: collapseSpace(text.node.nodeValue.split(/\n\s{40,}/).at(-1)).slice(0, 600), sight: 'far', why: tr('after more than two empty screens') };
  }
  return is('drawn');
}

/** Whether an element is inside a details element that is closed. @param {Element} node */
function isFolded(node) {
  for (let x = node.closest('details:not([open])'); x; x = x.parentElement.closest('details:not([open])')) {
    const first = x.querySelector(':scope > summary');
    if (!first || !first.contains(node)) return true;
  }
  return false;
}

/** Whether a box around an element can be scrolled inside, and is large enough that a person would. @param {Element} node */
function isScrollable(node) {
  for (let x = node; x && x.localName !== 'body'; x = x.parentElement) {
    const { overflowX, overflowY } = x.ownerDocument.defaultView.getComputedStyle(x);
    if (/auto|scroll/.test(overflowY) && x.scrollHeight > x.clientHeight + 1 && x.clientHeight >= 40 && x.clientWidth >= 80) return true;
    if (/auto|scroll/.test(overflowX) && x.scrollWidth > x.clientWidth + 1 && x.clientHeight >= 12 && x.clientWidth >= 80) return true;
  }
  return false;
}

/** Why a text is not drawn, as far as its style says. @param {Drawn} text */
function whyNotDrawn({ node, boxes, ground }) {
  const { color, fontSize, visibility, display } = node.ownerDocument.defaultView.getComputedStyle(node.parentElement);
  if (!boxes.length) return display === 'none' ? 'display: none' : tr('takes up no space');
  if (visibility !== 'visible') return 'visibility: ' + visibility;
  if (parseFloat(fontSize) < 3) return tr('font size {0}', fontSize);
  if (boxes.every(([x, y, w, h]) => x + w <= 0 || y + h <= 0)) return tr('off the page');
  return ground !== undefined && contrast(pixelOf(color), ground) < MIN_CONTRAST ? tr('same colour as its background') : tr('covered or cut off');
}

// Lets a person select a passage or a rectangle of an attachment, for a remark on it. Loaded by hosted/decide.js and inspector/main.js.
// The document lies in a fresh frame without rights, as tall as it is, so that nothing in it scrolls. Over it lies an element
// of this page, which takes the pointer and the keys and holds all that is drawn: the document cannot see, move or cover it.
// What is at a point is read in a hidden copy with the same bytes and the same size. That frame has allow-same-origin, never
// allow-scripts, is inert, and is gone when the mode ends.

import { $, announce, el, revealInvisible, trustedPolicy } from '../shared/dom.js';
import { tr } from '../shared/translate.js';
import { Picture } from './image-area.js';
import { Passages, TooLarge } from './passages.js';

/** @import { Area } from './image-area.js' */
/** @import { Box } from './passages.js' */

const RAIL_PX = 30, MARK_PX = 26; // beside the document: for the numbers of remarks
const PADDING_PX = 16; // of the hatched frame, both sides
const MAX_HEIGHT_PX = 1_000_000, MAX_WIDTHS = 8; // of a frame that is as large as its document; widths of the page
const MAX_FITS = 12; // how often a document may grow with its frame
const MAX_BOXES = 1500; // that are drawn
const MAX_QUOTE_BYTES = 4096; // of a remark
const LOAD_MS = 10_000, PRESS_MS = 450, RESIZE_MS = 300;
const SLOP_PX = 6; // that a finger or a mouse may move without dragging
const EDGE_PX = 40; // from the end of the window, where it scrolls while someone drags
const MAX_SPOKEN = 200; // characters of a passage that are read aloud
const LAID_OUT = '.f-block{content-visibility:visible!important}'; // the server sends it with ?whole

const RESUME = 'selecting'; // in the session: where the page was, see hosted/decide.js

/** The mode that is on. @type {PassageMode|null} */
let current = null;

for (const type of ['figs:page', 'figs:remarks']) document.addEventListener(type, () => current && current.update());
document.addEventListener('figs:leave', stop);
document.addEventListener('submit', ({ submitter }) => {
  if (current && submitter instanceof HTMLButtonElement && submitter.name === 'remark-do') sessionStorage.setItem(RESUME, String(scrollY)); // the next page turns it on again
});

/** Ends the mode. */
export function stop() {
  if (current) current.end();
  current = null;
}

/** Turns the mode on or off for the attachment beside a button. @param {HTMLElement} button */
export async function toggle(button) {
  const wasOn = current && current.isOn && current.button === button, scrolled = sessionStorage.getItem(RESUME);
  sessionStorage.removeItem(RESUME);
  stop();
  if (wasOn) return;
  /** @type {HTMLIFrameElement|null} */
  const frame = button.closest('.viewer').querySelector('.viewer-frame > iframe.sandboxed');
  if (!frame || !frame.srcdoc && new URL(frame.src).origin !== location.origin) return refuse(); // no page can look into another origin
  const mode = current = new PassageMode(button, frame);
  try {
    await mode.begin(scrolled === null);
    if (scrolled !== null && current === mode) scrollTo(0, Number(scrolled));
  } catch (error) {
    if (current !== mode) return;
    stop();
    refuse(error);
  }
}

/** Says that nothing can be selected here, and opens the form, which takes lines. @param {unknown} [error] */
function refuse(error) {
  openForm({});
  announce(error instanceof TooLarge ? tr('This file has too much text to select a passage in it. Use line numbers instead.') : tr('Passages of this file can\'t be selected here. Use line numbers instead.'));
}

/** @typedef {{file?: string, quote?: string, before?: string, after?: string, area?: string}} Place */

/** Fills the form for a remark, shows what it quotes, and opens it. @param {Place} place */
function openForm(place) {
  const form = $('remark-new');
  if (!form) return;
  /** @param {string} name @returns {HTMLInputElement|null} */
  const field = name => form.querySelector(`[name="remark-${name}"]`);
  const { file, quote = '', before = '', after = '', area = '' } = place;
  for (const [name, value] of Object.entries({ quote, before, after, area, from: '', to: '' })) if (field(name)) field(name).value = value;
  if (file && field('file')) field('file').value = file;
  const shown = el('blockquote', { className: 'remark-shown', id: 'remark-shown' });
  const show = () => {
    const text = field('quote')?.value || '';
    shown.hidden = !text && !area;
    shown.replaceChildren(text ? el('bdi', {}, revealInvisible(text)) : area ? tr('Area {0}', area) : '');
  };
  $('remark-shown')?.remove();
  form.querySelector('summary')?.after(shown);
  show();
  if (field('quote')) field('quote').oninput = show;
  form.open = true;
  const text = field('comment');
  if (!text) return;
  text.dispatchEvent(new Event('input', { bubbles: true })); // a draft is kept
  text.focus({ preventScroll: true });
  form.scrollIntoView({ block: 'nearest' });
}

/** One attachment with the mode on. */
class PassageMode {
  /** @param {HTMLElement} button @param {HTMLIFrameElement} frame that is shown without the mode */
  constructor(button, frame) {
    this.button = button;
    this.frame = frame;
    this.holder = /** @type {HTMLElement} */ (frame.parentElement);
    this.layer = el('div', { className: 'passage-mode' });
    this.abort = new AbortController();
    /** @type {Passages|null} */
    this.passages = null;
    /** @type {Picture|null} */
    this.picture = null;
    /** @type {[number, number]|null} */
    this.selected = null; // a part of the joined text
    /** @type {Area|null} */
    this.area = null;
    /** @type {{x: number, y: number, at: number, moved: boolean}|null} */
    this.drag = null;
    this.anchor = -1; // of the joined text, where the last selection began
    /** @type {Array<[number, number]>|null} */
    this.blocks = null;
    this.block = this.blockAnchor = -1; // the block that the keyboard is at, and the one from which it extends
    this.timer = 0;
    this.press = 0;
    this.pending = false;
  }

  /** Whether its layer is on the page. */
  get isOn() {
    return this.layer.isConnected;
  }

  /** Loads both copies of the document and shows one. @param {boolean} takesFocus */
  async begin(takesFocus) {
    this.button.setAttribute('aria-pressed', 'true');
    const width = Math.max(160, this.holder.clientWidth - PADDING_PX - RAIL_PX), height = Math.max(200, this.frame.clientHeight);
    this.width = this.holder.clientWidth;
    const twin = this.makeFrame('measuring', 'allow-same-origin', width, height);
    this.holder.prepend(this.layer);
    await this.load(twin, true);
    const d = twin.contentDocument;
    if (!d || !d.body) throw new Error('the copy cannot be read');
    const size = await this.read(d, twin, width, height);
    if (this.abort.signal.aborted) return;
    const copy = this.makeFrame('sandboxed passage-copy', '', ...size);
    copy.title = this.frame.title;
    this.build(copy, ...size);
    this.show();
    await this.load(copy, false);
    if (this.abort.signal.aborted) return;
    this.drawMarks();
    this.overlay.hidden = false;
    if (takesFocus) this.overlay.focus({ preventScroll: true });
  }

  /** @param {string} className @param {string} rights @param {number} width @param {number} height */
  makeFrame(className, rights, width, height) {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', rights);
    frame.setAttribute('scrolling', 'no');
    frame.setAttribute('allow', '');
    frame.className = className;
    frame.inert = true;
    frame.tabIndex = -1;
    frame.referrerPolicy = 'no-referrer';
    frame.style.width = width + 'px';
    frame.style.height = height + 'px';
    if (rights) frame.setAttribute('aria-hidden', 'true');
    return frame;
  }

  /** Gives a frame the document. @param {HTMLIFrameElement} frame @param {boolean} readable */
  load(frame, readable) {
    return new Promise((resolve, reject) => {
      frame.onload = () => resolve(undefined);
      this.abort.signal.addEventListener('abort', () => resolve(undefined), { once: true });
      setTimeout(() => reject(new Error('the document did not load')), LOAD_MS);
      if (this.frame.srcdoc) {
        frame.srcdoc = /** @type {string} */ (trustedPolicy.createHTML(this.frame.srcdoc.replace('</head>', end => el('style', { textContent: LAID_OUT }).outerHTML + end)));
      } else {
        const url = new URL(this.frame.src);
        url.searchParams.set('whole', '');
        if (readable) url.searchParams.set('measure', 'shown');
        frame.src = url.href;
      }
      if (readable) this.layer.append(frame);
    });
  }

  /**
   * Makes the hidden copy as large as its document and reads it.
   * @param {Document} d @param {HTMLIFrameElement} twin @param {number} width @param {number} height @returns {Promise<[number, number]>} its size
   */
  async read(d, twin, width, height) {
    const image = d.body.classList.contains('f-image') && d.querySelector('img');
    if (image) {
      await image.decode().catch(() => {});
      this.picture = new Picture(image);
      if (!this.picture.isUsable) throw new Error('the picture has no size');
      return [width, height];
    }
    const resize = (/** @type {number} */ w, /** @type {number} */ h) => {
      twin.style.width = w + 'px';
      twin.style.height = h + 'px';
    };
    let [w, h] = [width, height], fits = 0, last = Infinity;
    for (; fits < MAX_FITS; fits++) {
      const root = d.documentElement, wider = Math.min(MAX_WIDTHS * width, Math.max(w, root.scrollWidth)), taller = Math.min(MAX_HEIGHT_PX, Math.max(h, root.scrollHeight, d.body.scrollHeight));
      const grown = wider - w + taller - h;
      if (grown < 2 || fits > 1 && grown > 0.9 * last) break;
      last = grown;
      resize(w = wider, h = taller);
    }
    this.passages = new Passages(d, w, h);
    if (fits > 1 && this.passages.outside) { // it grows with its frame: what can be seen without scrolling has to do
      resize(w = width, h = height);
      this.passages = new Passages(d, w, h);
    }
    this.hasClosed = Boolean(d.querySelector('details:not([open])'));
    return [w, h];
  }

  /** Builds what is shown. @param {HTMLIFrameElement} copy @param {number} width @param {number} height */
  build(copy, width, height) {
    const coarse = matchMedia('(pointer: coarse)').matches;
    const hint = this.picture ? coarse ? tr('Press and hold, then drag over a part of the picture.') : tr('Drag over a part of the picture. With the keyboard: arrow keys move the area, Shift and an arrow key resize it, Enter adds a comment, Escape ends.')
      : coarse ? tr('Press and hold a word, then drag to select more.') : tr('Drag over the text, or click a paragraph. With the keyboard: arrow keys select a paragraph, Shift and an arrow key extend the selection, Enter adds a comment, Escape ends.');
    const lines = [el('p', { className: 'passage-hint', id: 'passage-hint' }, hint)];
    if (this.passages && (this.passages.outside || this.passages.cutOff || this.hasClosed)) lines.push(el('p', { className: 'passage-hint' }, tr('Some text can\'t be selected here because it lies in a closed section or has to be scrolled to. Use the Plain text view for it.')));
    this.boxes = el('div', { className: 'passage-boxes' });
    this.marks = el('div', { className: 'passage-marks' });
    this.action = el('button', { type: 'button', className: 'button button-small button-primary passage-action', hidden: true, onclick: () => this.addRemark() }, tr('Add a comment'));
    this.overlay = el('div', { className: 'passage-overlay', hidden: true, tabIndex: 0, role: 'application', ariaLabel: this.picture ? tr('Select a part of the picture') : tr('Select a passage') }, this.marks, this.boxes);
    this.overlay.setAttribute('aria-describedby', 'passage-hint');
    this.rail = el('div', { className: 'passage-rail' });
    const stage = el('div', { className: 'passage-stage' }, copy, this.overlay, this.action, this.rail);
    stage.style.width = width + RAIL_PX + 'px';
    stage.style.height = height + 'px';
    this.overlay.style.width = width + 'px';
    this.layer.prepend(...lines, stage);
    const listen = (/** @type {string} */ type, /** @type {(event: any) => void} */ handle) => this.overlay.addEventListener(type, handle, { signal: this.abort.signal, passive: false });
    listen('pointerdown', event => this.onPointerDown(event));
    listen('pointermove', event => this.onPointerMove(event));
    listen('pointerup', event => this.onPointerUp(event));
    listen('pointercancel', () => this.drop());
    listen('touchmove', event => this.drag && event.preventDefault());
    listen('contextmenu', event => (this.drag || this.press) && event.preventDefault());
    listen('keydown', event => this.onKeydown(event));
    this.action.addEventListener('keydown', event => event.key === 'Escape' && this.onEscape(event));
  }

  /** Shows the fresh copy in the place of the frame, which keeps what someone opened in it. */
  show() {
    const { style } = this.frame;
    style.width = this.frame.clientWidth + 'px';
    style.height = this.frame.clientHeight + 'px';
    this.holder.classList.add('is-selecting');
    this.frame.inert = true;
    const observer = new ResizeObserver(() => {
      if (!this.isOn || this.holder.clientWidth === this.width) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => current === this && this.holder.clientWidth !== this.width && this.restart(), RESIZE_MS);
    });
    observer.observe(this.holder);
    this.abort.signal.addEventListener('abort', () => observer.disconnect(), { once: true });
  }

  /** Begins again, at another width. */
  async restart() {
    stop();
    await toggle(this.button);
  }

  /** Takes over a page that was brought up to date. */
  update() {
    if (!this.isOn) return stop();
    if (this.overlay) this.drawMarks();
  }

  /** Removes both copies and brings the frame back. */
  end() {
    const hadFocus = this.layer.contains(document.activeElement);
    this.abort.abort();
    clearTimeout(this.timer);
    clearTimeout(this.press);
    this.layer.remove();
    this.holder.classList.remove('is-selecting');
    this.frame.inert = false;
    this.frame.style.width = this.frame.style.height = '';
    this.button.setAttribute('aria-pressed', 'false');
    if (hadFocus) this.button.focus({ preventScroll: true });
  }

  /** Draws the remarks that were made before, each with its number beside the document. */
  drawMarks() {
    /** @type {Array<{card: HTMLElement, boxes: Box[]}>} */
    const found = [];
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#remarks [data-file][data-quote]'))) {
      const { file, quote = '', before = '', after = '', area = '' } = card.dataset;
      if (file !== this.button.dataset.file) continue;
      const place = quote && this.passages && this.passages.find({ quote, before, after }), rectangle = this.picture && this.picture.parse(area);
      const boxes = place ? this.passages.boxes(...place, MAX_BOXES) : rectangle ? [this.picture.boxOf(rectangle)] : [];
      if (boxes.length) found.push({ card, boxes });
    }
    this.marks.replaceChildren(...found.flatMap(({ boxes }) => boxes.map(box => boxElement(box))));
    let next = 0;
    found.sort((a, b) => a.boxes[0][1] - b.boxes[0][1]);
    this.rail.replaceChildren(...found.map(({ card, boxes: [box] }) => {
      const n = card.id.replace(/\D+/, ''), isEarlier = card.id.startsWith('earlier');
      const mark = el('button', { type: 'button', className: 'passage-mark', onclick: () => focusCard(card) }, n);
      mark.classList.toggle('is-earlier', isEarlier);
      mark.setAttribute('aria-label', isEarlier ? tr('Go to comment {0} of the previous round', n) : tr('Go to comment {0}', n));
      mark.style.top = (next = Math.max(box[1], next)) + 'px';
      next += MARK_PX;
      return mark;
    }));
  }

  /** Draws what is selected. */
  draw() {
    const boxes = this.selected ? this.passages.boxes(...this.selected, MAX_BOXES) : this.area ? [this.picture.boxOf(this.area)] : [];
    this.boxes.replaceChildren(...boxes.map(boxElement));
    this.boxes.classList.toggle('is-area', Boolean(this.area));
    const last = boxes.at(-1);
    this.action.hidden = !last || Boolean(this.drag);
    if (this.action.hidden) return;
    this.action.disabled = this.isTooLong();
    this.action.textContent = this.action.disabled ? tr('Too long to quote: select less') : tr('Add a comment');
    const { offsetWidth, offsetHeight } = this.overlay, room = offsetHeight - this.action.offsetHeight - 4;
    this.action.style.left = Math.max(0, Math.min(last[2] - 20, offsetWidth - this.action.offsetWidth)) + 'px';
    this.action.style.top = Math.max(0, Math.min(last[3] + 4, room)) + 'px';
  }

  /** Whether the passage is longer than what a remark can quote. */
  isTooLong() {
    return this.selected !== null && new Blob([this.passages.text.slice(...this.selected)]).size > MAX_QUOTE_BYTES;
  }

  /** Draws once before the next picture, however often the pointer moves. */
  drawSoon() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      if (this.isOn) this.draw();
    });
  }

  /** A point of the window in the document. @param {PointerEvent} event */
  pointOf({ clientX, clientY }) {
    const { left, top } = this.overlay.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** @param {PointerEvent} event */
  onPointerDown(event) {
    if (event.button || !event.isPrimary) return;
    const point = this.pointOf(event);
    if (event.pointerType !== 'touch') {
      event.preventDefault();
      this.overlay.focus({ preventScroll: true });
      this.overlay.setPointerCapture(event.pointerId);
      return this.start(point, event.shiftKey);
    }
    clearTimeout(this.press);
    this.pressed = point;
    this.press = setTimeout(() => {
      this.press = 0;
      this.start(point, false);
      if (!this.drag || !this.passages || this.drag.at < 0) return;
      const { text } = this.passages, isWord = (/** @type {number} */ i) => i >= 0 && i < text.length && /\S/.test(text[i]);
      let [from, to] = [this.drag.at, this.drag.at];
      while (isWord(from - 1)) from--;
      while (isWord(to)) to++;
      this.drag.moved = true;
      this.select(from, to);
    }, PRESS_MS);
  }

  /** Begins to select. @param {{x: number, y: number}} point @param {boolean} adds to the last selection */
  start({ x, y }, adds) {
    const at = this.passages ? this.passages.at(x, y) : 0;
    this.blockAnchor = this.block = -1;
    this.drag = { x, y, at, moved: false };
    if (at < 0) return this.clear();
    if (adds && this.anchor >= 0 && this.passages) {
      this.drag.at = this.anchor;
      this.drag.moved = true;
      return this.extend(x, y);
    }
    this.anchor = at;
  }

  /** @param {PointerEvent} event */
  onPointerMove(event) {
    const point = this.pointOf(event), start = this.drag || this.pressed;
    if (!start || !this.drag && !this.press) return;
    if (Math.hypot(point.x - start.x, point.y - start.y) > SLOP_PX) {
      if (this.press) {
        clearTimeout(this.press);
        this.press = 0;
      }
      if (this.drag) this.drag.moved = true;
    }
    if (!this.drag || !this.drag.moved || this.drag.at < 0) return;
    if (event.clientY < EDGE_PX) scrollBy(0, -EDGE_PX / 2);
    if (event.clientY > bottomOfView() - EDGE_PX) scrollBy(0, EDGE_PX / 2);
    this.extend(point.x, point.y);
  }

  /** Selects up to a point. @param {number} x @param {number} y */
  extend(x, y) {
    if (this.picture) {
      this.area = this.picture.between(this.drag.x, this.drag.y, x, y);
      return this.drawSoon();
    }
    const at = this.passages.at(x, y, true);
    if (at >= 0) this.select(Math.min(at, this.drag.at), Math.max(at, this.drag.at) + 1);
  }

  /** @param {PointerEvent} event */
  onPointerUp(event) {
    clearTimeout(this.press);
    this.press = 0;
    if (!this.drag) return;
    const { at, moved } = this.drag;
    if (!moved && at >= 0 && this.passages) { // a click selects the block
      const own = this.lines().findIndex(([from, to]) => at >= from && at < to);
      if (own >= 0) this.selectBlocks(own, own, false);
    }
    if (!moved && this.picture) this.area = null;
    event.preventDefault();
    this.drop();
  }

  /** Ends a drag. */
  drop() {
    clearTimeout(this.press);
    this.press = 0;
    if (!this.drag) return;
    this.drag = null;
    this.draw();
    this.say();
  }

  /** The blocks of the text. */
  lines() {
    return this.blocks ??= this.passages.blocks();
  }

  /** @param {number} from @param {number} to */
  select(from, to) {
    const [a, b] = this.passages.whole(from, to);
    this.selected = b > a ? [a, b] : null;
    this.drawSoon();
  }

  /** @param {number} anchor @param {number} block @param {boolean} [speaks] */
  selectBlocks(anchor, block, speaks = true) {
    const lines = this.lines();
    [this.blockAnchor, this.block] = [anchor, block];
    this.selected = [lines[Math.min(anchor, block)][0], lines[Math.max(anchor, block)][1]];
    this.anchor = this.selected[0];
    this.draw();
    if (!speaks) return;
    const [box] = this.passages.boxes(...lines[block], 1);
    if (box) boxInView(this.overlay, box);
    this.say();
  }

  clear() {
    this.selected = this.area = null;
    this.blockAnchor = this.block = -1;
    this.draw();
  }

  /** Reads aloud what is selected. */
  say() {
    if (this.selected) {
      const quote = this.passages.text.slice(...this.selected);
      announce(tr('Selected: {0}', revealInvisible(quote.length > MAX_SPOKEN ? quote.slice(0, MAX_SPOKEN) + '…' : quote)));
    } else if (this.area) {
      announce(tr('Selected: {0}', areaText(this.area)));
    }
  }

  /** @param {KeyboardEvent} event */
  onKeydown(event) {
    const { key, shiftKey } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (key === 'Escape') return this.onEscape(event);
    if (key === 'Enter') {
      if (!this.selected && !this.area) return;
      event.preventDefault();
      event.stopPropagation();
      return this.addRemark();
    }
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[key];
    if (!step && key !== 'Home' && key !== 'End') return;
    event.preventDefault();
    event.stopPropagation();
    if (this.picture) {
      if (!step) return;
      this.area = this.area ? this.picture.step(this.area, key, shiftKey) : this.picture.middle();
      this.draw();
      boxInView(this.overlay, this.picture.boxOf(this.area));
      return this.say();
    }
    const lines = this.lines(), last = lines.length - 1;
    if (last < 0) return;
    const next = key === 'Home' ? 0 : key === 'End' ? last : this.block < 0 ? this.firstInView() : Math.min(Math.max(this.block + step, 0), last);
    this.selectBlocks(shiftKey && this.blockAnchor >= 0 ? this.blockAnchor : next, next);
  }

  /** The block with which the keyboard begins: what is selected, or the first on the screen. */
  firstInView() {
    const lines = this.lines(), top = -this.overlay.getBoundingClientRect().top, own = this.selected;
    const at = own ? lines.findIndex(([, to]) => to > own[0]) : lines.findIndex(([from, to]) => { const [box] = this.passages.boxes(from, to, 1); return box && box[3] > top; });
    return Math.max(at, 0);
  }

  /** Clears the selection, or ends the mode when nothing is selected. @param {KeyboardEvent} event */
  onEscape(event) {
    event.preventDefault();
    event.stopPropagation();
    if (!this.selected && !this.area) return stop();
    this.clear();
    this.overlay.focus({ preventScroll: true });
  }

  /** Opens the form on what is selected. */
  addRemark() {
    const { file } = this.button.dataset;
    if (this.area) return openForm({ file, area: areaText(this.area) });
    if (!this.selected) return;
    const [from, to] = this.selected;
    if (this.isTooLong()) return announce(this.action.textContent);
    openForm({ file, ...this.passages.quote(from, to) });
  }
}

/** @param {Area} area */
const areaText = ({ x, y, w, h }) => [x, y, w, h].join();

/** An element over a box of the document. @param {Box} box */
function boxElement([l, t, r, b]) {
  const node = el('div');
  Object.assign(node.style, { left: l + 'px', top: t + 'px', width: r - l + 'px', height: b - t + 'px' });
  return node;
}

/** Scrolls the window until a box of the document is on the screen, above the bar with the buttons. @param {HTMLElement} overlay @param {Box} box */
function boxInView(overlay, [, t, , b]) {
  const { top } = overlay.getBoundingClientRect(), above = top + t - 2 * EDGE_PX, below = top + Math.min(b, t + innerHeight / 3) + 2 * EDGE_PX - bottomOfView();
  if (above < 0) scrollBy(0, above); else if (below > 0) scrollBy(0, below);
}

/** Where the bar with the buttons, or the window, ends what can be seen. */
function bottomOfView() {
  const bar = $('deciding'), box = bar && /sticky|fixed/.test(getComputedStyle(bar).position) && bar.getBoundingClientRect();
  return box && box.top > innerHeight / 4 ? Math.min(box.top, innerHeight) : innerHeight;
}

/** Leads to the card of a remark. @param {HTMLElement} card */
function focusCard(card) {
  for (let node = card.parentElement; node; node = node.parentElement) if (node instanceof HTMLDetailsElement) node.open = true;
  card.tabIndex = -1;
  card.focus();
}

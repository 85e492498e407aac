// Says beside a frame which of its texts a person can see, as this browser measures it: at the width that is shown, on
// a phone and on a wide screen, and again when the frame's width changes.

import { el, visible } from './dom.js';
import { measure } from './measure.js';

const WIDTHS = [360, 1280]; // pixels, beside the one that is shown
const MOST = 512 << 10; // bytes of a file that is measured: laying out a larger one would hold up the page
const KINDS = new Set(['html', 'markdown', 'svg', 'text']);
const SETTLED = 400; // milliseconds without a change of width
const QUOTED = 5, LETTERS = 160; // hidden texts that are quoted, and how much of each

const ORDER = ['never', 'far', 'low', 'partly', 'unknown', 'inside', 'folded', 'drawn'];
const WORDS = { never: 'Not drawn', far: 'Far down', low: 'Hardly visible', reported: 'Hidden' };

/** Whether a person who looks with care would miss it. */
const hides = ({ sight }) => sight === 'never' || sight === 'far' || sight === 'low';

let current = null; // what is being measured: { frame, controller, observer }

/** Ends what goes on for a page that is left. */
export function leave() {
  if (!current) return;
  current.controller.abort();
  current.observer.disconnect();
  current = null;
}

/**
 * Measures the document of a stage and keeps its verdict up to date.
 * @param {Element} stage holds the frame and the place for the verdict
 * @param {(frame: HTMLIFrameElement, twin: boolean) => void} load see measure
 * @param {(found: {hidden: number, widths: number[]}) => void} [tell] hears how many texts are hidden
 */
export function look(stage, load, tell = () => {}) {
  const box = stage.querySelector('.viewer-frame[data-kind]'), frame = box && box.querySelector('iframe.sandboxed'), note = stage.querySelector('[data-measured]');
  if (!frame || !note || !KINDS.has(box.dataset.kind)) return leave();
  if (current && current.frame === frame) return;
  leave();
  let timer = 0, width = frame.clientWidth;
  const observer = new ResizeObserver(() => {
    if (!current || current.frame !== frame || frame.clientWidth === width) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!current || current.frame !== frame) return;
      current.controller.abort();
      current.controller = new AbortController();
      width = frame.clientWidth;
      run(frame, note, load, tell, current.controller.signal);
    }, SETTLED);
  });
  current = { frame, controller: new AbortController(), observer };
  observer.observe(frame);
  run(frame, note, load, tell, current.controller.signal);
}

async function run(frame, note, load, tell, signal) {
  const shown = frame.clientWidth, done = [];
  if (!shown) return;
  if (Number(frame.closest('.viewer-frame').dataset.size) > MOST) return write(note, [], [{ width: shown, unmeasured: 'The file is larger than 512 KiB.' }]);
  for (const width of new Set([shown, ...WIDTHS])) {
    const measured = await measure(load, width, frame.clientHeight, signal);
    if (signal.aborted || !frame.isConnected) return;
    done.push(measured);
    const found = merge(done, shown);
    write(note, found, done);
    tell({ hidden: found.filter(hides).length, widths: done.filter(m => !m.unmeasured).map(m => m.width) });
  }
}

/** The worst of what each width says of a text. Only at the width that is shown does it matter that a text is cut off. */
function merge(done, shown) {
  const all = new Map();
  for (const { width, texts } of done) {
    const times = new Map();
    for (const text of texts) {
      const n = (times.get(text.text) || 0) + 1, key = n + ' ' + text.text;
      times.set(text.text, n);
      const sight = text.sight === 'partly' && width !== shown ? 'drawn' : text.sight, before = all.get(key);
      if (!before) all.set(key, { ...text, sight, at: [width] });
      else if (ORDER.indexOf(sight) < ORDER.indexOf(before.sight)) all.set(key, { ...text, sight, at: [width] });
      else if (sight === before.sight) before.at.push(width);
    }
  }
  return Array.from(all.values()).sort((a, b) => ORDER.indexOf(a.sight) - ORDER.indexOf(b.sight));
}

const px = widths => list(widths.map(width => width.toLocaleString('en'))) + ' px';
const list = words => (words.length < 2 ? words.join() : words.slice(0, -1).join(', ') + ' and ' + words.at(-1));
const count = (n, one, many) => (n === 1 ? one : many.replace('%', n.toLocaleString('en')));

/** Writes the one verdict on hidden text: what this browser does not draw, and what the check without a browser reports. */
function write(note, found, done) {
  const measured = done.filter(m => !m.unmeasured).map(m => m.width).sort((a, b) => a - b), failed = done.filter(m => m.unmeasured);
  const strip = note.parentElement, told = strip.querySelector('[data-static-verdict]'), lines = [];
  const cut = found.filter(t => t.sight === 'partly'), of = sight => found.filter(t => t.sight === sight).length;
  const hidden = measured.length ? union(found.filter(hides), strip) : [];
  note.hidden = false;
  note.dataset.hidden = String(hidden.length);
  note.dataset.state = measured.length ? hidden.length ? 'hidden' : 'drawn' : 'unmeasured';
  if (told) told.hidden = measured.length > 0; // it is part of this verdict
  if (hidden.length) {
    strip.classList.remove('is-note', 'is-plain');
    strip.classList.add('is-warn');
    lines.push(el('p', { className: 'measured-news' }, count(hidden.length, 'Hidden text: you cannot see one text of this file.', 'Hidden text: you cannot see % texts of this file.')));
    lines.push(quotes(hidden, measured));
  } else if (measured.length) {
    lines.push(el('p', {}, of('unknown') ? `The text that this browser could measure is visible at ${px(measured)}.` : `All text is visible at ${px(measured)}, as this browser draws it.`));
  }
  if (cut.length) lines.push(el('p', {}, count(cut.length, 'One text is cut off at this width: ', '% texts are cut off at this width, among them '), quoted(cut[0].text)));
  const aside = [[of('folded'), 'one inside a closed section', '% inside closed sections'], [of('inside'), 'one that shows when you scroll inside a box', '% that show when you scroll inside a box']];
  const more = aside.filter(([n]) => n).map(([n, one, many]) => count(n, one, many));
  if (more.length) lines.push(el('p', {}, `Not on the screen at once: ${list(more)}.`));
  if (of('unknown')) lines.push(el('p', {}, count(of('unknown'), 'One text could not be measured.', '% texts could not be measured.')));
  if (failed.length) {
    lines.push(el('p', {}, `Whether all text is visible at ${px(failed.map(m => m.width))} could not be measured. ${failed[0].unmeasured}`));
  }
  note.replaceChildren(...lines);
}

/** Adds the passages that only the check without a browser reports; those that read like an instruction come first. */
function union(hidden, strip) {
  const told = [], more = [];
  for (const node of strip.querySelectorAll('[data-passage]')) {
    const [text, why] = [node.dataset.passage, node.dataset.why].map(s => s.replace(/[\u2068\u2069]/g, '')); // what sets them apart from the page
    if (!hidden.some(other => same(other.text, text))) (node.classList.contains('is-told') ? told : more).push({ sight: 'reported', text, why, at: [] });
  }
  return [...told, ...hidden, ...more];
}

/** Whether two texts begin alike; a passage may be cut, or be more than one text. */
function same(a, b) {
  const [x, y] = [a, b].map(s => s.replace(/\s+/g, ' ').trim()), n = Math.min(x.length, y.length, 40);
  return x === y || n >= 8 && x.slice(0, n) === y.slice(0, n);
}

function quotes(hidden, measured) {
  const items = hidden.slice(0, QUOTED).map(({ sight, why, text, at }) => {
    const where = at.length && at.length < measured.length ? ` at ${px(at)}` : '';
    return el('li', {}, `${WORDS[sight]}${where}: `, quoted(text), why ? el('span', { className: 'soft' }, ` ${why}`) : '');
  });
  if (hidden.length > QUOTED) items.push(el('li', { className: 'soft' }, `and ${(hidden.length - QUOTED).toLocaleString('en')} more`));
  return el('ul', {}, ...items);
}

/** The words of a file, on their own and with what leaves no mark named. */
function quoted(text) {
  const short = text.length > LETTERS ? text.slice(0, LETTERS) + '…' : text;
  return el('bdi', { className: 'mono' }, `“${visible(short)}”`);
}

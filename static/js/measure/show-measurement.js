// Says beside a frame which of its texts a person can see. Loaded by hosted/hosted.js and inspector/attachment.js.
// This browser measures it at the width that is shown, on a phone and on a wide screen, and again when the frame's width
// changes.

import { el, revealInvisible } from '../shared/dom.js';
import { measure } from './measure.js';
import { fill, tr } from './translate.js';

const WIDTHS = [360, 1280]; // pixels, beside the one that is shown
const MAX_FILE_BYTES = 512 << 10; // bytes of a file that is measured: laying out a larger one would hold up the page
const KINDS = new Set(['html', 'markdown', 'svg', 'text']);
const RESIZE_DELAY_MS = 400; // milliseconds without a change of width
const MAX_QUOTES = 5, MAX_QUOTE_LENGTH = 160; // hidden texts that are quoted, and how much of each

const WORST_FIRST = ['never', 'far', 'low', 'partly', 'unknown', 'inside', 'folded', 'drawn'];

/**
 * @typedef {import('./measure.js').Measured} Measured
 * @typedef {{text: string, sight: import('./measure.js').Sight|'reported', why: string, at: number[]}} Found at: at which widths
 */

/** Whether a person who looks with care would miss it. @param {Found} text */
const isHidden = ({ sight }) => sight === 'never' || sight === 'far' || sight === 'low';

/** What is being measured. @type {{frame: HTMLIFrameElement, controller: AbortController, observer: ResizeObserver}|null} */
let current = null;

/** Ends what goes on for a page that is left. */
export function stop() {
  if (!current) return;
  current.controller.abort();
  current.observer.disconnect();
  current = null;
}

/**
 * Measures the document of a stage and keeps its verdict up to date.
 * @param {Element} stage holds the frame and the place for the verdict
 * @param {import('./measure.js').Load} load
 * @param {(found: {hidden: number, widths: number[]}) => void} [onResult] hears how many texts are hidden
 */
export function observe(stage, load, onResult = () => {}) {
  /** @type {HTMLIFrameElement|null} */
  const frame = stage.querySelector('.viewer-frame[data-kind] iframe.sandboxed');
  const box = stage.querySelector('.viewer-frame[data-kind]'), note = stage.querySelector('[data-measured]');
  if (!frame || !note || !KINDS.has(box.dataset.kind)) return stop();
  if (current && current.frame === frame) return;
  stop();
  let timer = 0, width = frame.clientWidth;
  const observer = new ResizeObserver(() => {
    if (!current || current.frame !== frame || frame.clientWidth === width) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!current || current.frame !== frame) return;
      current.controller.abort();
      current.controller = new AbortController();
      width = frame.clientWidth;
      run(frame, note, load, onResult, current.controller.signal);
    }, RESIZE_DELAY_MS);
  });
  current = { frame, controller: new AbortController(), observer };
  observer.observe(frame);
  run(frame, note, load, onResult, current.controller.signal);
}

/**
 * @param {HTMLIFrameElement} frame @param {HTMLElement} note @param {import('./measure.js').Load} load
 * @param {(found: {hidden: number, widths: number[]}) => void} onResult @param {AbortSignal} signal
 */
async function run(frame, note, load, onResult, signal) {
  const shown = frame.clientWidth;
  /** @type {Measured[]} */
  const results = [];
  if (!shown) return;
  if (Number(frame.closest('.viewer-frame').dataset.size) > MAX_FILE_BYTES) return writeVerdict(note, [], [{ width: shown, texts: [], ms: 0, unmeasured: tr('The file is larger than 512 KiB.') }]);
  for (const width of new Set([shown, ...WIDTHS])) {
    const measured = await measure(load, width, frame.clientHeight, signal, partial => {
      if (!results.length && !signal.aborted && frame.isConnected) writeProgress(note, partial, shown);
    });
    if (signal.aborted || !frame.isConnected) return;
    results.push(measured);
    const found = merge(results, shown);
    writeVerdict(note, found, results);
    onResult({ hidden: found.filter(isHidden).length, widths: results.filter(m => !m.unmeasured).map(m => m.width) });
  }
}

/** The worst of what each width says of a text. Only at the width that is shown does it matter that a text is cut off. @param {Measured[]} results @param {number} shown @returns {Found[]} */
function merge(results, shown) {
  /** @type {Map<string, Found>} */
  const all = new Map();
  for (const { width, texts } of results) {
    const times = new Map();
    for (const text of texts) {
      const n = (times.get(text.text) || 0) + 1, key = n + ' ' + text.text;
      times.set(text.text, n);
      const sight = text.sight === 'partly' && width !== shown ? 'drawn' : text.sight, before = all.get(key);
      if (!before) all.set(key, { ...text, sight, at: [width] });
      else if (WORST_FIRST.indexOf(sight) < WORST_FIRST.indexOf(before.sight)) all.set(key, { ...text, sight, at: [width] });
      else if (sight === before.sight) before.at.push(width);
    }
  }
  return Array.from(all.values()).sort((a, b) => WORST_FIRST.indexOf(a.sight) - WORST_FIRST.indexOf(b.sight));
}

let language = 'en'; // the language of the page

/** @param {number} n */
const formatNumber = n => n.toLocaleString(language);

/** @param {number[]} widths */
const formatWidths = widths => joinList(widths.map(formatNumber)) + ' px';
/** @param {string[]} words */
const joinList = words => (words.length < 2 ? words.join() : tr('{0} and {1}', words.slice(0, -1).join(', '), words.at(-1)));

/** Writes the one verdict on hidden text: what this browser does not draw, and what the check without a browser reports. @param {HTMLElement} note @param {Found[]} found @param {Measured[]} results */
function writeVerdict(note, found, results) {
  language = note.closest('[lang]')?.lang || 'en';
  const measured = results.filter(m => !m.unmeasured).map(m => m.width).sort((a, b) => a - b), failed = results.filter(m => m.unmeasured);
  const strip = note.parentElement, lines = [];
  const cut = found.filter(t => t.sight === 'partly'), of = (/** @type {string} */ sight) => found.filter(t => t.sight === sight).length, unknown = of('unknown');
  const hidden = measured.length ? withReported(found.filter(isHidden), strip) : [];
  note.hidden = false;
  note.dataset.hidden = String(hidden.length);
  note.dataset.state = measured.length ? hidden.length ? 'hidden' : 'drawn' : 'unmeasured';
  for (const node of strip.querySelectorAll('[data-static-verdict]')) node.hidden = measured.length > 0; // it is part of this verdict
  for (const node of strip.querySelectorAll('[data-static-unjudged]')) (/** @type {HTMLElement} */ (node.closest('li')) || node).hidden = measured.length > 0 && !failed.length && !unknown;
  if (hidden.length) {
    strip.classList.remove('is-note', 'is-plain');
    strip.classList.add('is-warn');
    lines.push(el('p', { className: 'measured-news' }, hidden.length === 1 ? tr('Hidden text: you cannot see one text of this file.') : tr('Hidden text: you cannot see {0} texts of this file.', formatNumber(hidden.length))));
    lines.push(quoteList(hidden, measured));
  } else if (measured.length) {
    lines.push(el('p', {}, unknown ? tr('The text that this browser could measure is visible at {0}.', formatWidths(measured)) : tr('All text is visible at {0}, as this browser draws it.', formatWidths(measured))));
  }
  if (cut.length === 1) lines.push(el('p', {}, ...fill(tr('One text is cut off at this width: {0}'), quote(cut[0].text))));
  else if (cut.length) lines.push(el('p', {}, ...fill(tr('{0} texts are cut off at this width, among them {1}'), formatNumber(cut.length), quote(cut[0].text))));
  const more = [], folded = of('folded'), inside = of('inside');
  if (folded) more.push(folded === 1 ? tr('one inside a closed section') : tr('{0} inside closed sections', formatNumber(folded)));
  if (inside) more.push(inside === 1 ? tr('one that appears when you scroll inside a box') : tr('{0} that appear when you scroll inside a box', formatNumber(inside)));
  if (more.length) lines.push(el('p', {}, tr('Not on the screen at once: {0}.', joinList(more))));
  if (unknown) lines.push(el('p', {}, unknown === 1 ? tr('One text could not be measured.') : tr('{0} texts could not be measured.', formatNumber(unknown))));
  if (failed.length) {
    lines.push(el('p', {}, tr('Whether all text is visible at {0} could not be measured.', formatWidths(failed.map(m => m.width))), ' ', failed[0].unmeasured));
  }
  note.replaceChildren(...lines);
}

/** Says of a long document what is known before all of it was measured. @param {HTMLElement} note @param {Measured & {of: number}} partial @param {number} shown */
function writeProgress(note, partial, shown) {
  language = note.closest('[lang]')?.lang || 'en';
  const hidden = merge([partial], shown).filter(isHidden);
  note.hidden = false;
  note.replaceChildren(el('p', { className: hidden.length ? 'measured-news' : 'soft' },
    hidden.length ? tr('Checking what you can see: {0} of {1} texts so far, {2} of them hidden.', formatNumber(partial.texts.length), formatNumber(partial.of), formatNumber(hidden.length))
      : tr('Checking what you can see: {0} of {1} texts so far, none of them hidden.', formatNumber(partial.texts.length), formatNumber(partial.of))));
  if (hidden.length) note.append(quoteList(hidden, [shown]));
}

/** Adds the passages that only the check without a browser reports; those that read like an instruction come first. @param {Found[]} hidden @param {HTMLElement} strip @returns {Found[]} */
function withReported(hidden, strip) {
  /** @type {Found[]} */
  const instructions = [];
  /** @type {Found[]} */
  const others = [];
  for (const node of strip.querySelectorAll('[data-passage]')) {
    const [text, why] = [node.dataset.passage, node.dataset.why].map(s => s.replace(/[\u2068\u2069]/g, '')); // what sets them apart from the page
    if (!hidden.some(other => beginAlike(other.text, text))) (node.classList.contains('is-told') ? instructions : others).push({ sight: 'reported', text, why, at: [] });
  }
  return [...instructions, ...hidden, ...others];
}

/** Whether two texts begin alike; a passage may be cut, or be more than one text. @param {string} a @param {string} b */
function beginAlike(a, b) {
  const [x, y] = [a, b].map(s => s.replace(/\s+/g, ' ').trim()), n = Math.min(x.length, y.length, 40);
  return x === y || n >= 8 && x.slice(0, n) === y.slice(0, n);
}

/** @param {Found[]} hidden @param {number[]} measured widths */
function quoteList(hidden, measured) {
  const items = hidden.slice(0, MAX_QUOTES).map(({ sight, why, text, at }) => {
    const somewhere = at.length > 0 && at.length < measured.length;
    return el('li', {}, ...fill(sentenceFor(sight, somewhere), quote(text), formatWidths(at)), why ? el('span', { className: 'soft' }, ` ${why}`) : '');
  });
  if (hidden.length > MAX_QUOTES) items.push(el('li', { className: 'soft' }, tr('and {0} more', formatNumber(hidden.length - MAX_QUOTES))));
  return el('ul', {}, ...items);
}

/** @param {string} sight @param {boolean} somewhere not at every width */
function sentenceFor(sight, somewhere) {
  switch (sight) {
    case 'never': return somewhere ? tr('Not drawn at {1}: {0}') : tr('Not drawn: {0}');
    case 'far': return somewhere ? tr('Far down at {1}: {0}') : tr('Far down: {0}');
    case 'low': return somewhere ? tr('Hardly visible at {1}: {0}') : tr('Hardly visible: {0}');
  }
  return tr('Hidden: {0}');
}

/** The words of a file, on their own and with what leaves no mark named. @param {string} text */
function quote(text) {
  const short = text.length > MAX_QUOTE_LENGTH ? text.slice(0, MAX_QUOTE_LENGTH) + '…' : text;
  return el('bdi', { className: 'mono' }, `“${revealInvisible(short)}”`);
}

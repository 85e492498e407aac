// Says beside a frame which of its texts a person can see, as this browser measures it: at the width that is shown, on
// a phone and on a wide screen, and again when the frame's width changes.

import { el, fill, tr, visible } from './dom.js';
import { measure } from './measure.js';

const WIDTHS = [360, 1280]; // pixels, beside the one that is shown
const MOST = 512 << 10; // bytes of a file that is measured: laying out a larger one would hold up the page
const KINDS = new Set(['html', 'markdown', 'svg', 'text']);
const SETTLED = 400; // milliseconds without a change of width
const QUOTED = 5, LETTERS = 160; // hidden texts that are quoted, and how much of each

const ORDER = ['never', 'far', 'low', 'partly', 'unknown', 'inside', 'folded', 'drawn'];

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
  if (Number(frame.closest('.viewer-frame').dataset.size) > MOST) return write(note, [], [{ width: shown, unmeasured: tr('The file is larger than 512 KiB.') }]);
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

let spoken = 'en'; // the language of the page

const figure = n => n.toLocaleString(spoken);
const px = widths => list(widths.map(figure)) + ' px';
const list = words => (words.length < 2 ? words.join() : tr('{0} and {1}', words.slice(0, -1).join(', '), words.at(-1)));

/** One sentence: what this browser measured and what the static check found, the worst first, with the words. */
function write(note, found, done) {
  const language = note.closest('[lang]'), stage = note.parentElement;
  spoken = language ? language.lang : 'en';
  const measured = done.filter(m => !m.unmeasured).map(m => m.width).sort((a, b) => a - b), failed = done.filter(m => m.unmeasured);
  const of = sight => found.filter(t => t.sight === sight).length, unknown = of('unknown');
  const drawn = found.filter(hides), { passages, texts } = together(stage, drawn), cut = found.filter(t => t.sight === 'partly'), lines = [];
  const n = measured.length ? passages.length + texts.length : 0;
  note.hidden = false;
  note.classList.toggle('is-warn', n > 0);
  note.dataset.hidden = String(drawn.length);
  note.dataset.state = measured.length ? n ? 'hidden' : 'drawn' : 'unmeasured';
  replaces(stage, measured.length > 0, measured.length > 0 && !failed.length && !unknown);
  if (n) {
    lines.push(el('p', { className: 'measured-news' }, n === 1 ? tr('Hidden text: you cannot see one text of this file.') : tr('Hidden text: you cannot see {0} texts of this file.', figure(n))));
    lines.push(quotes(passages, texts, measured));
  } else if (measured.length) {
    lines.push(el('p', {}, unknown ? tr('The text that this browser could measure is visible at {0}.', px(measured)) : tr('All text is visible at {0}, as this browser draws it.', px(measured))));
  }
  if (cut.length === 1) lines.push(el('p', {}, ...fill(tr('One text is cut off at this width: {0}'), quoted(cut[0].text))));
  else if (cut.length) lines.push(el('p', {}, ...fill(tr('{0} texts are cut off at this width, among them {1}'), figure(cut.length), quoted(cut[0].text))));
  const more = [], folded = of('folded'), inside = of('inside');
  if (folded) more.push(folded === 1 ? tr('one inside a closed section') : tr('{0} inside closed sections', figure(folded)));
  if (inside) more.push(inside === 1 ? tr('one that shows when you scroll inside a box') : tr('{0} that show when you scroll inside a box', figure(inside)));
  if (more.length) lines.push(el('p', {}, tr('Not on the screen at once: {0}.', list(more))));
  if (unknown) lines.push(el('p', {}, unknown === 1 ? tr('One text could not be measured.') : tr('{0} texts could not be measured.', figure(unknown))));
  if (failed.length) {
    lines.push(el('p', {}, tr('Whether all text is visible at {0} could not be measured.', px(failed.map(m => m.width))), ' ', failed[0].unmeasured));
  }
  note.replaceChildren(...lines);
}

const plain = text => text.replace(/[\u2068\u2069]/g, '').replace(/\s+/g, ' ').trim(); // as pages isolate it

/**
 * What the static check found and what was measured, each text once: a passage that consists of measured texts is left
 * out, and so is a measured text that is quoted in a passage.
 */
function together(stage, drawn) {
  const words = drawn.map(t => plain(t.text)).sort((a, b) => b.length - a.length), all = words.join(' ');
  const passages = Array.from(stage.querySelectorAll('[data-static-hidden] > li')).filter(({ dataset }) => {
    const text = plain(dataset.text).replace(/…$/, '');
    return !all.includes(text) && /[\p{L}\p{N}]/u.test(words.reduce((left, word) => left.replaceAll(word, ' '), text));
  });
  return { passages, texts: drawn.filter(t => !passages.some(({ dataset }) => plain(dataset.text).includes(plain(t.text)))) };
}

/** Takes back what the static check says above the frame: a browser that has measured says it better. */
function replaces(stage, verdict, unjudged) {
  for (const node of stage.querySelectorAll('.strip [data-static-verdict]')) {
    node.hidden = verdict;
    const news = node.closest('.strip-news'), strip = news.closest('.strip');
    news.hidden = verdict && !news.textContent.replace(node.textContent, '').trim();
    strip.hidden = news.hidden && !strip.querySelector('details');
  }
  for (const node of stage.querySelectorAll('[data-static-unjudged]')) (node.closest('li') || node).hidden = unjudged;
}

function quotes(passages, texts, measured) {
  const items = [...texts.map(text => told(text, measured)), ...passages.map(node => el('li', {}, ...Array.from(node.childNodes, x => x.cloneNode(true))))];
  const never = texts.filter(({ sight }) => sight === 'never').length; // the worst; what the static check found follows it
  items.splice(never, 0, ...items.splice(texts.length));
  const shown = items.slice(0, QUOTED);
  if (items.length > QUOTED) shown.push(el('li', { className: 'soft' }, tr('and {0} more', figure(items.length - QUOTED))));
  return el('ul', {}, ...shown);
}

function told({ sight, why, text, at }, measured) {
  const everywhere = at.length === measured.length;
  const sentence = sight === 'never' ? everywhere ? tr('Not drawn: {0}') : tr('Not drawn at {1}: {0}')
    : sight === 'far' ? everywhere ? tr('Far down: {0}') : tr('Far down at {1}: {0}')
      : everywhere ? tr('Hardly visible: {0}') : tr('Hardly visible at {1}: {0}');
  return el('li', {}, ...fill(sentence, quoted(text), px(at)), why ? el('span', { className: 'soft' }, ` ${why}`) : '');
}

/** The words of a file, on their own and with what leaves no mark named. */
function quoted(text) {
  const short = text.length > LETTERS ? text.slice(0, LETTERS) + '…' : text;
  return el('bdi', { className: 'mono' }, `“${visible(short)}”`);
}

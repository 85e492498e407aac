// Shows what went wrong and what to do next. Loaded by inspector/main.js, inspector/route.js and others.
// Never a blank page: every failure has a sentence, what was kept, and the next step.

import { $, el, announce, revealInvisible } from '../shared/dom.js';

/** What to say for each code of failure.js: a title, and a text. @type {Record<string, string[]>} */
const SENTENCES = {
  crash: ['Something stopped unexpectedly', 'A part of this page ended by itself, and a fresh one has started. Nothing on disk was touched.'],
  memory: ['The browser ran out of memory', 'The folder is larger than this browser tab can hold. Close other tabs and try again, or run figs-web doctor in a terminal, which needs no such memory.'],
  answer: ['This page could not be prepared', 'The folder is still open; other pages work. Findings can be exported as JSON from the page of findings.'],
  timeout: ['This took too long and was stopped', 'The part of the page that prepares this view did not answer within ten seconds, so it was ended and a fresh one has started. Everything that was read is still here.'],
  file_changed: ['A file changed or moved on disk', 'A browser does not read a file that changed after it was handed over. Read the folder again, or drop it again. If the file did not change, the browser has no permission to read it: check its permissions, or run figs-web open in a terminal.'],
  none_read: ['The browser could not read any of these files', 'They changed or moved after they were chosen, or the browser has no permission to read them. Choose them again. If that does not help, check their permissions, or run figs-web open in the folder that holds .figs.'],
  unreadable: ['The browser could not read this', 'It may be protected, or on a drive that is gone. Choose the folder with the button instead, or drop a zip of it.'],
  zip: ['This zip could not be read', ''],
  missing: ['The file is not in this copy', 'Attachments do not travel with a clone. Ask for the folder of the machine where the agent runs.'],
};

/**
 * Shows a message with its next steps.
 * @param {{title: string, text?: string, detail?: string, list?: string[], steps?: Array<[string, () => void]>}} trouble
 */
export function show({ title, text, detail, list = [], steps = [] }) {
  const box = $('trouble');
  const buttons = steps.map(([label, act]) => el('button', { type: 'button', className: 'in-btn', onclick: () => { hide(); act(); } }, label));
  if (buttons.length) buttons[0].classList.add('primary');
  buttons.push(el('button', { type: 'button', className: 'in-btn ghost', onclick: hide }, 'Dismiss'));
  box.replaceChildren(
    el('h2', {}, title),
    ...(text ? [el('p', {}, revealInvisible(text))] : []),
    ...(list.length ? [el('ul', {}, ...list.map(item => el('li', {}, revealInvisible(item))))] : []),
    ...(detail && detail !== text ? [el('p', { className: 'in-detail' }, revealInvisible(detail))] : []),
    el('p', { className: 'in-row' }, ...buttons),
  );
  box.hidden = false;
  box.focus();
}

/**
 * Shows a Failure with the sentence for its code.
 * @param {import('../files/failure.js').Failure} failure @param {Array<[string, () => void]>} steps label and act of each button
 */
export function showFailure(failure, steps) {
  const [title, text] = SENTENCES[failure.code] || SENTENCES.crash;
  show({ title, text: text || failure.message, detail: failure.message, steps });
}

/** Hides the message. */
export function hide() {
  $('trouble').hidden = true;
}

/**
 * What the reading skipped, guessed or set aside; people may want to know, few need to. Files that changed meanwhile
 * they must know of.
 * @param {string[]} lines @param {string[]} changed paths
 */
export function showNotes(lines, changed = []) {
  const box = $('notes');
  box.hidden = !lines.length && !changed.length;
  box.replaceChildren(...changedNotice(changed), ...(lines.length ? [el('details', { open: lines.length === 1 },
    el('summary', {}, lines.length === 1 ? 'One note about this reading' : `${lines.length} notes about this reading`),
    el('ul', {}, ...lines.map(line => el('li', {}, revealInvisible(line)))))] : []));
  if (lines.length) announce(lines.join(' '));
}

/** Says that files changed while they were read, with the way to read them again. @param {string[]} changed paths */
function changedNotice(changed) {
  if (!changed.length) return [];
  const names = changed.slice(0, 3).join(', ') + (changed.length > 3 ? ` and ${changed.length - 3} more` : '');
  const button = el('button', { type: 'button', className: 'in-btn' }, 'Read again');
  button.dataset.act = 'again';
  return [el('p', { className: 'in-changed' },
    el('span', {}, `${names} changed while the folder was read, so what you see may be half old and half new.`), button)];
}

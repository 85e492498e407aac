// Shows what went wrong and what to do next. Loaded by inspector/main.js, inspector/route.js and others.
// Never a blank page: every failure has a sentence, what was kept, and the next step.

import { $, el, announce, revealInvisible } from '../shared/dom.js';
import { msg, tr, trCount } from '../shared/translate.js';

/** What to say for each code of failure.js: a title, and a text. @type {Record<string, string[]>} */
const SENTENCES = {
  crash: [msg('Something stopped unexpectedly'), msg('Part of this page crashed and was restarted. Nothing on disk was changed.')],
  memory: [msg('The browser ran out of memory'), msg('The folder is too large for this browser tab. Close other tabs and try again, or run figs-web doctor in a terminal.')],
  answer: [msg('This page can\'t be shown'), msg('The folder is still open and other pages work. You can export findings as JSON from the findings page.')],
  timeout: [msg('This took too long and was stopped'), msg('Preparing this page took more than 10 seconds, so it was stopped. The folder is still open.')],
  file_changed: [msg('A file changed or moved on disk'), msg('Browsers can\'t read a file that changed after you opened it. Read the folder again. If the file didn\'t change, check its permissions, or run figs-web open in a terminal.')],
  none_read: [msg('The browser couldn\'t read any of these files'), msg('They changed or moved after you chose them, or the browser has no permission to read them. Choose them again. If that doesn\'t help, check their permissions, or run figs-web open in the folder that contains .figs.')],
  unreadable: [msg('The browser couldn\'t read this'), msg('It may be protected, or on a drive that is no longer connected. Use the “Choose a folder” button instead, or drop a zip of it.')],
  zip: [msg('This zip couldn\'t be read'), ''],
  missing: [msg('The file is not in this copy'), msg('Clones don\'t include attachments. Ask for the folder from the machine where the agent runs.')],
};

/**
 * Shows a message with its next steps.
 * @param {{title: string, text?: string, detail?: string, list?: string[], steps?: Array<[string, () => void]>}} trouble
 */
export function show({ title, text, detail, list = [], steps = [] }) {
  const box = $('trouble');
  const buttons = steps.map(([label, act]) => el('button', { type: 'button', className: 'in-btn', onclick: () => { hide(); act(); } }, label));
  if (buttons.length) buttons[0].classList.add('primary');
  buttons.push(el('button', { type: 'button', className: 'in-btn ghost', onclick: hide }, tr('Dismiss')));
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
  show({ title: tr(title), text: text ? tr(text) : failure.message, detail: failure.message, steps });
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
    el('summary', {}, trCount(lines.length, '1 note about this folder', '{0} notes about this folder')),
    el('ul', {}, ...lines.map(line => el('li', {}, revealInvisible(line)))))] : []));
  if (lines.length) announce(lines.join(' '));
}

/** Says that files changed while they were read, with the way to read them again. @param {string[]} changed paths */
function changedNotice(changed) {
  if (!changed.length) return [];
  const names = changed.slice(0, 3).join(', '), list = changed.length > 3 ? tr('{0} and {1} more', names, changed.length - 3) : names;
  const button = el('button', { type: 'button', className: 'in-btn' }, tr('Read again'));
  button.dataset.act = 'again';
  return [el('p', { className: 'in-changed' },
    el('span', {}, tr('{0} changed while the folder was being read, so this may mix old and new contents.', list)), button)];
}

// Starts the inspector and connects its parts. Loaded by the inspector's page, into which it is built with all that it imports.
// It also says what is in force and what runs.

import { $, count, parsed, put, say, slot, visible } from '../shared/dom.js';
import * as actions from './actions.js';
import { path } from './address.js';
import * as compose from './compose.js';
import * as folderInput from './folder-input.js';
import { keep } from './save-copy.js';
import * as openingHistory from './opening-history.js';
import * as chartKeyboard from '../shared/chart-keyboard.js';
import { inForce, prove } from './network-test.js';
import * as receipts from './receipts.js';
import { begin, forget, isOfFolder, page, resume, route, traversed } from './route.js';
import * as search from './search.js';
import * as timeSlider from '../shared/time-slider.js';
import { Session } from './session.js';
import * as shortcuts from './shortcuts.js';
import { missing } from './browser-support.js';
import * as share from './share.js';
import * as theme from '../shared/theme.js';
import * as time from '../shared/time.js';
import * as language from './language.js';
import * as errors from './errors.js';

const manifest = JSON.parse(slot('manifest'));
/** @param {string} hash */
const short = hash => hash.slice(0, 12) + '…';

function start() {
  document.documentElement.classList.add('in-runs');
  history.scrollRestoration = 'manual';
  theme.label(document.querySelector('[data-act="theme"]'));
  language.label(document.querySelector('[data-act="language"]'));
  system();
  badge();
  $('version').textContent = 'figs-web ' + manifest.version;
  if (lacks.length) return tooOld();
  folderInput.listen(give => session.open(give));
  actions.listen(session, deeds(session));
  compose.listen(session);
  timeSlider.listen(address => ahead(session, address), address => { location.hash = address.slice(1); });
  timeSlider.keys();
  search.listen(session, page, route);
  shortcuts.listen();
  chartKeyboard.listen();
  addEventListener('hashchange', () => route(session));
  addEventListener('popstate', () => traversed(session));
  setInterval(() => time.relate($('view')), 30_000);
  if (shared) share.open(session, shared); else if (path() !== '/') route(session);
}

/** A page that is not shown yet. @param {Session} session @param {string} address as a link has it, "#/1/time" */
async function ahead(session, address) {
  const { body } = await page(session, address.slice(1));
  const box = document.createElement('div');
  put(box, new TextDecoder().decode(body));
  return box;
}

/** What the page's own buttons do. @param {Session} session @returns {Record<string, (button: HTMLElement) => void>} */
function deeds(session) {
  const open = (/** @type {folderInput.Give} */ give) => session.open(give);
  return {
    skip: () => ($('start').hidden ? $('view') : $('start')).focus(),
    prove, keep, ...openingHistory.deeds(session, route),
    theme: theme.next,
    language: button => speak(session, button),
    folder: () => folderInput.pickFolder(open),
    files: () => $('pick-files').click(),
    paste: () => paste(open),
    again: () => session.again(),
    another: () => close(session),
    cancel: () => session.cancel(),
    stop: () => session.stop(),
    'accept-key': button => trust(session, button, true),
    'unaccept-key': button => trust(session, button, false),
    sample: button => open(folderInput.sample(button.dataset.sample)),
  };
}

/** Writes the page in the next language. @param {Session} session @param {HTMLElement} button */
function speak(session, button) {
  language.next(button);
  if (!$('view').hidden) route(session);
}

/** Accepts a key or not any more, and checks again. @param {Session} session @param {HTMLElement} button @param {boolean} on */
function trust(session, button, on) {
  receipts.accept(button.dataset.key, on);
  route(session);
}

/** Asks for lines in a dialog. @param {(give: folderInput.Give) => void} open */
function paste(open) {
  const dialog = /** @type {HTMLDialogElement} */ ($('paste'));
  dialog.returnValue = '';
  dialog.onclose = () => {
    const text = $('paste-text').value;
    if (dialog.returnValue === 'open' && text.trim()) open(async () => [folderInput.pasted(text, $('paste-kind').value)]);
  };
  dialog.showModal();
  $('paste-text').focus();
}

/** A folder was read: the first view is At a glance. @param {Session} session */
function opened(session) {
  const { agents, others, ms, changed } = session.folder;
  const all = [...agents, ...(others ? others.roots : [])], called = all.length === 1 ? agents.length ? all[0].path : all[0].name : count(all.length, others ? 'folder' : 'agent');
  $('opened').hidden = $('actions').hidden = false;
  $('opened').textContent = visible(called) + (session.folder.more ? ' so far' : '');
  $('opened').title = `Read in ${Math.round(ms)} ms`;
  const total = all.reduce((sum, one) => sum + one.errors, 0);
  say(`Read ${called}: ${total ? count(total, 'error') : 'no errors'}.${changed.length ? ' Something changed meanwhile: read it again.' : ''}`);
  const again = session.shown === session.give;
  if (!session.folder.more) openingHistory.begin(session);
  if (again && session.part && path().split('?')[0] !== '/') return; // the rest of the agents is read: the page that somebody reads stays
  session.shown = session.give;
  if (!again) forget();
  const first = all.length ? '/' : '/receipts'; // receipts alone have no other page
  const isEmpty = $('view').hidden, isShared = session.give === session.copy;
  if (again && all.length || isShared || !isEmpty && path() === first) route(session);
  else if (isEmpty && all.length && isOfFolder(session.folder)) resume(session); // the address waited for its folder
  else begin(session, first);
}

/** No folder is open any more. @param {Session} session */
function closed(session) {
  $('opened').hidden = $('actions').hidden = true;
  errors.showNotes([]);
  if (path() === '/') route(session); else location.hash = '/';
}

/** Closes the folder. @param {Session} session */
function close(session) {
  session.folder = null;
  errors.hide();
  closed(session);
}

/** What the workers say unasked. @param {string} kind @param {any} value */
async function heard(kind, value) {
  if (kind === 'ready') performance.mark(value.role + '-ready');
  await parsed;
  if (kind === 'ready') {
    if (value.role === 'engine') ready();
  } else if (kind === 'hash') {
    hash(value);
  } else if (kind === 'stuck') {
    $('booting').hidden = true;
    errors.show({ title: 'This page could not start', text: 'Its WebAssembly part does not run. Locked-down browsers forbid it, and a damaged copy of this file cannot hold it. Another browser, a fresh copy, or figs-web doctor in a terminal opens the folder.', detail: value.message });
  }
}

/** The engine is ready: a folder can be opened. */
function ready() {
  document.querySelectorAll('#start button[disabled]').forEach((/** @type {HTMLButtonElement} */ button) => { button.disabled = false; });
  $('booting').hidden = true;
}

/** The footer names the modules by the bytes that run, and compares them with the file's. @param {{role: string, sha256: string}} module */
function hash({ role, sha256 }) {
  const same = sha256 === manifest[role].sha256;
  const node = $(role + '-hash');
  node.textContent = `${role} ${short(sha256)}`;
  node.title = `SHA-256 of ${role}.wasm: ${sha256}`;
  node.dataset.sha256 = sha256;
  if (!same) distrust('this copy was changed', `The bytes of ${role}.wasm are not the ones that this file names. Do not trust it; take a fresh copy.`);
}

/** The badge says that nothing gets out only where the policy is in force. */
function badge() {
  if (!inForce()) distrust('no policy in force', 'This copy carries no policy, so the browser stops nothing. Do not trust it; take a fresh copy.');
}

/** The badge and the promise give way to what is true of this copy. @param {string} words @param {string} sentence */
function distrust(words, sentence) {
  $('badge').className = 'in-badge broken';
  $('badge').firstElementChild.textContent = words;
  $('promise').textContent = sentence;
}

/** Opens the help for the system that this looks like. */
function system() {
  const name = navigator.platform || navigator.userAgent;
  const which = /mac|iphone|ipad/i.test(name) ? 'mac' : /win/i.test(name) ? 'windows' : 'linux';
  /** @type {HTMLDetailsElement} */ (document.querySelector(`[data-system="${which}"]`)).open = true;
}

/** Says what the browser lacks. */
function tooOld() {
  $('booting').hidden = true;
  document.documentElement.classList.remove('in-shared');
  errors.show({
    title: 'This browser is too old for this page',
    text: 'A current Chromium, Firefox or Safari opens it; in a terminal, figs-web doctor says the same. What it lacks:',
    list: lacks,
  });
}

/** The script stands at the beginning of the file: the engine starts while the rest is parsed. */
const shared = share.carried();
if (shared) document.documentElement.classList.add('in-shared'); // before anything of the first page is painted
const lacks = missing();
const session = lacks.length ? null : new Session({ heard, opened: () => opened(session), closed: () => closed(session) });
parsed.then(start);

// Starts the inspector and connects its parts. Loaded by the inspector's page, into which it is built with all that it imports.
// It also checks the policy of the page, and shows which modules run.

import { $, domReady, setHTML, announce, slotText, revealInvisible } from '../shared/dom.js';
import { currentWords, msg, tr, trCount } from '../shared/translate.js';
import * as actions from './actions.js';
import { currentPath } from './address.js';
import * as compose from './compose.js';
import * as folderInput from './folder-input.js';
import { saveCopy } from './save-copy.js';
import * as openingHistory from './opening-history.js';
import * as chartKeyboard from '../shared/chart-keyboard.js';
import * as passageMode from '../remarks/passage-mode.js';
import { isPolicyInForce, testNetwork } from './network-test.js';
import * as receipts from './receipts.js';
import { showInNewEntry, forgetPositions, isAddressOf, renderPage, showAtAddress, route, onPopstate } from './route.js';
import * as search from './search.js';
import * as timeSlider from '../shared/time-slider.js';
import { Session } from './session.js';
import * as shortcuts from './shortcuts.js';
import { missingFeatures } from './browser-support.js';
import * as share from './share.js';
import * as theme from '../shared/theme.js';
import * as time from '../shared/time.js';
import * as language from './language.js';
import * as errors from './errors.js';

const manifest = JSON.parse(slotText('manifest'));

/** @param {string} hash */
const shortHash = hash => hash.slice(0, 12) + '…';

/** Begins once the page is there. */
function start() {
  document.documentElement.classList.add('in-runs');
  history.scrollRestoration = 'manual';
  theme.labelButton(document.querySelector('[data-act="theme"]'));
  language.listen(/** @type {any} */ ($('language')), () => onLanguageChanged(session));
  openSystemHelp();
  checkPolicy();
  $('version').textContent = 'figs-web ' + manifest.version;
  if (missing.length) return showTooOld();
  folderInput.listen(getSources => session.open(getSources));
  actions.listen(session, buttonActions(session));
  compose.listen(session);
  timeSlider.listen(address => readPage(session, address), address => { location.hash = address.slice(1); });
  timeSlider.listenToKeys();
  search.listen(session, renderPage, route);
  shortcuts.listen();
  chartKeyboard.listen();
  addEventListener('hashchange', () => route(session));
  addEventListener('popstate', () => onPopstate(session));
  setInterval(() => time.showRelativeTimes($('view')), 30_000);
  if (sharedCopy) share.openShared(session, sharedCopy); else if (currentPath() !== '/') route(session);
}

/** A page that is not shown yet. @param {Session} session @param {string} address as a link has it, "#/1/time" */
async function readPage(session, address) {
  const { body } = await renderPage(session, address.slice(1));
  const box = document.createElement('div');
  setHTML(box, new TextDecoder().decode(body));
  return box;
}

/** What the page's own buttons do. @param {Session} session @returns {Record<string, (button: HTMLElement) => void>} */
function buttonActions(session) {
  const open = (/** @type {folderInput.GetSources} */ getSources) => session.open(getSources);
  return {
    skip: () => ($('start').hidden ? $('view') : $('start')).focus(),
    prove: testNetwork, keep: saveCopy, ...openingHistory.buttonActions(session, route),
    theme: theme.switchTheme,
    passages: button => passageMode.toggle(button),
    folder: () => folderInput.pickFolder(open),
    files: () => $('pick-files').click(),
    paste: () => openPasteDialog(open),
    again: () => session.reopen(),
    another: () => closeFolder(session),
    cancel: () => session.cancel(),
    stop: () => session.stopSearching(),
    'accept-key': button => setKeyAccepted(session, button, true),
    'unaccept-key': button => setKeyAccepted(session, button, false),
    sample: button => open(folderInput.sampleSource(button.dataset.sample)),
  };
}

/** Writes the page in the language that was chosen. @param {Session|null} session */
function onLanguageChanged(session) {
  theme.labelButton(document.querySelector('[data-act="theme"]'));
  if (!session) return;
  session.engine.send('words', currentWords());
  if (!$('view').hidden) route(session);
}

/** Accepts a key or not any more, and checks again. @param {Session} session @param {HTMLElement} button @param {boolean} on */
function setKeyAccepted(session, button, on) {
  receipts.setKeyAccepted(button.dataset.key, on);
  route(session);
}

/** Asks for lines in a dialog. @param {(getSources: folderInput.GetSources) => void} open */
function openPasteDialog(open) {
  const dialog = /** @type {HTMLDialogElement} */ ($('paste'));
  dialog.returnValue = '';
  dialog.onclose = () => {
    const text = $('paste-text').value;
    if (dialog.returnValue === 'open' && text.trim()) open(async () => [folderInput.pastedSource(text, $('paste-kind').value)]);
  };
  dialog.showModal();
  $('paste-text').focus();
}

/** A folder was read: the first view is At a glance. @param {Session} session */
function onOpened(session) {
  const { agents, project, ms, changed } = session.folder;
  const folders = [...agents, ...(project ? project.roots : [])], title = folders.length === 1 ? agents.length ? folders[0].path : folders[0].name : project ? trCount(folders.length, '1 folder', '{0} folders') : trCount(folders.length, '1 agent', '{0} agents');
  $('opened').hidden = $('actions').hidden = false;
  $('opened').textContent = session.folder.more ? tr('{0} so far', revealInvisible(title)) : revealInvisible(title);
  $('opened').title = tr('Read in {0} ms', Math.round(ms));
  const errorCount = folders.reduce((sum, one) => sum + one.errors, 0);
  announce([tr('Read {0}: {1}.', title, errorCount ? trCount(errorCount, '1 error', '{0} errors') : tr('no errors')), changed.length ? tr('Some files changed while reading: read it again.') : ''].join(' ').trim());
  const isSameFolder = session.shownSources === session.getSources;
  if (!session.folder.more) openingHistory.recordOpening(session);
  if (isSameFolder && session.partial && currentPath().split('?')[0] !== '/') return; // the rest of the agents is read: the page that someone reads stays
  session.shownSources = session.getSources;
  if (!isSameFolder) forgetPositions();
  const firstPath = folders.length ? '/' : '/receipts'; // receipts alone have no other page
  const isEmpty = $('view').hidden, isShared = session.getSources === session.getSharedCopy;
  if (isSameFolder && folders.length || isShared || !isEmpty && currentPath() === firstPath) route(session);
  else if (isEmpty && folders.length && isAddressOf(session.folder)) showAtAddress(session); // the address waited for its folder
  else showInNewEntry(session, firstPath);
}

/** No folder is open any more. @param {Session} session */
function onClosed(session) {
  $('opened').hidden = $('actions').hidden = true;
  errors.showNotes([]);
  if (currentPath() === '/') route(session); else location.hash = '/';
}

/** Closes the folder. @param {Session} session */
function closeFolder(session) {
  session.folder = null;
  errors.hide();
  onClosed(session);
}

/** What workers send without being asked. @param {string} kind @param {any} value */
async function onWorkerEvent(kind, value) {
  if (kind === 'ready') performance.mark(value.role + '-ready');
  await domReady;
  if (kind === 'ready') {
    if (value.role === 'engine') enableButtons();
  } else if (kind === 'hash') {
    showHash(value);
  } else if (kind === 'stuck') {
    $('booting').hidden = true;
    errors.show({ title: tr('This page couldn\'t start'), text: tr('WebAssembly doesn\'t run here: the browser may block it, or this copy of the page is damaged. Try another browser or a fresh copy, or run figs-web doctor in a terminal.'), detail: value.message });
  }
}

/** The engine is ready: a folder can be opened. */
function enableButtons() {
  document.querySelectorAll('#start button[disabled]').forEach((/** @type {HTMLButtonElement} */ button) => { button.disabled = false; });
  $('booting').hidden = true;
}

/** The footer names the modules by the bytes that run, and compares them with the file's. @param {{role: string, sha256: string}} module */
function showHash({ role, sha256 }) {
  const same = sha256 === manifest[role].sha256;
  const node = $(role + '-hash');
  node.textContent = `${role} ${shortHash(sha256)}`;
  node.title = tr('SHA-256 of {0}: {1}', role + '.wasm', sha256);
  node.dataset.sha256 = sha256;
  if (!same) showDistrust(msg('this copy was changed'), msg('The bytes of {0} don’t match the hash in this file. Don’t trust this copy; get a fresh one.'), role + '.wasm');
}

/** The badge says that nothing gets out only where the policy is in force. */
function checkPolicy() {
  if (!isPolicyInForce()) showDistrust(msg('no policy in force'), msg('This copy has no policy, so the browser blocks nothing. Don\'t trust it; get a fresh one.'));
}

/** The badge and the promise give way to what is true of this copy. @param {string} words @param {string} sentence @param {...string} parts of the sentence */
function showDistrust(words, sentence, ...parts) {
  $('badge').className = 'in-badge broken';
  language.setSentence($('badge').firstElementChild, words);
  language.setSentence($('promise'), sentence, ...parts);
}

/** Opens the help for the system that this looks like. */
function openSystemHelp() {
  const name = navigator.platform || navigator.userAgent;
  const which = /mac|iphone|ipad/i.test(name) ? 'mac' : /win/i.test(name) ? 'windows' : 'linux';
  /** @type {HTMLDetailsElement} */ (document.querySelector(`[data-system="${which}"]`)).open = true;
}

/** Says what the browser lacks. */
function showTooOld() {
  $('booting').hidden = true;
  document.documentElement.classList.remove('in-shared');
  errors.show({
    title: tr('This browser is too old for this page'),
    text: tr('Use a current Chromium, Firefox or Safari, or run figs-web doctor in a terminal. Missing features:'),
    list: missing,
  });
}

// The script is at the beginning of the file: the engine starts while the rest is parsed.
const sharedCopy = share.sharedFolder();
if (sharedCopy) document.documentElement.classList.add('in-shared'); // before anything of the first page is painted
const missing = missingFeatures();
const session = missing.length ? null : new Session({ onEvent: onWorkerEvent, onOpened: () => onOpened(session), onClosed: () => onClosed(session) });
domReady.then(start);

// Starts all scripts of the server's pages. Loaded by every page of the server.
// Without scripts, everything that matters works.

import { $, closestTo, el } from '../shared/dom.js';
import * as keys from './keys.js';
import * as live from './live.js';
import * as chartKeyboard from '../shared/chart-keyboard.js';
import * as navigation from './navigation.js';
import './patch.js'; // which others need: named here, it is fetched together with them
import * as theme from '../shared/theme.js';
import { showRelativeTimes } from '../shared/time.js';
import { tr } from '../shared/translate.js';

/** The script for deciding, once there is something to decide. @type {typeof import('./decide.js')|null} */
let decide = null;
/** The same on its way. @type {Promise<void>|null} */
let decideLoading = null;
/** The script for the list beside an ask, once there is one. @type {typeof import('./panes.js')|undefined} */
let panes;
/** The same on its way. @type {Promise<void>|null} */
let panesLoading = null;
/** The slider of a folder's life, on its way. @type {Promise<void>|null} */
let sliderLoading = null;
/** The script of filters, on its way. @type {Promise<void>|null} */
let filterLoading = null;
/** What measures attachments, on its way. @type {Promise<Measurement>|null} @typedef {typeof import('../measure/show-measurement.js')} Measurement */
let measurement = null;
/** The script of reading mode and of paper, on its way. @type {Promise<typeof import('../shared/reading.js')>|null} */
let reading = null;

/** What buttons do, by data-act. @type {Record<string, (button: HTMLElement) => unknown>} */
const actions = { theme: theme.switchTheme, keys: keys.openSettings, news: live.showOffered };

navigation.listen(); // before anything is changed: changes are told from the page as it was sent
document.documentElement.classList.add('is-scripted'); // shows what needs a script
if (!$('say')) document.body.append(el('p', { id: 'say', className: 'in-say', role: 'status' }));
for (const button of document.querySelectorAll('[data-act="theme"]')) theme.labelButton(button);
if (navigation.workspacePath) {
  live.listen();
  keys.listen(decideByKey);
}
if (document.querySelector('[data-passkey], [data-print]')) import('./passkey.js').catch(() => {}); // then one signs in with a password
if (document.querySelector('form[data-push]')) import('./push.js').catch(() => {}); // then this browser is not subscribed
import('./app.js').catch(() => {}); // then it is a page as any other
updatePage();
document.addEventListener('figs:page', updatePage);
setInterval(() => document.hidden || updatePage(), 30_000);
chartKeyboard.listen();

/** Brings the page that is shown now up to date, and fetches the scripts that it needs. */
function updatePage() {
  showRelativeTimes(document.body);
  chartKeyboard.setTabStops(document);
  if (!sliderLoading && $('life-slider')) sliderLoading = import('../shared/time-slider.js').then(timeSlider => timeSlider.listenOnServer(navigation), () => { sliderLoading = null; });
  if (!filterLoading && document.querySelector('[data-typed]')) filterLoading = import('./typed-filter.js').then(() => {}, () => { filterLoading = null; }); // then Enter applies a filter
  if (!measurement && document.querySelector('[data-measured]')) measurement = import('../measure/show-measurement.js');
  if (measurement) measurement.then(measureAttachment, () => { measurement = null; });
  if (!panesLoading && document.querySelector('.panes')) panesLoading = import('./panes.js').then(module => { panes = module; }, () => { panesLoading = null; }); // then rows lead to the pages of asks
  if (!reading && document.querySelector('.viewer-frame')) reading = import('../shared/reading.js');
  if (reading) reading.then(module => module.update(), () => { reading = null; });
  if (decide) decide.update();
  else if (!decideLoading && document.querySelector('#deciding, [data-undo]')) decideLoading = loadDecide();
}

/** Has the attachment on the page measured, where it comes from this server: no page can look into another origin. @param {Measurement} module */
function measureAttachment(module) {
  /** @type {HTMLIFrameElement|null} */
  const frame = document.querySelector('.viewer iframe.sandboxed[src]');
  const stage = frame && frame.closest('.viewer');
  const url = frame && new URL(frame.src);
  if (!url || url.origin !== location.origin || url.searchParams.get('view') !== 'rendered') return module.stop();
  module.observe(stage, (hidden, twin) => {
    url.searchParams.set('measure', twin ? 'twin' : 'shown');
    hidden.src = url.href;
  }, found => decide && decide.recordMeasurement((/[0-9a-f]{64}/.exec(url.pathname) || [''])[0], found));
}

/** Fetches the script for deciding. */
async function loadDecide() {
  try {
    decide = await import('./decide.js');
    decide.update();
    decide.focusOutcome();
  } catch {
    decideLoading = null; // forms work without it
  }
}

/** Leads to the page of an ask, and there to what a decision needs first. @param {string} key of the decision */
function decideByKey(key) {
  if (panesLoading && !panes && document.querySelector('.panes')) {
    panesLoading.then(() => decideByKey(key));
    return true;
  }
  const opening = panes && key !== 'u' && panes.openFocused() || !decide && $('deciding') && decideLoading && Promise.resolve(true);
  if (opening) {
    opening.then(async isThere => { await decideLoading; if (isThere && decide) decide.focusDecision(key); });
    return true;
  }
  if (decide && (key === 'u' || $('deciding'))) return decide.focusDecision(key);
  const row = document.activeElement.closest('[data-live-list] [data-live]');
  /** @type {HTMLAnchorElement|null} */
  const link = row && row.querySelector('a[href*="/asks/"]');
  if (!link || key === 'u') return false;
  const url = new URL(link.href);
  url.hash = 'decide';
  navigation.goTo(url).then(() => decideLoading).then(() => decide && decide.focusDecision(key));
  return true;
}

document.addEventListener('click', event => {
  const button = closestTo(event, '[data-copy], [data-act]');
  if (!button) return;
  if ('copy' in button.dataset) onCopy(button);
  else if (actions[button.dataset.act]) actions[button.dataset.act](button);
});

document.addEventListener('change', applyChoice);

/** A choice in a filter is applied at once. @param {EventAt<HTMLSelectElement>} event */
function applyChoice({ target: { tagName, form } }) {
  if (tagName === 'SELECT' && form && 'query' in form.dataset) form.requestSubmit();
}

/** Copies the text of a button, which says so for a while. @param {HTMLElement} button */
async function onCopy(button) {
  const before = button.textContent;
  button.textContent = await copyText(button.dataset.copy) ? tr('Copied') : tr('Not copied');
  setTimeout(() => { button.textContent = before; }, 1600);
}

/** Copies also where the clipboard is closed to pages without TLS. @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { value: text, className: 'in-say' });
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

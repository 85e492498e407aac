// Starts all scripts of the server's pages. Loaded by every page of the server.
// Everything that matters works without.

import { $, closestTo, el } from '../shared/dom.js';
import * as keys from './keys.js';
import * as live from './live.js';
import * as chartKeyboard from '../shared/chart-keyboard.js';
import * as navigation from './navigation.js';
import './patch.js'; // which others need: named here, it is fetched together with them
import * as theme from '../shared/theme.js';
import { relate } from '../shared/time.js';

/** Where one decides, once there is something to decide. @type {typeof import('./decide.js')|null} */
let desk = null;
/** The same on its way. @type {Promise<void>|null} */
let coming = null;
/** The slider of a folder's life, on its way. @type {Promise<void>|null} */
let slider = null;
/** What measures attachments, on its way. @type {Promise<Measurement>|null} @typedef {typeof import('../measure/show-measurement.js')} Measurement */
let measured = null;

/** What buttons do, by data-act. @type {Record<string, (button: HTMLElement) => unknown>} */
const acts = { theme: theme.next, keys: keys.help, news: live.show };

navigation.begin(); // before anything is changed: news are told from the page as it was sent
document.documentElement.classList.add('is-scripted'); // shows what needs a script
if (!$('say')) document.body.append(el('p', { id: 'say', className: 'in-say', role: 'status' }));
for (const button of document.querySelectorAll('[data-act="theme"]')) theme.label(button);
if (navigation.base) {
  live.begin();
  keys.begin(wish);
}
if (document.querySelector('[data-passkey], [data-print]')) import('./passkey.js').catch(() => {}); // a password does without
if (document.querySelector('form[data-push]')) import('./push.js').catch(() => {}); // one is told elsewhere
tell();
document.addEventListener('figs:page', tell);
setInterval(() => document.hidden || tell(), 30_000);
chartKeyboard.listen();

/** Brings the page that is shown now up to date, and fetches the scripts that it needs. */
function tell() {
  relate(document.body);
  chartKeyboard.settle(document);
  if (!slider && $('life-slider')) slider = import('../shared/time-slider.js').then(timeSlider => timeSlider.serve(navigation), () => { slider = null; });
  if (!measured && document.querySelector('[data-measured]')) measured = import('../measure/show-measurement.js');
  if (measured) measured.then(look, () => { measured = null; });
  if (desk) desk.settle();
  else if (!coming && document.querySelector('#deciding, [data-undo]')) coming = fetchDesk();
}

/** Has the attachment on the page measured, where it comes from this server: no page can look into another origin. @param {Measurement} at */
function look(at) {
  /** @type {HTMLIFrameElement|null} */
  const frame = document.querySelector('.viewer iframe.sandboxed[src]');
  const stage = frame && frame.closest('.viewer');
  const url = frame && new URL(frame.src);
  if (!url || url.origin !== location.origin || url.searchParams.get('view') !== 'rendered') return at.leave();
  at.look(stage, (hidden, twin) => {
    url.searchParams.set('measure', twin ? 'twin' : 'shown');
    hidden.src = url.href;
  }, found => desk && desk.measured((/[0-9a-f]{64}/.exec(url.pathname) || [''])[0], found));
}

/** Where one decides: fetched once there is something to decide. */
async function fetchDesk() {
  try {
    desk = await import('./decide.js');
    desk.settle();
    desk.arrive();
  } catch {
    coming = null; // forms do without
  }
}

/** A key that wants to decide: it leads to the page of an ask, and there to what it needs first. @param {string} key */
function wish(key) {
  if (desk && (key === 'u' || $('deciding'))) return desk.wish(key);
  const row = document.activeElement.closest('[data-live-list] [data-live]');
  /** @type {HTMLAnchorElement|null} */
  const link = row && row.querySelector('a[href*="/asks/"]');
  if (!link || key === 'u') return false;
  const url = new URL(link.href);
  url.hash = 'decide';
  navigation.go(url).then(() => coming).then(() => desk && desk.wish(key));
  return true;
}

document.addEventListener('click', event => {
  const button = closestTo(event, '[data-copy], [data-act]');
  if (!button) return;
  if ('copy' in button.dataset) copied(button);
  else if (acts[button.dataset.act]) acts[button.dataset.act](button);
});

document.addEventListener('change', chosen);

/** A choice in a filter is applied at once. @param {EventAt<HTMLSelectElement>} event */
function chosen({ target: { tagName, form } }) {
  if (tagName === 'SELECT' && form && 'query' in form.dataset) form.requestSubmit();
}

/** @param {HTMLElement} button */
async function copied(button) {
  const before = button.textContent;
  button.textContent = await copy(button.dataset.copy) ? 'Copied' : 'Not copied';
  setTimeout(() => { button.textContent = before; }, 1600);
}

/** Copies also where the clipboard is closed to pages without TLS. @param {string} text */
async function copy(text) {
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

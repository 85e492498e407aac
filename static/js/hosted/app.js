// Makes the pages hold on a phone. Loaded by hosted/hosted.js, once the page is there: all else works without it.
// That is: without a connection, beside the phone's keyboard, and as an installed app, whose icon has a number. It also opens
// the dialog in which people type where they want to go.

import { closestTo, el } from '../shared/dom.js';
import { tr } from '../shared/translate.js';
import { isReachable, workspacePath } from './navigation.js';
import { forgetUnsent } from './unsent.js';

const RETRY_MS = 5000; // between two looks whether there is a connection again

/** The forms that wait for an answer whether the server can be reached. @type {Set<HTMLFormElement>} */
const waitingForms = new Set();
let retryTimer = 0;
const isMac = /^(Mac|iP)/.test(navigator.platform);
/** What is typed while the script of the dialog is on its way; null when it isn't. @type {string|null} */
let typedEarly = null;

document.addEventListener('figs:offline', onOffline); // after hosted/live.js, which has the banner say so
addEventListener('submit', onSubmit); // on the window: after what the scripts of the page make of it
addEventListener('click', onClick);
addEventListener('focusin', event => suggest(event.target));
suggest(document.activeElement); // a field has the focus before this script is here
addEventListener('online', () => clearInterval(retryTimer));
addEventListener('keydown', onKeydown, true);
addEventListener('click', onGoToClick, true);
if (isMac) for (const key of document.querySelectorAll('[data-act="goto"] kbd')) key.textContent = '⌘ K';
if (window.visualViewport) for (const type of ['resize', 'scroll']) visualViewport.addEventListener(type, measureKeyboard);
if ('setAppBadge' in navigator) {
  new MutationObserver(showBadge).observe(document.body, { attributeFilter: ['data-badge'] });
  showBadge();
}

/** Opens the dialog, from a field too: Ctrl K, on a Mac ⌘ K, where Ctrl K deletes to the end of a line. @param {KeyboardEvent} event */
function onKeydown(event) {
  if (typedEarly !== null && event.key.length === 1 && !event.ctrlKey && !event.metaKey) typedEarly += event.key; // not into the field behind the dialog
  else if (event.key.toLowerCase() !== 'k' || !(isMac ? event.metaKey : event.ctrlKey) || event.shiftKey || event.altKey || !openGoTo()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** @param {MouseEvent} event */
function onGoToClick(event) {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || !closestTo(event, '[data-act="goto"]') || !openGoTo()) return;
  event.preventDefault();
}

/** Opens the dialog; whether there is one here: not where another dialog is open, and a folder on this machine has none. */
function openGoTo() {
  /** @type {HTMLAnchorElement|null} */
  const link = document.querySelector('a[data-act="goto"]');
  if (!link || !workspacePath || document.querySelector('dialog[open]:not(.goto-dialog)')) return false;
  if (typedEarly !== null) return true;
  typedEarly = '';
  import('./palette.js').then(palette => palette.open(link.href, typedEarly), () => location.assign(link.href)).finally(() => { typedEarly = null; });
  return true;
}

/** Shows on the app's icon how many asks need the person, in all workspaces; nothing once they are signed out. */
function showBadge() {
  const n = location.pathname === '/sign-in' ? '0' : document.body.dataset.badge;
  if (n !== undefined) navigator.setAppBadge(Number(n)).catch(() => {}); // the browser shows no numbers
}

/** A search field suggests what can be typed next. Without the script it suggests only the first part. @param {EventTarget|null} field */
function suggest(field) {
  if (field instanceof HTMLInputElement && field.list && field.form?.matches('[data-seek]')) import('./suggest.js').then(module => module.listen(field), () => {});
}

/** A link leads nowhere without a connection: better this page than the browser's. @param {MouseEvent} event */
function onClick(event) {
  if (navigator.onLine || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  /** @type {HTMLAnchorElement|null} */
  const link = closestTo(event, 'a[href]');
  if (!link || link.hash && link.href.split('#')[0] === location.href.split('#')[0]) return;
  event.preventDefault();
  document.dispatchEvent(new CustomEvent('figs:offline'));
}

/** Sends a form only if the server can be reached, since the browser's error page would take its place. @param {EventAt<HTMLFormElement, SubmitEvent>} event */
async function onSubmit(event) {
  const form = event.target, button = event.submitter, method = button?.getAttribute('formmethod') || form.getAttribute('method');
  if (event.defaultPrevented || method === 'dialog' || !/^(_self)?$/.test(form.getAttribute('target') || '')) return;
  event.preventDefault();
  if (waitingForms.has(form)) return;
  waitingForms.add(form);
  const canSend = navigator.onLine && await isReachable();
  waitingForms.delete(form);
  if (canSend) return send(form, button);
  form.dispatchEvent(new CustomEvent('figs:unsent', { bubbles: true }));
  document.dispatchEvent(new CustomEvent('figs:offline'));
}

/** Sends a form as its button would. What that takes is removed at once: the form may be shown again. @param {HTMLFormElement} form @param {HTMLElement|null} button */
function send(form, button) {
  const action = form.getAttribute('action'), { name, value } = /** @type {HTMLButtonElement} */ (button || {});
  const field = name && form.appendChild(el('input', { type: 'hidden', name, value }));
  if (button?.hasAttribute('formaction')) form.setAttribute('action', button.getAttribute('formaction'));
  if (form.getAttribute('action') === '/sign-out') forgetUnsent();
  HTMLFormElement.prototype.submit.call(form); // a field may be called "submit"
  if (field) field.remove();
  if (action === null) form.removeAttribute('action'); else form.setAttribute('action', action);
}

/** Says that there is no connection, also on pages that have no banner, and looks for one from then on. */
function onOffline() {
  let banner = document.querySelector('[data-live-banner]');
  if (!banner) {
    banner = document.body.appendChild(el('aside', { className: 'live-banner' }, el('span'), el('button', { hidden: true })));
    banner.dataset.liveBanner = '';
  }
  const text = document.querySelector('form[data-unsent]') ? tr('No connection. Kept as a draft.') : tr('No connection. This page may be out of date until you are back online.');
  banner.hidden = false;
  if (banner.firstElementChild.textContent !== text) banner.firstElementChild.textContent = text;
  if ($say().textContent !== text) $say().textContent = text;
  clearInterval(retryTimer);
  retryTimer = window.setInterval(async () => {
    if (navigator.onLine && await isReachable()) dispatchEvent(new Event('online'));
  }, RETRY_MS);
}

/** What screen readers read aloud. */
const $say = () => document.getElementById('say');

/** Tells the style sheet how much of the page the keyboard covers, where the browser does not make the page smaller. */
function measureKeyboard() {
  const { height, offsetTop, scale } = visualViewport;
  const covered = scale > 1.05 ? 0 : Math.max(0, Math.round(innerHeight - height - offsetTop)); // a page that is zoomed shows a part of itself
  document.documentElement.style.setProperty('--covered', `${covered}px`);
}

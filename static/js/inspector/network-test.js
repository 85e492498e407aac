// Tries to reach a network and shows how the page's policy stops it. Loaded by inspector/main.js.
// It tries every way that it knows. The addresses end in .invalid, which no name server answers, so even a browser
// without a policy would reach no one.

import { $, el, announce, trustedPolicy } from '../shared/dom.js';
import { msg, tr } from '../shared/translate.js';

/** @param {string} name of the way that is tried */
const probeURL = name => `https://${name}.figs-proof.invalid/`;

/**
 * Lets an element load an address.
 * @template {HTMLElement} E
 * @param {E} node @param {(node: E) => void} setAddress gives it the address @returns {Promise<void>}
 */
const load = (node, setAddress) => new Promise((resolve, reject) => {
  node.onload = () => resolve();
  node.onerror = () => reject(new Error('refused'));
  setAddress(node);
  node.hidden = true;
  document.body.append(node);
  setTimeout(() => { node.remove(); reject(new Error('silence')); }, 1500);
});

/** Firefox prefetches for pages of a server only, whatever their policy: from disk it neither asks nor refuses. */
const noPrefetchFromDisk = () => location.protocol === 'file:' && tr('this browser prefetches only for pages of a server');

/**
 * What is tried: its name for people, the label in its address, the attempt, and why silence may mean that none was made.
 * @typedef {[string, string, (url: string) => unknown, (() => string|false)?]} Way
 * @type {Way[]}
 */
const WAYS = [
  ['fetch', 'fetch', url => fetch(url)],
  ['XMLHttpRequest', 'xhr', url => new Promise((resolve, reject) => { const x = new XMLHttpRequest(); x.onload = resolve; x.onerror = reject; x.open('GET', url); x.send(); })],
  ['WebSocket', 'socket', url => new Promise((resolve, reject) => { const s = new WebSocket(url.replace('https', 'wss')); s.onopen = resolve; s.onerror = reject; })],
  ['EventSource', 'events', url => new Promise((resolve, reject) => { const s = new EventSource(url); s.onopen = resolve; s.onerror = () => { s.close(); reject(new Error('refused')); }; })],
  ['beacon', 'beacon', url => (navigator.sendBeacon(url, 'x') ? Promise.resolve() : Promise.reject(new Error('refused')))],
  [msg('image'), 'image', url => load(new Image(), node => { node.src = url; })],
  [msg('style sheet'), 'style', url => load(el('link', { rel: 'stylesheet' }), node => { node.href = url; })],
  [msg('font'), 'font', url => new FontFace('proof', `url(${url})`).load()],
  [msg('video'), 'video', url => load(el('video'), node => { node.src = url; })],
  [msg('frame'), 'frame', url => load(el('iframe'), node => { node.src = url; })],
  ['prefetch', 'prefetch', url => load(el('link', { rel: 'prefetch' }), node => { node.href = url; }), noPrefetchFromDisk],
  [msg('script'), 'script', url => load(el('script'), node => { node.src = trustedPolicy.createScriptURL(url); })],
  [msg('worker'), 'worker', url => { new Worker(trustedPolicy.createScriptURL(url)); }],
  [msg('import inside a worker'), 'import', url => inWorker(`importScripts(${JSON.stringify(url)})`)],
  [msg('fetch inside a worker'), 'inner', url => inWorker(`fetch(${JSON.stringify(url)}).then(() => postMessage("out"), () => postMessage("stopped"))`)],
];

/** Runs a line in a blob: worker, which inherits the page's policy. @param {string} line @returns {Promise<void>} */
function inWorker(line) {
  const text = `addEventListener("securitypolicyviolation", e => postMessage("policy " + e.effectiveDirective)); try { ${line}; } catch { postMessage("stopped"); }`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(trustedPolicy.createScriptURL(url));
  return new Promise((resolve, reject) => {
    const stop = (/** @type {string} */ by = '') => { worker.terminate(); URL.revokeObjectURL(url); reject(Object.assign(new Error('refused'), { by })); };
    worker.onmessage = ({ data }) => (data === 'out' ? resolve() : data.startsWith('policy ') ? stop(data.slice(7)) : setTimeout(() => stop(), 2000));
    worker.onerror = () => stop();
    setTimeout(() => stop(), 8000);
  });
}

/**
 * Tries one way.
 * @param {Way} way
 * @typedef {{name: string, isOut: boolean, stoppedBy: string, whyIdle: string}} Attempt isOut: it was not stopped; whyIdle: why it did not begin
 * @returns {Promise<Attempt>}
 */
async function attempt([name, label, act, silent = () => '']) {
  const url = probeURL(label);
  let isOut = true, stoppedBy = '', whyIdle = '';
  const listen = (/** @type {SecurityPolicyViolationEvent} */ event) => { if (event.blockedURI.includes(`//${label}.`)) stoppedBy = event.effectiveDirective; };
  document.addEventListener('securitypolicyviolation', listen);
  try {
    await act(url);
  } catch (error) {
    isOut = false;
    whyIdle = (error.message === 'silence' && silent()) || '';
    stoppedBy ||= error.by || (/only scripts of this file/.test(error.message) ? 'trusted-types' : '');
  }
  // Reports come a little after the refusal, on a busy machine much later.
  for (let waited = 0; !stoppedBy && waited < (whyIdle ? 80 : 5000); waited += 20) await new Promise(resolve => setTimeout(resolve, 20));
  document.removeEventListener('securitypolicyviolation', listen);
  return { name, isOut: isOut && !stoppedBy, stoppedBy, whyIdle: stoppedBy ? '' : whyIdle };
}

/** Opens the dialog and fills it while the attempts run. */
export async function testNetwork() {
  const dialog = $('proof'), rows = $('proof-rows');
  $('proof-policy').textContent = policyText();
  rows.replaceChildren();
  $('proof-verdict').textContent = tr('Testing…'); // what was found before says nothing of this time
  if (!dialog.open) dialog.showModal();
  const results = [];
  for (const result of WAYS.map(attempt)) {
    results.push(await result);
    rows.append(row(results[results.length - 1]));
  }
  const verdict = verdictOf(results);
  $('proof-verdict').textContent = verdict;
  announce(verdict);
}

/** Says in a sentence what came of all attempts. @param {Attempt[]} results */
function verdictOf(results) {
  const all = results.length, countWhere = (/** @type {(result: Attempt) => unknown} */ which) => results.filter(which).length;
  const out = countWhere(result => result.isOut), stopped = countWhere(result => result.stoppedBy), idle = countWhere(result => result.whyIdle);
  if (out) return tr('{0} of {1} requests were not blocked. Don’t trust this copy.', out, all);
  if (stopped === all) return tr('The browser blocked all {0} requests.', all);
  if (stopped + idle === all) return idle === 1 ? tr('The browser blocked {0} of {1} requests and did not start the other.', stopped, all) : tr('The browser blocked {0} of {1} requests and did not start the others.', stopped, all);
  return tr('The browser blocked {0} of {1} requests. The rest failed for a reason it did not report.', stopped, all);
}

/** The row of an attempt in the table. @param {Attempt} result */
function row({ name, isOut, stoppedBy, whyIdle }) {
  const [kind, word] = isOut ? ['is-fail', tr('not blocked')] : stoppedBy ? ['is-ok', tr('blocked')] : ['', whyIdle ? tr('not started') : tr('failed')];
  return el('tr', {},
    el('th', { scope: 'row' }, tr(name)),
    el('td', {}, el('span', { className: 'in-state ' + kind }, word)),
    el('td', {}, stoppedBy ? el('code', {}, stoppedBy) : isOut ? '–' : whyIdle || tr('not reported')));
}

const policyText = () => document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') || '';

/** Whether the page's policy forbids every connection; the badge says so only then. */
export function isPolicyInForce() {
  return /connect-src 'none'/.test(policyText()) && /default-src 'none'/.test(policyText());
}

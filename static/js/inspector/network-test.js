// Tries to reach a network and shows how the page's policy stops it. Loaded by inspector/main.js.
// It tries every way that it knows. The addresses end in .invalid, which no name server answers, so even a browser
// without a policy would reach nobody.

import { $, el, say, trusted } from '../shared/dom.js';

/** @param {string} name of the way that is tried */
const address = name => `https://${name}.figs-proof.invalid/`;
/**
 * Lets an element load an address.
 * @template {HTMLElement} E
 * @param {E} node @param {(node: E) => void} set gives it the address @returns {Promise<void>}
 */
const append = (node, set) => new Promise((resolve, reject) => {
  node.onload = () => resolve();
  node.onerror = () => reject(new Error('refused'));
  set(node);
  node.hidden = true;
  document.body.append(node);
  setTimeout(() => { node.remove(); reject(new Error('silence')); }, 1500);
});

/** Firefox prefetches for pages of a server only, whatever their policy: from disk it neither asks nor refuses. */
const notFromDisk = () => location.protocol === 'file:' && 'this browser prefetches only for pages of a server';

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
  ['image', 'image', url => append(new Image(), node => { node.src = url; })],
  ['style sheet', 'style', url => append(el('link', { rel: 'stylesheet' }), node => { node.href = url; })],
  ['font', 'font', url => new FontFace('proof', `url(${url})`).load()],
  ['video', 'video', url => append(el('video'), node => { node.src = url; })],
  ['frame', 'frame', url => append(el('iframe'), node => { node.src = url; })],
  ['prefetch', 'prefetch', url => append(el('link', { rel: 'prefetch' }), node => { node.href = url; }), notFromDisk],
  ['script', 'script', url => append(el('script'), node => { node.src = trusted.createScriptURL(url); })],
  ['worker', 'worker', url => { new Worker(trusted.createScriptURL(url)); }],
  ['import inside a worker', 'import', url => inWorker(`importScripts(${JSON.stringify(url)})`)],
  ['fetch inside a worker', 'inner', url => inWorker(`fetch(${JSON.stringify(url)}).then(() => postMessage("out"), () => postMessage("stopped"))`)],
];

/** Runs a line in a blob: worker, which inherits the page's policy. @param {string} line @returns {Promise<void>} */
function inWorker(line) {
  const text = `addEventListener("securitypolicyviolation", e => postMessage("policy " + e.effectiveDirective)); try { ${line}; } catch { postMessage("stopped"); }`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(trusted.createScriptURL(url));
  return new Promise((resolve, reject) => {
    const end = (/** @type {string} */ by = '') => { worker.terminate(); URL.revokeObjectURL(url); reject(Object.assign(new Error('refused'), { by })); };
    worker.onmessage = ({ data }) => (data === 'out' ? resolve() : data.startsWith('policy ') ? end(data.slice(7)) : setTimeout(() => end(), 2000));
    worker.onerror = () => end();
    setTimeout(() => end(), 8000);
  });
}

/**
 * Tries one way.
 * @param {Way} way
 * @typedef {{name: string, out: boolean, by: string, idle: string}} Attempt by: what stopped it; idle: why it did not begin
 * @returns {Promise<Attempt>}
 */
async function attempt([name, label, act, silent = () => '']) {
  const url = address(label);
  let out = true, by = '', idle = '';
  const listen = (/** @type {SecurityPolicyViolationEvent} */ event) => { if (event.blockedURI.includes(`//${label}.`)) by = event.effectiveDirective; };
  document.addEventListener('securitypolicyviolation', listen);
  try {
    await act(url);
  } catch (error) {
    out = false;
    idle = (error.message === 'silence' && silent()) || '';
    by ||= error.by || (/only scripts of this file/.test(error.message) ? 'trusted-types' : '');
  }
  // Reports come a little after the refusal, on a busy machine much later.
  for (let waited = 0; !by && waited < (idle ? 80 : 5000); waited += 20) await new Promise(resolve => setTimeout(resolve, 20));
  document.removeEventListener('securitypolicyviolation', listen);
  return { name, out: out && !by, by, idle: by ? '' : idle };
}

/** Opens the dialog and fills it while the attempts run. */
export async function prove() {
  const dialog = $('proof'), rows = $('proof-rows');
  $('proof-policy').textContent = policy();
  rows.replaceChildren();
  $('proof-verdict').textContent = 'Each way is being tried.'; // what was found before says nothing of this time
  if (!dialog.open) dialog.showModal();
  const results = [];
  for (const result of WAYS.map(attempt)) {
    results.push(await result);
    rows.append(row(results[results.length - 1]));
  }
  const verdict = verdictOf(results);
  $('proof-verdict').textContent = verdict;
  say(verdict);
}

/** @param {Attempt[]} results */
function verdictOf(results) {
  const all = results.length, number = (/** @type {(result: Attempt) => unknown} */ which) => results.filter(which).length;
  const out = number(result => result.out), stopped = number(result => result.by), idle = number(result => result.idle);
  if (out) return `${out} of ${all} attempts were not stopped. Do not trust this copy.`;
  if (stopped === all) return `The browser stopped all ${all} attempts.`;
  if (stopped + idle === all) return `The browser stopped ${stopped} of ${all} attempts and did not begin the other${idle > 1 ? ' ' + idle : ''}.`;
  return `The browser stopped ${stopped} of ${all} attempts and says nothing about the rest, which failed.`;
}

/** @param {Attempt} result */
function row({ name, out, by, idle }) {
  const [kind, word] = out ? ['is-fail', 'not blocked'] : by ? ['is-ok', 'blocked'] : ['', idle ? 'not begun' : 'failed'];
  return el('tr', {},
    el('th', { scope: 'row' }, name),
    el('td', {}, el('span', { className: 'in-state ' + kind }, word)),
    el('td', {}, by ? el('code', {}, by) : out ? '–' : idle || 'not said'));
}

const policy = () => document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') || '';

/** Whether the page's policy forbids every connection; the badge says so only then. */
export function inForce() {
  return /connect-src 'none'/.test(policy()) && /default-src 'none'/.test(policy());
}

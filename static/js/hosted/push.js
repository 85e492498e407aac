// Subscribes this browser to push notifications. Loaded by hosted/hosted.js.
// The form "Add this browser" is filled in with what the browser gives, and sent.

import { tr } from '../shared/translate.js';

const WORKER_PATH = '/push-worker.js';
/** @type {HTMLFormElement|null} */
const form = document.querySelector('form[data-push]');
const rules = {
  /** @param {string} url */
  createScriptURL(url) {
    if (url !== WORKER_PATH) throw new TypeError('only the script for notifications may run');
    return url;
  },
};
const policy = window.trustedTypes ? window.trustedTypes.createPolicy('push', rules) : rules;

if (form && !('serviceWorker' in navigator && 'PushManager' in window)) showFault(tr('This browser doesn\'t support notifications while no page is open.'));
else if (form) form.addEventListener('submit', subscribe);

/** @param {SubmitEvent} event */
async function subscribe(event) {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    if (await Notification.requestPermission() !== 'granted') return showFault(tr('The browser blocks notifications from this page. You can allow them in its settings.'));
    const registration = await navigator.serviceWorker.register(policy.createScriptURL(WORKER_PATH), { scope: '/' });
    const oldSubscription = await registration.pushManager.getSubscription();
    if (oldSubscription) await oldSubscription.unsubscribe(); // it may be for another key
    const { endpoint, keys } = (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: fromBase64URL(form.dataset.push) })).toJSON();
    form.elements.target.value = endpoint;
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
    form.submit();
  } catch {
    showFault(tr('Couldn\'t subscribe this browser. Its push service may be unreachable.'));
  } finally {
    button.disabled = false;
  }
}

/** Says why this browser is not subscribed. @param {string} words */
function showFault(words) {
  const node = form.querySelector('[data-push-fault]');
  node.textContent = words;
  node.hidden = false;
}

/** Bytes of base64url. @param {string} text */
function fromBase64URL(text) {
  const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(raw, c => c.charCodeAt(0));
}

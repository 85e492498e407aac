// Subscribes this browser to push notifications. Loaded by hosted/hosted.js.
// The form "Add this browser" is filled in with what the browser gives, and sent.

const WORKER = '/push-worker.js';
/** @type {HTMLFormElement|null} */
const form = document.querySelector('form[data-push]');
const rules = {
  /** @param {string} url */
  createScriptURL(url) {
    if (url !== WORKER) throw new TypeError('only the script for notifications may run');
    return url;
  },
};
const policy = window.trustedTypes ? window.trustedTypes.createPolicy('push', rules) : rules;

if (form && !('serviceWorker' in navigator && 'PushManager' in window)) fault('This browser cannot be told while no page is open.');
else if (form) form.addEventListener('submit', subscribe);

/** @param {SubmitEvent} event */
async function subscribe(event) {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    if (await Notification.requestPermission() !== 'granted') return fault('The browser does not allow notifications of this page. Its settings can change that.');
    const there = await navigator.serviceWorker.register(policy.createScriptURL(WORKER), { scope: '/' });
    const had = await there.pushManager.getSubscription();
    if (had) await had.unsubscribe(); // it may be for another key
    const { endpoint, keys } = (await there.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.push) })).toJSON();
    form.elements.target.value = endpoint;
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
    form.submit();
  } catch {
    fault('The browser could not be subscribed. Its push service may be out of reach.');
  } finally {
    button.disabled = false;
  }
}

/** Says why this browser is not subscribed. @param {string} words */
function fault(words) {
  const node = form.querySelector('[data-push-fault]');
  node.textContent = words;
  node.hidden = false;
}

/** Bytes of base64url. @param {string} text */
function bytes(text) {
  const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(raw, c => c.charCodeAt(0));
}

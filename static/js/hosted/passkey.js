// Signs in with a passkey and makes one. Loaded by hosted/hosted.js.
// It also signs in where the browser offers a passkey beside the e-mail address, and confirms with one who someone is. The
// forms are the server's; the answer of the device goes into them. They hold the sentences, too.

const credentials = window.PublicKeyCredential ? navigator.credentials : null;
/** An offer beside the e-mail address, which a button replaces. @type {AbortController|null} */
let pendingOffer = null;

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll('[data-passkey]');

for (const form of forms) setUp(form);
for (const button of document.querySelectorAll('[data-print]')) button.addEventListener('click', () => print());

/** Makes a form use a passkey. @param {HTMLFormElement} form */
function setUp(form) {
  /** @type {HTMLButtonElement|null} */
  const button = form.querySelector('[data-passkey-go]');
  /** @type {HTMLButtonElement} */
  const sender = button || form.querySelector('[type=submit]');
  sender.disabled = false; // until now it would have sent nothing
  if (button) button.addEventListener('click', () => usePasskey(form));
  else form.addEventListener('submit', event => {
    event.preventDefault();
    usePasskey(form);
  });
  // The page that says why one was refused offers none by itself: a device that answers at once would be asked for ever.
  if ('making' in form.dataset) {
    history.replaceState(null, '', location.pathname); // once
    usePasskey(form);
  }
  if (form.dataset.passkey === 'sign-in' && location.pathname !== new URL(form.action).pathname) offerPasskey(form);
}

/** Asks the device, and sends what it answers. @param {HTMLFormElement} form */
async function usePasskey(form) {
  showMessage(form, '');
  if (!credentials) return showMessage(form, 'never');
  if (pendingOffer) pendingOffer.abort();
  const options = await fetchOptions(form);
  if (options) await sendAnswer(form, options, form.dataset.passkey === 'register' ? 'create' : 'get');
}

/** Lets the browser offer passkeys beside the e-mail address, as long as the page is open. @param {HTMLFormElement} form */
async function offerPasskey(form) {
  try {
    if (!credentials || !await PublicKeyCredential.isConditionalMediationAvailable()) return;
  } catch {
    return;
  }
  const options = await fetchOptions(form, true);
  if (!options) return;
  pendingOffer = new AbortController();
  const timer = setTimeout(() => { // the challenge is good for five minutes
    pendingOffer.abort();
    addEventListener('focus', () => offerPasskey(form), { once: true });
  }, 280_000);
  await sendAnswer(form, { ...options, mediation: 'conditional', signal: pendingOffer.signal }, 'get', true);
  clearTimeout(timer);
}

/**
 * What the server asks, as the browser wants it; nothing when it does not answer.
 * @param {HTMLFormElement} form @param {boolean} [isSilent] says nothing where that fails
 */
async function fetchOptions(form, isSilent) {
  try {
    const response = await fetch(form.dataset.begin, { method: 'POST', headers: { Accept: 'application/json' } });
    const reply = await response.json();
    if (reply.code === 'step_up_needed' && form.dataset.again) return confirmIdentity(form);
    if (!response.ok) {
      if (!isSilent) showMessage(form, 'gone', reply.error);
      return;
    }
    const key = reply.publicKey;
    key.challenge = fromBase64URL(key.challenge);
    if (key.user) key.user.id = fromBase64URL(key.user.id);
    for (const known of key.excludeCredentials || key.allowCredentials || []) known.id = fromBase64URL(known.id);
    return { publicKey: key };
  } catch {
    if (!isSilent) showMessage(form, 'gone');
  }
}

/** Leads to the page that asks for a proof, and from there back to what was being done, with what was typed. @param {HTMLFormElement} form */
function confirmIdentity(form) {
  const back = form.dataset.again + '?' + new URLSearchParams({ key: form.elements.key.value, making: '1' });
  location.assign('/confirm?' + new URLSearchParams({ next: back }));
}

/**
 * Asks the device, and sends the form with what it answers.
 * @param {HTMLFormElement} form @param {object} options @param {'create'|'get'} method @param {boolean} [isSilent]
 */
async function sendAnswer(form, options, method, isSilent) {
  try {
    const key = await credentials[method](options);
    /** @type {HTMLInputElement} */
    const field = form.querySelector('[name=answer], [name=confirm_passkey]');
    field.value = JSON.stringify(toJSON(key));
    form.submit(); // a field for a password may be empty
  } catch (error) {
    if (!isSilent) showMessage(form, error.name === 'InvalidStateError' ? 'held' : error.name === 'NotSupportedError' || error.name === 'SecurityError' ? 'never' : 'no');
  }
}

/** Says why nothing was sent; "" takes that back. @param {HTMLFormElement} form @param {string} reason @param {string} [message] of the server */
function showMessage(form, reason, message) {
  const place = form.querySelector('[data-passkey-said]'), name = 'says' + reason.charAt(0).toUpperCase() + reason.slice(1);
  place.textContent = reason && (message || form.dataset[name] || '');
  place.hidden = !reason;
}

/** What the device answered, as JSON has it. @param {any} key */
function toJSON(key) {
  /** @type {Record<string, any>} */
  const response = {};
  const device = key.response;
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) if (device[name]) response[name] = toBase64URL(device[name]);
  if (device.getTransports) response.transports = device.getTransports();
  return { id: key.id, rawId: toBase64URL(key.rawId), type: key.type, authenticatorAttachment: key.authenticatorAttachment || undefined, response, clientExtensionResults: {} };
}

/** Bytes of base64url. @param {string} text */
function fromBase64URL(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
}

/** Base64url of bytes. @param {ArrayBuffer} buffer */
function toBase64URL(buffer) {
  let all = '';
  for (const byte of new Uint8Array(buffer)) all += String.fromCharCode(byte);
  return btoa(all).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

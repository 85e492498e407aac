// Signs in with a passkey and makes one. Loaded by hosted/hosted.js.
// It signs in also where the browser offers a passkey beside the e-mail address, and proves with one who somebody is. The
// forms are the server's; the answer of the device goes into them. What there is to say stands in them too.

const keys = window.PublicKeyCredential ? navigator.credentials : null;
/** An offer beside the e-mail address, which a button replaces. @type {AbortController|null} */
let offered = null;

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll('[data-passkey]');

for (const form of forms) begin(form);
for (const button of document.querySelectorAll('[data-print]')) button.addEventListener('click', () => print());

/** @param {HTMLFormElement} form */
function begin(form) {
  /** @type {HTMLButtonElement|null} */
  const button = form.querySelector('[data-passkey-go]');
  /** @type {HTMLButtonElement} */
  const sender = button || form.querySelector('[type=submit]');
  sender.disabled = false; // until now it would have sent nothing
  if (button) button.addEventListener('click', () => ask(form));
  else form.addEventListener('submit', event => {
    event.preventDefault();
    ask(form);
  });
  // The page that says why one was refused offers none by itself: a device that answers at once would be asked for ever.
  if ('making' in form.dataset) {
    history.replaceState(null, '', location.pathname); // once
    ask(form);
  }
  if (form.dataset.passkey === 'sign-in' && location.pathname !== new URL(form.action).pathname) offer(form);
}

/** Asks the device, and sends what it answers. @param {HTMLFormElement} form */
async function ask(form) {
  tell(form, '');
  if (!keys) return tell(form, 'never');
  if (offered) offered.abort();
  const options = await challenge(form);
  if (options) await answer(form, options, form.dataset.passkey === 'register' ? 'create' : 'get');
}

/** Lets the browser offer passkeys beside the e-mail address, as long as the page is open. @param {HTMLFormElement} form */
async function offer(form) {
  try {
    if (!keys || !await PublicKeyCredential.isConditionalMediationAvailable()) return;
  } catch {
    return;
  }
  const options = await challenge(form, true);
  if (!options) return;
  offered = new AbortController();
  const late = setTimeout(() => { // the challenge is good for five minutes
    offered.abort();
    addEventListener('focus', () => offer(form), { once: true });
  }, 280_000);
  await answer(form, { ...options, mediation: 'conditional', signal: offered.signal }, 'get', true);
  clearTimeout(late);
}

/**
 * What the server asks, as the browser wants it; nothing when it does not answer.
 * @param {HTMLFormElement} form @param {boolean} [silent] says nothing where that fails
 */
async function challenge(form, silent) {
  try {
    const answer = await fetch(form.dataset.begin, { method: 'POST', headers: { Accept: 'application/json' } });
    const asked = await answer.json();
    if (asked.code === 'step_up_needed' && form.dataset.again) return prove(form);
    if (!answer.ok) {
      if (!silent) tell(form, 'gone', asked.error);
      return;
    }
    const key = asked.publicKey;
    key.challenge = bytes(key.challenge);
    if (key.user) key.user.id = bytes(key.user.id);
    for (const known of key.excludeCredentials || key.allowCredentials || []) known.id = bytes(known.id);
    return { publicKey: key };
  } catch {
    if (!silent) tell(form, 'gone');
  }
}

/** Leads to the page that asks for a proof, and from there back to what was being done, with what was typed. @param {HTMLFormElement} form */
function prove(form) {
  const back = form.dataset.again + '?' + new URLSearchParams({ key: form.elements.key.value, making: '1' });
  location.assign('/confirm?' + new URLSearchParams({ next: back }));
}

/**
 * Asks the device, and sends the form with what it answers.
 * @param {HTMLFormElement} form @param {object} options @param {'create'|'get'} how @param {boolean} [silent]
 */
async function answer(form, options, how, silent) {
  try {
    const key = await keys[how](options);
    /** @type {HTMLInputElement} */
    const field = form.querySelector('[name=answer], [name=confirm_passkey]');
    field.value = JSON.stringify(plain(key));
    form.submit(); // a field for a password may be empty
  } catch (error) {
    if (!silent) tell(form, error.name === 'InvalidStateError' ? 'held' : error.name === 'NotSupportedError' || error.name === 'SecurityError' ? 'never' : 'no');
  }
}

/** Says why nothing was sent; "" takes that back. @param {HTMLFormElement} form @param {string} why @param {string} [words] of the server */
function tell(form, why, words) {
  const place = form.querySelector('[data-passkey-said]'), name = 'says' + why.charAt(0).toUpperCase() + why.slice(1);
  place.textContent = why && (words || form.dataset[name] || '');
  place.hidden = !why;
}

/** What the device answered, as JSON has it. @param {any} key */
function plain(key) {
  /** @type {Record<string, any>} */
  const response = {};
  const said = key.response;
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) if (said[name]) response[name] = text(said[name]);
  if (said.getTransports) response.transports = said.getTransports();
  return { id: key.id, rawId: text(key.rawId), type: key.type, authenticatorAttachment: key.authenticatorAttachment || undefined, response, clientExtensionResults: {} };
}

/** Bytes of base64url. @param {string} text */
function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
}

/** Base64url of bytes. @param {ArrayBuffer} buffer */
function text(buffer) {
  let all = '';
  for (const byte of new Uint8Array(buffer)) all += String.fromCharCode(byte);
  return btoa(all).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

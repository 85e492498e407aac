// Changes the remarks on a page of the server without a new page. Loaded by hosted/decide.js when the first one is added.
// The form is sent as without a script; of the page that comes back, only the panel is taken.

import { $, announce, trustedPolicy } from '../shared/dom.js';
import { focusRemark, replaceRemarks } from './replace.js';

/**
 * Sends a form whose button changes its remarks, and shows what came of it.
 * @param {HTMLFormElement} form @param {HTMLButtonElement} button
 * @returns {Promise<boolean>} whether that is done; else the browser has to send the form
 */
export async function send(form, button) {
  const panel = $('remarks'), body = new URLSearchParams(/** @type {any} it has no files */ (new FormData(form, button)));
  panel.inert = true; // what is typed now would be lost
  try {
    const response = await fetch(button.formAction, { method: 'POST', body, headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(trustedPolicy.createHTML(await response.text()), 'text/html');
    const next = page.getElementById('remarks');
    if (!form.isConnected) return true; // the person went on
    if (!next || !(response.ok || response.status === 422 && next.querySelector('.fault'))) return false; // the page says more than the panel
    replaceRemarks(form, document.importNode(next, true));
    focusRemark(button.value);
    const done = page.querySelector('#deciding .done');
    if (done) announce(done.textContent);
    return true;
  } catch {
    return false;
  } finally {
    panel.inert = false;
  }
}

// A small example of a finding, saved as a zip. The page carries its bytes; nothing is asked for.

import { save } from './dom.js';

/** @param {HTMLElement} button that holds the zip in base64 */
export function keep(button) {
  save('figs-example.zip', 'application/zip', [Uint8Array.from(atob(button.dataset.example), c => c.charCodeAt(0))]);
}

/** Saves an example wherever one is offered. */
export function listen() {
  document.addEventListener('click', event => {
    const button = event.target.closest && event.target.closest('[data-example]');
    if (button) keep(button);
  });
}

// Suggests the syntax of searches while somebody types. Loaded by hosted/app.js.
// A browser completes the whole of a field: so each suggestion begins with what was typed before the last part.

import { el } from '../shared/dom.js';

/** The suggestions that the page has for a first part, by their list. @type {WeakMap<HTMLDataListElement, HTMLOptionElement[]>} */
const hints = new WeakMap();

/** Suggests in a field from now on. @param {HTMLInputElement} field */
export function listen(field) {
  const list = /** @type {HTMLDataListElement} */ (field.list);
  if (hints.has(list)) return;
  hints.set(list, [...list.options]);
  field.addEventListener('input', () => update(field, list));
  update(field, list);
}

/** Lists the suggestions that fit the last part. @param {HTMLInputElement} field @param {HTMLDataListElement} list */
function update(field, list) {
  const [, before, minus, part] = /** @type {RegExpExecArray} */ (/^(.*\s|)(-?)(\S*)$/s.exec(field.value));
  const isQuoted = before.split('"').length % 2 === 0;
  const fitting = isQuoted || !part ? [] : (hints.get(list) || []).filter(hint => hint.value !== part && hint.value.startsWith(part.toLowerCase()));
  list.replaceChildren(...(field.value ? fitting.map(hint => el('option', { value: before + minus + hint.value, label: hint.getAttribute('label') || hint.value })) : hints.get(list) || []));
}

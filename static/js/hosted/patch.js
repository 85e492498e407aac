// Changes a part of the page into a newer one and keeps focus and input. Loaded by hosted/hosted.js, hosted/live.js and hosted/navigation.js.
// It takes no nodes away: the focus, what is unfolded and what was typed stay where they are.

// What scripts fill in, and a form that is bound to what its page showed.
const OWN = '[data-act], [data-live-state], [data-live-banner], [data-countdown], [data-decide], #say';

/** @param {Element} from on the page @param {Element} to as the server sent it */
export function patch(from, to) {
  if (from.isEqualNode(to) || from.matches(OWN)) return;
  if (typed(from)) return;
  attributes(from, to);
  let at = from.firstChild;
  for (const want of to.childNodes) {
    /** @type {any} */
    const have = match(at, want);
    if (!have) {
      from.insertBefore(document.importNode(want, true), at);
      continue;
    }
    while (at !== have) at = drop(at);
    if (want instanceof Element) patch(have, want);
    else if (have.data !== want.nodeValue) have.data = want.nodeValue;
    at = have.nextSibling;
  }
  while (at) at = drop(at);
}

/** @param {ChildNode} node */
function drop(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** The first of a node and its later siblings that can become another. @param {Node|null} node @param {Node} want */
function match(node, want) {
  while (node && !(node.nodeName === want.nodeName && key(node) === key(want))) node = node.nextSibling;
  return node;
}

/** @param {any} node */
const key = node => (node.dataset && node.dataset.live) || node.id || '';

/** A field that somebody has written in, or is in. @param {any} node */
function typed(node) {
  return 'defaultValue' in node && (node.value !== node.defaultValue || node === document.activeElement);
}

/** Copies attributes, but for those that say what a person did. @param {Element} from @param {Element} to */
export function attributes(from, to) {
  const stays = (/** @type {string} */ name) => name === 'open' || name === 'tabindex' && from === document.activeElement;
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !stays(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value && !stays(name)) from.setAttribute(name, value);
}

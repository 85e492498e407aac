// Changes a part of the page into a newer one and keeps focus and input. Loaded by hosted/hosted.js, hosted/live-changes.js and hosted/navigation.js.
// It takes no nodes away: the focus, what is unfolded and what was typed stay where they are.

// What scripts fill in, and a form that is bound to what its page showed, with its remarks.
const UNPATCHED = '[data-act], [data-live-state], [data-live-banner], [data-countdown], [data-decide], #remarks, .is-selecting, #say';

/** Changes an element into a newer one. @param {Element} from on the page @param {Element} to as the server sent it */
export function patch(from, to) {
  if (from.isEqualNode(to) || from.matches(UNPATCHED)) return;
  if (isTyped(from)) return;
  copyAttributes(from, to);
  let next = from.firstChild;
  for (const want of to.childNodes) {
    /** @type {any} */
    const have = findMatch(next, want);
    if (!have) {
      from.insertBefore(document.importNode(want, true), next);
      continue;
    }
    while (next !== have) next = removeNode(next);
    if (want instanceof Element) patch(have, want);
    else if (have.data !== want.nodeValue) have.data = want.nodeValue;
    next = have.nextSibling;
  }
  while (next) next = removeNode(next);
}

/** Removes a node and returns the one after it. @param {ChildNode} node */
function removeNode(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** The first of a node and its later siblings that can become another. @param {Node|null} node @param {Node} want */
function findMatch(node, want) {
  while (node && !(node.nodeName === want.nodeName && keyOf(node) === keyOf(want))) node = node.nextSibling;
  return node;
}

/** What tells an element from its siblings. @param {any} node */
const keyOf = node => (node.dataset && node.dataset.live) || node.id || '';

/** A field that someone has written in, or is in. @param {any} node */
function isTyped(node) {
  return 'defaultValue' in node && (node.value !== node.defaultValue || node === document.activeElement);
}

/** Copies attributes, but for those that say what a person did. @param {Element} from @param {Element} to */
export function copyAttributes(from, to) {
  const stays = (/** @type {string} */ name) => name === 'open' || name === 'tabindex' && from === document.activeElement;
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !stays(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value && !stays(name)) from.setAttribute(name, value);
}

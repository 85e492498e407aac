// Lets arrow keys go from mark to mark of a chart. Loaded by hosted/hosted.js, inspector/main.js and inspector/route.js.
// The marks are one stop of the Tab key. Without scripts each mark is a stop.

import { closestTo } from './dom.js';

const MARKS = 'svg.lane-tracks a.lane-mark';

/** Listens to the arrow keys. */
export function listen() {
  document.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], mark = closestTo(event, MARKS);
    if (!step || !mark || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...mark.closest('svg.lane-tracks').querySelectorAll('a.lane-mark')];
    const next = all[all.indexOf(mark) + step];
    event.preventDefault();
    if (!next) return;
    mark.setAttribute('tabindex', '-1');
    next.removeAttribute('tabindex');
    next.focus();
  });
}

/** Leaves one stop to each chart of a page. @param {ParentNode} root */
export function settle(root) {
  for (const picture of root.querySelectorAll('svg.lane-tracks')) {
    if (picture.querySelector('a.lane-mark[tabindex]')) continue;
    for (const mark of [...picture.querySelectorAll('a.lane-mark')].slice(1)) mark.setAttribute('tabindex', '-1');
  }
}

// Lets arrow keys go from mark to mark of a chart. Loaded by hosted/hosted.js, inspector/main.js and inspector/route.js.
// The marks are one stop of the Tab key. Without scripts each mark is a stop.

import { closestTo } from './dom.js';

const CHARTS = 'svg.lane-tracks, .map', MARKS = 'a.lane-mark, .map-squares > a';

/** Listens to the arrow keys. */
export function listen() {
  document.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], mark = closestTo(event, MARKS);
    if (!step || !mark || event.ctrlKey || event.metaKey || event.altKey) return;
    const marks = [...mark.closest(CHARTS).querySelectorAll(MARKS)];
    const next = marks[marks.indexOf(mark) + step];
    event.preventDefault();
    if (!next) return;
    mark.setAttribute('tabindex', '-1');
    next.removeAttribute('tabindex');
    next.focus();
  });
}

/** Leaves one stop to each chart of a page. @param {ParentNode} root */
export function setTabStops(root) {
  for (const chart of root.querySelectorAll(CHARTS)) {
    if (chart.querySelector('a[tabindex]')) continue;
    for (const mark of [...chart.querySelectorAll(MARKS)].slice(1)) mark.setAttribute('tabindex', '-1');
  }
}

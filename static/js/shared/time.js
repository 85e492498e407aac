// Says how long ago the times on the page are. Loaded by hosted/hosted.js, inspector/main.js and others.
// The reader writes exact times; the page says how long ago and keeps that true.

/**
 * The units of time, in seconds.
 * @type {Array<[Intl.RelativeTimeFormatUnit, number]>}
 */
const UNITS = [['year', 31_557_600], ['month', 2_629_800], ['week', 604_800], ['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]];
/** The language of the page, and what says in it how long ago something was. */
let formatLanguage = '', relativeFormat = new Intl.RelativeTimeFormat();

/** How the reader should see the clock: now, and this person's zone as an offset. */
export function clock() {
  const now = new Date();
  return {
    now: now.toISOString().replace(/\.\d+Z$/, 'Z'),
    zone: -now.getTimezoneOffset(),
    zoneName: Intl.DateTimeFormat().resolvedOptions().timeZone || '',
  };
}

/** Turns every <time data-relative> of a part of the page into "3 hours ago". @param {ParentNode} root */
export function showRelativeTimes(root) {
  for (const node of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll('time[data-relative]'))) {
    const at = Date.parse(node.dateTime);
    if (Number.isNaN(at)) continue;
    node.title ||= node.textContent.trim();
    const seconds = (at - Date.now()) / 1000;
    const [unit, unitSeconds] = UNITS.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) || UNITS.at(-1);
    const { lang } = node.closest('[lang]');
    if (lang !== formatLanguage) relativeFormat = new Intl.RelativeTimeFormat(formatLanguage = lang, { numeric: 'auto' });
    const text = relativeFormat.format(Math.trunc(seconds / unitSeconds), unit);
    if (node.textContent !== text) node.textContent = text;
  }
}

// What the checks of the JavaScript side share: types, enums with a suggestion, and timestamps.

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value) {
  return typeof value === "string" && value !== "";
}

export function isTexts(value) {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

export function isPairs(value, first, second) {
  return (
    Array.isArray(value) &&
    value.every((item) => isObject(item) && typeof item[first] === "string" && typeof item[second] === "string")
  );
}

export function checkEnum(value, key, allowed, code, line, report) {
  const given = value[key];
  if (given === undefined || allowed.includes(given)) return;
  report.error(code, line, `/${key}`, `${key} is one of ${allowed.join(", ")}.${suggest(given, allowed)}`);
}

export function checkEnumWarn(value, key, allowed, code, line, report) {
  const given = value[key];
  if (given === undefined || allowed.includes(given)) return;
  report.warn(code, line, `/${key}`, `${key} is one of ${allowed.join(", ")}.${suggest(given, allowed)}`);
}

/** Names the nearest allowed value: equal but for case and punctuation, else at most two edits away. */
export function suggest(given, allowed) {
  if (typeof given !== "string") return "";
  const normal = (text) => text.toLowerCase().replace(/[^a-z]/g, "");
  const nearest =
    allowed.find((value) => normal(value) === normal(given)) ?? allowed.find((value) => distance(value, given) <= 2);
  return nearest ? ` Did you mean ${nearest}?` : "";
}

function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

export function requireTs(value, line, code, report) {
  if (!isText(value.ts)) report.error(code, line, "/ts", "A record has a ts.");
}

export function checkTs(ts, where, pointer, folder, report) {
  const instant = typeof ts === "string" && INSTANT.test(ts) ? Date.parse(ts) : NaN;
  if (Number.isNaN(instant)) report.error("ts_malformed", where, pointer, "A ts is ISO-8601 with an offset.");
  else if (instant > folder.now) report.warn("ts_future", where, pointer, "This ts is in the future.");
}

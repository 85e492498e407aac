// Detects which ledger a file is. Loaded by worker/sources.js.
// By the file's name first, by the shape of its lines else.

import { FILES } from '../files/find-folders.js';

/** @param {string} name @returns {number} the engine's number of the file, or -1 */
export function byName(name) {
  const copy = FILES.findIndex(file => { // "asks (1).jsonl", "runs-2026.jsonl"
    const dot = file.lastIndexOf('.');
    return name.startsWith(file.slice(0, dot)) && name.endsWith(file.slice(dot));
  });
  if (copy >= 0 || !/\.jsonl?(\.txt)?$/i.test(name)) return copy;
  const word = /(?:^|[^a-z])(run|ask|message)s?(?:[^a-z]|$)/i.exec(name);
  return word ? ['run', 'ask', 'message'].indexOf(word[1].toLowerCase()) : -1;
}

/** Whether a file is a finding registry (.agents/findings/registry.jsonl), by its name or its first lines. @param {string} name @param {string} text */
export const isRegistry = (name, text) => /^registry\b.*\.jsonl$/i.test(name) || /"detection_question"\s*:/.test(text) && /"dedup_key"\s*:/.test(text);

/**
 * Votes over the first lines; -1 when nothing in them is a line of a ledger.
 * @param {string} text the beginning of the file
 */
export function byShape(text) {
  const votes = [0, 0, 0];
  for (const line of text.split('\n').slice(0, 50)) {
    const record = parse(line);
    if (record) votes[shape(record)]++;
  }
  const most = Math.max(...votes);
  if (most) return votes.indexOf(most);
  const whole = parse(text);
  if (whole && 'agentId' in whole) return 4;
  return whole && ('mandate' in whole || 'role' in whole) ? 3 : -1;
}

/** Which ledger a line is of, by its keys. @param {object} record */
function shape(record) {
  if ('kind' in record || ('ask' in record && 'by' in record)) return 2;
  if (['type', 'need', 'found', 'options', 'onApprove', 'resolution', 'to'].some(key => key in record)) return 1;
  return 0;
}

/** @param {string} text @returns {object|null} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

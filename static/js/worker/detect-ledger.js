// Detects which ledger a file is. Loaded by worker/sources.js.
// It goes by the file's name, or else by the keys of its first lines.

import { FILES } from '../files/find-folders.js';

/** @param {string} name @returns {number} the engine's number of the file, or -1 */
export function ledgerByName(name) {
  const number = FILES.findIndex(file => { // "asks (1).jsonl", "runs-2026.jsonl"
    const dot = file.lastIndexOf('.');
    return name.startsWith(file.slice(0, dot)) && name.endsWith(file.slice(dot));
  });
  if (number >= 0 || !/\.jsonl?(\.txt)?$/i.test(name)) return number;
  const match = /(?:^|[^a-z])(run|ask|message)s?(?:[^a-z]|$)/i.exec(name);
  return match ? ['run', 'ask', 'message'].indexOf(match[1].toLowerCase()) : -1;
}

/** Whether a file is a finding registry (.agents/findings/registry.jsonl), by its name or its first lines. @param {string} name @param {string} text */
export const isRegistry = (name, text) => /^registry\b.*\.jsonl$/i.test(name) || /"detection_question"\s*:/.test(text) && /"dedup_key"\s*:/.test(text);

/**
 * Votes over the first lines; -1 when nothing in them is a line of a ledger.
 * @param {string} text the beginning of the file
 */
export function ledgerByShape(text) {
  const votes = [0, 0, 0];
  for (const line of text.split('\n').slice(0, 50)) {
    const record = parseObject(line);
    if (record) votes[ledgerOf(record)]++;
  }
  const max = Math.max(...votes);
  if (max) return votes.indexOf(max);
  const object = parseObject(text);
  if (object && 'agentId' in object) return 4;
  return object && ('mandate' in object || 'role' in object) ? 3 : -1;
}

/** Which ledger a line is of, by its keys. @param {object} record */
function ledgerOf(record) {
  if ('kind' in record || ('ask' in record && 'by' in record)) return 2;
  if (['type', 'need', 'found', 'options', 'onApprove', 'resolution', 'to'].some(key => key in record)) return 1;
  return 0;
}

/** @param {string} text @returns {object|null} */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

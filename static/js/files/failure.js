// Names by a code what can go wrong between the page and its workers. Loaded by inspector/session.js, worker/worker.js and others.
// The page has a sentence and a next step for each code (errors.js).

import { inEnglish, tr } from '../shared/translate.js';

/** An error with a code, which travels between workers and the page. Its message is in the language of the page. */
export class Failure extends Error {
  /** @param {string} code @param {string} [sentence] @param {...(string|number)} args of the sentence */
  constructor(code, sentence = code, ...args) {
    super(tr(sentence, ...args));
    this.code = code;
    /** The message for findings, which are written in English. */
    this.english = inEnglish(sentence, ...args);
  }
}

/** Turns whatever was thrown into a Failure. @param {any} error @returns {Failure} */
export function toFailure(error) {
  if (error instanceof Failure) return error;
  const name = error && error.name;
  if (name === 'NotReadableError') return new Failure('file_changed', 'The file changed after it was opened, or can no longer be read.');
  if (name === 'TypeError' && /network/i.test(error.message)) return new Failure('file_changed', 'The file couldn\'t be read to the end: it changed, or can no longer be read.'); // a Blob's stream, in Chromium
  if (name === 'NotFoundError') return new Failure('file_changed', 'The file is no longer there.');
  if (name === 'NotAllowedError' || name === 'SecurityError') return new Failure('unreadable', 'The browser was not allowed to read it.');
  if (name === 'EncodingError') return new Failure('unreadable', 'This browser can\'t read a folder dropped on a page opened from disk.');
  if (name === 'RangeError') return new Failure('memory', String(error.message));
  return new Failure('crash', String((error && error.message) || error));
}

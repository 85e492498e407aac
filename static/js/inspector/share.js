// Makes a copy of the folder for somebody else and opens such a copy. Loaded by inspector/main.js and inspector/route.js.
// A reader of its own looks through every file, piece by piece; the page shows what would be replaced; then the same
// reader writes the copy. The worker ends with the page.

import { $, put, save, say, slot } from '../shared/dom.js';
import { Failure, failureOf } from '../files/failure.js';
import { pack, unpack } from '../files/pack.js';
import { rebuild } from './save-copy.js';
import { language } from './language.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';
import { FILES, LEDGERS } from '../files/find-folders.js';
import { zipped } from '../files/zip-write.js';

const PIECE = 4 << 20;      // bytes of a ledger that are handed over at once
const MOST = 10 << 20;      // an attachment (§7); larger ones are not looked through
const MOST_PAGE = 200 << 20; // a zip that a page can carry
const ORDER = [4, 3, 5, 6, 0, 1, 2];

/** @import { Session } from './session.js' */

/** The copy that the page is about. @type {Copy|null} */
let copy = null;

/** Ends what the page before was about. */
export function leave() {
  if (copy) copy.end();
  copy = null;
}

/** Begins on the page of a copy. @param {Session} session @param {HTMLElement} view */
export async function arrive(session, view) {
  const place = view.querySelector('[data-share]');
  if (!place) return;
  const mine = copy = new Copy(session, place);
  try {
    await mine.look();
    const form = mine === copy && await shown(mine, place);
    if (form) say(form.querySelector('.share-news').textContent);
  } catch (error) {
    if (mine === copy) failed(session, mine, view, failureOf(error));
  }
}

/** Puts the form of what was found, and what was chosen, in place of what is there. @param {Copy} mine @param {HTMLElement} place */
async function shown(mine, place) {
  const { body } = await mine.ask({ step: 'show', ...time.clock(), agent: mine.place.dataset.share, path: mine.place.dataset.key });
  if (mine !== copy) return null;
  const box = document.createElement('div');
  put(box, new TextDecoder().decode(body));
  const form = box.querySelector('form');
  place.replaceWith(form);
  form.addEventListener('submit', (/** @type {EventAt<HTMLFormElement, SubmitEvent>} */ event) => submitted(mine, event));
  return form;
}

/** @param {Session} session @param {Copy} mine @param {HTMLElement} view @param {Failure} failure */
function failed(session, mine, view, failure) {
  mine.end();
  const place = view.querySelector('.share-wait progress');
  if (place) place.remove();
  errors.showFailure(failure, [['Look through it again', () => dispatchEvent(new HashChangeEvent('hashchange'))], ['Read the folder again', () => session.again()]]);
}

/** @param {Copy} mine @param {EventAt<HTMLFormElement, SubmitEvent>} event */
async function submitted(mine, event) {
  event.preventDefault();
  const form = event.target, said = form.querySelector('.share-said'), as = event.submitter && event.submitter.getAttribute('value');
  if (mine.busy || !as) return;
  mine.busy = true;
  said.textContent = 'The copy is being written…';
  try {
    const made = new Date(), fields = new URLSearchParams(/** @type {any} it has no files */ (new FormData(form))).toString();
    const words = as === 'zip' ? await mine.zip(fields, made) : await mine.page(fields, made);
    if (mine.stayed) { // what a receipt shows is said anew, with the choices as they are
      const now = await shown(mine, form);
      if (now) now.querySelector('.share-said').textContent = words + ' A receipt stayed at home, since with these choices it shows what is replaced: see above.';
    } else said.textContent = words;
  } catch (error) {
    said.textContent = '';
    if (mine === copy) errors.showFailure(failureOf(error), []);
  } finally {
    mine.busy = false;
  }
}

class Copy {
  /** @param {Session} session @param {HTMLElement} place where the page says whose copy it is */
  constructor(session, place) {
    this.session = session;
    this.place = place;
    this.agent = Number(place.dataset.share) - 1;
    this.peer = session.readers.boot('share');
    this.busy = this.ended = false;
    this.total = this.done = 0; // bytes to be read, for the bar
    this.stayed = false; // whether a receipt is left out, which would show what is replaced
    /** Names of the attachments. @type {string[]} */
    this.names = [];
  }

  /** Ends its worker. */
  end() {
    this.ended = true;
    this.peer.kill(new Failure('cancelled', 'It is no longer needed.'));
  }

  /** @param {{step: string} & Record<string, any>} request @param {Uint8Array} [payload] @returns {Promise<{head: any, body: Uint8Array<ArrayBuffer>}>} */
  async ask(request, payload) {
    await this.peer.ready;
    if (this.ended) throw new Failure('cancelled');
    const header = { language: language(), op: 'share', ...request };
    const answer = await this.peer.ask('reader', { header, payload }, { transfer: payload ? [payload.buffer] : [] });
    if (answer.head.error) throw new Failure('answer', answer.head.error);
    return answer;
  }

  /** A file that the protocol names. @param {number} number @returns {Promise<Blob|null>} */
  file(number) {
    return this.session.query('ledger', { agent: this.agent, file: number });
  }

  /** @param {string} name @returns {Promise<File>} */
  attachment(name) {
    return this.session.query('attachment', { agent: this.agent, name });
  }

  /** Reads everything once, and once more to count what is replaced. */
  async look() {
    const id = this.place.dataset.ask;
    await this.ask({ step: 'begin', id });
    await this.survey();
    if (id) for (const number of [1, 0]) await this.pieces(number, (name, bytes) => this.ask({ step: 'gather', name }, bytes));
    for (const number of ORDER) await this.pieces(number, (name, bytes) => this.ask({ step: 'learn', name }, bytes));
    const all = await this.session.query('artifacts', this.agent);
    const pairs = unpack((await this.ask({ step: 'wants' }, pack(all))).body);
    this.names = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const file = await this.attachment(pairs[i]).catch(() => /** @type {File|null} */ (null)); // gone since: the copy has no such file either
      if (!file) continue;
      const read = pairs[i + 1] === '1' && file.size <= MOST, bytes = read ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
      await this.ask({ step: 'attachment', name: pairs[i], size: file.size, document: read }, bytes);
      this.names.push(pairs[i]);
      this.told(file.size);
    }
    for (const { name, file } of this.session.folder.receipts) await this.ask({ step: 'receipt', name }, new Uint8Array(await file.arrayBuffer()));
    await this.ask({ step: 'settle', form: '' });
    await this.write(() => {});
  }

  /** How much there is to read, for the bar. */
  async survey() {
    this.total = this.done = 0;
    for (const number of ORDER) {
      const file = await this.file(number);
      if (file) this.total += file.size;
    }
    this.total *= 2;
  }

  /** Moves the bar on. @param {number} bytes that were read */
  told(bytes) {
    this.done += bytes;
    const bar = this.place.querySelector('progress');
    if (bar && this.total) bar.value = Math.min(1, this.done / this.total);
  }

  /**
   * A file in pieces: of a ledger whole lines, of others all of it.
   * @param {number} number @param {(name: string, bytes: Uint8Array) => Promise<unknown>} use @returns {Promise<void>}
   */
  async pieces(number, use) {
    const file = await this.file(number), name = FILES[number];
    if (!file) return;
    if (number >= LEDGERS) return void await use(name, new Uint8Array(await file.arrayBuffer()));
    let rest = new Uint8Array();
    for (let at = 0; at < file.size || !at; at += PIECE) {
      const more = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()), all = new Uint8Array(rest.length + more.length);
      all.set(rest);
      all.set(more, rest.length);
      this.told(more.length);
      const end = at + PIECE < file.size ? all.lastIndexOf(10) + 1 : all.length;
      rest = all.slice(end);
      if (end || !file.size) await use(name, all.slice(0, end));
    }
  }

  /** Writes every file of the copy. @param {(path: string, content: Blob) => void} put */
  async write(put) {
    for (const number of ORDER) {
      /** @type {BlobPart[]} */
      const parts = [];
      let there = false;
      await this.pieces(number, async (name, bytes) => {
        const { head, body } = await this.ask({ step: 'write', name }, bytes);
        if (!head.missing) there = Boolean(parts.push(body));
      });
      if (there) put(`.figs/${FILES[number]}`, new Blob(parts));
    }
    for (const name of this.names) {
      const file = await this.attachment(name);
      const { head, body } = await this.ask({ step: 'write', name }, new Uint8Array(await file.arrayBuffer()));
      if (!head.missing) put(`.figs/artifacts/${head.name}`, new Blob([body]));
    }
  }

  /** The copy as it was chosen. @param {string} form @param {Date} made */
  async made(form, made) {
    await this.ask({ step: 'choose', form });
    /** @type {Array<[string, Blob]>} */
    const files = [];
    await this.write((path, blob) => files.push([path, blob]));
    const beside = await this.ask({ step: 'enclosed' }), pairs = unpack(beside.body);
    this.stayed = Boolean(beside.head.missing);
    for (let i = 0; i < pairs.length; i += 2) files.push([pairs[i], new Blob([pairs[i + 1]])]);
    const { head, body } = await this.ask({ step: 'list', now: moment(made) });
    files.push(['REDACTED.txt', new Blob([body])]);
    return { name: head.name, changed: Number(head.note), list: new TextDecoder().decode(body), zip: await zipped(files, made) };
  }

  /** Saves it as a zip. @param {string} form @param {Date} made */
  async zip(form, made) {
    const { name, zip } = await this.made(form, made);
    save(name + '.figs.zip', 'application/zip', [zip]);
    return `${name}.figs.zip is saved. Drop it on this page to see it as others will.`;
  }

  /** Saves it as a page that carries it. @param {string} form @param {Date} made */
  async page(form, made) {
    const { name, changed, list, zip } = await this.made(form, made);
    if (zip.size > MOST_PAGE) throw new Failure('memory', 'The folder is too large for one page: save it as .figs.zip.');
    const carried = { name: name + '.figs.zip', at: this.place.dataset.ask ? '/1/asks/1' : '/1', made: moment(made), count: changed, list, zip: await base64(zip) };
    save(name + '.html', 'text/html', [await rebuild(JSON.stringify(carried).replaceAll('<', '\\u003c'))]);
    return `${name}.html is saved. A double-click opens it, here and anywhere else.`;
  }
}

/** ISO-8601, to the second. @param {Date} date */
const moment = date => date.toISOString().replace(/\.\d+Z$/, 'Z');

/** Part by part: a text of many megabytes is put together, never spread over a call. @param {Blob} blob */
async function base64(blob) {
  const part = 3 << 18; // bytes, a multiple of three
  /** @type {string[]} */
  const texts = [];
  for (let at = 0; at < blob.size; at += part) {
    const bytes = new Uint8Array(await blob.slice(at, at + part).arrayBuffer());
    texts.push(bytes.toBase64 ? bytes.toBase64() : btoa(Array.from({ length: Math.ceil(bytes.length / 8192) }, (_, i) => String.fromCharCode(...bytes.subarray(i * 8192, i * 8192 + 8192))).join('')));
  }
  return texts.join('');
}

/**
 * The copy that this file carries, when it is a shared one: else null.
 * @typedef {{name: string, at: string, made: string, count: number, list: string, zip: string}} Carried
 *   at: the page to show; count: how many places were replaced; list: of them; zip: in base64
 * @returns {Carried|null}
 */
export function carried() {
  const text = slot('share');
  if (!text.trim()) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Opens the folder that travels inside this file, on the page that it was shared for. @param {Session} session @param {Carried} shared */
export function open(session, shared) {
  const bytes = Uint8Array.from(atob(shared.zip), c => c.charCodeAt(0)); // the same way as samples
  const file = new File([bytes], String(shared.name));
  session.copy = async () => [{ file }];
  if (!location.hash.startsWith('#/')) history.replaceState(history.state, '', '#' + String(shared.at));
  session.open(session.copy).finally(() => document.documentElement.classList.remove('in-shared'));
  strip(shared);
}

/** Says on top of every page what this is, with the list of what was replaced. @param {Carried} shared */
function strip({ made, count: places, list }) {
  const day = new Date(made), when = isNaN(Number(day)) ? '' : ' on ' + day.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' });
  $('shared').hidden = false;
  $('shared-said').textContent = `A copy, made${when} to be shown. ${places === 0 ? 'Nothing in it was replaced.' : `In ${Number(places).toLocaleString('en')} place${places === 1 ? '' : 's'} a placeholder stands for what was there.`}`;
  $('shared-list').textContent = String(list);
}

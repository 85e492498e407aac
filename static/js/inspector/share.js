// Makes a redacted copy of the folder to share, and opens such a copy. Loaded by inspector/main.js and inspector/route.js.
// A reader of its own looks through every file, piece by piece; the page shows what would be replaced; then the same
// reader writes the copy. The worker ends with the page.

import { $, setHTML, saveFile, announce, slotText } from '../shared/dom.js';
import { Failure, toFailure } from '../files/failure.js';
import { pack, unpack } from '../files/pack.js';
import { buildSharedCopy } from './save-copy.js';
import { language } from './language.js';
import { tr, trCount } from '../shared/translate.js';
import * as time from '../shared/time.js';
import * as errors from './errors.js';
import { FILES, LEDGER_COUNT } from '../files/find-folders.js';
import { writeZip } from '../files/zip-write.js';

/** @import { Session } from './session.js' */

const PIECE_BYTES = 4 << 20;           // of a ledger that are handed over at once
const MAX_ATTACHMENT_BYTES = 10 << 20; // an attachment (§7); larger ones are not looked through
const MAX_PAGE_BYTES = 200 << 20;      // a zip that a page can carry
const READ_ORDER = [4, 3, 5, 6, 0, 1, 2];

/** The copy that the page is about. @type {FolderCopy|null} */
let current = null;

/** Ends the copy of the page before. */
export function leave() {
  if (current) current.end();
  current = null;
}

/** Looks through the folder, where the page is that of a copy. @param {Session} session @param {HTMLElement} view */
export async function start(session, view) {
  const marker = view.querySelector('[data-share]');
  if (!marker) return;
  const copy = current = new FolderCopy(session, marker);
  try {
    await copy.scan();
    const form = copy === current && await showForm(copy, marker);
    if (form) announce(form.querySelector('.share-news').textContent);
  } catch (error) {
    if (copy === current) showFailed(session, copy, view, toFailure(error));
  }
}

/** Puts the form of what was found, and what was chosen, in place of what is there. @param {FolderCopy} copy @param {HTMLElement} place */
async function showForm(copy, place) {
  const { body } = await copy.ask({ step: 'show', ...time.clock(), agent: copy.place.dataset.share, path: copy.place.dataset.key });
  if (copy !== current) return null;
  const box = document.createElement('div');
  setHTML(box, new TextDecoder().decode(body));
  const form = box.querySelector('form');
  place.replaceWith(form);
  form.addEventListener('submit', (/** @type {EventAt<HTMLFormElement, SubmitEvent>} */ event) => onSubmit(copy, event));
  return form;
}

/** @param {Session} session @param {FolderCopy} copy @param {HTMLElement} view @param {Failure} failure */
function showFailed(session, copy, view, failure) {
  copy.end();
  const place = view.querySelector('.share-wait progress');
  if (place) place.remove();
  errors.showFailure(failure, [[tr('Check again'), () => dispatchEvent(new HashChangeEvent('hashchange'))], [tr('Read the folder again'), () => session.reopen()]]);
}

/** @param {FolderCopy} copy @param {EventAt<HTMLFormElement, SubmitEvent>} event */
async function onSubmit(copy, event) {
  event.preventDefault();
  const form = event.target, status = form.querySelector('.share-said'), format = event.submitter && event.submitter.getAttribute('value');
  if (copy.isBusy || !format) return;
  copy.isBusy = true;
  status.textContent = tr('The copy is being written…');
  try {
    const made = new Date(), fields = new URLSearchParams(/** @type {any} it has no files */ (new FormData(form))).toString();
    const message = format === 'zip' ? await copy.saveZip(fields, made) : await copy.savePage(fields, made);
    if (copy.leavesReceipt) { // the form then says what a receipt would show, with the choices as they are
      const now = await showForm(copy, form);
      if (now) now.querySelector('.share-said').textContent = message + ' ' + tr('A receipt was not included, because it would show values that are replaced: see above.');
    } else status.textContent = message;
  } catch (error) {
    status.textContent = '';
    if (copy === current) errors.showFailure(toFailure(error), []);
  } finally {
    copy.isBusy = false;
  }
}

/** A copy that is being made, with a worker of its own. */
class FolderCopy {
  /** @param {Session} session @param {HTMLElement} place where the page says whose copy it is */
  constructor(session, place) {
    this.session = session;
    this.place = place;
    this.agent = Number(place.dataset.share) - 1;
    this.worker = session.readers.startWorker('share');
    this.isBusy = this.hasEnded = false;
    this.total = this.done = 0; // bytes to be read, for the bar
    this.leavesReceipt = false; // whether a receipt is left out, which would show what is replaced
    /** Names of the attachments. @type {string[]} */
    this.names = [];
  }

  /** Ends its worker. */
  end() {
    this.hasEnded = true;
    this.worker.kill(new Failure('cancelled', 'It is no longer needed.'));
  }

  /** @param {{step: string} & Record<string, any>} request @param {Uint8Array} [payload] @returns {Promise<{head: any, body: Uint8Array<ArrayBuffer>}>} */
  async ask(request, payload) {
    await this.worker.ready;
    if (this.hasEnded) throw new Failure('cancelled');
    const header = { language: language(), op: 'share', ...request };
    const answer = await this.worker.ask('reader', { header, payload }, { transfer: payload ? [payload.buffer] : [] });
    if (answer.head.error) throw new Failure('answer', answer.head.error);
    return answer;
  }

  /** A file that the protocol names. @param {number} number @returns {Promise<Blob|null>} */
  file(number) {
    return this.session.askEngine('protocolFile', { agent: this.agent, file: number });
  }

  /** @param {string} name @returns {Promise<File>} */
  attachment(name) {
    return this.session.askEngine('attachment', { agent: this.agent, name });
  }

  /** Reads everything once, and once more to count what is replaced. */
  async scan() {
    const id = this.place.dataset.ask;
    await this.ask({ step: 'begin', id });
    await this.measureTotal();
    if (id) for (const number of [1, 0]) await this.forEachPiece(number, (name, bytes) => this.ask({ step: 'gather', name }, bytes));
    for (const number of READ_ORDER) await this.forEachPiece(number, (name, bytes) => this.ask({ step: 'learn', name }, bytes));
    const all = await this.session.askEngine('attachmentNames', this.agent);
    const pairs = unpack((await this.ask({ step: 'wants' }, pack(all))).body);
    this.names = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const file = await this.attachment(pairs[i]).catch(() => /** @type {File|null} */ (null)); // gone since: the copy has no such file either
      if (!file) continue;
      const read = pairs[i + 1] === '1' && file.size <= MAX_ATTACHMENT_BYTES, bytes = read ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
      await this.ask({ step: 'attachment', name: pairs[i], size: file.size, document: read }, bytes);
      this.names.push(pairs[i]);
      this.addProgress(file.size);
    }
    for (const { name, file } of this.session.folder.receipts) await this.ask({ step: 'receipt', name }, new Uint8Array(await file.arrayBuffer()));
    await this.ask({ step: 'settle', form: '' });
    await this.write(() => {});
  }

  /** How much there is to read, for the bar. */
  async measureTotal() {
    this.total = this.done = 0;
    for (const number of READ_ORDER) {
      const file = await this.file(number);
      if (file) this.total += file.size;
    }
    this.total *= 2;
  }

  /** Moves the bar on. @param {number} bytes that were read */
  addProgress(bytes) {
    this.done += bytes;
    const bar = this.place.querySelector('progress');
    if (bar && this.total) bar.value = Math.min(1, this.done / this.total);
  }

  /**
   * A file in pieces: of a ledger whole lines, of others all of it.
   * @param {number} number @param {(name: string, bytes: Uint8Array) => Promise<unknown>} use @returns {Promise<void>}
   */
  async forEachPiece(number, use) {
    const file = await this.file(number), name = FILES[number];
    if (!file) return;
    if (number >= LEDGER_COUNT) return void await use(name, new Uint8Array(await file.arrayBuffer()));
    let rest = new Uint8Array();
    for (let at = 0; at < file.size || !at; at += PIECE_BYTES) {
      const more = new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer()), all = new Uint8Array(rest.length + more.length);
      all.set(rest);
      all.set(more, rest.length);
      this.addProgress(more.length);
      const end = at + PIECE_BYTES < file.size ? all.lastIndexOf(10) + 1 : all.length;
      rest = all.slice(end);
      if (end || !file.size) await use(name, all.slice(0, end));
    }
  }

  /** Writes every file of the copy. @param {(path: string, content: Blob) => void} put */
  async write(put) {
    for (const number of READ_ORDER) {
      /** @type {BlobPart[]} */
      const parts = [];
      let isThere = false;
      await this.forEachPiece(number, async (name, bytes) => {
        const { head, body } = await this.ask({ step: 'write', name }, bytes);
        if (!head.missing) isThere = Boolean(parts.push(body));
      });
      if (isThere) put(`.figs/${FILES[number]}`, new Blob(parts));
    }
    for (const name of this.names) {
      const file = await this.attachment(name);
      const { head, body } = await this.ask({ step: 'write', name }, new Uint8Array(await file.arrayBuffer()));
      if (!head.missing) put(`.figs/artifacts/${head.name}`, new Blob([body]));
    }
  }

  /** The copy as it was chosen. @param {string} form @param {Date} made */
  async build(form, made) {
    await this.ask({ step: 'choose', form });
    /** @type {Array<[string, Blob]>} */
    const files = [];
    await this.write((path, blob) => files.push([path, blob]));
    const receipts = await this.ask({ step: 'enclosed' }), pairs = unpack(receipts.body);
    this.leavesReceipt = Boolean(receipts.head.missing);
    for (let i = 0; i < pairs.length; i += 2) files.push([pairs[i], new Blob([pairs[i + 1]])]);
    const { head, body } = await this.ask({ step: 'list', now: isoTime(made) });
    files.push(['REDACTED.txt', new Blob([body])]);
    return { name: head.name, changed: Number(head.note), list: new TextDecoder().decode(body), zip: await writeZip(files, made) };
  }

  /** Saves it as a zip. @param {string} form @param {Date} made */
  async saveZip(form, made) {
    const { name, zip } = await this.build(form, made);
    saveFile(name + '.figs.zip', 'application/zip', [zip]);
    return tr('{0} was saved. Drop it on this page to see it as others will.', name + '.figs.zip');
  }

  /** Saves it as a page that carries it. @param {string} form @param {Date} made */
  async savePage(form, made) {
    const { name, changed, list, zip } = await this.build(form, made);
    if (zip.size > MAX_PAGE_BYTES) throw new Failure('memory', 'The folder is too large for a single page. Save it as .figs.zip instead.');
    const sharedCopy = { name: name + '.figs.zip', at: this.place.dataset.ask ? '/1/asks/1' : '/1', made: isoTime(made), count: changed, list, zip: await base64(zip) };
    saveFile(name + '.html', 'text/html', [await buildSharedCopy(JSON.stringify(sharedCopy).replaceAll('<', '\\u003c'))]);
    return tr('{0} was saved. Double-click it to open it on any computer.', name + '.html');
  }
}

/** ISO-8601, to the second. @param {Date} date */
const isoTime = date => date.toISOString().replace(/\.\d+Z$/, 'Z');

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
 * @typedef {{name: string, at: string, made: string, count: number, list: string, zip: string}} SharedCopy
 *   at: the page to show; count: how many places were replaced; list: of them; zip: in base64
 * @returns {SharedCopy|null}
 */
export function sharedFolder() {
  const text = slotText('share');
  if (!text.trim()) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Opens the folder that travels inside this file, on the page that it was shared for. @param {Session} session @param {SharedCopy} shared */
export function openShared(session, shared) {
  const bytes = Uint8Array.from(atob(shared.zip), c => c.charCodeAt(0)); // the same way as samples
  const file = new File([bytes], String(shared.name));
  session.getSharedCopy = async () => [{ file }];
  if (!location.hash.startsWith('#/')) history.replaceState(history.state, '', '#' + String(shared.at));
  session.open(session.getSharedCopy).finally(() => document.documentElement.classList.remove('in-shared'));
  showBanner(shared);
}

/** Says on top of every page what this is, with the list of what was replaced. @param {SharedCopy} shared */
function showBanner({ made, count: places, list }) {
  const day = new Date(made), when = isNaN(Number(day)) ? '' : day.toLocaleDateString(language(), { day: 'numeric', month: 'long', year: 'numeric' });
  $('shared').hidden = false;
  $('shared-said').textContent = [when ? tr('Redacted copy, made on {0}.', when) : tr('Redacted copy.'),
    places === 0 ? tr('Nothing was replaced.') : trCount(Number(places), 'Placeholders replace the original text in 1 place.', 'Placeholders replace the original text in {0} places.')].join(' ');
  $('shared-list').textContent = String(list);
}

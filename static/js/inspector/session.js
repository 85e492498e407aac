// Holds the folder that is open and the workers that read it. Loaded by inspector/main.js.
// It keeps the sources to read again. A folder is never stored; closing the page forgets it.

import { $, count, say, size, slot, visible } from '../shared/dom.js';
import { Failure, failureOf } from '../files/failure.js';
import { Peer } from './worker-client.js';
import { Readers } from './readers.js';
import { study } from './project.js';
import { clock } from '../shared/time.js';
import * as errors from './errors.js';

const SOON = 80; // ms until the progress bar is shown; faster readings never show it

/**
 * @typedef {import('../worker/sources.js').Source} Source
 * @typedef {import('./folder-input.js').Give} Give
 * @typedef {{path: string, name: string, lines: number, errors: number}} AgentSummary
 * @typedef {{name: string, top: string, number?: number, roots?: import('./project.js').Root[]}} Others the other folders of agents
 * @typedef {{agents: AgentSummary[], others: Others|null, receipts: import('../files/find-receipts.js').Receipt[], copies: string[], keep: boolean, bytes: number,
 *   top: string[], empty: boolean, changed: string[], notes: string[], skipped: Array<{name: string, times: number}>, ms: number, now: string, more?: boolean}} OpenFolder
 *   copies: paths of lists of what was replaced, in copies that were made to be shown; keep: whether the ledgers are kept in
 *   memory; bytes: of the ledgers; top: names in the first folder; more: other agents are still being read
 */

export class Session {
  /** @param {{heard: (kind: string, value: any) => void, opened: () => void, closed: () => void}} page */
  constructor(page) {
    this.page = page;
    /** The folder that is open. @type {OpenFolder|null} */
    this.folder = null;
    /** Gives its sources. @type {Give|null} */
    this.give = null;
    /** Gives the copy that this page carries. @type {Give|null} */
    this.copy = null;
    /** What give gave when the page was last shown. @type {Give|null} */
    this.shown = null;
    /** @type {Promise<void>|null} */
    this.reading = null;
    this.turn = 0; // which reading is the newest
    /** What is being read. @type {{give: Give, sources: Source[]}|null} */
    this.starting = null;
    /** The same of a folder of which some agents are shown while others are read. @type {{give: Give, sources: Source[]}|null} */
    this.part = null;
    this.begun = false; // whether the engine has forgotten what was open before
    this.now = ''; // when the folder was read, ISO-8601
    this.studying = false; // whether a reader learns the other folders
    this.studies = 0; // how often one has
    /** The same once more, for a page. @type {Promise<any>|null} */
    this.anew = null;
    /** Attachments that were shown, "agent/key", with the SHA-256 of what was shown; "" of a comparison. @type {Map<string, string>} */
    this.seen = new Map();
    /** Those that count as viewed for an approval, "agent/key", with that SHA-256. @type {Map<string, string>} */
    this.viewed = new Map();
    /** How many percent of an attachment were on the screen, "agent/key". @type {Map<string, number>} */
    this.parts = new Map();
    /** The engine that read the folder. @type {Peer|null} */
    this.engineOf = null;
    this.startEngine();
    this.readers = new Readers(page.heard, this.ready.catch(() => {}));
  }

  startEngine() {
    this.started = false;
    this.engine = new Peer('engine', (kind, value) => {
      if (kind === 'progress') this.progress(value);
      else if (kind === 'begun') this.begun = true;
      else if (kind === 'part') this.showPart(value);
      else if (kind === 'dead') this.replaceEngine(value);
      else this.page.heard(kind, value);
    });
    this.ready = this.engine.ask('boot', { role: 'engine', text: slot('engine') }, { limit: 60_000 });
    this.ready.then(() => {
      this.started = true;
      this.page.heard('ready', { role: 'engine' });
      this.warm();
    }, () => {});
  }

  /** Reads a made-up folder and writes its first view, once the reader is ready: until then both cores have enough to do. Nobody sees it. */
  async warm() {
    const { engine, readers } = this;
    try {
      await readers.view.ready;
      const { head } = await readers.ask('view', { op: 'plan', path: '/' });
      const selection = await engine.ask('warm', head.request);
      if (selection) await readers.ask('view', { op: 'page', path: '/', ...clock() }, selection);
    } catch {} // it only costs the first folder some time
  }

  /** An engine that had started is replaced; one that never could is reported. @param {Failure} failure */
  replaceEngine(failure) {
    this.begun = true;
    this.ready.then(() => this.startEngine(), () => this.page.heard('stuck', failure));
  }

  /** Opens what was given; an earlier reading that still runs is cancelled first. @param {Give} give */
  async open(give) {
    performance.clearMarks('drop');
    performance.mark('drop');
    errors.hide();
    const turn = ++this.turn;
    while (this.reading) {
      this.cancel();
      await this.reading;
      if (turn !== this.turn) return; // something newer was given meanwhile
    }
    this.reading = this.read(give).finally(() => { this.reading = null; });
    await this.reading;
  }

  /** @param {Give} give */
  async read(give) {
    this.begun = false;
    const show = setTimeout(() => this.showProgress(), SOON);
    let read = false;
    try {
      const sources = await give();
      await this.ready;
      this.starting = { give, sources };
      const folder = await this.ask(sources);
      folder.others &&= await this.learn(folder, (op, value) => this.engine.ask(op, value));
      if (!folder.agents.length && !folder.receipts.length && !folder.others) return nothing(folder);
      if (!this.part) this.set(folder);
      this.folder = folder;
      performance.mark('folder-read');
      errors.showNotes(notesOf(folder), folder.changed);
      this.page.opened();
      read = true;
    } catch (error) {
      const failure = failureOf(error);
      if (this.begun) {
        this.folder = null;
        this.page.closed();
      }
      if (failure.code === 'cancelled') errors.show({ title: 'Reading was cancelled', text: 'Nothing of it is kept.', steps: [['Read it again', () => this.open(give)]] });
      else errors.showFailure(failure, failure.code === 'none_read' ? [] : [['Try again', () => this.open(give)]]);
    } finally {
      clearTimeout(show);
      this.part = null;
      if (read && $('view').hidden && !$('progress').hidden) this.showWriting();
      else $('progress').hidden = true;
    }
  }

  /** Another folder is open now. @param {OpenFolder} folder */
  set(folder) {
    this.give = this.starting.give;
    this.folder = folder;
    this.engineOf = this.engine;
    this.seen.clear();
    this.viewed.clear();
    this.parts.clear();
  }

  /** Shows the first agents while others are read. @param {Pick<OpenFolder, 'agents'|'keep'|'bytes'>} first */
  showPart({ agents, keep, bytes }) {
    this.part = this.starting;
    this.set({ agents, keep, bytes, now: this.now, others: null, receipts: [], copies: [], changed: [], notes: [], skipped: [], top: [], empty: false, ms: 0, more: true });
    performance.mark('folder-part');
    this.page.opened();
  }

  /** Reads with all bytes kept; when they do not fit, once more with an index only. @param {Source[]} sources @returns {Promise<OpenFolder>} */
  async ask(sources) {
    const now = (this.now = new Date().toISOString().replace(/\.\d+Z$/, 'Z'));
    const send = async (/** @type {boolean|undefined} */ keep = undefined) => ({ now, ...await this.engine.ask('read', { sources, now, keep }) });
    const own = sources.map(source => source.trip).filter(Boolean);
    const folder = await send().catch(async error => {
      if (error.code !== 'memory') throw error;
      await this.ready;
      return send(false);
    });
    for (const trip of own) {
      folder.notes.push(...trip.notes);
      folder.top.push(...trip.top);
      folder.skipped.push(...trip.skipped.map(([name, times]) => ({ name, times })));
    }
    return folder;
  }

  /**
   * Lets a reader learn the other folders of agents; what cannot be learned is said, where there is something else to show.
   * @param {OpenFolder} folder @param {(op: string, value?: any) => Promise<Uint8Array>} ask @returns {Promise<Others|null>}
   */
  async learn(folder, ask) {
    const number = this.studies = this.studies + 1;
    try {
      this.studying = true;
      const { roots, notes = [] } = await study(this.readers, ask, folder, number);
      folder.notes.push(...notes);
      return roots && { ...folder.others, number, roots };
    } catch (error) {
      if (!folder.agents.length || error.code === 'cancelled') throw error;
      folder.notes.push(`The other folders that agents write were left out: ${error.message}`);
      return null;
    } finally {
      this.studying = false;
    }
  }

  /**
   * Asks the reader for a page. One that took the place of another has to learn the other folders first.
   * @param {object} request @param {Uint8Array} [selection] of the engine
   */
  async show(request, selection) {
    const { others } = this.folder || {};
    const ask = () => this.readers.ask('view', { ...request, project: others ? others.number : 0 }, selection);
    const answer = await ask();
    if (!answer.head.missing) return answer;
    this.anew ||= study(this.readers, (op, value) => this.query(op, value), this.folder, others.number).finally(() => { this.anew = null; });
    await this.anew;
    return ask();
  }

  /** The other folder that a page names as "p1"; else undefined. @param {string} agent */
  root(agent) {
    const { others } = this.folder || {};
    return agent[0] === 'p' && others ? others.roots[Number(agent.slice(1)) - 1] : undefined;
  }

  /** A file that a page names: of an agent by its number, "1", or of another folder, "p1". @param {string} agent @param {string} name @returns {Promise<File>} */
  file(agent, name) {
    const root = this.root(agent);
    if (root) return this.query('file', root.path === '.' ? name : root.path + '/' + name);
    return this.query('attachment', { agent: Number(agent) - 1, name });
  }

  /** Asks the engine about what is open. @param {string} op @param {any} [value] @returns {Promise<any>} */
  async query(op, value) {
    while (this.reading && this.begun && !this.part) await this.reading; // half an agent answers nothing
    if (this.lost()) throw new Failure('crash', 'What was read is gone with the part that read it. Read the folder again.');
    await this.ready;
    return this.engine.ask(op, value);
  }

  /** Whether what was read went down with the engine that read it. */
  lost() {
    return Boolean(this.folder) && this.engineOf !== this.engine;
  }

  /** Reads the folder again. */
  again() {
    if (this.give) this.open(this.give);
  }

  /** Ends what is being read; nothing of it is kept. */
  cancel() {
    this.engine.tell('cancel');
    if (this.studying) this.readers.end('view');
  }

  /** Ends the search for folders; what was found so far is opened. */
  stop() {
    this.engine.tell('stop');
  }

  /** Shows the bar of a reading that takes a while. */
  showProgress() {
    showBar('Reading', this.started ? '' : 'The page is still loading; reading starts when it is ready.', true);
    say('Reading the folder.');
  }

  /** Shows that reading is done and the first page is on its way. */
  showWriting() {
    const words = this.readers.module ? 'Preparing the first page…' : 'The page view is still loading.';
    showBar('Everything has been read.', words, false);
    say(words);
  }

  hideWriting() {
    if (!this.reading) $('progress').hidden = true;
  }

  /** @param {{seen?: number, found?: number, read?: number, file?: string, done?: number, total?: number, files?: number, of?: number}} value as the engine tells it */
  progress({ seen, found, read, file, done, total, files, of }) {
    $('progress-file').textContent = visible(file || 'Looking for .figs folders');
    $('progress-stop').hidden = !(seen && found);
    if (total) $('progress-bar').value = done / total;
    if (read && found) {
      $('progress-bytes').textContent = `${read.toLocaleString('en')} of ${count(found, 'agent')} found so far ${read === 1 ? 'is' : 'are'} read`;
    } else if (seen) $('progress-bytes').textContent = count(seen, 'file') + ' and folders looked at' + (found ? `, ${count(found, 'agent')} found` : '');
    else if (of) $('progress-bytes').textContent = `${files.toLocaleString('en')} of ${count(of, 'file')}`;
    else if (total) $('progress-bytes').textContent = `${size(done)} of ${size(total)}`;
  }
}

/** Shows a bar whose end is not known yet, with a sentence below it. @param {string} title @param {string} sentence @param {boolean} cancellable */
function showBar(title, sentence, cancellable) {
  $('progress').hidden = false;
  $('progress-stop').hidden = true;
  $('progress').querySelector('[data-act="cancel"]').hidden = !cancellable;
  $('progress-bar').removeAttribute('value');
  $('progress-title').textContent = title;
  $('progress-file').textContent = '';
  $('progress-bytes').textContent = sentence;
}

/** What there is to say about a reading. @param {Pick<OpenFolder, 'notes'|'skipped'|'keep'|'bytes'>} folder */
function notesOf({ notes, skipped, keep, bytes }) {
  const lines = [...notes];
  if (skipped.length) lines.push('Not looked into: ' + skipped.map(({ name, times }) => name + (times > 1 ? ` (${times}×)` : '')).join(', ') + '.');
  if (!keep) lines.push(`The ledgers are large (${size(bytes)}), so only an index of them is kept in memory; lines are read from disk again when they are shown, and a search finds ids only.`);
  return lines;
}

/** Says that there is nothing to show, and what was seen. @param {OpenFolder} folder */
function nothing({ top, notes, skipped, empty }) {
  if (empty && !top.length && !notes.length) {
    errors.show({
      title: 'There are no files in this',
      text: 'What you opened is empty. If it should hold a .figs folder, look at it on your disk: symbolic links are left out by browsers, and a zip may have been written before its files were added.',
      list: [],
    });
    return;
  }
  const list = [...notesOf({ notes, skipped, keep: true, bytes: 0 })];
  if (top.length) list.unshift('Seen at the top: ' + top.join(', '));
  errors.show({
    title: 'There is no .figs folder in this',
    text: 'An agent keeps its ledgers in a folder named .figs at the top of its project: runs.jsonl, asks.jsonl, messages.jsonl and agent.json. Drop that folder or the project around it. Other folders that are read here: .flue-runtime/artifacts, .agents/findings, and workflows with their artifacts. If .figs is a symbolic link, browsers leave it out: drop the folder that it leads to. The samples on the first page show what one looks like.',
    list,
  });
}

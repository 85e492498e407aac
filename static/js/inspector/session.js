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

export class Session {
  /** @param {{heard: (kind: string, value: any) => void, opened: () => void, closed: () => void}} page */
  constructor(page) {
    this.page = page;
    this.folder = null;   // the last answer of the engine's "read"
    this.give = null;     // gives the sources, again and again
    this.copy = null;     // gives the copy that this page carries
    this.reading = null;
    this.part = null;     // the sources of a folder of which some agents are shown while others are read
    this.studying = false; // whether a reader learns the other folders
    this.anew = null;     // the same once more, for a page
    this.seen = new Map(); // attachments that were shown, "agent/key", with the SHA-256 of what was shown; "" of a comparison
    this.viewed = new Map(); // those that count as viewed for an approval, "agent/key", with that SHA-256
    this.parts = new Map(); // how many percent of an attachment were on the screen, "agent/key"
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

  /** An engine that had started is replaced; one that never could is reported. */
  replaceEngine(failure) {
    this.begun = true;
    this.ready.then(() => this.startEngine(), () => this.page.heard('stuck', failure));
  }

  /** Opens what was given; an earlier reading that still runs is cancelled first. */
  async open(give) {
    performance.clearMarks('drop');
    performance.mark('drop');
    errors.hide();
    const turn = (this.turn = (this.turn || 0) + 1);
    while (this.reading) {
      this.cancel();
      await this.reading;
      if (turn !== this.turn) return; // something newer was given meanwhile
    }
    this.reading = this.read(give).finally(() => { this.reading = null; });
    await this.reading;
  }

  async read(give) {
    this.begun = false; // whether the engine has already forgotten what was open before
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

  /** Another folder is open now. */
  set(folder) {
    Object.assign(this, this.starting, { folder, engineOf: this.engine });
    this.seen.clear();
    this.viewed.clear();
    this.parts.clear();
  }

  /** Shows the first agents while others are read. */
  showPart({ agents, keep, bytes }) {
    this.part = this.starting;
    this.set({ agents, keep, bytes, now: this.now, others: null, receipts: [], copies: [], changed: [], notes: [], ms: 0, more: true });
    performance.mark('folder-part');
    this.page.opened();
  }

  /** Reads with all bytes kept; when they do not fit, once more with an index only. */
  async ask(sources) {
    const now = (this.now = new Date().toISOString().replace(/\.\d+Z$/, 'Z'));
    const send = async keep => ({ now, ...await this.engine.ask('read', { sources, now, keep }) });
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

  /** Lets a reader learn the other folders of agents; what cannot be learned is said, where there is something else to show. */
  async learn(folder, ask) {
    const number = this.studies = (this.studies || 0) + 1;
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

  /** Asks the reader for what shows them. One that took the place of another has yet to learn them. */
  async show(request, selection) {
    const { others } = this.folder || {};
    const ask = () => this.readers.ask('view', { ...request, project: others ? others.number : 0 }, selection);
    const answer = await ask();
    if (!answer.head.missing) return answer;
    this.anew ||= study(this.readers, (op, value) => this.query(op, value), this.folder, others.number).finally(() => { this.anew = null; });
    await this.anew;
    return ask();
  }

  /** The other folder that a page names as "p1"; else undefined. */
  root(agent) {
    const { others } = this.folder || {};
    return agent[0] === 'p' && others ? others.roots[agent.slice(1) - 1] : undefined;
  }

  /** A file that a page names: of an agent by its number, "1", or of another folder, "p1". */
  file(agent, name) {
    const root = this.root(agent);
    if (root) return this.query('file', root.path === '.' ? name : root.path + '/' + name);
    return this.query('attachment', { agent: agent - 1, name });
  }

  /** Asks the engine about what is open. */
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

  again() {
    if (this.give) this.open(this.give);
  }

  cancel() {
    this.engine.tell('cancel');
    if (this.studying) this.readers.end('view');
  }

  /** Ends the search for folders; what was found so far is opened. */
  stop() {
    this.engine.tell('stop');
  }

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

/** Shows a bar whose end is not known yet, with a sentence below it. */
function showBar(title, sentence, cancellable) {
  $('progress').hidden = false;
  $('progress-stop').hidden = true;
  $('progress').querySelector('[data-act="cancel"]').hidden = !cancellable;
  $('progress-bar').removeAttribute('value');
  $('progress-title').textContent = title;
  $('progress-file').textContent = '';
  $('progress-bytes').textContent = sentence;
}

function notesOf({ notes, skipped, keep, bytes }) {
  const lines = [...notes];
  if (skipped.length) lines.push('Not looked into: ' + skipped.map(({ name, times }) => name + (times > 1 ? ` (${times}×)` : '')).join(', ') + '.');
  if (!keep) lines.push(`The ledgers are large (${size(bytes)}), so only an index of them is kept in memory; lines are read from disk again when they are shown, and a search finds ids only.`);
  return lines;
}

function nothing({ top, notes, skipped, empty }) {
  if (empty && !top.length && !notes.length) {
    errors.show({
      title: 'There are no files in this',
      text: 'What you opened is empty. If it should hold a .figs folder, look at it on your disk: symbolic links are left out by browsers, and a zip may have been written before its files were added.',
      list: [],
    });
    return;
  }
  const list = [...notesOf({ notes, skipped, keep: true })];
  if (top.length) list.unshift('Seen at the top: ' + top.join(', '));
  errors.show({
    title: 'There is no .figs folder in this',
    text: 'An agent keeps its ledgers in a folder named .figs at the top of its project: runs.jsonl, asks.jsonl, messages.jsonl and agent.json. Drop that folder or the project around it. Other folders that are read here: .flue-runtime/artifacts, .agents/findings, and workflows with their artifacts. If .figs is a symbolic link, browsers leave it out: drop the folder that it leads to. The samples on the first page show what one looks like.',
    list,
  });
}

// Holds the folder that is open and the workers that read it. Loaded by inspector/main.js.
// It keeps the sources to read again. A folder is never stored; closing the page forgets it.

import { $, announce, formatBytes, slotText, revealInvisible } from '../shared/dom.js';
import { formatNumber, tr } from '../shared/translate.js';
import { Failure, toFailure } from '../files/failure.js';
import { WorkerClient } from './worker-client.js';
import { Readers } from './readers.js';
import { readProject } from './project.js';
import { clock } from '../shared/time.js';
import * as errors from './errors.js';

const PROGRESS_DELAY_MS = 80; // until the progress bar is shown; faster readings never show it

/**
 * @typedef {import('../worker/sources.js').Source} Source
 * @typedef {import('./folder-input.js').GetSources} GetSources
 * @typedef {{path: string, name: string, lines: number, errors: number}} AgentSummary
 * @typedef {{name: string, top: string, number?: number, roots?: import('./project.js').Root[]}} Project the other folders of agents
 * @typedef {{agents: AgentSummary[], project: Project|null, receipts: import('../files/find-receipts.js').Receipt[], redactionLists: string[], keep: boolean, bytes: number,
 *   top: string[], empty: boolean, changed: string[], notes: string[], skipped: Array<{name: string, times: number}>, ms: number, now: string, more?: boolean}} OpenFolder
 *   redactionLists: paths of lists of what was replaced, in copies that were made to be shown; keep: whether the ledgers are kept in
 *   memory; bytes: of the ledgers; top: names in the first folder; more: other agents are still being read
 */

/** The folder that is open, and the workers. */
export class Session {
  /** @param {{onEvent: (kind: string, value: any) => void, onOpened: () => void, onClosed: () => void}} page */
  constructor(page) {
    this.page = page;
    /** The folder that is open. @type {OpenFolder|null} */
    this.folder = null;
    /** Gives its sources. @type {GetSources|null} */
    this.getSources = null;
    /** Gives the copy that this page carries. @type {GetSources|null} */
    this.getSharedCopy = null;
    /** The same of the folder that the page showed last. @type {GetSources|null} */
    this.shownSources = null;
    /** @type {Promise<void>|null} */
    this.reading = null;
    this.generation = 0; // which reading is the newest
    /** What is being read. @type {{getSources: GetSources, sources: Source[]}|null} */
    this.pending = null;
    /** The same of a folder of which some agents are shown while others are read. @type {{getSources: GetSources, sources: Source[]}|null} */
    this.partial = null;
    this.isEngineCleared = false; // whether the engine has forgotten what was open before
    this.now = ''; // when the folder was read, ISO-8601
    this.isReadingProject = false; // whether a reader learns the other folders
    this.projectCount = 0; // how often one has
    /** The same once more, for a page. @type {Promise<any>|null} */
    this.projectReload = null;
    /** Attachments that were shown, "agent/key", with the SHA-256 of what was shown; "" of a comparison. @type {Map<string, string>} */
    this.shownFiles = new Map();
    /** Those that count as viewed for an approval, "agent/key", with that SHA-256. @type {Map<string, string>} */
    this.viewedFiles = new Map();
    /** How many percent of an attachment were on the screen, "agent/key". @type {Map<string, number>} */
    this.percentSeen = new Map();
    /** The engine that read the folder. @type {WorkerClient|null} */
    this.folderEngine = null;
    this.startEngine();
    this.readers = new Readers(page.onEvent, this.ready.catch(() => {}));
  }

  /** Starts the engine's worker. */
  startEngine() {
    this.started = false;
    this.engine = new WorkerClient('engine', (kind, value) => {
      if (kind === 'progress') this.progress(value);
      else if (kind === 'cleared') this.isEngineCleared = true;
      else if (kind === 'partial') this.showPart(value);
      else if (kind === 'dead') this.replaceEngine(value);
      else this.page.onEvent(kind, value);
    });
    this.ready = this.engine.ask('boot', { role: 'engine', text: slotText('engine') }, { limit: 60_000 });
    this.ready.then(() => {
      this.started = true;
      this.page.onEvent('ready', { role: 'engine' });
      this.warmUp();
    }, () => {});
  }

  /** Reads a made-up folder and writes its first view, once the reader is ready: until then both cores have enough to do. No one sees it. */
  async warmUp() {
    const { engine, readers } = this;
    try {
      await readers.view.ready;
      const { head } = await readers.ask('view', { op: 'plan', path: '/' });
      const selection = await engine.ask('warmUp', head.request);
      if (selection) await readers.ask('view', { op: 'page', path: '/', ...clock() }, selection);
    } catch {} // it only costs the first folder some time
  }

  /** An engine that had started is replaced; one that never could is reported. @param {Failure} failure */
  replaceEngine(failure) {
    this.isEngineCleared = true;
    this.ready.then(() => this.startEngine(), () => this.page.onEvent('stuck', failure));
  }

  /** Opens what was given; an earlier reading that still runs is cancelled first. @param {GetSources} getSources */
  async open(getSources) {
    performance.clearMarks('drop');
    performance.mark('drop');
    errors.hide();
    const generation = ++this.generation;
    while (this.reading) {
      this.cancel();
      await this.reading;
      if (generation !== this.generation) return; // something newer was given meanwhile
    }
    this.reading = this.read(getSources).finally(() => { this.reading = null; });
    await this.reading;
  }

  /** Reads what was given and shows it, or says why not. @param {GetSources} getSources */
  async read(getSources) {
    this.isEngineCleared = false;
    const progressTimer = setTimeout(() => this.showProgress(), PROGRESS_DELAY_MS);
    let isRead = false;
    try {
      const sources = await getSources();
      await this.ready;
      this.pending = { getSources, sources };
      const folder = await this.readFolder(sources);
      folder.project &&= await this.readProjectFolders(folder, (op, value) => this.engine.ask(op, value));
      if (!folder.agents.length && !folder.receipts.length && !folder.project) return showNothingFound(folder);
      if (!this.partial) this.setFolder(folder);
      this.folder = folder;
      performance.mark('folder-read');
      errors.showNotes(noteLines(folder), folder.changed);
      this.page.onOpened();
      isRead = true;
    } catch (error) {
      const failure = toFailure(error);
      if (this.isEngineCleared) {
        this.folder = null;
        this.page.onClosed();
      }
      if (failure.code === 'cancelled') errors.show({ title: tr('Reading was cancelled'), text: tr('Nothing from this folder was kept.'), steps: [[tr('Read it again'), () => this.open(getSources)]] });
      else errors.showFailure(failure, failure.code === 'none_read' ? [] : [[tr('Try again'), () => this.open(getSources)]]);
    } finally {
      clearTimeout(progressTimer);
      this.partial = null;
      if (isRead && $('view').hidden && !$('progress').hidden) this.showWriting();
      else $('progress').hidden = true;
      if (!isRead) announce(''); // "Reading the folder." is no longer so
    }
  }

  /** Another folder is open now. @param {OpenFolder} folder */
  setFolder(folder) {
    this.getSources = this.pending.getSources;
    this.folder = folder;
    this.folderEngine = this.engine;
    this.shownFiles.clear();
    this.viewedFiles.clear();
    this.percentSeen.clear();
  }

  /** Shows the first agents while others are read. @param {Pick<OpenFolder, 'agents'|'keep'|'bytes'>} first */
  showPart({ agents, keep, bytes }) {
    this.partial = this.pending;
    this.setFolder({ agents, keep, bytes, now: this.now, project: null, receipts: [], redactionLists: [], changed: [], notes: [], skipped: [], top: [], empty: false, ms: 0, more: true });
    performance.mark('folder-part');
    this.page.onOpened();
  }

  /** Reads with all bytes kept; when they do not fit, once more with an index only. @param {Source[]} sources @returns {Promise<OpenFolder>} */
  async readFolder(sources) {
    const now = (this.now = new Date().toISOString().replace(/\.\d+Z$/, 'Z'));
    const send = async (/** @type {boolean|undefined} */ keep = undefined) => ({ now, ...await this.engine.ask('read', { sources, now, keep }) });
    const walks = sources.map(source => source.walkNotes).filter(Boolean);
    const folder = await send().catch(async error => {
      if (error.code !== 'memory') throw error;
      await this.ready;
      return send(false);
    });
    for (const walk of walks) {
      folder.notes.push(...walk.notes);
      folder.top.push(...walk.topNames);
      folder.skipped.push(...walk.skipped.map(([name, times]) => ({ name, times })));
    }
    return folder;
  }

  /**
   * Lets a reader learn the other folders of agents; what cannot be learned is said, where there is something else to show.
   * @param {OpenFolder} folder @param {(op: string, value?: any) => Promise<Uint8Array>} ask @returns {Promise<Project|null>}
   */
  async readProjectFolders(folder, ask) {
    const number = ++this.projectCount;
    try {
      this.isReadingProject = true;
      const { roots, notes = [] } = await readProject(this.readers, ask, folder, number);
      folder.notes.push(...notes);
      return roots && { ...folder.project, number, roots };
    } catch (error) {
      if (!folder.agents.length || error.code === 'cancelled') throw error;
      folder.notes.push(tr('Other agent folders were left out: {0}', error.message));
      return null;
    } finally {
      this.isReadingProject = false;
    }
  }

  /**
   * Asks the reader for a page. One that took the place of another has to learn the other folders first.
   * @param {object} request @param {Uint8Array} [selection] of the engine
   */
  async askReader(request, selection) {
    const { project } = this.folder || {};
    const ask = () => this.readers.ask('view', { ...request, project: project ? project.number : 0 }, selection);
    const answer = await ask();
    if (!answer.head.missing) return answer;
    this.projectReload ||= readProject(this.readers, (op, value) => this.askEngine(op, value), this.folder, project.number).finally(() => { this.projectReload = null; });
    await this.projectReload;
    return ask();
  }

  /** The other folder that a page names as "p1"; else undefined. @param {string} agent */
  projectRoot(agent) {
    const { project } = this.folder || {};
    return agent[0] === 'p' && project ? project.roots[Number(agent.slice(1)) - 1] : undefined;
  }

  /** A file that a page names: of an agent by its number, "1", or of another folder, "p1". @param {string} agent @param {string} name @returns {Promise<File>} */
  file(agent, name) {
    const root = this.projectRoot(agent);
    if (root) return this.askEngine('projectFile', root.path === '.' ? name : root.path + '/' + name);
    return this.askEngine('attachment', { agent: Number(agent) - 1, name });
  }

  /** Asks the engine about what is open. @param {string} op @param {any} [value] @returns {Promise<any>} */
  async askEngine(op, value) {
    while (this.reading && this.isEngineCleared && !this.partial) await this.reading; // of a folder that is half read nothing can be asked
    if (this.isLost()) throw new Failure('crash', 'The part of the page that held this folder has stopped. Read the folder again.');
    await this.ready;
    return this.engine.ask(op, value);
  }

  /** Whether the engine that read the folder has ended. */
  isLost() {
    return Boolean(this.folder) && this.folderEngine !== this.engine;
  }

  /** Reads the folder again. */
  reopen() {
    if (this.getSources) this.open(this.getSources);
  }

  /** Ends what is being read; nothing of it is kept. */
  cancel() {
    this.engine.send('cancel');
    if (this.isReadingProject) this.readers.kill('view');
  }

  /** Ends the search for folders; what was found so far is opened. */
  stopSearching() {
    this.engine.send('stopSearching');
  }

  /** Shows the bar of a reading that takes a while. */
  showProgress() {
    showBar(tr('Reading'), this.started ? '' : tr('The page is still loading. Reading starts when it is ready.'), true);
    announce(tr('Reading the folder.'));
  }

  /** Shows that reading is done and the first page is on its way. */
  showWriting() {
    const words = this.readers.module ? tr('Preparing the first page…') : tr('The page view is still loading.');
    showBar(tr('Everything has been read.'), words, false);
    announce(words);
  }

  /** The first page is there. */
  hideWriting() {
    if (!this.reading) $('progress').hidden = true;
  }

  /** @param {{seen?: number, found?: number, read?: number, file?: string, done?: number, total?: number, files?: number, of?: number}} value as the engine tells it */
  progress({ seen, found, read, file, done, total, files, of }) {
    $('progress-file').textContent = revealInvisible(file || tr('Looking for .figs folders'));
    $('progress-stop').hidden = !(seen && found);
    if (total) $('progress-bar').value = done / total;
    if (read && found) {
      $('progress-bytes').textContent = tr('Agents found so far: {0}; read: {1}', formatNumber(found), formatNumber(read));
    } else if (seen) $('progress-bytes').textContent = tr('Searched {0} files and folders; agents found: {1}', formatNumber(seen), formatNumber(found || 0));
    else if (of) $('progress-bytes').textContent = tr('{0} of {1} files', formatNumber(files), formatNumber(of));
    else if (total) $('progress-bytes').textContent = tr('{0} of {1}', formatBytes(done), formatBytes(total));
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
function noteLines({ notes, skipped, keep, bytes }) {
  const lines = [...notes];
  if (skipped.length) lines.push(tr('Skipped: {0}.', skipped.map(({ name, times }) => name + (times > 1 ? ` (${times}×)` : '')).join(', ')));
  if (!keep) lines.push(tr('The ledgers are large ({0}), so only an index is kept in memory. Lines are read from disk when shown, and search finds ids only.', formatBytes(bytes)));
  return lines;
}

/** Says that there is nothing to show, and what was seen. @param {OpenFolder} folder */
function showNothingFound({ top, notes, skipped, empty }) {
  if (empty && !top.length && !notes.length) {
    errors.show({
      title: tr('No files found'),
      text: tr('What you opened is empty. If it should contain a .figs folder, check it on disk: browsers skip symbolic links, and a zip may have been made before files were added.'),
      list: [],
    });
    return;
  }
  const list = [...noteLines({ notes, skipped, keep: true, bytes: 0 })];
  if (top.length) list.unshift(tr('Found at the top level: {0}', top.join(', ')));
  errors.show({
    title: tr('No .figs folder found'),
    text: tr('An agent keeps its ledgers in a folder named .figs at the top level of its project. Drop that folder or the whole project. This page also reads .flue-runtime/artifacts, .agents/findings, and workflows with their artifacts. Browsers skip symbolic links: if .figs is one, drop the folder that it points to. To see an example, open a sample on the start page.'),
    list,
  });
}

// Takes the folder that a person drops, chooses or pastes, or a sample. Loaded by inspector/main.js and inspector/opening-history.js.
// Each of these ways becomes a list of sources (sources.js); what a browser lacks falls back to the next best way.

import { $, closestTo, slotText } from '../shared/dom.js';
import { isReceiptName } from '../files/find-receipts.js';
import { pathsToSend, projectPrefix } from '../files/project-paths.js';
import { entryNode, FILES, walkFolder, PASTED_NAME, FolderWalk } from '../files/find-folders.js';

/** @import { NamedFile, Source } from '../worker/sources.js' */

/**
 * Listens to drops, pickers and paste.
 * @typedef {() => Promise<Source[]>} GetSources returns the sources; called again when they are read again
 * @param {(getSources: GetSources) => void} open is given whatever the person gives
 */
export function listen(open) {
  let depth = 0, isOwnDrag = false;
  const showOverlay = (/** @type {boolean} */ on) => { $('over').hidden = !on; };
  const hasContent = (/** @type {DragEvent} */ event) => !isOwnDrag && Array.from(event.dataTransfer.types).some(type => type === 'Files' || type === 'text/plain');
  addEventListener('dragstart', () => { isOwnDrag = true; }); // something of this page is moved about
  addEventListener('dragend', () => { isOwnDrag = false; });
  window.addEventListener('dragenter', event => { if (hasContent(event)) { event.preventDefault(); depth++; showOverlay(true); } });
  window.addEventListener('dragover', event => { if (hasContent(event)) { event.preventDefault(); event.dataTransfer.dropEffect = 'copy'; } });
  addEventListener('dragleave', () => { if (--depth <= 0) showOverlay((depth = 0) > 0); });
  window.addEventListener('drop', event => {
    event.preventDefault();
    showOverlay((depth = 0) > 0);
    const getSources = isOwnDrag ? null : droppedSources(event.dataTransfer);
    if (getSources) open(getSources);
  });
  window.addEventListener('paste', event => {
    if (closestTo(event, 'input, textarea, select')) return;
    const files = Array.from(event.clipboardData.files);
    const text = event.clipboardData.getData('text/plain');
    if (files.length) open(async () => files.map(file => ({ file })));
    else if (text.trim()) open(async () => [pastedSource(text)]);
  });
  const folderField = /** @type {HTMLInputElement} */ ($('pick-folder')), filesField = /** @type {HTMLInputElement} */ ($('pick-files'));
  folderField.onchange = () => useChosenFiles(folderField, files => open(async () => [folderSource(files)]));
  filesField.onchange = () => useChosenFiles(filesField, files => open(async () => files.map(file => ({ file }))));
}

/** Passes on the files of a field, and empties it. @param {HTMLInputElement} input @param {(files: File[]) => void} use */
function useChosenFiles(input, use) {
  const files = Array.from(input.files);
  input.value = '';
  if (files.length) use(files);
}

/** Asks for a folder: as a handle, which can be read again later, else as a list. @param {(getSources: GetSources) => void} open */
export async function pickFolder(open) {
  if (!window.showDirectoryPicker) return $('pick-folder').click();
  try {
    const handle = await window.showDirectoryPicker({ id: 'figs', mode: 'read' });
    open(async () => [{ handle }]);
  } catch (error) {
    if (error.name !== 'AbortError') $('pick-folder').click();
  }
}

/** Everything must be taken from the event at once: it is empty after the handler returns. @param {DataTransfer} data @returns {GetSources|null} */
function droppedSources(data) {
  const items = Array.from(data.items || []).filter(item => item.kind === 'file').map(item => ({
    handle: item.getAsFileSystemHandle ? item.getAsFileSystemHandle().catch(() => /** @type {FileSystemHandle|null} */ (null)) : null,
    entry: item.webkitGetAsEntry ? item.webkitGetAsEntry() : null,
    file: item.getAsFile(),
  }));
  if (items.length) return () => Promise.all(items.map(sourceOf));
  const files = Array.from(data.files || []);
  if (files.length) return async () => files.map(file => ({ file }));
  const text = data.getData('text/plain');
  return text.trim() ? async () => [pastedSource(text)] : null;
}

/**
 * The best that one dropped item offers. Asked again when the folder is read again.
 * @param {{handle: Promise<FileSystemHandle|null>|null, entry: FileSystemEntry|null, file: File|null}} item
 * @returns {Promise<Source>}
 */
async function sourceOf({ handle, entry, file }) {
  const granted = handle && await handle;
  if (granted) return { handle: granted };
  if (!entry) return { file };
  if (entry.isFile) return { file: await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject)).catch(() => file) };
  const walk = new FolderWalk();
  walk.openers = new Map();
  const agents = await walkFolder(entryNode(/** @type {FileSystemDirectoryEntry} */ (entry)), walk);
  return {
    agents: await Promise.all(agents.map(agentFiles)), receipts: await openAll(walk.receipts), name: entry.name, ...await projectFiles(walk, entry.name),
    walkNotes: { notes: walk.notes, topNames: walk.topNames, skipped: Array.from(walk.skipped) },
  };
}

/** The files that other folders of agents may name, where there is such a folder. @param {FolderWalk} walk @param {string} name */
async function projectFiles({ paths, openers }, name) {
  const sent = projectPrefix(name, paths) === undefined ? [] : pathsToSend(paths);
  const list = await Promise.all(sent.map(async path => /** @type {NamedFile} */ ([path, await openers.get(path)().catch(() => /** @type {File|null} */ (null))])));
  return { list: list.filter(([, file]) => file), isPartial: sent.length < paths.length };
}

/**
 * Opens all of a list.
 * @template {string|number} N
 * @param {Array<[N, () => Promise<File>, ...any]>} list @returns {Promise<Array<[N, File]>>}
 */
const openAll = list => Promise.all(list.map(async ([name, open]) => /** @type {[N, File]} */ ([name, await open()])));

/** Directory entries cannot be sent to a worker; the files in them can. @param {import('../files/find-folders.js').Agent} agent */
async function agentFiles(agent) {
  return { path: agent.path, files: await openAll(agent.files), artifacts: await openAll(agent.artifacts) };
}

/** A chosen folder lists everything below it; only what may matter is sent on. @param {File[]} files @returns {Source} */
export function folderSource(files) {
  /** @type {NamedFile[]} */
  const kept = [];
  const skipped = new Map(), name = files[0].webkitRelativePath.split('/')[0];
  for (const file of files) {
    const parts = file.webkitRelativePath.split('/');
    const skippedFolder = parts.find(part => part === '.git' || part === 'node_modules');
    if (skippedFolder) skipped.set(skippedFolder, (skipped.get(skippedFolder) || 0) + 1);
    else kept.push([parts.slice(1).join('/'), file]);
  }
  const paths = kept.map(([path]) => path), sent = new Set(projectPrefix(name, paths) === undefined ? [] : pathsToSend(paths));
  const list = kept.filter(([path, file]) => sent.has(path) || isNeeded(file.webkitRelativePath.split('/')));
  return { list, name, isPartial: list.length < kept.length, walkNotes: { notes: [], topNames: [], skipped: Array.from(skipped) } };
}

/** Whether a file is sent to the worker, by the parts of its path. @param {string[]} parts */
function isNeeded(parts) {
  return parts.length <= 2 || parts.includes('.figs') || parts[1] === 'artifacts' || isReceiptName(parts.at(-1));
}

/** Lines from the clipboard. @param {string} text @param {string} [name] the ledger that they are, when the person said so */
export function pastedSource(text, name = '') {
  return { file: new File([text], name || PASTED_NAME), fileNumber: name ? FILES.indexOf(name) : undefined };
}

/** One of the folders that travel inside this file. @param {string} name @returns {GetSources} */
export function sampleSource(name) {
  const list = Object.entries(JSON.parse(slotText('samples'))[name]).map(([path, text]) => {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return /** @type {NamedFile} */ ([path, new File([bytes], path.slice(path.lastIndexOf('/') + 1))]);
  });
  return async () => [{ list, name }];
}

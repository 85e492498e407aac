// Takes the folder that a person drops, chooses or pastes, or a sample. Loaded by inspector/main.js and inspector/opening-history.js.
// Each of these ways becomes a list of sources (sources.js); what a browser lacks falls back to the next best way.

import { $, closestTo, slot } from '../shared/dom.js';
import { named } from '../files/find-receipts.js';
import { carried, placed } from '../files/project-paths.js';
import { entryNode, FILES, find, PASTED, Trip } from '../files/find-folders.js';

/**
 * Listens to drops, pickers and paste.
 * @typedef {() => Promise<import('../worker/sources.js').Source[]>} Give gives the sources; asked again when they are read again
 * @param {(give: Give) => void} open is given whatever the person gives
 */
export function listen(open) {
  let depth = 0, own = false;
  const over = (/** @type {boolean} */ on) => { $('over').hidden = !on; };
  const carries = (/** @type {DragEvent} */ event) => !own && Array.from(event.dataTransfer.types).some(type => type === 'Files' || type === 'text/plain');
  addEventListener('dragstart', () => { own = true; }); // something of this page is moved about
  addEventListener('dragend', () => { own = false; });
  window.addEventListener('dragenter', event => { if (carries(event)) { event.preventDefault(); depth++; over(true); } });
  window.addEventListener('dragover', event => { if (carries(event)) { event.preventDefault(); event.dataTransfer.dropEffect = 'copy'; } });
  addEventListener('dragleave', () => { if (--depth <= 0) over((depth = 0) > 0); });
  window.addEventListener('drop', event => {
    event.preventDefault();
    over((depth = 0) > 0);
    const sources = own ? null : dropped(event.dataTransfer);
    if (sources) open(sources);
  });
  window.addEventListener('paste', event => {
    if (closestTo(event, 'input, textarea, select')) return;
    const files = Array.from(event.clipboardData.files);
    const text = event.clipboardData.getData('text/plain');
    if (files.length) open(async () => files.map(file => ({ file })));
    else if (text.trim()) open(async () => [pasted(text)]);
  });
  const folder = /** @type {HTMLInputElement} */ ($('pick-folder')), some = /** @type {HTMLInputElement} */ ($('pick-files'));
  folder.onchange = () => chosen(folder, files => open(async () => [folderList(files)]));
  some.onchange = () => chosen(some, files => open(async () => files.map(file => ({ file }))));
}

/** @param {HTMLInputElement} input @param {(files: File[]) => void} use */
function chosen(input, use) {
  const files = Array.from(input.files);
  input.value = '';
  if (files.length) use(files);
}

/** Asks for a folder: as a handle, which can be read again later, else as a list. @param {(give: Give) => void} open */
export async function pickFolder(open) {
  if (!window.showDirectoryPicker) return $('pick-folder').click();
  try {
    const handle = await window.showDirectoryPicker({ id: 'figs', mode: 'read' });
    open(async () => [{ handle }]);
  } catch (error) {
    if (error.name !== 'AbortError') $('pick-folder').click();
  }
}

/** Everything must be taken from the event at once: it is empty after the handler returns. @param {DataTransfer} data @returns {Give|null} */
function dropped(data) {
  const items = Array.from(data.items || []).filter(item => item.kind === 'file').map(item => ({
    handle: item.getAsFileSystemHandle ? item.getAsFileSystemHandle().catch(() => /** @type {FileSystemHandle|null} */ (null)) : null,
    entry: item.webkitGetAsEntry ? item.webkitGetAsEntry() : null,
    file: item.getAsFile(),
  }));
  if (items.length) return () => Promise.all(items.map(source));
  const files = Array.from(data.files || []);
  if (files.length) return async () => files.map(file => ({ file }));
  const text = data.getData('text/plain');
  return text.trim() ? async () => [pasted(text)] : null;
}

/**
 * The best that one dropped item offers. Asked again when the folder is read again.
 * @param {{handle: Promise<FileSystemHandle|null>|null, entry: FileSystemEntry|null, file: File|null}} item
 * @returns {Promise<import('../worker/sources.js').Source>}
 */
async function source({ handle, entry, file }) {
  const got = handle && await handle;
  if (got) return { handle: got };
  if (!entry) return { file };
  if (entry.isFile) return { file: await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject)).catch(() => file) };
  const trip = new Trip();
  trip.opens = new Map();
  const agents = await find(entryNode(/** @type {FileSystemDirectoryEntry} */ (entry)), trip);
  return {
    agents: await Promise.all(agents.map(files)), receipts: await all(trip.receipts), name: entry.name, ...await others(trip, entry.name),
    trip: { notes: trip.notes, top: trip.top, skipped: Array.from(trip.skipped) },
  };
}

/** The files that other folders of agents may name, where there is such a folder. @param {Trip} trip @param {string} name */
async function others({ paths, opens }, name) {
  const carry = placed(name, paths) === undefined ? [] : carried(paths);
  const list = await Promise.all(carry.map(async path => /** @type {import('../worker/sources.js').NamedFile} */ ([path, await opens.get(path)().catch(() => /** @type {File|null} */ (null))])));
  return { list: list.filter(([, file]) => file), part: carry.length < paths.length };
}

/**
 * Opens all of a list.
 * @template {string|number} N
 * @param {Array<[N, () => Promise<File>, ...any]>} list @returns {Promise<Array<[N, File]>>}
 */
const all = list => Promise.all(list.map(async ([name, open]) => /** @type {[N, File]} */ ([name, await open()])));

/** Directory entries cannot be sent to a worker; the files in them can. @param {import('../files/find-folders.js').Agent} agent */
async function files(agent) {
  return { path: agent.path, files: await all(agent.files), artifacts: await all(agent.artifacts) };
}

/** A chosen folder lists everything below it; only what may matter is sent on. @param {File[]} files @returns {import('../worker/sources.js').Source} */
export function folderList(files) {
  /** @type {import('../worker/sources.js').NamedFile[]} */
  const given = [];
  const left = new Map(), name = files[0].webkitRelativePath.split('/')[0];
  for (const file of files) {
    const parts = file.webkitRelativePath.split('/');
    const skipped = parts.find(part => part === '.git' || part === 'node_modules');
    if (skipped) left.set(skipped, (left.get(skipped) || 0) + 1);
    else given.push([parts.slice(1).join('/'), file]);
  }
  const paths = given.map(([path]) => path), carry = new Set(placed(name, paths) === undefined ? [] : carried(paths));
  const list = given.filter(([path, file]) => carry.has(path) || matters(file.webkitRelativePath.split('/')));
  return { list, name, part: list.length < given.length, trip: { notes: [], top: [], skipped: Array.from(left) } };
}

/** @param {string[]} parts of a path */
function matters(parts) {
  return parts.length <= 2 || parts.includes('.figs') || parts[1] === 'artifacts' || named(parts.at(-1));
}

/** Lines from the clipboard. @param {string} text @param {string} [name] the ledger that they are, when the person said so */
export function pasted(text, name = '') {
  return { file: new File([text], name || PASTED), as: name ? FILES.indexOf(name) : undefined };
}

/** One of the folders that travel inside this file. @param {string} name @returns {Give} */
export function sample(name) {
  const list = Object.entries(JSON.parse(slot('samples'))[name]).map(([path, text]) => {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return /** @type {import('../worker/sources.js').NamedFile} */ ([path, new File([bytes], path.slice(path.lastIndexOf('/') + 1))]);
  });
  return async () => [{ list, name }];
}

// Takes the folder that a person drops, chooses or pastes, or a sample. Loaded by inspector/main.js and inspector/opening-history.js.
// Each of these ways becomes a list of sources (sources.js); what a browser lacks falls back to the next best way.

import { $, slot } from '../shared/dom.js';
import { named } from '../files/find-receipts.js';
import { carried, placed } from '../files/project-paths.js';
import { entryNode, FILES, find, PASTED, Trip } from '../files/find-folders.js';

/** Wires drops, pickers and paste; `open(sources)` gets whatever was given. */
export function listen(open) {
  let depth = 0, own = false;
  const over = on => { $('over').hidden = !on; };
  const carries = event => !own && Array.from(event.dataTransfer.types).some(type => type === 'Files' || type === 'text/plain');
  addEventListener('dragstart', () => { own = true; }); // something of this page is moved about
  addEventListener('dragend', () => { own = false; });
  addEventListener('dragenter', event => { if (carries(event)) { event.preventDefault(); depth++; over(true); } });
  addEventListener('dragover', event => { if (carries(event)) { event.preventDefault(); event.dataTransfer.dropEffect = 'copy'; } });
  addEventListener('dragleave', () => { if (--depth <= 0) over((depth = 0) > 0); });
  addEventListener('drop', event => {
    event.preventDefault();
    over((depth = 0) > 0);
    const sources = own ? null : dropped(event.dataTransfer);
    if (sources) open(sources);
  });
  addEventListener('paste', event => {
    if (event.target.closest && event.target.closest('input, textarea, select')) return;
    const files = Array.from(event.clipboardData.files);
    const text = event.clipboardData.getData('text/plain');
    if (files.length) open(async () => files.map(file => ({ file })));
    else if (text.trim()) open(async () => [pasted(text)]);
  });
  $('pick-folder').onchange = event => chosen(event.target, files => open(async () => [folderList(files)]));
  $('pick-files').onchange = event => chosen(event.target, files => open(async () => files.map(file => ({ file }))));
}

function chosen(input, use) {
  const files = Array.from(input.files);
  input.value = '';
  if (files.length) use(files);
}

/** Asks for a folder: as a handle, which can be read again later, else as a list. */
export async function pickFolder(open) {
  if (!window.showDirectoryPicker) return $('pick-folder').click();
  try {
    const handle = await window.showDirectoryPicker({ id: 'figs', mode: 'read' });
    open(async () => [{ handle }]);
  } catch (error) {
    if (error.name !== 'AbortError') $('pick-folder').click();
  }
}

/** Everything must be taken from the event at once: it is empty after the handler returns. */
function dropped(data) {
  const items = Array.from(data.items || []).filter(item => item.kind === 'file').map(item => ({
    handle: item.getAsFileSystemHandle ? item.getAsFileSystemHandle().catch(() => null) : null,
    entry: item.webkitGetAsEntry ? item.webkitGetAsEntry() : null,
    file: item.getAsFile(),
  }));
  if (items.length) return () => Promise.all(items.map(source));
  const files = Array.from(data.files || []);
  if (files.length) return async () => files.map(file => ({ file }));
  const text = data.getData('text/plain');
  return text.trim() ? async () => [pasted(text)] : null;
}

/** The best that one dropped item offers. Asked again when the folder is read again. */
async function source({ handle, entry, file }) {
  const got = handle && await handle;
  if (got) return { handle: got };
  if (!entry) return { file };
  if (entry.isFile) return { file: await new Promise((resolve, reject) => entry.file(resolve, reject)).catch(() => file) };
  const trip = new Trip();
  trip.opens = new Map();
  const agents = await find(entryNode(entry), trip);
  return {
    agents: await Promise.all(agents.map(files)), receipts: await all(trip.receipts), name: entry.name, ...await others(trip, entry.name),
    trip: { notes: trip.notes, top: trip.top, skipped: Array.from(trip.skipped) },
  };
}

/** The files that other folders of agents may name, where there is such a folder. */
async function others({ paths, opens }, name) {
  const carry = placed(name, paths) === undefined ? [] : carried(paths);
  const list = await Promise.all(carry.map(async path => [path, await opens.get(path)().catch(() => null)]));
  return { list: list.filter(([, file]) => file), part: carry.length < paths.length };
}

const all = list => Promise.all(list.map(async ([name, open]) => [name, await open()]));

/** Directory entries cannot be sent to a worker; the files in them can. */
async function files(agent) {
  return { path: agent.path, files: await all(agent.files), artifacts: await all(agent.artifacts) };
}

/** A chosen folder lists everything below it; only what may matter is sent on. */
export function folderList(files) {
  const given = [], left = new Map(), name = files[0].webkitRelativePath.split('/')[0];
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

function matters(parts) {
  return parts.length <= 2 || parts.includes('.figs') || parts[1] === 'artifacts' || named(parts.at(-1));
}

/** Lines from the clipboard; `name` says which ledger they are, when the person said so. */
export function pasted(text, name = '') {
  return { file: new File([text], name || PASTED), as: name ? FILES.indexOf(name) : undefined };
}

/** One of the folders that travel inside this file. */
export function sample(name) {
  const list = Object.entries(JSON.parse(slot('samples'))[name]).map(([path, text]) => {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return [path, new File([bytes], path.slice(path.lastIndexOf('/') + 1))];
  });
  return async () => [{ list, name }];
}

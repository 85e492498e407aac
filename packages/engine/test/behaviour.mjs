// What programs rely on beside the answers. The last folder stays open: that must not keep the program running.

import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compare, compareJSON, open } from '@figs-web/engine';

const root = await mkdtemp(join(tmpdir(), 'figs-engine-'));
const at = (/** @type {string[]} */ ...path) => join(root, ...path);
const line = (/** @type {string} */ id, more = {}) => JSON.stringify({ id, ts: '2026-05-04T09:00:00Z', type: 'question', status: 'open', title: id, ...more }) + '\n';
const codes = async (/** @type {any} */ folder) => (await folder.agents[0].findings()).findings.map((/** @type {any} */ f) => `${f.code} ${f.file}`);
for (const copy of ['old', 'new', 'links']) {
  await mkdir(at(copy, '.figs', 'artifacts'), { recursive: true });
  await writeFile(at(copy, '.figs', 'asks.jsonl'), line('pay', { attachments: ['a.csv', 'b.csv'] }) + (copy === 'new' ? line('more') : ''));
  await writeFile(at(copy, '.figs', 'artifacts', 'a.csv'), 'the same');
  await writeFile(at(copy, '.figs', 'artifacts', 'b.csv'), copy);
}

// Every source gives the same, whatever its parts.
const text = line('pay') + line('more');
const half = new TextEncoder().encode(text);
/** @type {any[]} */
const sources = [
  text, half, half.buffer, new Blob([text]),
].map(data => [{ path: '.figs/asks.jsonl', data }]);
const parts = async function* () { for (const byte of half) yield Uint8Array.of(byte); };
sources.push([{ path: '.figs/asks.jsonl', stream: parts }], [{ path: '.figs/asks.jsonl', stream: new Blob([text]).stream() }]);
const answers = new Set();
for (const source of sources) {
  const folder = await open(source, { now: '' });
  answers.add(await folder.agents[0].json('findings') + await folder.agents[0].json('asks'));
  folder.close();
}
assert.equal(answers.size, 1);

// Pages of a list.
{
  const folder = await open([{ path: 'asks.jsonl', data: Array.from({ length: 450 }, (_, i) => line('a' + i)).join('') }]);
  const asks = folder.agents[0].asks({ state: 'needs' });
  assert.equal((await asks.toArray()).length, 450);
  const page = await asks.page({ from: 440, limit: 20 });
  assert.deepEqual([page.items.length, page.from, page.total], [10, 440, 450]);
  assert.equal((await folder.agents[0].ask('a7'))?.trail[0].place?.line, 8);
  assert.equal(await folder.agents[0].ask('none'), null);
  assert.deepEqual((await folder.search('is:need')).notes[0].suggestion, 'is:needs');
  folder.close();
  await assert.rejects(folder.search('a'), { code: 'closed' });
}

// Trouble while reading is a finding.
const broken = async function* () { yield half; throw new Error('the line went dead'); };
assert.ok((await codes(await open([{ path: '.figs/asks.jsonl', stream: broken }]))).includes('file_unreadable asks.jsonl'));
const growing = await open(at('links'), { onProgress: () => appendFileSync(at('links', '.figs', 'asks.jsonl'), '\n') });
assert.ok((await codes(growing)).includes('file_changed asks.jsonl'));
await symlink('/', at('links', '.figs', 'runs.jsonl'));
await symlink('asks.jsonl', at('links', '.figs', 'messages.jsonl'));
assert.ok((await codes(await open(pathToFileURL(at('links'))))).includes('file_unreadable runs.jsonl'));

// Progress, and ending it.
const seen = /** @type {number[]} */ ([]);
(await open([{ path: '.figs/asks.jsonl', data: line('a', { found: 'x'.repeat(3 << 20) }) }], { onProgress: ({ read }) => seen.push(read) })).close();
assert.ok(seen.length > 3 && seen.every((n, i) => !i || n > seen[i - 1]));
const ending = new AbortController();
await assert.rejects(open([{ path: '.figs/asks.jsonl', data: 'x'.repeat(3 << 20) }], { signal: ending.signal, worker: true, onProgress: () => ending.abort() }), { name: 'AbortError' });

// A comparison reads attachments.
const result = await compare(at('old'), at('new'), { worker: true });
assert.deepEqual(result.folders[0].files.map(f => `${f.kind} ${f.name}`), ['other-bytes b.csv']);
assert.equal(result.folders[0].past, 'exchanged');
await assert.rejects(compare(at('old'), at('links')), { code: 'request', message: 'links/.figs/runs.jsonl could not be read, so the copies can\'t be compared' });
process.stdout.write(await compareJSON(at('old'), at('new')) + '\n' + at('old') + '\n' + at('new') + '\n');

// What makes no sense is refused.
await assert.rejects(open(at('none')), { code: 'ENOENT' });
await assert.rejects(open(/** @type {any} */ (7)), TypeError);
await assert.rejects(open([/** @type {any} */ ({ path: 'runs.jsonl' })]), TypeError);
await assert.rejects(open([], { wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) }), { code: 'version' });
await assert.rejects(open([], { wasm: new Uint8Array([1]) }), WebAssembly.CompileError);

await open(at('old'), { worker: true });
await open(at('old'));

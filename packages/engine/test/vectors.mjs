// Reads the folders in a directory and prints, for each agent, the hash of each text that the package gives. The test in
// internal/cli compares them with those of the native engine. Arguments: the directory, and the time to judge by. Each folder
// is read by its path, and those with names that begin with "both" also in a worker, from streams.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

const [all, now] = process.argv.slice(2);
const before = Object.getOwnPropertyNames(globalThis);
const { open, EngineError } = await import('@figs-web/engine');

/** The files of a directory as streams. @param {string} directory */
async function* streams(directory) {
  for (const entry of (await readdir(directory, { recursive: true, withFileTypes: true })).reverse()) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile()) yield { path: relative(directory, file), size: (await stat(file)).size, stream: () => createReadStream(file) };
  }
}

const print = (/** @type {object} */ value) => process.stdout.write(JSON.stringify(value) + '\n');

/** @param {string} way @param {import('../index.js').Folder} folder */
async function show(way, folder) {
  for (const agent of folder.agents) {
    /** @type {Record<string, [number, string]>} */
    const texts = {};
    const take = async (/** @type {string} */ name, /** @type {Promise<string>} */ text) => {
      const bytes = Buffer.from(await text);
      texts[name] = [bytes.length, createHash('sha256').update(bytes).digest('hex')];
    };
    await take('findings', agent.json('findings'));
    for (const ledger of ['runs', 'asks', 'messages']) await take(ledger + '.jsonl', agent.json('fold', { ledger }));
    for (const list of ['jobs', 'asks', 'messages', 'files', 'states']) await take(list, agent.json(list, { limit: 200 }));
    print({ way, path: agent.path, texts });
  }
  const asks = [];
  for (const agent of folder.agents) asks.push(...await agent.asks({ state: 'needs' }).toArray());
  print({ way, needs: asks.length, counted: folder.agents.reduce((n, a) => n + a.counts.needs, 0), found: (await folder.search('in:asks is:needs')).total });
  folder.close();
  const failure = await folder.agents[0].findings().catch((/** @type {unknown} */ error) => error);
  print({ way, closed: failure instanceof EngineError && failure.code });
}

for (const name of await readdir(all)) {
  const directory = join(all, name);
  await show('path', await open(directory, { now }));
  if (name.startsWith('both')) await show('streams', await open(streams(directory), { now, name, worker: true }));
}
print({ globals: Object.getOwnPropertyNames(globalThis).filter(name => !before.includes(name)) });

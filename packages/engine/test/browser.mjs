// Opens the samples in a browser, in each way that a page can, and prints the findings of each agent. Arguments: the kind of
// browser, its program, the address that serves the package and the samples, and puppeteer-core's folder.

import { createRequire } from 'node:module';

const [browser, executablePath, address, modules] = process.argv.slice(2);
const puppeteer = createRequire(modules + '/')('puppeteer-core');
const program = await puppeteer.launch({ browser, executablePath, args: browser === 'chrome' ? ['--no-sandbox', '--disable-gpu', '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup'] : [] });
try {
  const page = await program.newPage();
  await page.goto(address);
  process.stdout.write(JSON.stringify(await page.evaluate(inPage)));
} finally {
  await program.close();
}

async function inPage() {
  const names = () => Object.getOwnPropertyNames(globalThis);
  const before = names();
  const { open, compareJSON, EngineError } = await import('/engine/browser.js');
  const items = await Promise.all((await (await fetch('/files.json')).json()).map(async path => ({ path, data: await (await fetch('/samples/' + path)).blob() })));
  const handle = await navigator.storage.getDirectory();
  for (const { path, data } of items) {
    const parts = path.split('/'), name = parts.pop();
    let folder = handle;
    for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
    const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await writable.write(data);
    await writable.close();
  }
  const options = { now: '2026-11-20T12:00:00Z', name: 'samples' };
  const files = items.map(({ path, data }) => Object.defineProperty(new File([data], path.split('/').pop()), 'webkitRelativePath', { value: 'samples/' + path }));
  const ways = {
    files: () => open(files, { now: options.now }),
    handle: () => open(handle, { ...options, worker: true }),
    streams: () => open(items.map(({ path, data }) => ({ path, stream: data.stream(), size: data.size })), { ...options, worker: true }),
  };
  const findings = {};
  for (const [way, opened] of Object.entries(ways)) {
    const folder = await opened();
    findings[way] = {};
    for (const agent of folder.agents) findings[way][agent.path] = await agent.json('findings');
    folder.close();
  }
  const refused = await open('/some/path').catch(error => error.name);
  const inspector = await open(items, { wasm: new URL('/wasm/engine.wasm', location.href) }).catch(error => [error instanceof EngineError && error.code, error.message]);
  return { findings, compared: await compareJSON(items, handle, options), refused, inspector, globals: names().filter(name => !before.includes(name)) };
}

// Draws the documents of the collection in one browser, and has the page measure them. It prints a line for each:
// {"name", "width", "drawn", "measured": {"texts": [{"text", "sight", "why"}], "unmeasured", "ms"}}.
//
// node drive.mjs chromium|firefox|webkit PROGRAM ADDRESS: the names come from ADDRESS/names.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [engine, program, address] = process.argv.slice(2);
const TALL = 1500; // pixels of a window, so that a picture of it shows a whole page
const { documents, widths } = await (await fetch(address + '/names')).json();
const browser = await (engine === 'webkit' ? webkit() : puppeteer());
try {
  await browser.open(address + '/');
  for (const width of widths) {
    await browser.size(width, TALL);
    await browser.run('shown', `/document/${documents[0]}?text=secret`);
    await browser.picture(); // the first one after a change of size may show the size before
    for (const name of documents) await one(name, width);
  }
} finally {
  await browser.end();
}

async function one(name, width) {
  const pictures = [];
  for (const text of ['secret', 'other']) {
    await browser.run('shown', `/document/${name}?text=${text}`);
    pictures.push(await browser.picture());
  }
  const measured = await browser.run('measured', name, width);
  console.log(JSON.stringify({ name, width, drawn: pictures[0] !== pictures[1], measured }));
}

async function puppeteer() {
  const { default: launcher } = await import(createRequire(join(process.env.NODE_PATH, 'x.js')).resolve('puppeteer-core'));
  const args = engine === 'chromium' ? ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] : [];
  const started = await launcher.launch({ browser: engine === 'firefox' ? 'firefox' : 'chrome', executablePath: program, headless: true, args });
  const page = await started.newPage();
  return {
    size: (width, height) => page.setViewport({ width, height }),
    open: url => page.goto(url),
    picture: () => page.screenshot({ encoding: 'base64' }),
    run: (what, ...args) => page.evaluate((what, args) => window[what](...args), what, args),
    end: () => started.close(),
  };
}

async function webkit() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `1400x${TALL + 200}x24`, '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const display = ':' + String(await new Promise(resolve => screen.stdio[3].once('data', resolve))).trim();
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const driver = spawn('WebKitWebDriver', ['--host=127.0.0.1', '--port=' + port], { stdio: 'ignore', env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' } });
  let session = `http://127.0.0.1:${port}`;
  const call = async (method, path, body) => {
    const answer = await (await fetch(session + path, { method, body: body && JSON.stringify(body) })).json();
    if (answer.value && answer.value.error) throw new Error(JSON.stringify(answer.value));
    return answer.value;
  };
  for (let tries = 0; ; tries++) {
    try {
      const { sessionId } = await call('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: program, args: ['--automation'] } } } });
      session += '/session/' + sessionId;
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
  await call('POST', '/timeouts', { script: 60_000 });
  return {
    async size(width, height) { // of the page, which is smaller than its window
      await call('POST', '/window/rect', { x: 0, y: 0, width, height });
      await new Promise(resolve => setTimeout(resolve, 300));
      const inner = await call('POST', '/execute/sync', { script: 'return innerWidth', args: [] });
      await call('POST', '/window/rect', { x: 0, y: 0, width: 2 * width - inner, height });
      await new Promise(resolve => setTimeout(resolve, 300));
    },
    open: url => call('POST', '/url', { url }),
    picture: () => call('GET', '/screenshot'),
    run: (what, ...args) => call('POST', '/execute/async', { script: 'window[arguments[0]](...arguments[1]).then(arguments[2])', args: [what, args] }),
    async end() {
      await call('DELETE', '').catch(() => {});
      driver.kill();
      screen.kill();
    },
  };
}

// Draws pairs of documents in one browser and prints, one JSON object a line, where the two pictures of a pair differ.
//
//   node drive.mjs chromium|firefox|webkit PROGRAM ADDRESS
//
// ADDRESS/jobs lists the pairs: {name, width, a, b}, with a and b as paths. A line is {name, width, tiles, pairs, noisy}:
// pairs holds the parts of the page that differ, as {x, y, a, b}, with the PNGs in base64. A pair is noisy when one
// document does not look the same twice. WebKit's pictures are of the whole window, which is red below the first document
// of a pair and blue below the second, so that nobody takes a picture that came too early for the right one. They are never
// the same, so again holds all of them once more: what differs only once differs by itself.
//
// A job may instead be {name, width, measure}, with a path that the viewer's own script measures; its line is {name, width,
// measured}. ADDRESS/ is the page with the frame; frame.js says what it can do.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [engine, program, address] = process.argv.slice(2);
const WINDOW = [1280, 640];

const { jobs } = await (await fetch(`${address}/jobs`)).json();
const browser = await (engine === 'webkit' ? webkit() : puppeteer());
try {
  await browser.open(`${address}/`);
  for (const job of jobs) {
    const line = job.measure ? { name: job.name, width: job.width, measured: await browser.call('measured', job.measure, job.width) } : await compared(job);
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
} finally {
  await browser.close();
}

async function compared(job) {
  for (let attempt = 1; ; attempt++) {
    const a = await pictures(job.a, job.width, 'red'), b = await pictures(job.b, job.width, 'blue');
    const line = { name: job.name, width: job.width, tiles: a.length, pairs: differing(a, b) };
    if (line.pairs.length === 0) return line;
    const again = await pictures(job.a, job.width, 'red');
    if (browser.whole) return { ...line, again: differing(again, await pictures(job.b, job.width, 'blue')) };
    if (differing(a, again).length === 0) return line;
    if (attempt === 3) return { ...line, noisy: true };
  }
}

/** Where two lists of pictures differ. A place that only one of them has differs too. */
function differing(a, b) {
  const at = new Map(b.map(tile => [`${tile.x} ${tile.y}`, tile.png])), pairs = [];
  for (const { x, y, png } of a) {
    const other = at.get(`${x} ${y}`);
    if (other !== png) pairs.push({ x, y, a: png, b: other ?? '' });
    at.delete(`${x} ${y}`);
  }
  for (const { x, y, png } of b) if (at.has(`${x} ${y}`)) pairs.push({ x, y, a: '', b: png });
  return pairs;
}

/** Pictures of a whole document, one for each place to which its frame scrolls. */
async function pictures(path, width, colour) {
  const size = await browser.call('show', path, width, colour), list = [];
  for (let y = 0; y < size.height; y += WINDOW[1]) {
    for (let x = 0; x < size.width; x += width) {
      const at = await browser.call('scrolled', x, y);
      list.push({ ...at, png: await browser.picture(width) });
    }
  }
  return list;
}

async function puppeteer() {
  const require = createRequire(join(process.env.NODE_PATH, 'package.json'));
  const started = await require('puppeteer-core').launch({ browser: engine === 'firefox' ? 'firefox' : 'chrome', executablePath: program, headless: true,
    args: engine === 'firefox' ? ['--width=1300', '--height=800']
      : ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup', '--hide-scrollbars'],
    extraPrefsFirefox: { 'browser.shell.checkDefaultBrowser': false, 'datareporting.policy.dataSubmissionEnabled': false, 'app.update.disabledForTesting': true } });
  const page = await started.newPage();
  await page.setViewport({ width: WINDOW[0], height: WINDOW[1] });
  return {
    open: url => page.goto(url),
    call: (name, ...given) => page.evaluate((name, given) => globalThis[name](...given), name, given),
    picture: width => page.screenshot({ encoding: 'base64', captureBeyondViewport: false, clip: { x: 0, y: 0, width, height: WINDOW[1] } }),
    close: () => started.close(),
  };
}

/** With WEBKIT_DISABLE_COMPOSITING_MODE in its environment, WebKitGTK never answers when asked for a picture. */
async function webkit() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const display = `:${String(await new Promise(resolve => { screen.stdio[3].once('data', resolve); })).trim()}`;
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const driver = spawn('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], { stdio: 'ignore', env: { ...process.env, DISPLAY: display } });
  const end = () => { driver.kill(); screen.kill(); };
  let session = `http://127.0.0.1:${port}`;
  const send = async (method, path, body) => {
    const { value } = await (await fetch(session + path, { method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(90_000) })).json();
    if (value && value.error) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  };
  for (let tries = 1; ; tries++) {
    try {
      const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: program, args: ['--automation'] } } } });
      session += `/session/${sessionId}`;
      break;
    } catch (error) {
      if (tries === 100) { end(); throw error; }
      await new Promise(resolve => { setTimeout(resolve, 100); });
    }
  }
  await send('POST', '/timeouts', { script: 60_000 });
  const picture = () => send('GET', '/screenshot');
  return {
    whole: true,
    async open(url) {
      await send('POST', '/url', { url });
      await send('POST', '/window/rect', { x: 0, y: 0, width: 1340, height: 900 });
      await new Promise(resolve => { setTimeout(resolve, 500); });
      const [width, height] = await send('POST', '/execute/sync', { script: 'return [innerWidth, innerHeight]', args: [] });
      if (width < WINDOW[0] || height < WINDOW[1]) throw new Error(`the window shows only ${width} × ${height} pixels`);
    },
    call: (name, ...given) => send('POST', '/execute/async', { script: 'const done = arguments[2]; globalThis[arguments[0]](...arguments[1]).then(done)', args: [name, given] }),
    async picture() { // once it is the same twice
      let last = await picture();
      for (let tries = 0; tries < 20; tries++) {
        await new Promise(resolve => { setTimeout(resolve, 100); });
        const next = await picture();
        if (next === last) break;
        last = next;
      }
      return last;
    },
    async close() {
      await send('DELETE', '').catch(() => {});
      end();
    },
  };
}

// Shows hostile attachments in Firefox, over WebDriver BiDi, and clicks in them: in the inspector from disk, and hosted.
// node firefox_attack.mjs FIREFOX PROXY INSPECTOR ZIP KEY FILES EVERY CONTROL — prints one JSON object for each page. KEY is
// the address that lets in, FILES the list of files behind it; of the files each way shows one in EVERY. The page of CONTROL
// stays open until the standard input ends.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_PATH, "package.json"));
const puppeteer = require("puppeteer-core");
const [program, proxy, inspector, zip, key, files, every, control] = process.argv.slice(2);
const [host, port] = proxy.split(":");

const PATIENCE = 60_000;
const SPOTS = [[0.05, 0.06], [0.05, 0.15], [0.1, 0.3], [0.3, 0.5]];
const FRAME = "#view iframe.sandboxed";
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const browser = await puppeteer.launch({ browser: "firefox", executablePath: program, headless: true, args: ["--width=1280", "--height=900"],
  extraPrefsFirefox: { "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, "app.update.disabledForTesting": true,
    "network.proxy.type": 1, "network.proxy.http": host, "network.proxy.http_port": Number(port), "network.proxy.ssl": host, "network.proxy.ssl_port": Number(port),
    "network.proxy.no_proxies_on": "127.0.0.1, localhost, [::1]", "dom.disable_open_during_load": false, "network.dns.disablePrefetch": false } });
try {
  const page = await browser.newPage();
  let dialogs = 0;
  page.on("dialog", (dialog) => { dialogs++; dialog.dismiss(); });
  await page.evaluateOnNewDocument(() => {
    globalThis.loads = new WeakMap();
    document.addEventListener("load", ({ target }) => loads.set(target, (loads.get(target) ?? 0) + 1), true);
  });

  await page.goto(inspector);
  await (await page.$("#pick-files")).uploadFile(zip);
  await until(page, () => document.querySelector("#view").innerText.includes("Attacker"));
  await page.evaluate(() => { location.hash = "/1/files"; });
  const list = () => [...document.querySelectorAll("#view .files a.title")].map((a) => [a.innerText.trim(), a.href]);
  await until(page, () => location.hash === "#/1/files" && document.querySelector("#view .files a.title"));
  await each(await page.evaluate(list), 0, "about:srcdoc", async (address) => {
    await page.evaluate((address) => { document.querySelector("#attachment")?.setAttribute("data-was", ""); location.href = address; }, address); // the page before stays until the next is there
    await until(page, (address) => location.href === address && document.querySelector("#attachment:not([data-was], [aria-busy])"), address);
  });

  await page.goto(key);
  await page.goto(files);
  await each(await page.evaluate(list), 1, new URL("/v/", files).href, (address) => page.goto(address));

  page.goto(`http://${control}/`).catch(() => {}); // a frame may hold back the load for ever
  for await (const _ of process.stdin);

  async function each(all, from, inside, open) {
    const jump = all.find(([name]) => name.includes("contents.html"));
    const taken = all.filter((file, i) => file === jump || i % every === from % every);
    const tabs = (await browser.pages()).length;
    for (const [name, address] of taken) {
      await open(address);
      if (!await page.$(FRAME)) { say({ page: address }); continue; }
      await until(page, (frame) => loads.get(document.querySelector(frame)) > (document.querySelector(frame).src ? 0 : 1), FRAME); // the first document of a frame without a URL is about:blank
      const measured = await until(page, () => { const note = document.querySelector("[data-measured]"); return !note || note.dataset.state; })
        .then(() => page.evaluate(() => ["hidden", "drawn"].includes(document.querySelector("[data-measured]")?.dataset.state)));
      const [x, y, width, height] = await page.evaluate((frame) => {
        const node = document.querySelector(frame);
        node.scrollIntoView({ block: "center", behavior: "instant" });
        const box = node.getBoundingClientRect(), top = Math.max(box.y, 0);
        return [box.x, top, box.width, Math.min(box.bottom, innerHeight) - top];
      }, FRAME);
      const loaded = () => page.evaluate((frame) => loads.get(document.querySelector(frame)), FRAME), before = await loaded();
      for (const [a, b] of SPOTS) await page.mouse.click(x + a * width, y + b * height);
      await rest(100);
      const faults = [];
      if (await loaded() !== before) faults.push("the frame loaded another document");
      const frames = page.frames().filter((frame) => frame !== page.mainFrame()).map((frame) => frame.url());
      for (const url of frames) if (!url.startsWith(inside) && url !== "about:blank" && url !== "about:srcdoc") faults.push(`a frame is at ${url}`);
      if (page.url() !== address) faults.push(`the page is at ${page.url()}`);
      if ((await browser.pages()).length !== tabs) faults.push("a window opened");
      if (dialogs) faults.push(`${dialogs} dialogs`);
      dialogs = 0;
      say({ page: `${name} ${address}`, framed: true, measured, fault: faults.join("; "), jumped: name.includes("contents.html") && frames.some((url) => url.endsWith("#u-far")) });
    }
  }
} finally {
  await browser.close();
}

/** Waits until a condition holds in the page. */
function until(page, condition, ...args) {
  return page.waitForFunction(condition, { timeout: PATIENCE, polling: 50 }, ...args).catch(async (error) => {
    throw new Error(`waited in vain for ${condition}: ${error.message}\n${await page.evaluate(() => location.href + document.body.innerText)}`);
  });
}

// Walks through the inspector in Firefox, over WebDriver BiDi.
// node firefox.mjs FIREFOX ADDRESS ZIP PICTURES — prints one JSON object a line: what was done, and at the end {"done":true}.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_PATH, "package.json"));
const puppeteer = require("puppeteer-core");
const [program, address, zip, pictures] = process.argv.slice(2);

const PATIENCE = 120_000;
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const browser = await puppeteer.launch({ browser: "firefox", executablePath: program, headless: true, args: ["--width=1280", "--height=900"],
  extraPrefsFirefox: { "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, "app.update.disabledForTesting": true } });
try {
  await walk(await browser.newPage());
  say({ done: true });
} finally {
  await browser.close();
}

async function walk(page) {
  let proving = false; // what the proof tries is refused aloud
  page.on("console", (message) => { if (!proving && ["error", "warn"].includes(message.type())) say({ problem: message.text() }); });
  page.on("pageerror", (error) => { if (!proving) say({ problem: String(error) }); });
  await page.evaluateOnNewDocument(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (e) => violations.push(`${e.effectiveDirective} ${e.blockedURI}`));
  });
  await page.goto(address);
  await until(page, "both modules", () => ["engine-ready", "reader-ready"].every((name) => performance.getEntriesByName(name).length > 0));
  say({ ready: await page.evaluate(() => Object.fromEntries(["engine-ready", "reader-ready"].map((name) => [name, Math.round(performance.getEntriesByName(name)[0].startTime)]))) });

  await (await page.$("#pick-files")).uploadFile(zip);
  await shown(page, "/", "One decision waits, for the manager", "98.6% matched");
  await picture(page, "glance");
  await follow(page, "/1/agent", "Reconciles open invoices every month");
  await follow(page, "/1/jobs", "acme-2026-10");
  await follow(page, "/1/jobs/acme-2026-10", "Prefixed invoice numbers block 180 rows");
  await follow(page, "/1/asks/acme-send", "round 2", "not verified");
  await picture(page, "ask");
  await follow(page, "/1/findings", "Nothing to fix");
  await follow(page, "/1/files", "brief.md");
  const file = await page.evaluate(() => [...document.querySelectorAll("#view .files a.title")].find((a) => a.innerText.includes("brief.md")).hash.slice(1));
  await follow(page, file, "brief.md");
  await until(page, "the strip and the document", () => document.querySelector("#view .strip") && document.querySelector("#view iframe[srcdoc]"));
  await until(page, "the words of the document", () => document.querySelector("#view iframe").srcdoc.includes("Brief — Acme October"));
  await picture(page, "viewer");
  await page.evaluate(() => history.back());
  await shown(page, "/1/files", "brief.md");
  await page.evaluate(() => history.back());
  await shown(page, "/1/findings", "Nothing to fix");

  await page.evaluate(() => document.querySelector('[data-act="another"]').click());
  await until(page, "the start", () => !document.querySelector("#start").hidden);
  await click(page, '[data-sample="mistakes"]');
  await shown(page, "/", "Support triage", "errors");
  await picture(page, "mistakes");
  say({ violations: await page.evaluate(() => violations) });
  proving = true;
  await click(page, "#badge");
  await until(page, "the verdict of the proof", () => document.querySelector("#proof-rows").rows.length === 15 && document.querySelector("#proof-verdict").innerText);
  say({
    proof: await page.evaluate(() => [...document.querySelector("#proof-rows").rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim()))),
    verdict: await page.evaluate(() => document.querySelector("#proof-verdict").innerText.trim()),
  });
  await picture(page, "proof");
  say({ title: await page.title(), address: await page.evaluate(() => location.hash) });
}

/** Waits until a condition holds in the page. */
async function until(page, what, condition, ...args) {
  await page.waitForFunction(condition, { timeout: PATIENCE, polling: 50 }, ...args).catch(async (error) => {
    throw new Error(`waited in vain for ${what}: ${error.message}\n${await page.evaluate(() => document.body.innerText)}`);
  });
}

async function shown(page, path, ...texts) {
  await until(page, `${path} with ${texts.join(", ")}`, (path, texts) => {
    const view = document.querySelector("#view"), words = view.innerText.replace(/\s+/g, " ");
    return (location.hash || "#/") === `#${path}` && !view.hidden && texts.every((text) => words.includes(text));
  }, path, texts);
  say({ shown: path });
}

async function follow(page, path, ...texts) {
  await click(page, `#view a[href="#${path}"]`);
  await shown(page, path, ...texts);
}

async function click(page, selector) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      for (const node of await page.$$(selector)) if (await node.evaluate((n) => n.checkVisibility())) return await node.click();
    } catch (error) {
      if (!/detached|not clickable|no such node|stale/i.test(error.message)) throw error; // the page was written anew just then
    }
  }
  throw new Error(`${selector} is not there`);
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, `firefox-${name}.png`) });
}

// Runs the engine on made-up ledgers so that the browser optimizes it. Loaded by worker/worker.js.
// Browsers compile a WebAssembly function quickly when it first runs, and optimize it once it has run often. This runs while
// the page is idle, and the first real folder is read faster.

import { FILES } from '../files/find-folders.js';

/** @import { Engine } from './engine.js' */

const ROUNDS = 40, RECORDS = 60;

/** Lines as agents write them, as bytes by the file's number. @returns {Array<[number, Uint8Array]>} */
function ledgers() {
  const runs = [], asks = [], messages = [];
  for (let i = 0; i < RECORDS; i++) {
    const id = `warm-${i}`, ts = `2026-01-05T08:${String(i).padStart(2, '0')}:00+01:00`, text = `Matched 1,204 rows — 98.6% within tolerance, “${i}” größer.\\n${'One more plain sentence about it. '.repeat(i % 6)}`;
    runs.push(`{"id":"${id}","ts":"${ts}","title":"Close ${i}","unit":"unit-${i % 5}","status":"running"}`,
      `{"id":"${id}","ts":"${ts}","status":"ok","result":"${text}","outcome":[{"l":"Matched","v":"${i}"}],"attachments":["report.html"],"next":"none"}`);
    asks.push(`{"id":"${id}","ts":"${ts}","type":"sign-off","status":"open","to":"manager","title":"Send ${i}","found":"${text}","need":"Your word","run":"${id}","onApprove":["Send the letter to unit ${i % 5}"],"details":[{"l":"Rows","v":"${i}"}],"attachments":["report.html"]}`,
      `{"id":"q-${id}","ts":"${ts}","type":"question","status":"open","title":"Which ${i}?","need":"A choice","options":["The first","The second"]}`,
      `{"id":"q-${id}","ts":"${ts}","status":"resolved","resolution":{"chosen":"The first","by":"Ada","note":"${text}"}}`);
    messages.push(`{"id":"m-${id}","ts":"${ts}","ask":"q-${id}","kind":"answer","by":"Ada","source":"app","text":"${text}"}`);
  }
  const encoder = new TextEncoder();
  return Object.entries({ 'runs.jsonl': runs, 'asks.jsonl': asks, 'messages.jsonl': messages, 'agent.json': ['{"name":"Warm"}'], 'config.json': ['{"agentId":"cb2d2df4-d0c2-4548-b011-a08f5b757c09"}'] })
    .map(([name, lines]) => [FILES.indexOf(name), encoder.encode(lines.join('\n') + '\n')]);
}

/**
 * Reads them ROUNDS times, or until the engine is given a folder.
 * @param {Engine} engine
 * @param {any} request what the reader asks of the engine for a page
 * @returns {Promise<Uint8Array|undefined>} the answer; undefined when it stopped
 */
export async function warmUp(engine, request) {
  const files = ledgers();
  for (let round = 0; round < ROUNDS && !engine.walk; round++) {
    engine.callJSON({ op: 'open', keep: true, now: '2026-01-06T00:00:00Z' });
    engine.callJSON({ op: 'add', agents: ['warm'], loose: -1 });
    for (const [file, bytes] of files) engine.feedPart(0, file, bytes);
    engine.callJSON({ op: 'attach', agent: 0, files: [['report.html', 64]] });
    engine.callJSON({ op: 'finish', from: 0 });
    await new Promise(resolve => setTimeout(resolve)); // a folder may have been dropped meanwhile
  }
  if (engine.walk) return undefined;
  const selection = engine.callRaw(request);
  engine.callJSON({ op: 'open', keep: true, now: '' });
  return selection;
}

// Node's side: one JSON request a line in, one JSON answer a line out.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Desk } from "./measure.mjs";

const desk = new Desk(async (name) => new Uint8Array(await readFile(new URL(name, import.meta.url))));

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = await desk.answer(JSON.parse(line));
  } catch (problem) {
    answer = { error: String(problem?.stack ?? problem) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0); // the engine's main waits for ever

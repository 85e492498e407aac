// The browser's side: a worker that answers requests, as the inspector's engine worker does.

import { Desk } from "./measure.mjs";

const desk = new Desk(async (name) => new Uint8Array(await (await fetch(`/${name}`)).arrayBuffer()));

onmessage = async ({ data }) => {
  try {
    postMessage(await desk.answer(data));
  } catch (problem) {
    postMessage({ error: String(problem?.stack ?? problem) });
  }
};

import { serve } from './worker.js';

const worker = /** @type {any} */ (globalThis);
const answer = serve((message, transfer) => worker.postMessage(message, transfer));
worker.onmessage = (/** @type {MessageEvent} */ { data }) => answer(data);

import { serve } from './worker.js';

const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
const answer = serve((message, transfer) => worker.postMessage(message, transfer));
worker.onmessage = ({ data }) => answer(data);

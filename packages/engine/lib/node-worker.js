import { parentPort } from 'node:worker_threads';
import { serve } from './worker.js';

const port = parentPort;
if (port) port.on('message', serve((answer, transfer) => port.postMessage(answer, transfer)));

// Reads a Blob, where needed with the help of the page. Loaded by worker/engine.js, worker/worker.js and others.
// In WebKit no worker of a page from disk can read one, not even its own, while the page can. Such a worker
// asks the page, a piece at a time; elsewhere it reads by itself, which takes half as long.

const PIECE_BYTES = 1 << 20;

/** The port to a page that answers with bytes. @type {MessagePort|null} */
let pagePort = null;
let isHelped = false; // whether this worker asks the page
/**
 * Questions without an answer yet; the answers come in the order of the questions.
 * @type {Array<{resolve: (bytes: ArrayBuffer) => void, reject: (why: DOMException) => void}>}
 */
const pending = [];

/** Answers what a worker asks at the other end of the port. @param {MessagePort} port */
export function serveReads(port) {
  let lastAnswer = Promise.resolve(); // answers go out in the order of the questions
  port.onmessage = ({ data: blob }) => {
    const read = blob.arrayBuffer().then(
      (/** @type {ArrayBuffer} */ bytes) => ({ bytes }), (/** @type {Error} */ { name, message }) => ({ name, message }));
    lastAnswer = lastAnswer.then(async () => {
      const message = await read;
      port.postMessage(message, 'bytes' in message ? [message.bytes] : []);
    });
  };
}

/** Takes the port to the page. @param {MessagePort} port */
export function connectToPage(port) {
  pagePort = port;
  pagePort.onmessage = ({ data: { bytes, name, message } }) => {
    const { resolve, reject } = pending.shift();
    if (bytes) resolve(bytes); else reject(new DOMException(message, name));
  };
}

/** Finds out whether this worker can read a Blob of its own. */
export async function detectBlobSupport() {
  isHelped = await new Blob(['x']).arrayBuffer().then(() => false, () => Boolean(pagePort));
}

/** Lets the page read a piece. @param {Blob} piece @returns {Promise<ArrayBuffer>} */
function readOnPage(piece) {
  return new Promise((resolve, reject) => {
    pending.push({ resolve, reject });
    pagePort.postMessage(piece);
  });
}

/** All bytes of a Blob. @param {Blob} blob @returns {Promise<ArrayBuffer>} */
export async function readBuffer(blob) {
  if (!isHelped) return blob.arrayBuffer();
  if (blob.size <= PIECE_BYTES) return readOnPage(blob);
  const all = new Uint8Array(blob.size);
  for (let at = 0; at < blob.size; at += PIECE_BYTES) all.set(new Uint8Array(await readOnPage(blob.slice(at, at + PIECE_BYTES))), at);
  return all.buffer;
}

/** All of a Blob as UTF-8 text. @param {Blob} blob @returns {Promise<string>} */
export async function readText(blob) {
  return isHelped ? new TextDecoder().decode(await readBuffer(blob)) : blob.text();
}

/** The Blob as a stream, which reads one piece ahead. @param {Blob} blob @returns {ReadableStream<Uint8Array<ArrayBuffer>>} */
export function readStream(blob) {
  if (!isHelped) return blob.stream();
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at < blob.size) controller.enqueue(new Uint8Array(await readOnPage(blob.slice(at, at += PIECE_BYTES))));
      if (at >= blob.size) controller.close();
    },
  });
}

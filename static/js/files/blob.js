// Reads a Blob, where needed with the help of the page. Loaded by worker/engine.js, worker/worker.js and others.
// In WebKit no worker of a page from disk can read one, not even its own, while the page can. Such a worker
// asks the page, a piece at a time; elsewhere it reads by itself, which takes half as long.

const PIECE = 1 << 20;

/** The port to a page that answers with bytes. @type {MessagePort|null} */
let page = null;
let asks = false; // whether this worker asks the page
/**
 * Questions without an answer yet; the answers come in the order of the questions.
 * @type {Array<{resolve: (bytes: ArrayBuffer) => void, reject: (why: DOMException) => void}>}
 */
const owed = [];

/** Answers what a worker asks at the other end of the port. @param {MessagePort} port */
export function answer(port) {
  let turn = Promise.resolve(); // answers go out in the order of the questions
  port.onmessage = ({ data: blob }) => {
    const read = blob.arrayBuffer().then(
      (/** @type {ArrayBuffer} */ bytes) => ({ bytes }), (/** @type {Error} */ { name, message }) => ({ name, message }));
    turn = turn.then(async () => {
      const message = await read;
      port.postMessage(message, 'bytes' in message ? [message.bytes] : []);
    });
  };
}

/** Takes the port to the page. @param {MessagePort} port */
export function connect(port) {
  page = port;
  page.onmessage = ({ data: { bytes, name, message } }) => {
    const { resolve, reject } = owed.shift();
    if (bytes) resolve(bytes); else reject(new DOMException(message, name));
  };
}

/** Finds out whether this worker can read a Blob of its own. */
export async function probe() {
  asks = await new Blob(['x']).arrayBuffer().then(() => false, () => Boolean(page));
}

/** @param {Blob} piece @returns {Promise<ArrayBuffer>} */
function ask(piece) {
  return new Promise((resolve, reject) => {
    owed.push({ resolve, reject });
    page.postMessage(piece);
  });
}

/** All bytes of a Blob. @param {Blob} blob @returns {Promise<ArrayBuffer>} */
export async function buffer(blob) {
  if (!asks) return blob.arrayBuffer();
  if (blob.size <= PIECE) return ask(blob);
  const all = new Uint8Array(blob.size);
  for (let at = 0; at < blob.size; at += PIECE) all.set(new Uint8Array(await ask(blob.slice(at, at + PIECE))), at);
  return all.buffer;
}

/** All of a Blob as UTF-8 text. @param {Blob} blob @returns {Promise<string>} */
export async function text(blob) {
  return asks ? new TextDecoder().decode(await buffer(blob)) : blob.text();
}

/** The Blob as a stream, which reads one piece ahead. @param {Blob} blob @returns {ReadableStream<Uint8Array<ArrayBuffer>>} */
export function stream(blob) {
  if (!asks) return blob.stream();
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at < blob.size) controller.enqueue(new Uint8Array(await ask(blob.slice(at, at += PIECE))));
      if (at >= blob.size) controller.close();
    },
  });
}

// ask(worker, request) is what the benchmark calls; each name of a worker is a fresh one at its first request.

const workers = new Map();

globalThis.ask = (name, request) =>
  new Promise((settle) => {
    if (!workers.has(name)) workers.set(name, new Worker("/worker.mjs", { type: "module" }));
    const worker = workers.get(name);
    worker.onmessage = ({ data }) => settle(data);
    worker.onerror = ({ message }) => settle({ error: message });
    worker.postMessage(request);
  });

// The npm package, as a program uses it: a folder is opened, its findings are asked for, and it is closed.

/** Times that over files in memory, each time with an instance of its own. */
export async function readWithPackage(desk, { name }) {
  const { open } = await import("./npm/node.js");
  globalThis.gc?.();
  const { files, artifacts, now } = desk.folders.get(name);
  const items = Object.entries(files).map(([file, data]) => ({ path: `.figs/${file}`, data }));
  for (const artifact of artifacts) items.push({ path: `.figs/artifacts/${artifact.name}`, data: new Uint8Array(artifact.size) });
  const start = performance.now();
  const folder = await open(items, { now });
  const [agent] = folder.agents;
  const { findings, more = [] } = await agent.findings();
  const ms = performance.now() - start;
  folder.close();
  const counts = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  for (const { code, count } of more) counts[code] = (counts[code] ?? 0) + count;
  return { ms, records: agent.counts.jobs + agent.counts.asks + agent.counts.messages, counts };
}

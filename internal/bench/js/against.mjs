// How long it takes to say what became of a folder: two folders of the same size that the engine has read whole, the newer
// one with a byte of its past edited and one line more.

/** Times `rounds` comparisons, each with fresh prints of both. */
export async function against(desk, { name, rounds = 7 }) {
  await desk.engine();
  const { files, now } = desk.folders.get(name);
  desk.call({ op: "open", keep: true, now, agents: ["new/.figs", "old/.figs"] });
  const newer = { ...files, "runs.jsonl": edited(files["runs.jsonl"]) };
  for (const [agent, folder] of [newer, files].entries()) for (const [file, bytes] of Object.entries(folder)) desk.feed(desk.number(file), bytes, agent);
  desk.call({ op: "finish" });
  const times = [];
  for (let round = 0; round < rounds; round++) {
    desk.call({ op: "key", key: String(round).padStart(32, "0") });
    const start = performance.now();
    const told = desk.raw({ op: "select", page: "compare", agent: 0, from: 0, n: 50, with: "agent-2" }).length;
    times.push(performance.now() - start);
    if (told < 200) throw new Error("a comparison that tells nothing");
  }
  times.sort((a, b) => a - b);
  const print = performance.now();
  desk.raw({ op: "print", agent: 0 });
  return { ms: times[rounds >> 1], memory: desk.exports.mem.buffer.byteLength, counts: { worst: Math.round(times.at(-1)), print: Math.round(performance.now() - print) } };
}

/** A ledger with one byte of its middle changed, in a line that stays JSON, and one line more. */
function edited(bytes) {
  const line = new TextEncoder().encode('{"id":"one-more","ts":"2026-11-20T18:00:00Z"}\n');
  const newer = new Uint8Array(bytes.length + line.length);
  newer.set(bytes);
  newer.set(line, bytes.length);
  const digit = newer.findIndex((byte, at) => at > bytes.length / 2 && byte >= 0x61 && byte < 0x7a);
  newer[digit]++;
  return newer;
}

// How long it takes to make the smallest folder that shows a finding, for one finding of each rule that the folder breaks.

/** Times an example of every rule that has findings in a folder that the desk's engine has read whole. */
export async function smallest(desk, { name }) {
  await desk.engine();
  await desk.runEngine({ name, keep: true });
  const { lines } = desk.call({ op: "finish" }).agents[0];
  const named = new Map();
  for (const finding of desk.call({ op: "findings", agent: 0 }).findings) if (!named.has(finding.code)) named.set(finding.code, finding);
  const times = [];
  for (const { code, file, line } of named.values()) {
    const start = performance.now();
    const answer = desk.raw({ op: "select", page: "smallest", agent: 0, from: line, n: 1, code, file });
    times.push(performance.now() - start);
    if (answer.length < 200) throw new Error(`${code} has no example`);
  }
  times.sort((a, b) => a - b);
  return { ms: times.at(-1), memory: desk.exports.mem.buffer.byteLength, counts: { rules: times.length, lines, median: Math.round(times[times.length >> 1]) } };
}

// How long it takes to see a folder as it was: the selection of the first view at points all over its life. The first of
// them also makes what the others live on.

/** Times `points` jumps over a folder that the desk's engine has read whole. */
export async function jump(desk, { name, points = 60 }) {
  await desk.engine();
  await desk.runEngine({ name, keep: true });
  const at = (step) => {
    const start = performance.now();
    const answer = desk.raw({ op: "select", page: "overview", agent: 0, from: 0, n: 50, at: String(step) });
    if (answer.length < 100) throw new Error("the view at a point is empty");
    return performance.now() - start;
  };
  const steps = desk.call({ op: "finish" }).agents[0].lines;
  const first = at(steps >> 1);
  // A stride that meets all parts of a life, in no order.
  const times = Array.from({ length: points }, (_, i) => at(1 + ((i * 0.618034) % 1) * (steps - 2) | 0)).sort((a, b) => a - b);
  const of = (part) => Math.round(times[Math.floor((points - 1) * part)] * 10);
  return { ms: times[points >> 1], memory: desk.exports.mem.buffer.byteLength, counts: { first: Math.round(first), "0.95": of(0.95), worst: of(1) } };
}

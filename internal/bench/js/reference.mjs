// The public client's own way of reading: its functions for reading, folding and validating ledgers, taken out of its file,
// which exports nothing. It finds about half of what the product finds.

const MISSING = "this is not the public client's figs.mjs, or one that reads ledgers in another way";

/** @param {string} source the text of figs.mjs @returns {(files: Record<string, Uint8Array>) => {records: number, issues: number}} */
export function reference(source) {
  const part = (from, to) => {
    const start = source.indexOf(from), end = source.indexOf(to, start);
    if (start < 0 || end < 0) throw new Error(`${MISSING}: it has no ${from}`);
    return source.slice(start, end + to.length);
  };
  const whole = (name) => part(`\nfunction ${name}(`, "\n}\n");
  const text = part("const ASK_TYPES", "\nfunction validateOutbox(").replace(/\nfunction validateOutbox\($/, "") +
    ["validateOutbox", "readJsonl", "foldById"].map(whole).join("");
  const make = new Function("existsSync", "readFileSync", "join", "repoDir", "die", `${text}\nreturn { readJsonl, foldById, validateOutbox };`);
  return (files) => {
    const read = (name) => new TextDecoder().decode(files[name]);
    const { readJsonl, foldById, validateOutbox } = make((name) => name in files, read, (_, name) => name, "", (why) => { throw new Error(why); });
    const [runs, asks] = ["runs.jsonl", "asks.jsonl"].map((name) => foldById(readJsonl(name)));
    return { records: runs.length + asks.length, issues: validateOutbox(runs, asks).length };
  };
}

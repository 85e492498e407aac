// The JavaScript side of the benchmark: reads, folds and checks a .figs folder as spec §4 and §5 say, the
// way one would write it for Node or a browser: TextDecoder, split, JSON.parse a line, spread into a Map.
// It runs unchanged in both; it returns counts of findings by code, to be compared with the engine's.

import { checkArtifacts, checkAsks, checkMessages, checkRuns } from "./records.mjs";
import { isObject, isPairs, isText, isTexts } from "./values.mjs";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PLACEHOLDER = /^<[^>]*>$/;

/** Reads a folder: `files` maps names to bytes, `artifacts` lists {name, size}, `now` is an instant or absent. */
export function readFolder({ files, artifacts = [], now }) {
  const report = new Report();
  const folder = {
    now: now ? Date.parse(now) : undefined,
    artifacts: new Map(artifacts.map((a) => [a.name, a.size])),
    named: new Set(),
    units: new Set(),
  };
  checkConfig(parseWhole(files["config.json"], "config.json", report), report);
  folder.agent = parseWhole(files["agent.json"], "agent.json", report);
  checkAgent(folder, report);
  folder.runs = fold(readLedger(files["runs.jsonl"], "runs.jsonl", report), "run_id_missing", report);
  folder.asks = fold(readLedger(files["asks.jsonl"], "asks.jsonl", report), "ask_id_missing", report);
  folder.messages = collect(readLedger(files["messages.jsonl"], "messages.jsonl", report), report);
  checkRuns(folder, report);
  checkAsks(folder, report);
  checkMessages(folder, report);
  checkArtifacts(folder, report);
  return {
    ...folder,
    findings: report.findings,
    counts: report.counts(),
    records: folder.runs.size + folder.asks.size + folder.messages.size,
  };
}

class Report {
  findings = [];

  /** `where` is a line, or a record: then the line is the one that set the field last. */
  add(severity, code, where, pointer, message) {
    const { file, line, id } = where.trail ? lineOf(where, pointer) : where;
    this.findings.push({ severity, code, file, line, record: id, pointer, message });
  }
  error(code, where, pointer, message) {
    this.add("error", code, where, pointer, message);
  }
  warn(code, where, pointer, message) {
    this.add("warning", code, where, pointer, message);
  }
  counts() {
    const counts = {};
    for (const { code } of this.findings) counts[code] = (counts[code] ?? 0) + 1;
    return counts;
  }
}

function lineOf({ trail }, pointer) {
  const field = pointer.split("/")[1];
  return trail.findLast(({ value }) => Object.hasOwn(value, field)) ?? trail.at(-1);
}

// ---- §4: reading and folding

/** Returns the ledger's lines as {file, line, id, value}; what is broken is reported and left out. */
function readLedger(bytes, file, report) {
  if (!bytes) return [];
  const text = new TextDecoder().decode(bytes);
  if (text.includes("\uFFFD")) checkUTF8(bytes, file, report);
  const rows = text.split("\n");
  let last = rows.length - 1;
  while (last >= 0 && rows[last].trim() === "") last--;
  const lines = [];
  for (let i = 0; i <= last; i++) {
    const row = rows[i].trim();
    if (row === "") continue;
    const where = { file, line: i + 1, id: undefined };
    let value;
    try {
      value = JSON.parse(row);
    } catch (problem) {
      if (i === last) report.warn("line_torn", where, "", "The last line was cut while it was written.");
      else report.error("line_broken", where, "", `This line is not JSON: ${problem.message}`);
      continue;
    }
    if (!isObject(value)) {
      report.error("line_not_object", where, "", "A line of a ledger is one JSON object.");
      continue;
    }
    lines.push({ file, line: i + 1, id: value.id, at: NaN, value });
  }
  return lines;
}

function checkUTF8(bytes, file, report) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    report.warn("line_utf8_invalid", { file, line: 0 }, "", "The file has bytes that are not UTF-8.");
  }
}

/** Folds lines by id, later over earlier; each record keeps its trail. */
function fold(lines, code, report) {
  const records = new Map();
  for (const line of lines) {
    if (!isText(line.id)) report.error(code, line, "/id", "Every line names its record in id.");
    const record = records.get(line.id);
    if (record) {
      record.value = { ...record.value, ...line.value };
      record.trail.push(line);
    } else {
      records.set(line.id, { id: line.id, file: line.file, line: line.line, value: line.value, trail: [line] });
    }
  }
  return records;
}

/** Keeps the first event of each id, ordered by instant. */
function collect(lines, report) {
  const events = new Map();
  for (const line of lines) {
    const first = events.get(line.id);
    if (!first) events.set(line.id, line);
    else if (JSON.stringify(first.value) !== JSON.stringify(line.value)) {
      report.warn("message_id_reused", line, "/id", "Another event has this id; the first one counts.");
    }
  }
  const instant = (event) => Date.parse(event.value.ts);
  return new Map([...events].sort(([, a], [, b]) => instant(a) - instant(b) || 0));
}

// ---- §5: config.json and agent.json

function parseWhole(bytes, file, report) {
  if (!bytes) return undefined;
  const code = file === "agent.json" ? "agent_malformed" : "config_malformed";
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    if (isObject(value)) return value;
    report.error(code, { file, line: 1 }, "", `${file} is one JSON object.`);
  } catch (problem) {
    report.error(code, { file, line: 1 }, "", `${file} is not JSON: ${problem.message}`);
  }
  return undefined;
}

function checkConfig(config, report) {
  const where = { file: "config.json", line: 1 };
  if (config?.agentId === undefined) {
    report.error("agent_id_missing", where, "/agentId", "agentId is the agent's UUID.");
  } else if (!UUID.test(config.agentId)) {
    report.error("agent_id_malformed", where, "/agentId", "agentId is the agent's UUID.");
  }
}

function checkAgent(folder, report) {
  const where = { file: "agent.json", line: 1 };
  const agent = folder.agent ?? {};
  if (!isText(agent.name)) report.error("name_missing", where, "/name", "A charter has a name.");
  findPlaceholders(agent, "", where, report);
  for (const key of ["steps", "responsibilities"]) {
    if (agent[key] !== undefined && !isTexts(agent[key])) {
      report.warn(`${key}_malformed`, where, `/${key}`, `${key} is a list of texts.`);
    }
  }
  if (agent.steps !== undefined && agent.responsibilities !== undefined) {
    report.warn("steps_and_responsibilities", where, "/responsibilities", "Write steps or responsibilities.");
  }
  for (const key of ["org", "avatar"]) {
    if (agent[key] !== undefined && !isObject(agent[key])) {
      report.warn(`${key}_malformed`, where, `/${key}`, `${key} is an object.`);
    }
  }
  if (agent.properties !== undefined && !isPairs(agent.properties, "k", "v")) {
    report.warn("properties_malformed", where, "/properties", "properties is a list of {k, v}.");
  }
  if (agent.units === undefined) return;
  if (!Array.isArray(agent.units)) {
    report.warn("units_malformed", where, "/units", "units is a list.");
    return;
  }
  agent.units.forEach((unit, i) => {
    if (!isText(unit?.id) || !isText(unit?.name)) {
      report.warn("unit_incomplete", where, `/units/${i}`, "A unit has an id and a name.");
    }
    if (unit?.stats !== undefined && !isPairs(unit.stats, "l", "v")) {
      report.warn("stats_malformed", where, `/units/${i}/stats`, "stats is a list of {l, v}.");
    }
    if (isText(unit?.id)) folder.units.add(unit.id);
  });
}

function findPlaceholders(value, pointer, where, report) {
  if (typeof value === "string") {
    if (PLACEHOLDER.test(value)) {
      report.error("placeholder_left", where, pointer, `Replace ${value} by the real value.`);
    }
  } else if (value !== null && typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) findPlaceholders(inner, `${pointer}/${key}`, where, report);
  }
}

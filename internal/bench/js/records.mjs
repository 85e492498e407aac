// The rules about runs, asks and messages (spec §5) and about the files that they name (§7).

import { attachmentsOf, checkDollars, checkFields, checkTrail } from "./line.mjs";
import { checkEnum, checkEnumWarn, checkTs, requireTs } from "./values.mjs";
import { isObject, isPairs, isText, isTexts } from "./values.mjs";

const RUN_STATUS = ["ok", "warn", "fail"];
const RUN_STATE = ["in-flight", "settled"];
const ASK_TYPE = ["question", "sign-off"];
const ASK_STATUS = ["open", "resolved", "withdrawn", "rejected"];
const ASK_TO = ["manager", "builder"];
const VIA = ["figs", "human", "self"];
const KIND = ["answer", "verdict"];
const VERDICT = ["approved", "changes-requested", "rejected"];
const SOURCE = ["app", "chat"];
const RETIRED = {
  blocked: "A blocked job is the run's own status: report it there.",
  "needs-decision": 'This type was renamed: write "question".',
  fyi: "What needs no answer is a settled report: write it as a run.",
};
const MAX_ATTACHMENT = 10_485_760;
const MAX_OPTION = 80;
const LONG_IN_FLIGHT = 7 * 24 * 3600 * 1000;

// ---- §5: runs

export function checkRuns(folder, report) {
  for (const record of folder.runs.values()) {
    const { value } = record;
    checkTrail(record, folder, report);
    checkEnum(value, "status", RUN_STATUS, "run_status_unknown", record, report);
    checkEnum(value, "state", RUN_STATE, "run_state_unknown", record, report);
    checkFields(record, folder, report);
    requireTs(value, record, "run_ts_missing", report);
    checkUnit(record, folder, report);
    if (value.state === "in-flight" && folder.now - record.trail.at(-1).at > LONG_IN_FLIGHT) {
      report.warn("job_silent", record, "/state", "This job has had no line for long.");
    }
  }
}

// ---- §5: asks

export function checkAsks(folder, report) {
  const replies = repliesByAsk(folder.messages);
  for (const record of folder.asks.values()) {
    checkTrail(record, folder, report);
    checkAskFields(record, report);
    checkFields(record, folder, report);
    checkAsk(record, folder, replies.get(record.id) ?? [], report);
  }
}

function checkAskFields(record, report) {
  const { value } = record;
  if (value.type !== undefined && Object.hasOwn(RETIRED, value.type)) {
    report.error("ask_type_retired", record, "/type", RETIRED[value.type]);
  } else {
    checkEnum(value, "type", ASK_TYPE, "ask_type_unknown", record, report);
  }
  checkEnum(value, "status", ASK_STATUS, "ask_status_unknown", record, report);
  checkEnum(value, "to", ASK_TO, "ask_to_unknown", record, report);
  if (value.options !== undefined) checkOptions(value.options, record, report);
  if (value.onApprove !== undefined) {
    if (!isTexts(value.onApprove)) {
      report.error("on_approve_malformed", record, "/onApprove", "onApprove is a list of texts.");
    } else if (value.type === "question") {
      report.error("on_approve_on_question", record, "/onApprove", "Only a sign-off can have onApprove.");
    }
  }
  if (value.details !== undefined && !isPairs(value.details, "l", "v")) {
    report.error("details_malformed", record, "/details", "details is a list of {l, v}.");
  }
}

function checkOptions(options, record, report) {
  if (!isTexts(options)) {
    report.error("options_malformed", record, "/options", "options is a list of texts.");
    return;
  }
  options.forEach((option, i) => {
    if (option.length > MAX_OPTION) {
      report.warn("option_too_long", record, `/options/${i}`, "An option is short enough to be quoted.");
    }
  });
}

/** Checks what only the folded ask can tell. */
function checkAsk(record, folder, replies, report) {
  const { value, trail } = record;
  if (!isText(value.type)) report.error("ask_type_missing", record, "/type", "An ask has a type.");
  if (!isText(value.title)) report.error("ask_title_missing", record, "/title", "An ask has a title.");
  checkUnit(record, folder, report);
  if (isText(value.run) && !folder.runs.has(value.run)) {
    report.warn("ask_run_unknown", record, "/run", `No job has the id ${value.run}.`);
  }
  if (value.type === "sign-off") {
    if (!trail.some((line) => attachmentsOf(line.value).length > 0)) {
      report.warn("sign_off_without_attachment", record, "/attachments", "Attach what is to be signed off.");
    }
    if (!(value.onApprove?.length > 0)) {
      report.warn("sign_off_without_on_approve", record, "/onApprove", "Say what an approval authorizes.");
    }
    if (value.status === "resolved") checkVerdict(newestVerdict(replies), record, report);
  }
  if (value.resolution !== undefined) checkResolution(record, folder, report);
}

function checkVerdict(newest, record, report) {
  if (!newest) report.warn("close_without_verdict", record, "/status", "No approving verdict is on file.");
  else if (newest.value.verdict !== "approved") {
    report.warn("close_against_verdict", record, "/status", "The newest verdict does not approve.");
  }
}

function checkResolution(record, folder, report) {
  const { value: ask, trail } = record;
  const { resolution } = ask;
  if (typeof resolution === "string") return;
  if (!isObject(resolution)) {
    report.warn("resolution_malformed", record, "/resolution", "A resolution is a text or an object.");
    return;
  }
  checkEnumWarn(resolution, "via", VIA, "resolution_via_unknown", record, report);
  if (resolution.ts !== undefined) checkTs(resolution.ts, record, "/resolution/ts", folder, report);
  if (isText(resolution.run) && !folder.runs.has(resolution.run)) {
    report.warn("resolution_run_unknown", record, "/resolution/run", `No job has the id ${resolution.run}.`);
  }
  if (isText(resolution.chosen) && !(Array.isArray(ask.options) && ask.options.includes(resolution.chosen))) {
    report.warn("resolution_chosen_unknown", record, "/resolution/chosen", "chosen quotes an option word by word.");
  }
  if (!isText(resolution.answer)) {
    if (resolution.via === "figs") {
      report.warn("resolution_answer_missing", record, "/resolution/answer", "A close via figs cites the answer.");
    }
    return;
  }
  const cited = folder.messages.get(resolution.answer);
  if (!cited) {
    report.warn("resolution_answer_unknown", record, "/resolution/answer", "No message has this id.");
  } else if (cited.value.ask !== record.id) {
    report.warn("resolution_answer_other_ask", record, "/resolution/answer", "This message answers another ask.");
  } else if (roundOf(cited, trail) < trail.filter(isRaise).length && trail.filter(isRaise).length > 1) {
    report.warn("close_cites_earlier_round", record, "/resolution/answer", "The ask was raised again after this reply.");
  }
}

function isRaise({ value }) {
  return value.type !== undefined && value.resolution === undefined && (value.status ?? "open") === "open";
}

/** Tells in which round a reply was given: how many raise lines were written by then. */
function roundOf(reply, trail) {
  const at = Date.parse(reply.value.ts);
  return trail.filter((line) => isRaise(line) && Date.parse(line.value.ts) <= at).length;
}

function repliesByAsk(messages) {
  const byAsk = new Map();
  for (const message of messages.values()) {
    const replies = byAsk.get(message.value.ask);
    if (replies) replies.push(message);
    else byAsk.set(message.value.ask, [message]);
  }
  return byAsk;
}

function newestVerdict(replies) {
  return replies.findLast((reply) => reply.value.kind === "verdict");
}

// ---- §5: messages

export function checkMessages(folder, report) {
  for (const message of folder.messages.values()) {
    const { value } = message;
    for (const key of ["id", "ask", "by", "kind"]) {
      if (!isText(value[key])) {
        report.error(`message_${key}_missing`, message, `/${key}`, `A message has ${key}.`);
      }
    }
    requireTs(value, message, "message_ts_missing", report);
    checkTs(value.ts, message, "/ts", folder, report);
    checkEnum(value, "kind", KIND, "message_kind_unknown", message, report);
    checkEnum(value, "verdict", VERDICT, "message_verdict_unknown", message, report);
    if (value.source !== undefined && !SOURCE.includes(value.source)) {
      report.error("message_source_refused", message, "/source", "Clients push only app and chat.");
    }
    checkReply(value, message, folder.asks.get(value.ask)?.value, report);
    checkDollars(value, "", message, report);
  }
}

function checkReply(value, message, ask, report) {
  if (value.kind === "verdict" && value.verdict === undefined) {
    report.error("message_verdict_missing", message, "/verdict", "A verdict message says which verdict.");
  }
  if (value.kind === "answer" && value.chosen === undefined && value.text === undefined) {
    report.error("answer_empty", message, "", "An answer has chosen or text.");
  }
  if (!ask) {
    report.warn("message_ask_unknown", message, "/ask", "The ask of this message is not in this journal.");
    return;
  }
  if (value.kind === "verdict" && ask.type === "question") {
    report.warn("verdict_on_question", message, "/kind", "A question takes an answer.");
  } else if (value.kind === "answer" && ask.type === "sign-off") {
    report.warn("answer_on_sign_off", message, "/kind", "A sign-off takes a verdict.");
  }
  if (isText(value.chosen) && !(Array.isArray(ask.options) && ask.options.includes(value.chosen))) {
    report.warn("message_chosen_unknown", message, "/chosen", "chosen quotes an option word by word.");
  }
}

function checkUnit(record, folder, report) {
  const { value } = record;
  if (isText(value.unit) && folder.units.size > 0 && !folder.units.has(value.unit)) {
    report.warn("unit_unknown", record, "/unit", `The charter has no unit ${value.unit}.`);
  }
}

export function checkArtifacts(folder, report) {
  for (const [name, size] of folder.artifacts) {
    const where = { file: `artifacts/${name}`, line: 0 };
    if (!folder.named.has(name)) report.warn("attachment_unnamed", where, "", "No line names this file.");
    if (size > MAX_ATTACHMENT) report.error("attachment_too_large", where, "", "An attachment has at most 10 MiB.");
  }
}

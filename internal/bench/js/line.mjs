// The rules that runs and asks share: about each line, and about the fields of the fold.

import { checkTs, isObject, isTexts } from "./values.mjs";

const EATEN_DOLLAR = /(^|[\s([{])(,\d{3}\b|\.00\b)/;
const EXTENSION = /\.(html|md|txt|json|png|jpe?g|gif|webp|svg|csv|pdf|xlsx?|docx)$/i;
const NOT_BARE = /[/\\\u0000-\u001f\u007f]|^\.{1,2}$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Checks what belongs to each line of a trail: its instant and what it attaches. */
export function checkTrail(record, folder, report) {
  let latest = -Infinity;
  for (const line of record.trail) {
    const { value } = line;
    if (value.ts !== undefined) line.at = Date.parse(value.ts);
    if (line.at < latest) report.warn("ts_out_of_order", line, "/ts", "This line is older than the one before it.");
    else if (line.at > latest) latest = line.at;
    checkLegacy(value, line, report);
    checkAttachments(value, line, folder, report);
  }
}

/** Checks the fields that runs and asks share, after the fold: a later line mends an earlier one. */
export function checkFields(record, folder, report) {
  const { value } = record;
  if (value.ts !== undefined) checkTs(value.ts, record, "/ts", folder, report);
  checkSession(value.session, record, report);
  checkDollars(value, "", record, report);
}

function checkLegacy(value, line, report) {
  for (const key of ["artifact", "artifacts", "refs"]) {
    if (value[key] !== undefined) {
      report.warn("attachment_legacy_field", line, `/${key}`, `Write attachments instead of ${key}.`);
    }
  }
  if (value.artifact !== undefined && typeof value.artifact !== "string") {
    report.error("artifact_malformed", line, "/artifact", "artifact is a text.");
  }
  if (value.artifacts !== undefined && !isTexts(value.artifacts)) {
    report.error("artifacts_malformed", line, "/artifacts", "artifacts is a list of texts.");
  }
  if (Array.isArray(value.refs) && !value.refs.every((ref) => typeof ref?.label === "string")) {
    report.error("refs_malformed", line, "/refs", "A reference has a label.");
  }
}

/** Lists a line's attachments, those of a v1 line included. */
export function attachmentsOf(value) {
  if (value.attachments !== undefined) return isTexts(value.attachments) ? value.attachments : [];
  const names = [];
  if (typeof value.artifact === "string") names.push(value.artifact);
  if (isTexts(value.artifacts)) names.push(...value.artifacts);
  if (Array.isArray(value.refs)) {
    for (const ref of value.refs) if (typeof ref?.artifact === "string") names.push(ref.artifact);
  }
  return names;
}

function checkAttachments(value, line, folder, report) {
  if (value.attachments !== undefined && !isTexts(value.attachments)) {
    report.error("attachments_malformed", line, "/attachments", "attachments is a list of file names.");
    return;
  }
  attachmentsOf(value).forEach((name, i) => {
    if (folder.named.has(name)) return; // the rules speak once of each name
    folder.named.add(name);
    const pointer = `/attachments/${i}`;
    if (checkName(name, line, pointer, report) && !folder.artifacts.has(name)) {
      report.warn("attachment_missing", line, pointer, `${name} is not in artifacts/.`);
    }
  });
}

/** Reports whether a name is one that can be attached. */
function checkName(name, where, pointer, report) {
  if (name === "" || NOT_BARE.test(name)) {
    report.error("attachment_name_invalid", where, pointer, `${name} is not a bare file name.`);
    return false;
  }
  if (!EXTENSION.test(name)) {
    report.error("attachment_type_unsupported", where, pointer, `${name} is of a type that is not taken.`);
    return false;
  }
  return true;
}

function checkSession(session, line, report) {
  if (session === undefined) return;
  if (!isObject(session)) report.warn("session_malformed", line, "/session", "session is an object.");
  else if (session.tokens !== undefined && !isObject(session.tokens)) {
    report.warn("tokens_malformed", line, "/session/tokens", "tokens is an object.");
  }
}

/** Looks into every text of a line for an amount whose dollar a shell has eaten. */
export function checkDollars(value, pointer, line, report) {
  for (const key in value) {
    const inner = value[key];
    if (typeof inner === "string") {
      if (EATEN_DOLLAR.test(inner)) {
        report.warn("dollar_eaten", line, `${pointer}/${key}`, "A shell seems to have eaten a $ here: quote it with '…'.");
      }
    } else if (inner !== null && typeof inner === "object") {
      checkDollars(inner, `${pointer}/${key}`, line, report);
    }
  }
}

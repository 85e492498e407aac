// The rules that hold for every line of runs.jsonl and asks.jsonl, whichever record it belongs to.

import { checkTs, isObject, isTexts } from "./values.mjs";

const EATEN_DOLLAR = /(^|[\s([{])(,\d{3}\b|\.00\b)/;
const EXTENSION = /\.(html|md|txt|json|png|jpe?g|gif|webp|svg|csv|pdf|xlsx?|docx)$/i;
const NOT_BARE = /[/\\\u0000-\u001f\u007f]|^\.{1,2}$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

export function checkLine(value, line, folder, report) {
  if (value.ts !== undefined) line.at = checkTs(value.ts, line, "/ts", folder, report);
  checkLegacy(value, line, report);
  checkAttachments(value, line, folder, report);
  checkSession(value.session, line, report);
  checkDollars(value, "", line, report);
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
    folder.named.add(name);
    if (folder.artifacts.has(name)) return; // checked with the other files
    const pointer = `/attachments/${i}`;
    checkName(name, line, pointer, report);
    report.warn("attachment_missing", line, pointer, `${name} is not in artifacts/.`);
  });
}

export function checkName(name, where, pointer, report) {
  if (name === "" || NOT_BARE.test(name)) {
    report.error("attachment_name_invalid", where, pointer, `${name} is not a bare file name.`);
  } else if (!EXTENSION.test(name)) {
    report.error("attachment_type_unsupported", where, pointer, `${name} is of a type that is not taken.`);
  }
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

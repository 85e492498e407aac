// Generated from the Go types by internal/build/typescript: run make generate.

/** A JSON object that an agent or a person wrote. */
export type JSONObject = { [key: string]: unknown };

export type Severity = 'error' | 'warning' | 'info';

/** The rules. */
export type RuleCode =
  | 'line_broken'
  | 'line_torn'
  | 'line_not_object'
  | 'line_too_long'
  | 'line_too_deep'
  | 'line_utf8_invalid'
  | 'line_unterminated'
  | 'key_duplicate'
  | 'record_too_large'
  | 'ledger_too_large'
  | 'file_utf16'
  | 'file_unreadable'
  | 'file_changed'
  | 'folder_unrecognised'
  | 'agent_missing'
  | 'agent_malformed'
  | 'name_missing'
  | 'placeholder_left'
  | 'config_malformed'
  | 'agent_id_missing'
  | 'agent_id_malformed'
  | 'workspace_id_malformed'
  | 'endpoint_malformed'
  | 'unit_incomplete'
  | 'stats_malformed'
  | 'properties_malformed'
  | 'steps_malformed'
  | 'responsibilities_malformed'
  | 'steps_and_responsibilities'
  | 'org_malformed'
  | 'avatar_malformed'
  | 'units_malformed'
  | 'run_id_missing'
  | 'run_ts_missing'
  | 'run_status_unknown'
  | 'run_state_unknown'
  | 'ask_id_missing'
  | 'ask_type_missing'
  | 'ask_type_unknown'
  | 'ask_type_retired'
  | 'ask_title_missing'
  | 'ask_status_unknown'
  | 'ask_to_unknown'
  | 'message_id_missing'
  | 'message_kind_missing'
  | 'message_kind_unknown'
  | 'message_kind_reserved'
  | 'message_ask_missing'
  | 'message_ts_missing'
  | 'message_by_missing'
  | 'message_verdict_missing'
  | 'message_verdict_unknown'
  | 'message_source_refused'
  | 'answer_empty'
  | 'ts_malformed'
  | 'text_malformed'
  | 'text_hidden_characters'
  | 'dollar_eaten'
  | 'options_malformed'
  | 'option_too_long'
  | 'on_approve_malformed'
  | 'on_approve_on_question'
  | 'details_malformed'
  | 'details_value_malformed'
  | 'attachments_malformed'
  | 'artifact_malformed'
  | 'artifacts_malformed'
  | 'refs_malformed'
  | 'attachment_legacy_field'
  | 'resolution_malformed'
  | 'resolution_via_unknown'
  | 'session_malformed'
  | 'tokens_malformed'
  | 'unit_unknown'
  | 'ask_run_unknown'
  | 'resolution_run_unknown'
  | 'resolution_answer_unknown'
  | 'resolution_answer_missing'
  | 'resolution_answer_other_ask'
  | 'resolution_chosen_unknown'
  | 'ask_changed_after_reply'
  | 'close_cites_earlier_round'
  | 'close_without_verdict'
  | 'close_against_verdict'
  | 'ask_rejected_reopened'
  | 'sign_off_without_attachment'
  | 'sign_off_without_on_approve'
  | 'message_chosen_unknown'
  | 'message_ask_unknown'
  | 'message_id_reused'
  | 'verdict_on_question'
  | 'answer_on_sign_off'
  | 'job_silent'
  | 'ts_future'
  | 'ts_out_of_order'
  | 'attachment_name_invalid'
  | 'attachment_type_unsupported'
  | 'attachment_too_large'
  | 'attachment_missing'
  | 'attachment_case_differs'
  | 'attachment_unnamed';

export interface AgentFacts {
  /** Its number, from 1. */
  key: string;
  /** Of its folder, starting with the name of the opened folder. */
  path: string;
  /** From config.json; empty if it has none. */
  id: string;
  /** From agent.json, or else its path. */
  name: string;
  role: string;
  counts: Counts;
  /** When the oldest open ask began to need a person. */
  oldest_need: string | null;
  /** Time of the newest line, as the agent wrote it. */
  last_ts: string | null;
}

export interface AskState extends State {
  id: string;
}

export interface Report {
  /** No rule of severity error is broken. */
  valid: boolean;
  /** The time by which the rules about time judged. */
  now?: string;
  errors: number;
  warnings: number;
  infos: number;
  /** Errors first, then warnings, then infos. */
  findings: Finding[];
  /** Findings that are counted and not listed. */
  more?: Overflow[];
}

export interface SearchResult {
  /** Newest first. */
  items: Found[];
  total: number;
  /** Parts of the search that were not understood as they may have been meant. */
  notes: SearchNote[];
}

export interface ComparisonResult {
  /** Something that was written before was changed or is gone. */
  rewritten: boolean;
  folders: ComparedFolder[];
}

export interface Job {
  key: string;
  id: string;
  /** URL of its page for people. */
  page?: string;
  /** Its title, or its id if it has none. */
  title: string;
  /** In-flight, ok, warn, fail, or unknown. */
  outcome: 'in-flight' | 'ok' | 'warn' | 'fail' | 'unknown';
  /** As the agent wrote it. */
  ts: string | null;
  /** Number of its lines in the ledger. */
  versions: number;
  /** What the agent wrote, all its lines folded. */
  record: JSONObject | null;
}

export interface JobDetail extends Job {
  erased: Erasure | null;
  trail: TrailEntry[];
  /** Asks that name this job. */
  asks: Ask[];
  /** Findings about its lines, in the format of figs-web doctor --json. */
  findings: Finding[];
}

export interface Ask {
  key: string;
  id: string;
  /** URL of its page for people. */
  page?: string;
  /** Its title, or its id if it has none. */
  title: string;
  /** Question or sign-off, or another word that the agent wrote. */
  type: string | null;
  /** Manager or builder; null means both. */
  to: string | null;
  /** Key of its job. */
  job: string | null;
  /** As the agent wrote it. */
  ts: string | null;
  state: State;
  /** Who is asked now, on a server. */
  asked_of: Person[];
  /** Number of its lines in the ledger. */
  versions: number;
  /** What the agent wrote, all its lines folded. */
  record: JSONObject | null;
}

export interface AskDetail extends Ask {
  erased: Erasure | null;
  /** The reply that determines the state of the ask, or that its close cites. */
  reply: Message | null;
  /** Current attachments. */
  files: Attachment[];
  /** Attachments that only earlier lines attach. */
  earlier_files: Attachment[];
  trail: TrailEntry[];
  /** The replies, oldest first. */
  thread: Message[];
  /** Findings about its lines, in the format of figs-web doctor --json. */
  findings: Finding[];
}

export interface Message extends Note {
  key: string;
  id: string;
  /** Key of its ask; null if the ask does not exist. */
  ask: string | null;
  ask_title: string | null;
  /** Round of its ask that it belongs to; null if the ask does not exist. */
  round: number | null;
  /** Older than the newest change of its ask. */
  earlier: boolean;
  /** False: reported by the agent (transcribed), as all replies in a folder are. */
  verified: boolean;
  at: string | null;
  pushed_by: Person | null;
  /** Delivery from a server to the agent. */
  delivery: Delivery | null;
  erased: Erasure | null;
  /** The reply as in messages.jsonl. */
  record: JSONObject | null;
}

export interface Attachment {
  key: string;
  name: string;
  /** URL of its page for people. */
  page?: string;
  /** Size in bytes; null if the file is missing. */
  size: number | null;
  /** In hex; null if unknown. */
  sha256: string | null;
  /** The lines that attach it. */
  mentions?: Mention[];
  /** The first record that attaches it. */
  owner: FileOwner | null;
}

export interface Counts {
  jobs: number;
  in_flight: number;
  failed: number;
  warned: number;
  /** Jobs with a status that the protocol does not define. */
  unknown: number;
  asks: number;
  /** Asks that need a person. */
  needs: number;
  /** Asks that wait for the agent. */
  waiting: number;
  closed: number;
  messages: number;
  files: number;
  errors: number;
  warnings: number;
  infos: number;
  /** Records that a server refused. */
  refused: number;
}

export interface State {
  /** Needs_you, replied, being_revised, declined, resolved, withdrawn or rejected. */
  phase: 'needs_you' | 'replied' | 'being_revised' | 'declined' | 'resolved' | 'withdrawn' | 'rejected';
  /** Needs, waiting or closed. */
  tab: 'needs' | 'waiting' | 'closed';
  /** Number of times it was raised. */
  round: number;
  /** The reply that determines the state is reported by the agent (transcribed) and not verified. */
  reported: boolean;
  /** When the current round began. */
  since: string | null;
}

export interface Finding {
  code: RuleCode;
  severity: Severity;
  /** Name inside the folder. */
  file: string;
  /** From 1; 0 for the whole file. */
  line: number;
  /** From 1, in bytes; 0 for the whole line. */
  column: number;
  /** Column after the last marked byte; 0 if column is 0. */
  endColumn: number;
  /** Of the marked bytes, or of the line, in the file. */
  offset: number;
  /** RFC 6901 pointer inside the line's object. */
  pointer?: string;
  /** Id of the record. */
  record?: string;
  /** What is wrong, one sentence. */
  message?: string;
  /** How to fix it. */
  hint?: string;
  /** What was expected, in a few words. */
  expected?: string;
  /** The value meant, only if that is certain. */
  suggestion?: string;
  /** Other places that the finding is about. */
  related?: FindingPosition[];
  /** Text to send to the agent that wrote the line. */
  forAgent?: string;
}

export interface Overflow {
  code: RuleCode;
  count: number;
}

export interface Found {
  /** Its name. */
  agent: string;
  /** Its path. */
  folder: string;
  /** Job, ask, message or file. */
  kind: 'job' | 'ask' | 'message' | 'file';
  /** Key of the record or file. */
  number: string;
  /** Id of the record, as the agent wrote it. */
  id?: string;
  title: string;
  /** As the agent wrote it. */
  ts?: string;
  /** Part of the text around the first match. */
  text: string;
}

export interface SearchNote {
  /** The part. */
  text: string;
  /** The field that it seems to name. */
  field: string;
  /** Values of that field. */
  choices: string[];
  /** What may have been meant. */
  suggestion: string;
}

export interface ComparedFolder {
  path: string;
  /** The copy that does not have it, old or new. */
  missing?: string;
  /** The overall result, one of the words that figs-web compare --help explains. */
  past?: string;
  /** Lines or attachments were changed or are gone. */
  rewritten: boolean;
  ledgers?: ComparedLedger[];
  /** Earlier lines that changed. */
  lines: ChangedLine[];
  records: ChangedRecord[];
  files: ChangedFile[];
}

export interface Erasure {
  at: string | null;
  by: Person | null;
  why: string;
  sha256: string | null;
  came_again: string | null;
}

export interface TrailEntry {
  /** Position of the line in the folder. */
  place?: Position;
  /** As the agent wrote it. */
  ts: string | null;
  /** That time in UTC; null if it cannot be read. */
  at: string | null;
  /** When a server received it. */
  received: string | null;
  pushed_by: Person | null;
  /** For asks: the round that the line starts or belongs to. */
  round?: number;
  /** The fields that the line set or changed. */
  changed: string[];
  /** Attachments of the line. */
  files?: Attachment[];
  /** Number of lines folded into this one; more than 1 only in a long trail. */
  lines: number;
  /** What the agent wrote. */
  line: JSONObject | null;
}

export interface Person {
  id: string;
  name: string;
}

export interface Delivery {
  recorded: string | null;
  handed: string | null;
  confirmed: string | null;
  closed: string | null;
}

export interface Note {
  /** Of a text with remarks: what it says on the whole. */
  summary?: string;
  /** Numbers of remarks of the previous round that the person calls resolved. */
  resolved?: number[];
  /** What the person says about single places of what they reviewed, in the order of the text. */
  remarks?: Remark[];
}

export interface Mention {
  file: string;
  ts: string | null;
}

export interface FileOwner {
  /** Job or ask. */
  kind: 'job' | 'ask';
  key: string;
  title: string;
}

export interface FindingPosition {
  file: string;
  line: number;
  column: number;
}

export interface ComparedLedger {
  file: string;
  /** Lines of the older copy. */
  old: number;
  /** Of these, lines that did not change. */
  same: number;
  added: number;
  gone?: boolean;
  /** An incomplete last line was completed. */
  completed?: boolean;
  /** Text was added to an incomplete last line. */
  joined?: boolean;
  /** An incomplete last line was removed. */
  dropped?: boolean;
  /** Lines with another line ending. */
  otherLineEnds?: number;
}

export interface ChangedLine {
  /** Edited, removed, moved or inserted. */
  kind: string;
  file: string;
  oldLine?: number;
  newLine?: number;
  /** The line as it was. */
  old?: string;
  /** The line as it is. */
  new?: string;
}

export interface ChangedRecord {
  /** New, lost, asked-again, replied-to, closed, settled or changed. */
  kind: string;
  file: string;
  id: string;
  /** Its state before. */
  old?: string;
  /** Its state now. */
  new?: string;
}

export interface ChangedFile {
  /** New, gone, other-bytes or not-compared. */
  kind: string;
  name: string;
  /** In bytes; -1 if it was not there. */
  oldSize: number;
  /** In bytes; -1 if it is not there. */
  newSize: number;
  /** A line of the older copy attaches it. */
  attached?: boolean;
  /** On asks that attach it. */
  decisions?: DecisionOnFile[];
}

export interface Position {
  file: string;
  line: number;
}

export interface Remark extends RemarkContent {
  number: number;
}

export interface DecisionOnFile {
  /** Id of the ask. */
  ask: string;
  /** Id of the reply. */
  message: string;
  /** Of a sign-off. */
  verdict?: string;
  by?: string;
}

export interface RemarkContent {
  kind: string;
  file?: string;
  sha256?: string;
  line?: number;
  toLine?: number;
  path?: string;
  nth?: number;
  of?: number;
  before?: string;
  quote?: string;
  after?: string;
  area?: Rect;
  step?: number;
  text?: string;
  suggestion?: string;
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

import type { AgentFacts, Ask, AskDetail, AskState, Attachment, ComparisonResult, Job, JobDetail, JSONObject, Message, Report, SearchResult } from './answers.js';

export type * from './answers.js';

/** The version of the package and of its engine. */
export const version: string;

/**
 * Opens a folder, finds the `.figs` folders in it, reads and checks them. Bad content never throws: it is reported by
 * `Agent.findings`.
 */
export function open(source: Source, options?: OpenOptions): Promise<Folder>;

/** Compares two copies of a folder: what is new, and whether earlier lines or attachments were changed. */
export function compare(older: Source, newer: Source, options?: OpenOptions): Promise<ComparisonResult>;

/** Like `compare`, but the text that `figs-web compare --json` prints, without the newline at its end. */
export function compareJSON(older: Source, newer: Source, options?: OpenOptions): Promise<string>;

/**
 * What can be opened: the path of a directory (not in browsers), the files of an `<input webkitdirectory>` or of a drop, a
 * handle of the File System Access API, or files with their paths, in any order.
 */
export type Source = string | URL | FileList | FileSystemDirectoryHandle | Iterable<File | SourceFile> | AsyncIterable<File | SourceFile>;

export type SourceFile = SourceData | SourceStream;

export interface SourceData {
  /** With slashes, below the folder: `.figs/asks.jsonl`. */
  path: string;
  data: Uint8Array | ArrayBuffer | Blob | string;
}

export interface SourceStream {
  path: string;
  /** Read once, or asked for once by a function, when its file's turn comes. */
  stream: ByteStream | (() => ByteStream);
  /** In bytes, for the progress. */
  size?: number;
}

export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface OpenOptions {
  /** What paths begin with. Default: the name of the directory, or nothing. */
  name?: string;
  /** The time by which the rules about time judge, in ISO 8601; '' for none. Default: the present. */
  now?: string;
  /** Reads in a worker, so that a large folder doesn't block this thread. */
  worker?: boolean;
  /** Called after each part that was read, of 1 MiB at most. */
  onProgress?: (progress: Progress) => void;
  /** Ends reading. */
  signal?: AbortSignal;
  /** The module, or where it is. It must be of the package's version. Default: the one in the package. */
  wasm?: string | URL | BufferSource | WebAssembly.Module;
}

export interface Progress {
  /** Bytes so far. */
  read: number;
  /** Bytes of all files; less than `read` if streams have no size. */
  total: number;
  path: string;
}

/** An open folder. Everything it holds is freed by `close`. */
export interface Folder {
  readonly agents: Agent[];
  /** Sentences about what was left out. */
  readonly notes: string[];
  /** Searches all agents, one after the other. `limit` is for each agent. */
  search(search: string, options?: SearchOptions): Promise<SearchResult>;
  close(): void;
  [Symbol.dispose](): void;
}

export interface Agent extends AgentFacts {
  /** Jobs, newest first. */
  jobs(filter?: Filter<'in-flight' | 'ok' | 'warn' | 'fail' | 'unknown'>): List<Job>;
  /** Asks: those that need a person first, then those that wait for the agent, then closed ones. */
  asks(filter?: Filter<'needs' | 'waiting' | 'closed'>): List<Ask>;
  /** Replies, newest first. */
  messages(filter?: At): List<Message>;
  /** Attachments: those that records name, then the others. */
  files(filter?: Filter<never>): List<Attachment>;
  job(id: string, options?: At): Promise<JobDetail | null>;
  ask(id: string, options?: At): Promise<AskDetail | null>;
  /** The state of each ask, in the order in which the asks began. */
  states(options?: At): Promise<AskState[]>;
  findings(options?: At): Promise<Report>;
  /** The records of a ledger as the agent wrote them, all lines folded, in the order in which they began. */
  fold(ledger: Ledger, options?: At): Promise<JSONObject[]>;
  /** Searches the records, and attachments by their names. The syntax is that of `figs-web search`. */
  search(search: string, options?: SearchOptions): Promise<SearchResult>;
  /**
   * The findings as `figs-web doctor --json` prints them, or the records as `figs-web fold` does, byte for byte.
   */
  json(what: 'findings', options?: At): Promise<string>;
  json(what: 'fold', options: At & { ledger: Ledger }): Promise<string>;
  /** The answer from which one of the other methods makes objects. */
  json(what: 'states' | 'jobs' | 'asks' | 'messages' | 'files' | 'search' | 'job' | 'ask', options?: At & { from?: number; limit?: number; text?: string; state?: string; id?: string }): Promise<string>;
}

export type Ledger = 'runs' | 'asks' | 'messages';

export interface At {
  /** A point in time: a day, a time, a number of lines (`137`), or numbers of runs, asks and messages (`12.5.3`). */
  at?: string;
}

export interface Filter<State extends string> extends At {
  state?: State;
  /** Words that must all occur. */
  text?: string;
}

export interface SearchOptions extends At {
  /** At most 200. Default: 50. */
  limit?: number;
}

/** A list that is fetched as far as it is used: `for await (const ask of agent.asks())`. */
export interface List<T> extends AsyncIterable<T> {
  page(part?: { from?: number; limit?: number }): Promise<Page<T>>;
  toArray(): Promise<T[]>;
}

export interface Page<T> {
  items: T[];
  from: number;
  total: number;
}

export class EngineError extends Error {
  constructor(code: EngineErrorCode, message: string);
  readonly code: EngineErrorCode;
}

/**
 * - `version`: the module is of another version than the package.
 * - `memory`: the module ran out of memory.
 * - `crash`: the module ended.
 * - `closed`: the folder is closed.
 * - `request`: what was asked can't be answered, such as a comparison with a ledger that can't be read.
 */
export type EngineErrorCode = 'version' | 'memory' | 'crash' | 'closed' | 'request';

// What the scripts in js use of browsers and TypeScript's own library does not declare, or declares too widely. Read by
// tsc alone (make verify) and by editors; nothing of it is sent to a browser.

// Pages are HTML: what a selector finds is an HTMLElement unless its own type says more. Casts say where it is SVG or a form.
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}

interface Element {
  cloneNode(subtree?: boolean): this;
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

/** An event at an element of a certain type, where the listener knows which. */
type EventAt<T, E = Event> = E & { target: T };

/** A field of a form that has a value. */
type Field = HTMLInputElement & { form: HTMLFormElement };

interface HTMLFormControlsCollection {
  [name: string]: any; // a field by its name
}

interface Window {
  showDirectoryPicker?(options: { id?: string; mode?: 'read' | 'readwrite' }): Promise<FileSystemDirectoryHandle>;
  trustedTypes?: { createPolicy<R>(name: string, rules: R): R };
}

interface FocusOptions {
  focusVisible?: boolean;
}

interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

interface Uint8Array {
  toBase64?(): string;
}

interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array<ArrayBuffer>;
}

// Of Go's wasm_exec.js.
declare var fs: { writeSync(fd: number, bytes: Uint8Array): number };
declare class Go {
  env: Record<string, string>;
  exit(code: number): void;
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

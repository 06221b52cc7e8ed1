import type { Encoding } from '../encodings.js';
export type Inflated =
  /** `bytes` owns its ArrayBuffer: it can be transferred. */
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly fault: 'malformed' | 'too-large'; readonly message: string };
/** Undoes a content-coding. Never makes more than `maxBytes`. */
export function inflate(body: Uint8Array, encoding: Encoding, maxBytes: number): Inflated { void body; void encoding; void maxBytes; throw new Error('being written'); }

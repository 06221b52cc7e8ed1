import type { Encoding } from '../encodings.js';
import type { Signal } from '../signals.js';

/** Everything that deciding about one export request takes. */
export interface ExaminationRequest {
  readonly gridId: string;
  readonly signal: Signal;
  readonly format: 'protobuf' | 'json';
  readonly encoding: Encoding;
  /** As received, compressed or not. */
  readonly body: Uint8Array;
  /** Records with a time before / after these (ms since 1970) are rejected; `oldestMs` 0: no bound. */
  readonly oldestMs: number;
  readonly newestMs: number;
  /** Bodies that inflate to more are too large. */
  readonly maxInflatedBytes: number;
}

/** What an export request turned out to be. Plain data: it crosses threads. */
export type Examination =
  | {
      readonly ok: true;
      /** Records accepted, and 0-based ordinals of the rejected ones in the order of the body. */
      readonly accepted: number;
      readonly rejected: readonly number[];
      /** English, for `partial_success.error_message`; "" when nothing was rejected and nothing is to warn of. */
      readonly message: string;
      /** Hex SHA-256 over Grid, signal and inflated body as received. */
      readonly identity: string;
      /** Protobuf to append, in `encoding`: as received where it came compressed protobuf, else gzip level 1. */
      readonly body: Uint8Array;
      readonly encoding: Encoding;
      /** Bytes of the protobuf that `body` inflates to. */
      readonly inflatedBytes: number;
    }
  | { readonly ok: false; readonly fault: 'malformed' | 'too-large'; readonly message: string };

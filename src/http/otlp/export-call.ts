import type { Encoding } from '../../telemetry/encodings.js';
import type { WireFormat } from '../../telemetry/otlp/responses.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Lease } from './memory-budget.js';
import type { Abandoned, Refusal } from './outcome.js';

/** One export request as either transport hands it to the receiver, its body still on the wire. */
export interface ExportCall {
  readonly signal: Signal;
  readonly format: WireFormat;
  /** Absent where the request carries no key, or several. */
  readonly apiKey: string | undefined;
  /** Address of the sender, for what it presents. */
  readonly client: string;
  /** Takes the body off the wire. Called at most once; what it holds is paid for from `lease`. */
  readBody(lease: Lease): Promise<ReadBody>;
}

export type ReadBody =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: Encoding }
  | { readonly ok: false; readonly outcome: Refusal | Abandoned };

import type { Abandoned, Refusal } from './export-outcome.js';
import type { TransferEncoding } from '../../telemetry/compression/content-encoding.js';
import type { BodyFormat } from '../../telemetry/otlp/validation/validate-export-request.js';
import type { Signal } from '../../telemetry/signals.js';
import type { MemoryReservation } from './memory-budget.js';

/** An export request from any transport. Its body has not been read yet. */
export interface ExportRequest {
  readonly signal: Signal;
  readonly format: BodyFormat;
  /** Undefined if the request has no key, or several. */
  readonly apiKey: string | undefined;
  /** Address of the sender, for limiting failed attempts. */
  readonly client: string;
  /** Any object that stands for the connection, for the same purpose. Default: a connection of its own. */
  readonly connection?: object | undefined;
  /** Reads the body. Called at most once; its memory is accounted in `reservation`. */
  readBody(reservation: MemoryReservation): Promise<ReadBodyResult>;
}

export type ReadBodyResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly encoding: TransferEncoding }
  | { readonly ok: false; readonly outcome: Refusal | Abandoned };

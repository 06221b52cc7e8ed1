import type { Signal } from '../signals.js';
export type WireFormat = 'protobuf' | 'json';
/** google.rpc.Code values that ingestion answers with. */
export const RPC_CODE = { ok: 0, invalidArgument: 3, notFound: 5, permissionDenied: 7, resourceExhausted: 8, unimplemented: 12, internal: 13, unavailable: 14, unauthenticated: 16 } as const;
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  /** Becomes a BadRequest detail. */
  readonly violations?: readonly { readonly field: string; readonly description: string }[];
  /** Becomes a RetryInfo detail: the sender may try again after so long. */
  readonly retryAfterMs?: number;
}
/** Export<Signal>ServiceResponse. Without rejections and message `partial_success` stays unset. */
export function encodeExportResponse(signal: Signal, format: WireFormat, rejected: number, message: string): Uint8Array { void signal; void format; void rejected; void message; throw new Error('being written'); }
/** google.rpc.Status, the body of every OTLP/HTTP error; for gRPC the protobuf form is `grpc-status-details-bin`. */
export function encodeStatus(format: WireFormat, status: RpcStatus): Uint8Array { void format; void status; throw new Error('being written'); }

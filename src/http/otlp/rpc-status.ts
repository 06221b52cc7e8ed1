import { RPC_CODE, type RpcStatus } from '../../telemetry/otlp/responses.js';
import type { Refusal } from './outcome.js';

/** How each refusal is called on the two wires. Retryable are only 429, 503 and codes with RetryInfo. */
export const WIRE_CODES: Record<Refusal['kind'], { readonly http: number; readonly rpc: number }> = {
  'unauthenticated': { http: 401, rpc: RPC_CODE.unauthenticated },
  'forbidden': { http: 403, rpc: RPC_CODE.permissionDenied },
  'malformed': { http: 400, rpc: RPC_CODE.invalidArgument },
  'too-large': { http: 413, rpc: RPC_CODE.resourceExhausted },
  'not-found': { http: 404, rpc: RPC_CODE.unimplemented },
  'method-not-allowed': { http: 405, rpc: RPC_CODE.unimplemented },
  'unsupported-media-type': { http: 415, rpc: RPC_CODE.unimplemented },
  'unsupported-encoding': { http: 415, rpc: RPC_CODE.unimplemented },
  'overloaded': { http: 429, rpc: RPC_CODE.resourceExhausted },
  'throttled': { http: 429, rpc: RPC_CODE.resourceExhausted },
  'unavailable': { http: 503, rpc: RPC_CODE.unavailable },
};

/** The google.rpc.Status of a refusal, the same on both wires. */
export function rpcStatusOf(refusal: Refusal): RpcStatus {
  const status = { code: WIRE_CODES[refusal.kind].rpc, message: refusal.message };
  if ('retryAfterMs' in refusal) return { ...status, retryAfterMs: refusal.retryAfterMs };
  if (refusal.kind === 'malformed') return { ...status, violations: [{ field: 'body', description: refusal.message }] };
  return status;
}

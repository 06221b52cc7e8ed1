/** Entry file of the worker threads of export-validator-pool.ts. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { TimedValidation } from './export-validator-pool.js';
import {
  type ExportValidationRequest,
  validateExportRequest,
} from '../../telemetry/otlp/validation/validate-export-request.js';

/** Validates one request. The body of a valid request is transferred back, everything else is copied. */
export default function run(request: ExportValidationRequest): unknown {
  const startedAt = performance.now();
  const validation = validateExportRequest(request);
  const tookMs = performance.now() - startedAt;
  if (!validation.ok) return { validation, tookMs } satisfies TimedValidation;
  const body = toTransferable(validation.body, request.body);
  return move({
    [transferableSymbol]: [body.buffer],
    [valueSymbol]: { validation: { ...validation, body }, tookMs } satisfies TimedValidation,
  });
}

/** Copies a slice of a shared buffer before the transfer. The buffer of the request itself can be transferred as it is. */
function toTransferable(body: Uint8Array, received: Uint8Array): Uint8Array {
  const whole = body.byteLength === body.buffer.byteLength;
  return whole || body.buffer === received.buffer ? body : body.slice();
}

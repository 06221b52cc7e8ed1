/** Entry file of the worker threads of export-validator-pool.ts. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import {
  type ExportValidation,
  type ExportValidationRequest,
  validateExportRequest,
} from '../../telemetry/otlp/validation/validate-export-request.js';

/** Validates one request. The body of a valid request is transferred back, everything else is copied. */
export default function run(request: ExportValidationRequest): unknown {
  const validation = validateExportRequest(request);
  if (!validation.ok) return validation;
  const body = toTransferable(validation.body, request.body);
  return move({
    [transferableSymbol]: [body.buffer],
    [valueSymbol]: { ...validation, body } satisfies ExportValidation,
  });
}

/** Copies a slice of a shared buffer before the transfer. The buffer of the request itself can be transferred as it is. */
function toTransferable(body: Uint8Array, received: Uint8Array): Uint8Array {
  const whole = body.byteLength === body.buffer.byteLength;
  return whole || body.buffer === received.buffer ? body : body.slice();
}

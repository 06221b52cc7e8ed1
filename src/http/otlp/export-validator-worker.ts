/** Entry file of the threads of examiner-pool.ts. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import {
  type ExportValidation,
  type ExportValidationRequest,
  validateExportRequest,
} from '../../telemetry/otlp/validation/validate-export-request.js';

/** The bytes of an accepted body go back by transfer, everything else by copy. */
export default function run(request: ExportValidationRequest): unknown {
  const examination = validateExportRequest(request);
  if (!examination.ok) return examination;
  const body = toTransferable(examination.body, request.body);
  return move({
    [transferableSymbol]: [body.buffer],
    [valueSymbol]: { ...examination, body } satisfies ExportValidation,
  });
}

/** A slice of a shared pool must not leave with its neighbours; the request's own buffer and an exact fit may. */
function toTransferable(body: Uint8Array, received: Uint8Array): Uint8Array {
  const whole = body.byteLength === body.buffer.byteLength;
  return whole || body.buffer === received.buffer ? body : body.slice();
}

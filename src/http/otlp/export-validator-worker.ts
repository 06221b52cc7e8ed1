/** Entry file of the worker threads of export-validator-pool.ts. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { collectGarbage, measureThreadMemory } from '../../thread-memory.js';
import type { TimedValidation, ValidatorTask } from './export-validator-pool.js';
import {
  type ExportValidationRequest,
  validateExportRequest,
} from '../../telemetry/otlp/validation/validate-export-request.js';

/** Memory (bytes) of buffers above that after the last collection, from which on the next one does not wait. */
const MAX_GARBAGE_BYTES = 32 * 1024 * 1024;
let liveBytes = measureThreadMemory().externalBytes;

/**
 * Validates one request. The body of a valid request, or of one to validate again, is transferred back; everything else is
 * copied. V8 does not collect while a thread of the pool waits for work, so what large bodies leave is collected here.
 */
export default function run(task: ValidatorTask): unknown {
  const result = task === 'collect-garbage' ? undefined : validate(task);
  if (task === 'collect-garbage' || measureThreadMemory().externalBytes > liveBytes + MAX_GARBAGE_BYTES) collect();
  return result;
}

function collect(): void {
  collectGarbage();
  liveBytes = measureThreadMemory().externalBytes;
}

function validate(request: ExportValidationRequest): unknown {
  const startedAt = performance.now();
  const validation = validateExportRequest(request);
  const tookMs = performance.now() - startedAt;
  if (!validation.ok && validation.fault !== 'over-limit') return { validation, tookMs } satisfies TimedValidation;
  if (!validation.ok) return moveBody(request.body, (body) => ({ validation, tookMs, body }));
  return moveBody(toTransferable(validation.body, request.body), (body) => ({
    validation: { ...validation, body },
    tookMs,
  }));
}

function moveBody(body: Uint8Array, createResult: (body: Uint8Array<ArrayBuffer>) => TimedValidation): unknown {
  const owned = body as Uint8Array<ArrayBuffer>;
  return move({ [transferableSymbol]: [owned.buffer], [valueSymbol]: createResult(owned) });
}

/**
 * Copies a view of a larger buffer before the transfer: Node.js 24 compresses small bodies into the pool of `Buffer`, which
 * cannot be transferred. The buffer of the request itself can be.
 */
function toTransferable(body: Uint8Array, received: Uint8Array): Uint8Array {
  const whole = body.byteLength === body.buffer.byteLength;
  return whole || body.buffer === received.buffer ? body : new Uint8Array(body);
}

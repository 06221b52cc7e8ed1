import { hasCode } from '../../errors.js';
import type { ExportValidation } from '../../telemetry/otlp/validation/validate-export-request.js';
import {
  createLateRefusal,
  createOutOfMemoryRefusal,
  createOverloadedRefusal,
  createRefusal,
  type Refusal,
} from './export-outcome.js';
import type { ExportValidator, TimedValidation, TransferableRequest } from './export-validator-pool.js';
import type { MemoryReservation } from './memory-budget.js';
import type { ResponseDeadline } from './response-deadline.js';
import {
  computeValidationMemory,
  estimateInflatedBytes,
  nextInflatedLimit,
  readClaimedGzipLength,
} from './validation-memory.js';

/** Retry time (ms) while the validator threads are busy. */
const OVERLOAD_RETRY_MS = 1_000;

const MIB = 1024 * 1024;
/** Time (ms) beyond the usual one for each MiB that is inflated and validated: a large body takes longer than a small one. */
const MS_PER_MIB = 50;

export type ValidBatch = Extract<ExportValidation, { ok: true }>;

export interface ValidationMeans {
  readonly validator: ExportValidator;
  /** Whose turn it is, and the memory for inflating; on return it holds what the valid body needs beyond the received one. */
  readonly memory: MemoryReservation;
  readonly deadline: ResponseDeadline;
}

/**
 * Validates a request in the turn of its sender, with memory that was reserved before it is used: whatever a body declares,
 * it is inflated to no more than was estimated. A body that is larger gives the memory back and waits for more, at most for
 * what one request can have (`largestGrant`).
 */
export async function validateInMemory(
  request: TransferableRequest,
  means: ValidationMeans,
): Promise<ValidBatch | Refusal> {
  const { encoding, maxInflatedBytes, body } = request;
  if (encoding === 'gzip' && (readClaimedGzipLength(body) ?? 0) > maxInflatedBytes)
    return createRefusal('too-large', `the body inflates to more than ${maxInflatedBytes} bytes`);
  const receivedBytes = body.byteLength;
  let attempt = { ...request, inflatedLimit: estimateInflatedBytes(encoding, body, maxInflatedBytes) };
  for (;;) {
    const result = await attemptValidation(attempt, means);
    if ('kind' in result) return result;
    const { validation } = result;
    if (validation.ok) {
      means.memory.shrinkTo(Math.max(0, validation.body.byteLength - receivedBytes));
      return validation;
    }
    if (validation.fault !== 'over-limit' || result.body === undefined)
      return createRefusal(validation.fault === 'malformed' ? 'malformed' : 'too-large', validation.message);
    const inflatedLimit = nextInflatedLimit(attempt.inflatedLimit, maxInflatedBytes);
    attempt = { ...attempt, body: result.body, inflatedLimit };
  }
}

async function attemptValidation(
  request: TransferableRequest & { readonly inflatedLimit: number },
  { validator, memory, deadline }: ValidationMeans,
): Promise<TimedValidation | Refusal> {
  deadline.extend(Math.floor(request.inflatedLimit / MIB) * MS_PER_MIB);
  // A request never waits for memory while it holds some for this purpose: two could wait for each other.
  memory.shrinkTo(0);
  const needed = computeValidationMemory(request.format, request.inflatedLimit);
  if (!(await memory.grow(Math.min(needed, memory.largestGrant)))) return createOutOfMemoryRefusal();
  if (deadline.leftMs === 0) return createLateRefusal();
  try {
    return await validator.validate(request, { share: memory.share, maxWaitMs: deadline.leftMs });
  } catch (error) {
    if (hasCode(error, 'overloaded'))
      return createOverloadedRefusal('too many requests are being validated; retry later', OVERLOAD_RETRY_MS);
    if (hasCode(error, 'unavailable')) return createLateRefusal();
    throw error;
  }
}

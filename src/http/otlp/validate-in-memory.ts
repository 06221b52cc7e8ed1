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
import type { TransferEncoding } from '../../telemetry/compression/content-encoding.js';
import type { BodyFormat } from '../../telemetry/otlp/validation/validate-export-request.js';

/** Assumed compression ratio (upper end of typically 8 to 12) for encodings that do not declare the inflated length. */
const ASSUMED_RATIO = 12;

/** Factor from one attempt to inflate a body to the next, when it inflates to more than was expected. */
const ATTEMPT_FACTOR = 8;

/** Memory for validating, as a multiple of the inflated body: the body and a copy, or the body and its compressed form. */
const PROTOBUF_MULTIPLE = 2;
/** JSON is translated to protobuf as well, in a buffer that grows. */
const JSON_MULTIPLE = 4;

/** A header of 10 bytes, an empty deflate block of 2, and a trailer of 8. */
const MIN_GZIP_BYTES = 20;

const GZIP_MAGIC = 0x1f8b;

/** Maximum compression ratio of deflate. */
const MAX_DEFLATE_RATIO = 1_032;

/**
 * The inflated length that a gzip body declares in its last four bytes, modulo 2^32 (RFC 1952, ISIZE). Undefined if it is
 * implausible: the body is not gzip or is truncated. A valid body never inflates to less.
 */
export function readClaimedGzipLength(body: Uint8Array): number | undefined {
  if (body.byteLength < MIN_GZIP_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const claimed = view.getUint32(body.byteLength - 4, true);
  const plausible = view.getUint16(0) === GZIP_MAGIC && claimed <= body.byteLength * MAX_DEFLATE_RATIO;
  return plausible ? claimed : undefined;
}

/**
 * Bytes to which the first attempt inflates a body at most. The body may declare a false length or none: an attempt that
 * needs more ends there, and is repeated with `nextInflatedLimit` bytes once the memory for them is reserved.
 */
export function estimateInflatedBytes(encoding: TransferEncoding, body: Uint8Array, maxInflatedBytes: number): number {
  if (encoding === 'identity') return Math.min(maxInflatedBytes, body.byteLength);
  const claimed = encoding === 'gzip' ? readClaimedGzipLength(body) : undefined;
  return Math.min(maxInflatedBytes, Math.max(body.byteLength, claimed ?? body.byteLength * ASSUMED_RATIO));
}

/** Limit of the next attempt. Few attempts lead to the maximum, and none needs much more memory than the body does. */
export function nextInflatedLimit(limit: number, maxInflatedBytes: number): number {
  return Math.min(maxInflatedBytes, limit * ATTEMPT_FACTOR);
}

/** Memory for validating a body that inflates to at most `inflatedBytes`, in addition to the body itself. */
export function computeValidationMemory(format: BodyFormat, inflatedBytes: number): number {
  return inflatedBytes * (format === 'protobuf' ? PROTOBUF_MULTIPLE : JSON_MULTIPLE);
}

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
    return createRefusal('too-large', `the body is larger than ${maxInflatedBytes} bytes after decompression`);
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

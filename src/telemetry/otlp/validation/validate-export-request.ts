import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Signal } from '../../signals.js';
import { decompress } from '../../compression/decompress.js';
import { MalformedJson, translateJsonToProtobuf } from '../json/json-to-protobuf.js';
import { TooManyServiceMinutes } from './service-minute-counter.js';
import { TooManyRecords } from './record-rejections.js';
import { MalformedBody } from '../wire/wire-reader.js';
import { OversizedMessage } from '../wire/wire-writer.js';
import type { ContentEncoding } from '../../compression/content-encoding.js';
import { LogValidator } from './log-validator.js';
import { MetricValidator } from './metric-validator.js';
import type { RequestValidator, TimeBounds } from './request-validator.js';
import { SpanValidator } from './span-validator.js';

/** Uncompressed bodies are stored with the cheapest compression level. */
const STORED_GZIP_LEVEL = 1;

/**
 * Decompresses, translates, validates and identifies one export request. Pure and synchronous: run it outside the
 * serving thread. Every fault of the sender is returned as a result; no body content makes it throw.
 */
export function validateExportRequest(request: ExportValidationRequest): ExportValidation {
  const { maxInflatedBytes, inflatedLimit = maxInflatedBytes } = request;
  const inflated = decompress(request.body, request.encoding, Math.min(inflatedLimit, maxInflatedBytes));
  if (!inflated.ok && inflated.fault === 'too-large' && inflatedLimit < maxInflatedBytes)
    return { ok: false, fault: 'over-limit', message: inflated.message };
  if (!inflated.ok) return inflated;
  try {
    const received = inflated.bytes;
    const protobuf =
      request.format === 'json'
        ? translateJsonToProtobuf(request.signal, received, request.maxInflatedBytes)
        : received;
    const { total, rejected, message } = validateRecords(request.signal, protobuf, request);
    return {
      ok: true,
      accepted: total - rejected.length,
      rejected,
      message,
      identity: computeRequestIdentity(request.gridId, request.signal, received),
      ...toStoredBody(request, protobuf),
      inflatedBytes: protobuf.length,
    };
  } catch (error) {
    if (error instanceof MalformedBody)
      return { ok: false, fault: 'malformed', message: `The body is not a valid OTLP request: ${error.message}.` };
    if (error instanceof MalformedJson)
      return { ok: false, fault: 'malformed', message: `The body is not valid OTLP/JSON: ${error.message}.` };
    if (error instanceof OversizedMessage || error instanceof TooManyRecords || error instanceof TooManyServiceMinutes)
      return { ok: false, fault: 'too-large', message: `The body is too large: ${error.message}.` };
    throw error;
  }
}

/** Hex SHA-256 over Grid, signal and the decompressed body as received. */
export function computeRequestIdentity(gridId: string, signal: Signal, inflated: Uint8Array): string {
  return createHash('sha256').update(`${gridId}\n${signal}\n`).update(inflated).digest('hex');
}

/** Stores compressed protobuf as received; compresses everything else. */
function toStoredBody(
  request: ExportValidationRequest,
  protobuf: Uint8Array,
): Pick<Extract<ExportValidation, { ok: true }>, 'body' | 'encoding'> {
  if (request.format === 'protobuf' && request.encoding !== 'identity')
    return { body: request.body, encoding: request.encoding };
  return { body: gzipSync(protobuf, { level: STORED_GZIP_LEVEL }), encoding: 'gzip' };
}

/** Input of the validation of one export request. */
export interface ExportValidationRequest {
  readonly gridId: string;
  readonly signal: Signal;
  readonly format: 'protobuf' | 'json';
  readonly encoding: ContentEncoding;
  /** As received, compressed or not. */
  readonly body: Uint8Array;
  /** Records with a time before / after these bounds (ms since 1970) are rejected; `oldestMs` 0: unbounded. */
  readonly oldestMs: number;
  readonly newestMs: number;
  /** Bodies that decompress to more bytes are too large. */
  readonly maxInflatedBytes: number;
  /** Bytes for which there is memory. A body that decompresses to more is not validated. Default: the maximum. */
  readonly inflatedLimit?: number;
}

/** Result of the validation. Plain data, since it crosses threads. */
export type ExportValidation =
  | {
      readonly ok: true;
      /** Number of accepted records, and 0-based ordinals of the rejected ones in the order of the body. */
      readonly accepted: number;
      readonly rejected: readonly number[];
      /** English, for `partial_success.error_message`; "" if there are no rejections and no warnings. */
      readonly message: string;
      /** Hex SHA-256 over Grid, signal and decompressed body as received. */
      readonly identity: string;
      /** Protobuf to append, in `encoding`: as received if it arrived as compressed protobuf, else gzip level 1. */
      readonly body: Uint8Array;
      readonly encoding: ContentEncoding;
      /** Size in bytes of the decompressed protobuf in `body`. */
      readonly inflatedBytes: number;
    }
  /** `over-limit`: the body decompresses to more than `inflatedLimit`; validate it once more with a higher one. */
  | { readonly ok: false; readonly fault: 'malformed' | 'too-large' | 'over-limit'; readonly message: string };

/** Outcome for the records of one export request. */
interface RecordValidation {
  /** Spans, log records or data points in the body, including rejected ones. */
  readonly total: number;
  /** 0-based ordinals of the rejected records, ascending. */
  readonly rejected: readonly number[];
  /** Reasons in English; "" if none was rejected. */
  readonly message: string;
}

/** Validators keep no state between calls; one of each serves a thread. */
const VALIDATORS: Readonly<Record<Signal, RequestValidator>> = {
  traces: new SpanValidator(),
  logs: new LogValidator(),
  metrics: new MetricValidator(),
};

/**
 * Validates every record of a decompressed protobuf request. Throws MalformedBody if the body does not parse,
 * TooManyRecords past MAX_RECORDS, TooManyServiceMinutes past MAX_SERVICE_MINUTES.
 */
export function validateRecords(signal: Signal, body: Uint8Array, bounds: TimeBounds): RecordValidation {
  const rejections = VALIDATORS[signal].validateRequest(body, bounds);
  return { total: rejections.total, rejected: rejections.rejected, message: rejections.describe(signal) };
}

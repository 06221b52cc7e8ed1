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

/** Bodies that come uncompressed are stored with the cheapest compression there is. */
const STORED_GZIP_LEVEL = 1;

/**
 * Inflates, translates, validates and names one export request. Pure and synchronous: run it off the serving thread.
 * Every fault of the sender is an answer; nothing that a body contains makes it throw.
 */
export function validateExportRequest(request: ExportValidationRequest): ExportValidation {
  const inflated = decompress(request.body, request.encoding, request.maxInflatedBytes);
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

/** Hex SHA-256 over Grid, signal and the inflated body as received. */
export function computeRequestIdentity(gridId: string, signal: Signal, inflated: Uint8Array): string {
  return createHash('sha256').update(`${gridId}\n${signal}\n`).update(inflated).digest('hex');
}

/** Compressed protobuf is kept as it came; everything else is compressed here. */
function toStoredBody(
  request: ExportValidationRequest,
  protobuf: Uint8Array,
): Pick<Extract<ExportValidation, { ok: true }>, 'body' | 'encoding'> {
  if (request.format === 'protobuf' && request.encoding !== 'identity')
    return { body: request.body, encoding: request.encoding };
  return { body: gzipSync(protobuf, { level: STORED_GZIP_LEVEL }), encoding: 'gzip' };
}

/** Everything that deciding about one export request takes. */
export interface ExportValidationRequest {
  readonly gridId: string;
  readonly signal: Signal;
  readonly format: 'protobuf' | 'json';
  readonly encoding: ContentEncoding;
  /** As received, compressed or not. */
  readonly body: Uint8Array;
  /** Records with a time before / after these (ms since 1970) are rejected; `oldestMs` 0: no bound. */
  readonly oldestMs: number;
  readonly newestMs: number;
  /** Bodies that inflate to more are too large. */
  readonly maxInflatedBytes: number;
}

/** What an export request turned out to be. Plain data: it crosses threads. */
export type ExportValidation =
  | {
      readonly ok: true;
      /** Records accepted, and 0-based ordinals of the rejected ones in the order of the body. */
      readonly accepted: number;
      readonly rejected: readonly number[];
      /** English, for `partial_success.error_message`; "" when nothing was rejected and nothing is to warn of. */
      readonly message: string;
      /** Hex SHA-256 over Grid, signal and inflated body as received. */
      readonly identity: string;
      /** Protobuf to append, in `encoding`: as received where it came compressed protobuf, else gzip level 1. */
      readonly body: Uint8Array;
      readonly encoding: ContentEncoding;
      /** Bytes of the protobuf that `body` inflates to. */
      readonly inflatedBytes: number;
    }
  | { readonly ok: false; readonly fault: 'malformed' | 'too-large'; readonly message: string };

/** What one walk over an export request found. */
interface RecordValidation {
  /** Spans, log records or data points in the body, rejected ones counted. */
  readonly total: number;
  /** 0-based ordinals of the rejected ones, ascending. */
  readonly rejected: readonly number[];
  /** Why, in English; "" when none was rejected. */
  readonly message: string;
}

/** Validators keep no state between calls; one of each serves a thread. */
const VALIDATORS: Readonly<Record<Signal, RequestValidator>> = {
  traces: new SpanValidator(),
  logs: new LogValidator(),
  metrics: new MetricValidator(),
};

/** Judges every record of an inflated protobuf request. Throws MalformedBody where the body does not parse, TooManyRecords past MAX_RECORDS, TooScattered past MAX_PLACES. */
export function validateRecords(signal: Signal, body: Uint8Array, bounds: TimeBounds): RecordValidation {
  const verdicts = VALIDATORS[signal].validateRequest(body, bounds);
  return { total: verdicts.total, rejected: verdicts.rejected, message: verdicts.describe(signal) };
}

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Signal } from '../../signals.js';
import { decompress, releaseInflated } from '../../compression/decompress.js';
import type { LokiFormat } from '../../loki/loki-push.js';
import { translateLokiToProtobuf } from '../../loki/loki-to-protobuf.js';
import type { RemoteWriteFormat, WrittenCounts } from '../../prometheus/remote-write.js';
import { translateRemoteWriteToProtobuf } from '../../prometheus/remote-write-to-protobuf.js';
import type { TranslationCounts } from '../../prometheus/translation-counts.js';
import { translateZipkinToProtobuf } from '../../zipkin/zipkin-to-protobuf.js';
import { MalformedJson, translateJsonToProtobuf } from '../json/json-to-protobuf.js';
import { TooManyServiceMinutes } from './service-minute-counter.js';
import { TooManyRecords } from './record-rejections.js';
import { MalformedBody } from '../wire/wire-reader.js';
import { OversizedMessage } from '../wire/wire-writer.js';
import type { ContentEncoding, TransferEncoding } from '../../compression/content-encoding.js';
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
    const { protobuf, counts } = translateToProtobuf(request, received);
    const { total, rejected, message } = validateRecords(request.signal, protobuf, request);
    const validation: ExportValidation = {
      ok: true,
      accepted: total - rejected.length,
      rejected,
      message: [counts?.describe() ?? '', message].filter((text) => text !== '').join('; '),
      ...(counts && { untranslated: counts.untranslated, written: counts.countWritten(rejected) }),
      identity: computeRequestIdentity(request.gridId, request.signal, received),
      ...toStoredBody(request, protobuf),
      inflatedBytes: protobuf.length,
    };
    releaseInflated(received, request.encoding);
    return validation;
  } catch (error) {
    if (error instanceof MalformedBody)
      return {
        ok: false,
        fault: 'malformed',
        message: `The body is not a valid ${REQUEST_NAMES[request.format] ?? 'OTLP'} request: ${error.message}.`,
      };
    if (error instanceof MalformedJson)
      return {
        ok: false,
        fault: 'malformed',
        message: `The body is not valid ${FORMAT_NAMES[request.format]}: ${error.message}.`,
      };
    if (error instanceof OversizedMessage || error instanceof TooManyRecords || error instanceof TooManyServiceMinutes)
      return { ok: false, fault: 'too-large', message: `The body is too large: ${error.message}.` };
    throw error;
  }
}

const FORMAT_NAMES: Readonly<Record<BodyFormat, string>> = {
  protobuf: 'OTLP',
  json: 'OTLP/JSON',
  zipkin: 'Zipkin JSON',
  'loki-json': 'Loki JSON',
  'loki-protobuf': 'Loki protobuf',
  'remote-write-1': 'Prometheus remote write 1.0',
  'remote-write-2': 'Prometheus remote write 2.0',
};

/** Of protobuf that is not that of OTLP. */
const REQUEST_NAMES: Readonly<Partial<Record<BodyFormat, string>>> = {
  'loki-protobuf': 'Loki',
  'remote-write-1': FORMAT_NAMES['remote-write-1'],
  'remote-write-2': FORMAT_NAMES['remote-write-2'],
};

/** An OTLP request; `counts` where records of the request are no records of it. */
interface Translation {
  readonly protobuf: Uint8Array;
  readonly counts?: TranslationCounts;
}

function translateToProtobuf(
  { format, signal, maxInflatedBytes }: ExportValidationRequest,
  body: Uint8Array,
): Translation {
  switch (format) {
    case 'protobuf':
      return { protobuf: body };
    case 'json':
      return { protobuf: translateJsonToProtobuf(signal, body, maxInflatedBytes) };
    case 'zipkin':
      return { protobuf: translateZipkinToProtobuf(body, maxInflatedBytes) };
    case 'loki-json':
    case 'loki-protobuf':
      return { protobuf: translateLokiToProtobuf(format, body, maxInflatedBytes) };
    case 'remote-write-1':
    case 'remote-write-2':
      return translateRemoteWriteToProtobuf(format, body, maxInflatedBytes);
  }
}

/** Hex SHA-256 over Grid, signal and the decompressed body as received. */
export function computeRequestIdentity(gridId: string, signal: Signal, inflated: Uint8Array): string {
  return createHash('sha256').update(`${gridId}\n${signal}\n`).update(inflated).digest('hex');
}

/** Stores compressed protobuf as received, if it takes little space; compresses everything else. */
function toStoredBody(
  request: ExportValidationRequest,
  protobuf: Uint8Array,
): Pick<Extract<ExportValidation, { ok: true }>, 'body' | 'encoding'> {
  const { format, encoding } = request;
  if (format === 'protobuf' && (encoding === 'gzip' || encoding === 'deflate' || encoding === 'zstd'))
    return { body: request.body, encoding };
  return { body: gzipSync(protobuf, { level: STORED_GZIP_LEVEL }), encoding: 'gzip' };
}

/** OTLP as protobuf or JSON; the JSON of Zipkin's API v2, which holds spans; logs of Loki's push API; metrics of Prometheus. */
export type BodyFormat = 'protobuf' | 'json' | 'zipkin' | LokiFormat | RemoteWriteFormat;

/** Input of the validation of one export request. */
export interface ExportValidationRequest {
  readonly gridId: string;
  readonly signal: Signal;
  readonly format: BodyFormat;
  readonly encoding: TransferEncoding;
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
      /** Records that could not be translated into OTLP, so that the body does not contain them. Default: 0. */
      readonly untranslated?: number;
      /** What the accepted records were in a request of Prometheus. */
      readonly written?: WrittenCounts;
      /** English, for `partial_success.error_message`; "" if there are no rejections and no warnings. */
      readonly message: string;
      /** Hex SHA-256 over Grid, signal and decompressed body as received. */
      readonly identity: string;
      /** Protobuf to append, in `encoding`: as received if it arrived as protobuf in a stored encoding, else gzip level 1. */
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

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { TransferEncoding } from '../../telemetry/compression/content-encoding.js';
import { type WireFormat, encodeExportResponse, encodeStatus } from '../../telemetry/otlp/export-responses.js';
import {
  buildWrittenHeaders,
  isRemoteWrite,
  readRemoteWriteKey,
  REMOTE_WRITE_MEDIA_TYPES,
  REMOTE_WRITE_PATH,
  resolveRemoteWriteFormat,
} from './remote-write-protocol.js';
import type { BodyFormat } from '../../telemetry/otlp/validation/validate-export-request.js';
import type { Signal } from '../../telemetry/signals.js';
import {
  createRefusal,
  type Refusal,
  type ExportOutcome,
  STATUS_CODES_BY_REFUSAL,
  toRpcStatus,
} from './export-outcome.js';
import { readApiKey } from './sender-authenticator.js';
import type { Readable } from 'node:stream';
import type { Peer } from '../connection/client-resolver.js';

/** The properties of an OTLP/HTTP request that follow from its head. */
export interface NegotiatedRequest {
  readonly signal: Signal;
  readonly format: BodyFormat;
  readonly encoding: TransferEncoding;
  /** Content-Length, if any. */
  readonly announcedBytes: number | undefined;
}

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

const PROFILES_PATH = /\/v1development\/profiles\/?$/;

const MEDIA_TYPES: Readonly<Record<string, WireFormat>> = {
  'application/x-protobuf': 'protobuf',
  'application/json': 'json',
};

const CONTENT_CODINGS: Readonly<Record<string, TransferEncoding>> = {
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  zlib: 'deflate',
  zstd: 'zstd',
  snappy: 'snappy',
  'x-snappy-framed': 'snappy',
  lz4: 'lz4',
};

/** A path to which telemetry is sent: what its bodies hold, by media type. */
interface TelemetryPath {
  readonly pattern: RegExp;
  readonly signal: Signal;
  readonly formats: Readonly<Partial<Record<WireFormat, BodyFormat>>>;
}

const OTLP_FORMATS = { protobuf: 'protobuf', json: 'json' } as const;

/**
 * Of OTLP, of Zipkin's reporters (zipkin2-api.yaml), of Loki's clients and of Prometheus. A prefix and a trailing slash are
 * ignored.
 */
const TELEMETRY_PATHS: readonly TelemetryPath[] = [
  { pattern: /\/v1\/traces\/?$/, signal: 'traces', formats: OTLP_FORMATS },
  { pattern: /\/v1\/logs\/?$/, signal: 'logs', formats: OTLP_FORMATS },
  { pattern: /\/v1\/metrics\/?$/, signal: 'metrics', formats: OTLP_FORMATS },
  { pattern: /\/api\/v2\/spans\/?$/, signal: 'traces', formats: { json: 'zipkin' } },
  { pattern: /\/loki\/api\/v1\/push\/?$/, signal: 'logs', formats: { protobuf: 'loki-protobuf', json: 'loki-json' } },
  { pattern: REMOTE_WRITE_PATH, signal: 'metrics', formats: { protobuf: 'remote-write-1' } },
];

/** Checks the request head in this order: path, method, media type, content encoding. */
export function negotiateRequest(head: RequestHead): NegotiatedRequest | Refusal {
  const target = findTelemetryPath(head.path);
  if (target === undefined) return createRefusal('not-found', describeUnknownPath(head.path));
  if (head.method !== 'POST')
    return createRefusal('method-not-allowed', `send telemetry with POST, not ${head.method}`);
  const { signal, formats } = target;
  const wireFormat = resolveFormat(head.headers);
  const format = selectVersion(wireFormat && formats[wireFormat], head.headers);
  if (format === undefined) return createRefusal('unsupported-media-type', describeMediaTypes(formats));
  const encoding = resolveEncoding(head.headers['content-encoding'], format);
  if (encoding === undefined)
    return createRefusal(
      'unsupported-encoding',
      'content-encoding must be exactly one of gzip, deflate, zstd, snappy, lz4, identity',
    );
  return { signal, format, encoding, announcedBytes: readContentLength(head.headers) };
}

function findTelemetryPath(path: string): TelemetryPath | undefined {
  return TELEMETRY_PATHS.find(({ pattern }) => pattern.test(pathname(path)));
}

/** Undefined for a message of remote write that is not known. */
function selectVersion(format: BodyFormat | undefined, headers: IncomingHttpHeaders): BodyFormat | undefined {
  return format === 'remote-write-1' ? resolveRemoteWriteFormat(headers['content-type']) : format;
}

function describeMediaTypes(formats: TelemetryPath['formats']): string {
  if (formats.protobuf === 'remote-write-1') return `unsupported media type: send ${REMOTE_WRITE_MEDIA_TYPES}`;
  const accepted = Object.entries(MEDIA_TYPES).filter(([, format]) => formats[format] !== undefined);
  return `unsupported media type: send ${accepted.map(([type]) => type).join(' or ')}`;
}

/** The wire format of the media type; undefined for other media types. */
function resolveFormat(headers: IncomingHttpHeaders): WireFormat | undefined {
  return lookUp(MEDIA_TYPES, headers['content-type']?.split(';', 1)[0]);
}

/** The API key that the sender presents; undefined if there is none or several. */
export function readPresentedKey({ path, headers }: Pick<RequestHead, 'path' | 'headers'>): string | undefined {
  return REMOTE_WRITE_PATH.test(pathname(path)) ? readRemoteWriteKey(headers) : readApiKey(headers['api-key']);
}

/** The signal that is sent to the path. */
export function resolveSignal(path: string): Signal | undefined {
  return findTelemetryPath(path)?.signal;
}

/** Prometheus and Loki's clients always compress protobuf as a snappy block, the latter mostly without saying so. */
function resolveEncoding(header: string | undefined, format: BodyFormat): TransferEncoding | undefined {
  const encoding = header === undefined || header === '' ? 'identity' : lookUp(CONTENT_CODINGS, header);
  return encoding === 'identity' && (format === 'loki-protobuf' || isRemoteWrite(format)) ? 'snappy' : encoding;
}

function lookUp<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  const key = name?.trim().toLowerCase() ?? '';
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function readContentLength(headers: IncomingHttpHeaders): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Names the correct paths, since exporters whose per-signal endpoint is configured without a path send to `/`. */
function describeUnknownPath(path: string): string {
  if (PROFILES_PATH.test(pathname(path))) return 'profiles are not supported';
  return `unknown path ${pathname(path).slice(0, 100)}: send traces to /v1/traces, logs to /v1/logs, metrics to /v1/metrics, spans of Zipkin to /api/v2/spans, logs of Loki's clients to /loki/api/v1/push, metrics of Prometheus to /api/v1/write`;
}

function pathname(path: string): string {
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}

export interface OtlpHttpResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

const CONTENT_TYPE: Record<WireFormat, string> = { protobuf: 'application/x-protobuf', json: 'application/json' };

/**
 * Status for success in APIs without partial success: records that were rejected are counted in `/metrics` and by
 * `hindsight records`.
 */
const EMPTY_RESPONSES = { zipkin: 202, 'loki-json': 204, 'loki-protobuf': 204 } as const;

/** The HTTP response for an outcome, in the encoding of the request. */
export function toHttpResponse(
  outcome: Exclude<ExportOutcome, { kind: 'abandoned' }>,
  signal: Signal,
  format: BodyFormat,
): OtlpHttpResponse {
  if (outcome.kind !== 'accepted') {
    const response = toHttpErrorResponse(outcome, format === 'protobuf' ? 'protobuf' : 'json');
    return { ...response, headers: { ...response.headers, ...buildWrittenHeaders(format) } };
  }
  if (isRemoteWrite(format)) return toRemoteWriteResponse(format, outcome);
  if (format !== 'protobuf' && format !== 'json')
    return { status: EMPTY_RESPONSES[format], headers: {}, body: new Uint8Array(0) };
  const body = encodeExportResponse(signal, format, outcome.rejected, outcome.message);
  return { status: 200, headers: { 'content-type': CONTENT_TYPE[format] }, body };
}

/** 204, or 400 with the reason if only a part was valid: Prometheus drops the request and logs the reason. */
function toRemoteWriteResponse(
  format: BodyFormat,
  { rejected, message, written }: Extract<ExportOutcome, { kind: 'accepted' }>,
): OtlpHttpResponse {
  const response =
    rejected > 0
      ? toHttpErrorResponse(createRefusal('malformed', message), 'json')
      : { status: 204, headers: {}, body: new Uint8Array(0) };
  return { ...response, headers: { ...response.headers, ...buildWrittenHeaders(format, written) } };
}

/** An HTTP response with the google.rpc.Status of the refusal. */
export function toHttpErrorResponse(refusal: Refusal, format: WireFormat): OtlpHttpResponse {
  return {
    status: STATUS_CODES_BY_REFUSAL[refusal.kind].http,
    headers: { 'content-type': CONTENT_TYPE[format], ...refusalHeaders(refusal) },
    body: encodeStatus(format, toRpcStatus(refusal)),
  };
}

/** The HTTP response to a request that is refused by its head. */
export function toRefusedHeadResponse({ path, headers }: RequestHead, refusal: Refusal): OtlpHttpResponse {
  if (!REMOTE_WRITE_PATH.test(pathname(path))) return toHttpErrorResponse(refusal, resolveFormat(headers) ?? 'json');
  const response = toHttpErrorResponse(refusal, 'json');
  const format = resolveRemoteWriteFormat(headers['content-type']);
  return { ...response, headers: { ...response.headers, ...(format && buildWrittenHeaders(format)) } };
}

function refusalHeaders(refusal: Refusal): OutgoingHttpHeaders {
  switch (refusal.kind) {
    case 'overloaded':
    case 'throttled':
    case 'unavailable':
      return { 'retry-after': String(Math.max(1, Math.ceil(refusal.retryAfterMs / 1000))) };
    case 'unauthenticated':
      return { 'www-authenticate': 'ApiKey realm="otlp"' };
    case 'method-not-allowed':
      return { allow: 'POST' };
    case 'unsupported-media-type':
      return { accept: 'application/x-protobuf, application/json' };
    case 'unsupported-encoding':
      return { 'accept-encoding': 'gzip, deflate, zstd, snappy, lz4, identity' };
    default:
      return {};
  }
}

/** An OTLP/HTTP request and its response, over HTTP/1.1 or HTTP/2. */
export interface HttpExchange extends RequestHead {
  /** The remote end of the connection. */
  readonly peer: Peer;
  /** The body. Sends 100 Continue if the sender waits for it (`Expect: 100-continue`). */
  takeBody(): Readable;
  /** Sends the complete response. May be called while the body is still arriving; the rest of it is discarded. */
  respond(response: OtlpHttpResponse): void;
  /** Ends the request without a response. */
  abort(): void;
}

import type { IncomingHttpHeaders } from 'node:http';
import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { WireFormat } from '../../telemetry/otlp/export-responses.js';
import type { Signal } from '../../telemetry/signals.js';
import { createRefusal, type Refusal } from './export-outcome.js';

/** The properties of an OTLP/HTTP request that follow from its head. */
export interface NegotiatedRequest {
  readonly signal: Signal;
  readonly format: WireFormat;
  readonly encoding: ContentEncoding;
  /** Content-Length, if any. */
  readonly announcedBytes: number | undefined;
}

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

const SIGNAL_PATH = /\/v1\/(traces|logs|metrics)\/?$/;
const PROFILES_PATH = /\/v1development\/profiles\/?$/;

const MEDIA_TYPES: Readonly<Record<string, WireFormat>> = {
  'application/x-protobuf': 'protobuf',
  'application/json': 'json',
};

const CONTENT_CODINGS: Readonly<Record<string, ContentEncoding>> = {
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  zlib: 'deflate',
  zstd: 'zstd',
};

/** Checks the request head in this order: path, method, media type, content encoding. */
export function negotiateRequest(head: RequestHead): NegotiatedRequest | Refusal {
  const signal = resolveSignal(head.path);
  if (signal === undefined) return createRefusal('not-found', describeUnknownPath(head.path));
  if (head.method !== 'POST')
    return createRefusal('method-not-allowed', `send telemetry with POST, not ${head.method}`);
  const format = resolveFormat(head.headers);
  if (format === undefined)
    return createRefusal(
      'unsupported-media-type',
      `unsupported media type: send ${Object.keys(MEDIA_TYPES).join(' or ')}`,
    );
  const encoding = resolveEncoding(head.headers['content-encoding']);
  if (encoding === undefined)
    return createRefusal(
      'unsupported-encoding',
      'content-encoding must be exactly one of gzip, deflate, zstd, identity',
    );
  return { signal, format, encoding, announcedBytes: readContentLength(head.headers) };
}

/** The wire format of the media type; undefined for other media types. */
export function resolveFormat(headers: IncomingHttpHeaders): WireFormat | undefined {
  return lookUp(MEDIA_TYPES, headers['content-type']?.split(';', 1)[0]);
}

/** The signal of the last two path segments; a prefix and a trailing slash are ignored. */
export function resolveSignal(path: string): Signal | undefined {
  return SIGNAL_PATH.exec(pathname(path))?.[1] as Signal | undefined;
}

function resolveEncoding(header: string | undefined): ContentEncoding | undefined {
  return header === undefined || header === '' ? 'identity' : lookUp(CONTENT_CODINGS, header);
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
  return `unknown path ${pathname(path).slice(0, 100)}: send traces to /v1/traces, logs to /v1/logs, metrics to /v1/metrics`;
}

function pathname(path: string): string {
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}

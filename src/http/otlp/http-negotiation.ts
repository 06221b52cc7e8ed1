import type { IncomingHttpHeaders } from 'node:http';
import type { Encoding } from '../../telemetry/encodings.js';
import type { WireFormat } from '../../telemetry/otlp/responses.js';
import type { Signal } from '../../telemetry/signals.js';
import { refuse, type Refusal } from './outcome.js';

/** What an OTLP/HTTP request is, as far as its head tells. */
export interface Negotiated {
  readonly signal: Signal;
  readonly format: WireFormat;
  readonly encoding: Encoding;
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

const CONTENT_CODINGS: Readonly<Record<string, Encoding>> = {
  'identity': 'identity',
  'gzip': 'gzip',
  'x-gzip': 'gzip',
  'deflate': 'deflate',
  'zlib': 'deflate',
  'zstd': 'zstd',
};

/** Path, then method, then media type, then content coding. */
export function negotiate(head: RequestHead): Negotiated | Refusal {
  const signal = signalAt(head.path);
  if (signal === undefined) return refuse('not-found', whereToGo(head.path));
  if (head.method !== 'POST') return refuse('method-not-allowed', `telemetry is sent with POST, not ${head.method}`);
  const format = formatOf(head.headers);
  if (format === undefined) return refuse('unsupported-media-type', `send ${Object.keys(MEDIA_TYPES).join(' or ')}`);
  const encoding = encodingOf(head.headers['content-encoding']);
  if (encoding === undefined) return refuse('unsupported-encoding', 'content-encoding may be gzip, deflate, zstd or identity, once');
  return { signal, format, encoding, announcedBytes: announcedBytes(head.headers) };
}

/** Undefined for a media type that OTLP does not know. */
export function formatOf(headers: IncomingHttpHeaders): WireFormat | undefined {
  return lookUp(MEDIA_TYPES, headers['content-type']?.split(';', 1)[0]);
}

/** The last two segments count: a prefix and a trailing slash are tolerated. */
export function signalAt(path: string): Signal | undefined {
  return SIGNAL_PATH.exec(pathname(path))?.[1] as Signal | undefined;
}

function encodingOf(header: string | undefined): Encoding | undefined {
  return header === undefined || header === '' ? 'identity' : lookUp(CONTENT_CODINGS, header);
}

function lookUp<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  const key = name?.trim().toLowerCase() ?? '';
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function announcedBytes(headers: IncomingHttpHeaders): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** An exporter whose per-signal endpoint was set without a path posts to `/`: the answer names the path to set. */
function whereToGo(path: string): string {
  if (PROFILES_PATH.test(pathname(path))) return 'profiles are not supported';
  return `nothing is received at ${pathname(path).slice(0, 100)}: send traces to /v1/traces, logs to /v1/logs, metrics to /v1/metrics`;
}

function pathname(path: string): string {
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}

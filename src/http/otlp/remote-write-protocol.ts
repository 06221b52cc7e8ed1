import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { BodyFormat } from '../../telemetry/otlp/validation/validate-export-request.js';
import { readApiKey } from './sender-authenticator.js';
import type { RemoteWriteFormat, WrittenCounts } from '../../telemetry/prometheus/remote-write.js';

/** What the specifications of Prometheus remote write say about HTTP (https://prometheus.io/docs/specs/prw/). */

/** Of the address without its query. */
export const REMOTE_WRITE_PATH = /\/api\/v1\/write\/?$/;

/** By the parameter `proto` of the media type. */
const FORMATS: Readonly<Record<string, RemoteWriteFormat>> = {
  'prometheus.WriteRequest': 'remote-write-1',
  'io.prometheus.write.v2.Request': 'remote-write-2',
};

export const REMOTE_WRITE_MEDIA_TYPES = [
  'application/x-protobuf',
  ...Object.keys(FORMATS).map((name) => `application/x-protobuf;proto=${name}`),
].join(' or ');

/** The message that a Content-Type names, version 1 if it names none; undefined if it is not known. */
export function resolveRemoteWriteFormat(contentType: string | undefined): RemoteWriteFormat | undefined {
  const [mediaType, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  if (mediaType.toLowerCase() !== 'application/x-protobuf') return undefined;
  const proto = parameters.find((parameter) => /^proto=/i.test(parameter))?.slice('proto='.length);
  if (proto === undefined) return 'remote-write-1';
  const name = proto.replace(/^"(.*)"$/, '$1');
  return Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
}

export function isRemoteWrite(format: BodyFormat): format is RemoteWriteFormat {
  return format === 'remote-write-1' || format === 'remote-write-2';
}

const NOTHING: WrittenCounts = { samples: 0, histograms: 0, exemplars: 0 };

/** Headers of version 2 that say what was written; none for other formats. Without them a sender assumes version 1. */
export function buildWrittenHeaders(format: BodyFormat, written = NOTHING): OutgoingHttpHeaders {
  if (format !== 'remote-write-2') return {};
  return {
    'x-prometheus-remote-write-samples-written': String(written.samples),
    'x-prometheus-remote-write-histograms-written': String(written.histograms),
    'x-prometheus-remote-write-exemplars-written': String(written.exemplars),
  };
}

/**
 * The API key of a request to this path: the header `api-key`, else the credentials of `Authorization` (Bearer, or the password
 * of Basic), since not every version of Prometheus sends headers of the user's.
 */
export function readRemoteWriteKey(headers: IncomingHttpHeaders): string | undefined {
  if (headers['api-key'] !== undefined) return readApiKey(headers['api-key']);
  const [, scheme, credentials] = /^(bearer|basic) +([^ ,]+) *$/i.exec(headers.authorization ?? '') ?? [];
  if (scheme?.toLowerCase() !== 'basic') return readApiKey(credentials);
  const text = Buffer.from(credentials, 'base64').toString('latin1');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : readApiKey(text.slice(colon + 1));
}

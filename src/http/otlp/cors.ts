import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

const MAX_AGE_S = 7_200;

/** Headers that let a page of an allowed origin read the answer. Origins are listed one by one; there is no `*`. */
export function corsHeaders(headers: IncomingHttpHeaders, allowedOrigins: ReadonlySet<string>): OutgoingHttpHeaders {
  const origin = headers.origin;
  if (allowedOrigins.size === 0) return {};
  if (origin === undefined || !allowedOrigins.has(origin)) return { vary: 'Origin' };
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After', 'vary': 'Origin' };
}

/** Headers of the answer to a preflight; undefined where the origin is not allowed or nothing was asked. */
export function preflightHeaders(headers: IncomingHttpHeaders, allowedOrigins: ReadonlySet<string>): OutgoingHttpHeaders | undefined {
  const origin = headers.origin;
  if (origin === undefined || !allowedOrigins.has(origin)) return undefined;
  if (headers['access-control-request-method'] === undefined) return undefined;
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'api-key, content-type, content-encoding',
    'access-control-max-age': String(MAX_AGE_S),
    'vary': 'Origin',
  };
}

import type { ClientResolver } from '../connection/client-resolver.js';
import type { ExportRequest, ReadBodyResult } from './export-request.js';
import {
  type HttpExchange,
  type OtlpHttpResponse,
  toRefusedHeadResponse,
  toHttpResponse,
  type NegotiatedRequest,
  negotiateRequest,
  readPresentedKey,
  resolveSignal,
} from './http-exchange.js';
import type { MemoryReservation } from './memory-budget.js';
import { type BodyLimits, readBody, toBodyOutcome } from './export-body-reader.js';
import type { OtlpReceiver } from './otlp-receiver.js';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export interface OtlpHandlerOptions {
  readonly receiver: OtlpReceiver;
  readonly body: BodyLimits;
  readonly clients: ClientResolver;
  /** Origins whose pages may send telemetry (CORS). */
  readonly allowedOrigins: ReadonlySet<string>;
}

/** Serves one OTLP/HTTP request, over HTTP/1.1 or HTTP/2. */
export async function serveOtlpHttp(exchange: HttpExchange, options: OtlpHandlerOptions): Promise<void> {
  const response = buildPreflightResponse(exchange, options) ?? (await handleExportWithCors(exchange, options));
  if (response === undefined) exchange.abort();
  else exchange.respond(response);
}

function buildPreflightResponse(
  { method, headers }: HttpExchange,
  { allowedOrigins }: OtlpHandlerOptions,
): OtlpHttpResponse | undefined {
  const allowed = method === 'OPTIONS' ? buildPreflightHeaders(headers, allowedOrigins) : undefined;
  return allowed && { status: 204, headers: allowed, body: new Uint8Array(0) };
}

/** Undefined if the sender has disconnected. */
async function handleExportWithCors(
  exchange: HttpExchange,
  options: OtlpHandlerOptions,
): Promise<OtlpHttpResponse | undefined> {
  const response = await handleExport(exchange, options);
  return (
    response && {
      ...response,
      headers: { ...response.headers, ...buildCorsHeaders(exchange.headers, options.allowedOrigins) },
    }
  );
}

async function handleExport(
  exchange: HttpExchange,
  options: OtlpHandlerOptions,
): Promise<OtlpHttpResponse | undefined> {
  const negotiated = negotiateRequest(exchange);
  if ('kind' in negotiated) {
    void options.receiver.recordRefusal(
      { signal: resolveSignal(exchange.path), ...readSender(exchange, options) },
      negotiated,
    );
    return toRefusedHeadResponse(exchange, negotiated);
  }
  const outcome = await options.receiver.receive(toExportRequest(exchange, negotiated, options));
  return outcome.kind === 'abandoned' ? undefined : toHttpResponse(outcome, negotiated.signal, negotiated.format);
}

function readSender(
  { peer, path, headers }: HttpExchange,
  { clients }: OtlpHandlerOptions,
): Pick<ExportRequest, 'apiKey' | 'client' | 'connection'> {
  return {
    apiKey: readPresentedKey({ path, headers }),
    client: clients.resolve(peer, headers).address,
    connection: peer,
  };
}

function toExportRequest(
  exchange: HttpExchange,
  negotiated: NegotiatedRequest,
  options: OtlpHandlerOptions,
): ExportRequest {
  const { body: limits } = options;
  const { signal, format, encoding, announcedBytes } = negotiated;
  return {
    signal,
    format,
    ...readSender(exchange, options),
    async readBody(reservation: MemoryReservation): Promise<ReadBodyResult> {
      const body = await readBody(() => exchange.takeBody(), reservation, { ...limits, announcedBytes });
      return body.ok
        ? { ok: true, bytes: body.bytes, encoding }
        : { ok: false, outcome: toBodyOutcome(body.fault, limits) };
    },
  };
}

const MAX_AGE_S = 7_200;

/** CORS headers that let pages of an allowed origin read the response. There is no wildcard. */
export function buildCorsHeaders(
  headers: IncomingHttpHeaders,
  allowedOrigins: ReadonlySet<string>,
): OutgoingHttpHeaders {
  const origin = headers.origin;
  if (allowedOrigins.size === 0) return {};
  if (origin === undefined || !allowedOrigins.has(origin)) return { vary: 'Origin' };
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After', vary: 'Origin' };
}

/** Headers of a preflight response; undefined if the origin is not allowed or the request is not a preflight. */
export function buildPreflightHeaders(
  headers: IncomingHttpHeaders,
  allowedOrigins: ReadonlySet<string>,
): OutgoingHttpHeaders | undefined {
  const origin = headers.origin;
  if (origin === undefined || !allowedOrigins.has(origin)) return undefined;
  if (headers['access-control-request-method'] === undefined) return undefined;
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'api-key, content-type, content-encoding',
    'access-control-max-age': String(MAX_AGE_S),
    vary: 'Origin',
  };
}

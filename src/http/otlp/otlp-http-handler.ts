import type { ClientResolver } from '../connection/client-resolver.js';
import { type ExportRequest, readApiKey, type ReadBodyResult } from './export-request.js';
import { type HttpExchange, type OtlpHttpResponse, toHttpErrorResponse, toHttpResponse } from './http-exchange.js';
import { type NegotiatedRequest, negotiateRequest, resolveFormat, resolveSignal } from './http-negotiation.js';
import type { MemoryReservation } from './memory-budget.js';
import { type BodyLimits, readBody, toBodyOutcome } from './export-body-reader.js';
import type { OtlpReceiver } from './otlp-receiver.js';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export interface OtlpHandlerOptions {
  readonly receiver: OtlpReceiver;
  readonly body: BodyLimits;
  readonly clients: ClientResolver;
  /** Origins whose pages may send telemetry. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/** OTLP/HTTP, the same over HTTP/1.1 and HTTP/2. */
export async function serveOtlpHttp(exchange: HttpExchange, options: OtlpHandlerOptions): Promise<void> {
  const answer = buildPreflightResponse(exchange, options) ?? (await respondWithCors(exchange, options));
  if (answer === undefined) exchange.abort();
  else exchange.respond(answer);
}

function buildPreflightResponse(
  { method, headers }: HttpExchange,
  { allowedOrigins }: OtlpHandlerOptions,
): OtlpHttpResponse | undefined {
  const allowed = method === 'OPTIONS' ? buildPreflightHeaders(headers, allowedOrigins) : undefined;
  return allowed && { status: 204, headers: allowed, body: new Uint8Array(0) };
}

/** Undefined: nobody is left to answer. */
async function respondWithCors(
  exchange: HttpExchange,
  options: OtlpHandlerOptions,
): Promise<OtlpHttpResponse | undefined> {
  const answer = await handleExport(exchange, options);
  return (
    answer && {
      ...answer,
      headers: { ...answer.headers, ...buildCorsHeaders(exchange.headers, options.allowedOrigins) },
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
    return toHttpErrorResponse(negotiated, resolveFormat(exchange.headers) ?? 'json');
  }
  const outcome = await options.receiver.receive(toExportRequest(exchange, negotiated, options));
  return outcome.kind === 'abandoned' ? undefined : toHttpResponse(outcome, negotiated.signal, negotiated.format);
}

function readSender(
  { peer, headers }: HttpExchange,
  { clients }: OtlpHandlerOptions,
): Pick<ExportRequest, 'apiKey' | 'client'> {
  return { apiKey: readApiKey(headers['api-key']), client: clients.resolve(peer, headers).address };
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
    async readBody(lease: MemoryReservation): Promise<ReadBodyResult> {
      const body = await readBody(() => exchange.takeBody(), lease, { ...limits, announced: announcedBytes });
      return body.ok
        ? { ok: true, bytes: body.bytes, encoding }
        : { ok: false, outcome: toBodyOutcome(body.fault, limits) };
    },
  };
}

const MAX_AGE_S = 7_200;

/** Headers that let a page of an allowed origin read the answer. Origins are listed one by one; there is no `*`. */
export function buildCorsHeaders(
  headers: IncomingHttpHeaders,
  allowedOrigins: ReadonlySet<string>,
): OutgoingHttpHeaders {
  const origin = headers.origin;
  if (allowedOrigins.size === 0) return {};
  if (origin === undefined || !allowedOrigins.has(origin)) return { vary: 'Origin' };
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Retry-After', vary: 'Origin' };
}

/** Headers of the answer to a preflight; undefined where the origin is not allowed or nothing was asked. */
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

import type { Clients } from '../clients.js';
import { corsHeaders, preflightHeaders } from './cors.js';
import { presentedKey } from './admission.js';
import type { Exchange } from './exchange.js';
import type { ExportCall, ReadBody } from './export-call.js';
import { httpAnswer, httpRefusal, type HttpAnswer } from './http-answer.js';
import { formatOf, negotiate, signalAt, type Negotiated } from './http-negotiation.js';
import type { Lease } from './memory-budget.js';
import { bodyOutcome, readBody, type BodyLimits } from './read-body.js';
import type { Receiver } from './receiver.js';

export interface HttpHandlerOptions {
  readonly receiver: Receiver;
  readonly body: BodyLimits;
  readonly clients: Clients;
  /** Origins whose pages may send telemetry. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/** OTLP/HTTP, the same over HTTP/1.1 and HTTP/2. */
export async function serveHttp(exchange: Exchange, options: HttpHandlerOptions): Promise<void> {
  const answer = preflight(exchange, options) ?? (await answerTo(exchange, options));
  if (answer === undefined) exchange.abandon();
  else exchange.answer(answer);
}

function preflight({ method, headers }: Exchange, { allowedOrigins }: HttpHandlerOptions): HttpAnswer | undefined {
  const allowed = method === 'OPTIONS' ? preflightHeaders(headers, allowedOrigins) : undefined;
  return allowed && { status: 204, headers: allowed, body: new Uint8Array(0) };
}

/** Undefined: nobody is left to answer. */
async function answerTo(exchange: Exchange, options: HttpHandlerOptions): Promise<HttpAnswer | undefined> {
  const answer = await received(exchange, options);
  return answer && { ...answer, headers: { ...answer.headers, ...corsHeaders(exchange.headers, options.allowedOrigins) } };
}

async function received(exchange: Exchange, options: HttpHandlerOptions): Promise<HttpAnswer | undefined> {
  const negotiated = negotiate(exchange);
  if ('kind' in negotiated) {
    void options.receiver.turnedAway({ signal: signalAt(exchange.path), ...senderOf(exchange, options) }, negotiated);
    return httpRefusal(negotiated, formatOf(exchange.headers) ?? 'json');
  }
  const outcome = await options.receiver.receive(callOf(exchange, negotiated, options));
  return outcome.kind === 'abandoned' ? undefined : httpAnswer(outcome, negotiated.signal, negotiated.format);
}

function senderOf({ peer, headers }: Exchange, { clients }: HttpHandlerOptions): Pick<ExportCall, 'apiKey' | 'client'> {
  return { apiKey: presentedKey(headers['api-key']), client: clients.of(peer, headers).address };
}

function callOf(exchange: Exchange, negotiated: Negotiated, options: HttpHandlerOptions): ExportCall {
  const { body: limits } = options;
  const { signal, format, encoding, announcedBytes } = negotiated;
  return {
    signal,
    format,
    ...senderOf(exchange, options),
    async readBody(lease: Lease): Promise<ReadBody> {
      const body = await readBody(() => exchange.takeBody(), lease, { ...limits, announced: announcedBytes });
      return body.ok ? { ok: true, bytes: body.bytes, encoding } : { ok: false, outcome: bodyOutcome(body.fault, limits) };
    },
  };
}

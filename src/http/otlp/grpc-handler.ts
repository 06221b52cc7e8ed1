import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Encoding } from '../../telemetry/encodings.js';
import type { Signal } from '../../telemetry/signals.js';
import type { Clients } from '../clients.js';
import { presentedKey } from './admission.js';
import type { ExportCall, ReadBody } from './export-call.js';
import { grpcAnswer, grpcRefusal, type GrpcAnswer } from './grpc-answer.js';
import { FRAME_HEADER_BYTES, frameLength, unframe } from './grpc-framing.js';
import { closeAfterAnswer, peerOf } from './http2-exchange.js';
import type { Lease } from './memory-budget.js';
import { refuse, type Refusal } from './outcome.js';
import { bodyOutcome, readBody, type BodyLimits } from './read-body.js';
import type { Receiver } from './receiver.js';

export interface GrpcHandlerOptions {
  readonly receiver: Receiver;
  readonly body: BodyLimits;
  readonly clients: Clients;
}

const SIGNALS_BY_METHOD: ReadonlyMap<string, Signal> = new Map([
  ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', 'traces'],
  ['/opentelemetry.proto.collector.logs.v1.LogsService/Export', 'logs'],
  ['/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', 'metrics'],
]);

const MESSAGE_ENCODINGS: ReadonlySet<string> = new Set<Encoding>(['identity', 'gzip', 'deflate', 'zstd']);

function isMessageEncoding(name: string | string[]): name is Encoding {
  return typeof name === 'string' && MESSAGE_ENCODINGS.has(name);
}

const GRPC_MEDIA_TYPE = /^application\/grpc(\+proto)?\s*(;|$)/i;

/** Whether a request speaks gRPC with protobuf messages; anything else on HTTP/2 is OTLP/HTTP. */
export function isGrpc(headers: IncomingHttpHeaders): boolean {
  return GRPC_MEDIA_TYPE.test(headers['content-type'] ?? '');
}

/** One unary call. Its message stays in the encoding in which it arrives. */
export async function serveGrpc(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, options: GrpcHandlerOptions): Promise<void> {
  const answer = await answerTo(stream, headers, options);
  if (answer === undefined) stream.close(constants.NGHTTP2_CANCEL);
  else if (!stream.destroyed) send(stream, answer);
}

async function answerTo(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, options: GrpcHandlerOptions): Promise<GrpcAnswer | undefined> {
  const path = headers[':path'] ?? '';
  const signal = SIGNALS_BY_METHOD.get(path);
  const sender = { apiKey: presentedKey(headers['api-key']), client: options.clients.of(peerOf(stream), headers).address };
  const refuseAtOnce = (refusal: Refusal): GrpcAnswer => {
    void options.receiver.turnedAway({ signal, ...sender }, refusal);
    return grpcRefusal(refusal);
  };
  if (signal === undefined) return refuseAtOnce(refuse('not-found', `unknown method ${path.slice(0, 200)}`));
  const encoding = headers['grpc-encoding'] ?? 'identity';
  if (!isMessageEncoding(encoding)) return refuseAtOnce(refuse('unsupported-encoding', 'grpc-encoding may be gzip, deflate, zstd or identity'));
  const outcome = await options.receiver.receive({
    signal,
    format: 'protobuf',
    ...sender,
    readBody: (lease) => readMessage(stream, encoding, lease, options.body),
  } satisfies ExportCall);
  return outcome.kind === 'abandoned' ? undefined : grpcAnswer(outcome, signal);
}

async function readMessage(stream: ServerHttp2Stream, encoding: Encoding, lease: Lease, limits: BodyLimits): Promise<ReadBody> {
  const maxBytes = limits.maxBytes + FRAME_HEADER_BYTES;
  const body = await readBody(() => stream, lease, { ...limits, maxBytes, announced: undefined, lengthIn: frameLength });
  if (!body.ok) return { ok: false, outcome: bodyOutcome(body.fault, limits) };
  const frame = unframe(body.bytes);
  if (!frame.ok) return { ok: false, outcome: refuse('malformed', frame.reason) };
  if (!frame.compressed) return { ok: true, bytes: frame.message, encoding: 'identity' };
  if (encoding === 'identity') return { ok: false, outcome: refuse('malformed', 'the message is compressed and grpc-encoding does not say how') };
  return { ok: true, bytes: frame.message, encoding };
}

function send(stream: ServerHttp2Stream, answer: GrpcAnswer): void {
  closeAfterAnswer(stream);
  if (answer.message === undefined) {
    stream.respond(answer.headers, { endStream: true });
    return;
  }
  stream.respond(answer.headers, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(answer.trailers));
  stream.end(answer.message);
}

import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { ContentEncoding } from '../../telemetry/compression/content-encoding.js';
import type { Signal } from '../../telemetry/signals.js';
import type { ClientResolver } from '../connection/client-resolver.js';
import { type ExportRequest, readApiKey, type ReadBodyResult } from './export-request.js';
import {
  FRAME_HEADER_BYTES,
  type GrpcResponse,
  readFrameLength,
  toGrpcErrorResponse,
  toGrpcResponse,
  unframeMessage,
} from './grpc-messages.js';
import { closeAfterResponse, resolvePeer } from './http2-transport.js';
import type { MemoryReservation } from './memory-budget.js';
import { createRefusal, type Refusal } from './export-outcome.js';
import { toBodyOutcome, readBody, type BodyLimits } from './export-body-reader.js';
import type { OtlpReceiver } from './otlp-receiver.js';

export interface GrpcHandlerOptions {
  readonly receiver: OtlpReceiver;
  readonly body: BodyLimits;
  readonly clients: ClientResolver;
}

const SIGNALS_BY_METHOD: ReadonlyMap<string, Signal> = new Map([
  ['/opentelemetry.proto.collector.trace.v1.TraceService/Export', 'traces'],
  ['/opentelemetry.proto.collector.logs.v1.LogsService/Export', 'logs'],
  ['/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', 'metrics'],
]);

const MESSAGE_ENCODINGS: ReadonlySet<string> = new Set<ContentEncoding>(['identity', 'gzip', 'deflate', 'zstd']);

function isMessageEncoding(name: string | string[]): name is ContentEncoding {
  return typeof name === 'string' && MESSAGE_ENCODINGS.has(name);
}

const GRPC_MEDIA_TYPE = /^application\/grpc(\+proto)?\s*(;|$)/i;

/** Whether a request speaks gRPC with protobuf messages; anything else on HTTP/2 is OTLP/HTTP. */
export function isGrpcRequest(headers: IncomingHttpHeaders): boolean {
  return GRPC_MEDIA_TYPE.test(headers['content-type'] ?? '');
}

/** One unary call. Its message stays in the encoding in which it arrives. */
export async function serveGrpc(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  options: GrpcHandlerOptions,
): Promise<void> {
  const answer = await handleUnaryCall(stream, headers, options);
  if (answer === undefined) stream.close(constants.NGHTTP2_CANCEL);
  else if (!stream.destroyed) sendResponse(stream, answer);
}

async function handleUnaryCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  options: GrpcHandlerOptions,
): Promise<GrpcResponse | undefined> {
  const path = headers[':path'] ?? '';
  const signal = SIGNALS_BY_METHOD.get(path);
  const sender = {
    apiKey: readApiKey(headers['api-key']),
    client: options.clients.resolve(resolvePeer(stream), headers).address,
  };
  const refuseAtOnce = (refusal: Refusal): GrpcResponse => {
    void options.receiver.recordRefusal({ signal, ...sender }, refusal);
    return toGrpcErrorResponse(refusal);
  };
  if (signal === undefined) return refuseAtOnce(createRefusal('not-found', `unknown method ${path.slice(0, 200)}`));
  const encoding = headers['grpc-encoding'] ?? 'identity';
  if (!isMessageEncoding(encoding))
    return refuseAtOnce(createRefusal('unsupported-encoding', 'grpc-encoding may be gzip, deflate, zstd or identity'));
  const outcome = await options.receiver.receive({
    signal,
    format: 'protobuf',
    ...sender,
    readBody: (lease) => readUnaryMessage(stream, encoding, lease, options.body),
  } satisfies ExportRequest);
  return outcome.kind === 'abandoned' ? undefined : toGrpcResponse(outcome, signal);
}

async function readUnaryMessage(
  stream: ServerHttp2Stream,
  encoding: ContentEncoding,
  lease: MemoryReservation,
  limits: BodyLimits,
): Promise<ReadBodyResult> {
  const maxBytes = limits.maxBytes + FRAME_HEADER_BYTES;
  const body = await readBody(() => stream, lease, {
    ...limits,
    maxBytes,
    announced: undefined,
    lengthIn: readFrameLength,
  });
  if (!body.ok) return { ok: false, outcome: toBodyOutcome(body.fault, limits) };
  const frame = unframeMessage(body.bytes);
  if (!frame.ok) return { ok: false, outcome: createRefusal('malformed', frame.reason) };
  if (!frame.compressed) return { ok: true, bytes: frame.message, encoding: 'identity' };
  if (encoding === 'identity')
    return {
      ok: false,
      outcome: createRefusal('malformed', 'the message is compressed and grpc-encoding does not say how'),
    };
  return { ok: true, bytes: frame.message, encoding };
}

function sendResponse(stream: ServerHttp2Stream, answer: GrpcResponse): void {
  closeAfterResponse(stream);
  if (answer.message === undefined) {
    stream.respond(answer.headers, { endStream: true });
    return;
  }
  stream.respond(answer.headers, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(answer.trailers));
  stream.end(answer.message);
}

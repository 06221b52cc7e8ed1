import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TransferEncoding } from '../../telemetry/compression/content-encoding.js';
import type { Signal } from '../../telemetry/signals.js';
import type { ClientResolver } from '../connection/client-resolver.js';
import type { ExportRequest, ReadBodyResult } from './export-request.js';
import { readApiKey } from './sender-authenticator.js';
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

const MESSAGE_ENCODINGS: ReadonlySet<string> = new Set<TransferEncoding>([
  'identity',
  'gzip',
  'deflate',
  'zstd',
  'snappy',
  'lz4',
]);

function isMessageEncoding(name: string | string[]): name is TransferEncoding {
  return typeof name === 'string' && MESSAGE_ENCODINGS.has(name);
}

const GRPC_MEDIA_TYPE = /^application\/grpc(\+proto)?\s*(;|$)/i;

/** Whether a request is gRPC with protobuf messages. All other HTTP/2 requests are OTLP/HTTP. */
export function isGrpcRequest(headers: IncomingHttpHeaders): boolean {
  return GRPC_MEDIA_TYPE.test(headers['content-type'] ?? '');
}

/** Serves one unary call. Its message stays compressed until it is validated. */
export async function serveGrpc(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  options: GrpcHandlerOptions,
): Promise<void> {
  const response = await handleUnaryCall(stream, headers, options);
  if (response === undefined) stream.close(constants.NGHTTP2_CANCEL);
  else if (!stream.destroyed) sendResponse(stream, response);
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
    connection: stream.session,
  };
  const refuse = (refusal: Refusal): GrpcResponse => {
    void options.receiver.recordRefusal({ signal, ...sender }, refusal);
    return toGrpcErrorResponse(refusal);
  };
  if (signal === undefined) return refuse(createRefusal('not-found', `unknown method ${path.slice(0, 200)}`));
  const encoding = headers['grpc-encoding'] ?? 'identity';
  if (!isMessageEncoding(encoding))
    return refuse(
      createRefusal('unsupported-encoding', 'grpc-encoding must be one of gzip, deflate, zstd, snappy, lz4, identity'),
    );
  const outcome = await options.receiver.receive({
    signal,
    format: 'protobuf',
    ...sender,
    readBody: (reservation) => readUnaryMessage(stream, encoding, reservation, options.body),
  } satisfies ExportRequest);
  return outcome.kind === 'abandoned' ? undefined : toGrpcResponse(outcome, signal);
}

async function readUnaryMessage(
  stream: ServerHttp2Stream,
  encoding: TransferEncoding,
  reservation: MemoryReservation,
  limits: BodyLimits,
): Promise<ReadBodyResult> {
  const maxBytes = limits.maxBytes + FRAME_HEADER_BYTES;
  const body = await readBody(() => stream, reservation, {
    ...limits,
    maxBytes,
    announcedBytes: undefined,
    lengthIn: readFrameLength,
  });
  if (!body.ok) return { ok: false, outcome: toBodyOutcome(body.fault, limits) };
  const frame = unframeMessage(body.bytes);
  if (!frame.ok) return { ok: false, outcome: createRefusal('malformed', frame.reason) };
  if (!frame.compressed) return { ok: true, bytes: frame.message, encoding: 'identity' };
  if (encoding === 'identity')
    return {
      ok: false,
      outcome: createRefusal('malformed', 'the message is compressed but grpc-encoding does not name the compression'),
    };
  return { ok: true, bytes: frame.message, encoding };
}

function sendResponse(stream: ServerHttp2Stream, response: GrpcResponse): void {
  closeAfterResponse(stream);
  if (response.message === undefined) {
    stream.respond(response.headers, { endStream: true });
    return;
  }
  stream.respond(response.headers, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers(response.trailers));
  stream.end(response.message);
}

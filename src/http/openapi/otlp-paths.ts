import Type from 'typebox';
import { record, text, whole } from '../schemas/schema-builders.js';
import { buildExample, type OpenApiComponents, RESPONSE_HEADERS } from './openapi-components.js';
import type { PathItem } from './openapi-operation.js';

const RpcStatusSchema = record('RpcStatus', 'google.rpc.Status: why the whole request was rejected.', {
  code: Type.Optional(whole('A google.rpc.Code value.', 3)),
  message: Type.Optional(text('Reason.', 'the body does not parse')),
  details: Type.Optional(
    Type.Array(
      Type.Unsafe<object>({
        type: 'object',
        examples: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
      }),
      { description: 'When to retry, if a retry can succeed.' },
    ),
  ),
});

const SIGNAL_OPERATIONS = [
  { name: 'traces', noun: 'spans', payload: 'resourceSpans', rejected: 'rejectedSpans', id: 'sendTraces' },
  { name: 'logs', noun: 'log records', payload: 'resourceLogs', rejected: 'rejectedLogRecords', id: 'sendLogs' },
  {
    name: 'metrics',
    noun: 'data points',
    payload: 'resourceMetrics',
    rejected: 'rejectedDataPoints',
    id: 'sendMetrics',
  },
] as const;

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The body cannot be parsed. Do not retry.',
  401: 'The API key is missing, unknown, revoked or regenerated.',
  403: 'The subscription of the Grid is inactive. Do not retry.',
  408: 'The request did not arrive in time.',
  413: 'More than 64 MiB after decompression. Do not retry.',
  415: 'Unsupported media type or content encoding.',
  429: 'Too much telemetry at the same time. Retry after the time in Retry-After.',
  503: 'Temporarily unavailable. Retry after the time in Retry-After.',
};

const OTLP_DESCRIPTION = [
  'OTLP 1.x over HTTP, as protobuf or JSON, with content encoding gzip, deflate, zstd or identity. At most 64 MiB after decompression.',
  'The service responds with success once the data is durable on disk. A retried request counts once. Request and response bodies are defined by opentelemetry-proto.',
].join('\n\n');

/** Paths of the ingestion server, which listens on its own port. */
export function buildOtlpPaths(otlpUrl: string, components: OpenApiComponents): Record<string, PathItem> {
  const servers = [{ url: otlpUrl, description: 'Ingestion' }];
  return Object.fromEntries(
    SIGNAL_OPERATIONS.map((signal) => [
      `/v1/${signal.name}`,
      { servers, post: buildExportOperation(signal, components) },
    ]),
  );
}

function buildExportOperation(
  { name, noun, payload, rejected, id }: (typeof SIGNAL_OPERATIONS)[number],
  components: OpenApiComponents,
): NonNullable<PathItem['post']> {
  const accepted = {
    type: 'object',
    description: 'Accepted. `partialSuccess` is present only if some records are invalid and were rejected.',
    properties: {
      partialSuccess: {
        type: 'object',
        properties: {
          [rejected]: { type: 'string', description: `Number of rejected ${noun}.` },
          errorMessage: { type: 'string', description: 'Reason.' },
        },
      },
    },
  };
  return {
    operationId: id,
    tags: ['Telemetry'],
    summary: `Send ${noun}`,
    description: OTLP_DESCRIPTION,
    parameters: [],
    requestBody: {
      required: true,
      description: `An Export${name[0].toUpperCase()}${name.slice(1)}ServiceRequest.`,
      content: {
        'application/x-protobuf': {},
        'application/json': {
          schema: { type: 'object', properties: { [payload]: { type: 'array', items: { type: 'object' } } } },
          example: { [payload]: [] },
        },
      },
    },
    responses: {
      200: {
        description: 'The data is durable.',
        content: { 'application/json': { schema: accepted, example: {} }, 'application/x-protobuf': {} },
      },
      ...Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [
          status,
          buildRefusalResponse(status, description, components),
        ]),
      ),
    },
    security: [{ apiKey: [] }],
  };
}

/** A google.rpc.Status in the encoding of the request. */
function buildRefusalResponse(status: string, description: string, components: OpenApiComponents): object {
  const isTemporary = status === '429' || status === '503';
  return {
    description,
    ...(isTemporary && { headers: { 'Retry-After': RESPONSE_HEADERS['Retry-After'] } }),
    content: {
      'application/json': {
        schema: components.registerSchema(RpcStatusSchema),
        example: buildExample(RpcStatusSchema),
      },
      'application/x-protobuf': {},
    },
  };
}

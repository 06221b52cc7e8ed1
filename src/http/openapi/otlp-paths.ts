import Type from 'typebox';
import { record, text, whole } from '../schemas/schema-builders.js';
import { buildExample, type OpenApiComponents, RESPONSE_HEADERS } from './openapi-components.js';
import type { PathItem } from './openapi-document.js';

const RpcStatusSchema = record('RpcStatus', 'google.rpc.Status: why a request was turned away whole.', {
  code: Type.Optional(whole('Code of google.rpc.Code.', 3)),
  message: Type.Optional(text('Why.', 'the body does not parse')),
  details: Type.Optional(
    Type.Array(
      Type.Unsafe<object>({
        type: 'object',
        examples: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }],
      }),
      { description: 'When to come back, where that helps.' },
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
  400: 'The body does not parse. Not to be repeated.',
  401: 'The key is missing, unknown, revoked or regenerated.',
  403: 'The subscription of the Grid is inactive. Not to be repeated.',
  408: 'The request did not arrive within its time.',
  413: 'More than 64 MiB after decompression. Not to be repeated.',
  415: 'A media type or content encoding that OTLP does not have here.',
  429: 'Too much at once: repeat after Retry-After.',
  503: 'Something is away for the moment: repeat after Retry-After.',
};

const OTLP_DESCRIPTION = [
  'OTLP 1.x over HTTP: protobuf or JSON; content encodings gzip, deflate, zstd, identity. At most 64 MiB after decompression.',
  'Success is answered once the data are durable on disk. A retried request counts once. The bodies are those of opentelemetry-proto.',
].join('\n\n');

/** Ingestion, which has a server of its own. */
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
    description: 'Taken; `partialSuccess` only where some records can never be taken.',
    properties: {
      partialSuccess: {
        type: 'object',
        properties: {
          [rejected]: { type: 'string', description: `How many ${noun} were rejected.` },
          errorMessage: { type: 'string', description: 'Why.' },
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
        description: 'Durable.',
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

/** In the encoding of the request. */
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

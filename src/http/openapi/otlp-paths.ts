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
  'OTLP 1.x over HTTP, as protobuf or JSON, with content encoding gzip, deflate, zstd, snappy, lz4 or identity. At most 64 MiB after decompression.',
  'The service responds with success once the data is durable on disk. A retried request counts once. Request and response bodies are defined by opentelemetry-proto.',
].join('\n\n');

const ZIPKIN_DESCRIPTION = [
  "Spans of Zipkin's reporters, as JSON of its API v2, with the content encodings of OTLP. They become spans of OTLP: tags are attributes, annotations events, the tag `error` the status. The server's half of a shared span gets an id of its own and becomes the child of the client's half.",
  'The service responds with 202 once the data is durable on disk. A retried request counts once. Spans that are invalid, such as one without a timestamp, are rejected and counted; the API of Zipkin has no field to say so in the response.',
].join('\n\n');

const LOKI_DESCRIPTION = [
  'Logs of Promtail, Alloy, Fluent Bit and other clients of Loki. Labels become attributes of the resource, structured metadata attributes of the record. The service is the first of the labels `service_name`, `service`, `app`, `application`, `name`, `app_kubernetes_io_name`, `container`, `container_name`, `component`, `workload`, `job`; the severity comes from `level`, `severity` or `detected_level`, the trace from `trace_id` and `span_id` of the structured metadata.',
  'The service responds with 204 once the data is durable on disk. A request repeated within 15 minutes counts once. Records that are invalid, such as expired ones, are rejected and counted; the API of Loki has no field to say so in the response.',
].join('\n\n');

const REMOTE_WRITE_DESCRIPTION = [
  'Metrics of Prometheus and what sends like it, as remote write 1.0 (`application/x-protobuf`) or 2.0 (`application/x-protobuf;proto=io.prometheus.write.v2.Request`), compressed as a snappy block. `__name__` is the metric, `job` and `instance` are `service.name` and `service.instance.id`, other labels attributes. Counters become cumulative sums, other types gauges; series without a type are counters if they end in `_total`. The parts of a classic histogram that come together become one histogram, native histograms exponential ones.',
  'The key may also come as `Authorization`: a bearer token, or the password of Basic. The service responds with 204 once the data is durable on disk. A sample repeated within 15 minutes counts once. If only a part is valid, it is stored, and the response is 400 with the reason for the rest. Responses to 2.0 carry the headers `X-Prometheus-Remote-Write-Samples-Written`, `-Histograms-Written` and `-Exemplars-Written`.',
].join('\n\n');

/** Paths of the ingestion server, which listens on its own port. */
export function buildOtlpPaths(otlpUrl: string, components: OpenApiComponents): Record<string, PathItem> {
  const servers = [{ url: otlpUrl, description: 'Ingestion' }];
  const operations = new Map(
    SIGNAL_OPERATIONS.map((signal) => [`/v1/${signal.name}`, buildExportOperation(signal, components)]),
  );
  operations.set('/api/v2/spans', buildZipkinOperation(components));
  operations.set('/loki/api/v1/push', buildLokiOperation(components));
  operations.set('/api/v1/write', buildRemoteWriteOperation(components));
  return Object.fromEntries([...operations].map(([path, post]) => [path, { servers, post }]));
}

function buildZipkinOperation(components: OpenApiComponents): NonNullable<PathItem['post']> {
  return {
    operationId: 'sendZipkinSpans',
    tags: ['Telemetry'],
    summary: 'Send spans in the JSON of Zipkin',
    description: ZIPKIN_DESCRIPTION,
    parameters: [],
    requestBody: {
      required: true,
      description: 'A list of spans as in zipkin2-api.yaml.',
      content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } }, example: [] } },
    },
    responses: { 202: { description: 'The data is durable.' }, ...buildRefusalResponses(components) },
    security: [{ apiKey: [] }],
  };
}

function buildLokiOperation(components: OpenApiComponents): NonNullable<PathItem['post']> {
  return {
    operationId: 'pushLokiLogs',
    tags: ['Telemetry'],
    summary: "Send logs as Loki's clients do",
    description: LOKI_DESCRIPTION,
    parameters: [],
    requestBody: {
      required: true,
      description: 'Streams as in the push API of Loki: JSON, or the message PushRequest as a snappy block.',
      content: {
        'application/json': {
          schema: { type: 'object', properties: { streams: { type: 'array', items: { type: 'object' } } } },
          example: { streams: [] },
        },
        'application/x-protobuf': {},
      },
    },
    responses: { 204: { description: 'The data is durable.' }, ...buildRefusalResponses(components) },
    security: [{ apiKey: [] }],
  };
}

function buildRemoteWriteOperation(components: OpenApiComponents): NonNullable<PathItem['post']> {
  return {
    operationId: 'writePrometheusMetrics',
    tags: ['Telemetry'],
    summary: 'Send metrics as Prometheus does',
    description: REMOTE_WRITE_DESCRIPTION,
    parameters: [],
    requestBody: {
      required: true,
      description: 'The message prometheus.WriteRequest or io.prometheus.write.v2.Request, as a snappy block.',
      content: { 'application/x-protobuf': {} },
    },
    responses: { 204: { description: 'The data is durable.' }, ...buildRefusalResponses(components) },
    security: [{ apiKey: [] }],
  };
}

function buildRefusalResponses(components: OpenApiComponents): Record<string, object> {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([status, description]) => [
      status,
      buildRefusalResponse(status, description, components),
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
      ...buildRefusalResponses(components),
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

import Type from 'typebox';
import type { ProblemSlug } from '../problems/problem-catalogue.js';
import type { TokenIssuer } from '../api/service-pages.js';
import { flag, inlineRecord, record, text } from '../schemas/schema-builders.js';
import { buildJsonResponse, buildProblemResponse, buildProblemResponses } from './openapi-responses.js';
import { type OpenApiComponents, RESPONSE_HEADERS } from './openapi-components.js';
import type { PathItem } from './openapi-document.js';
import { buildSecurityRequirements, type Operation } from './openapi-operation.js';
import { findPathParameter } from './openapi-parameters.js';

const LivenessSchema = record('Live', 'The process runs.', {
  live: Type.Literal(true, { description: 'Always true.', examples: [true] }),
});

const HealthSchema = inlineRecord('Health of one component.', {
  ok: flag('Whether it works.', true),
  reason: Type.Optional(text('What is wrong; only where it does not work.', 'disk full')),
  degraded: Type.Optional(
    text(
      'What an operator should look at; only where it works all the same.',
      '1 event is parked: see hindsight parked',
    ),
  ),
});

const ReadinessSchema = record('Readiness', 'Whether the service can do its work.', {
  ready: flag('Whether every component works.', true),
  checks: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: HealthSchema,
    description: 'By component.',
    examples: [{ log: { ok: true }, readModels: { ok: true }, projections: { ok: true }, ingestion: { ok: true } }],
  }),
});

const ProtectedResourceSchema = record('ProtectedResource', 'Where to sign in (RFC 9728).', {
  resource: text('Address of this service.', 'https://hindsight.example'),
  authorization_servers: Type.Array(text('Issuer.', 'https://hindsight.example/auth/dev/v2.0'), {
    description: 'Issuers whose tokens are accepted.',
  }),
  scopes_supported: Type.Array(text('Scope.', 'api://iapm-api/.default'), { description: 'What to ask for there.' }),
  bearer_methods_supported: Type.Array(text('Method.', 'header'), { description: 'How tokens are sent.' }),
  resource_name: text('Name of this service.', 'Hindsight'),
});

const PLAIN_TEXT_SCHEMA = { type: 'string' };
const requestId = { 'X-Request-Id': RESPONSE_HEADERS['X-Request-Id'] };
const buildTextResponse = (description: string, mediaType: string, example: string): Record<string, object> => ({
  200: { description, headers: requestId, content: { [mediaType]: { schema: PLAIN_TEXT_SCHEMA, example } } },
});

/** What an ETag stands for may be asked for again at no cost. */
function buildCachedResponses(description: string, mediaType: string, schema: object): Record<string, object> {
  const headers = { ...requestId, ETag: RESPONSE_HEADERS.ETag, 'Cache-Control': RESPONSE_HEADERS['Cache-Control'] };
  return {
    200: { description, headers, content: { [mediaType]: { schema } } },
    304: { description: 'What the client has is still right.', headers },
  };
}

/** Pages of the service, and the tools for agents. */
export function buildServicePaths(
  { signIn, hasMetrics }: { readonly signIn?: TokenIssuer; readonly hasMetrics: boolean },
  components: OpenApiComponents,
): Record<string, PathItem> {
  const page = (
    operationId: string,
    summary: string,
    success: Record<string, object>,
    problems: readonly ProblemSlug[] = [],
  ): PathItem => ({
    get: {
      operationId,
      tags: ['Service'],
      summary,
      description: 'Needs neither version nor credentials.',
      parameters: [],
      responses: {
        ...success,
        ...buildProblemResponses(['headers-too-large', 'internal-error', ...problems], components),
      },
      security: [],
    } satisfies Operation,
  });
  const ready = buildJsonResponse(ReadinessSchema, components);
  const { get: problemPage } = page(
    'getProblemType',
    'Read what a type of problem means',
    buildTextResponse(
      'The explanation.',
      'text/plain',
      'Not found (404)\n\nNo such path, or nothing is known under the id in it.\n',
    ),
    ['not-found'],
  );
  return {
    '/mcp': buildMcpPath(signIn, components),
    '/openapi.json': page(
      'getOpenApiDocument',
      'Read this document',
      buildCachedResponses('OpenAPI 3.1 of all that the service answers.', 'application/json', {
        type: 'object',
        required: ['openapi', 'info', 'paths'],
      }),
    ),
    '/docs': page(
      'getDocumentation',
      'Read this document as a page',
      buildCachedResponses('The page.', 'text/html', PLAIN_TEXT_SCHEMA),
    ),
    '/problems/{slug}': { get: { ...problemPage!, parameters: [findPathParameter('slug')] } },
    '/live': page('getLiveness', 'Tell whether the process runs', {
      200: buildJsonResponse(LivenessSchema, components),
    }),
    '/ready': page('getReadiness', 'Tell whether the service can do its work', {
      200: ready,
      503: { ...ready, description: 'At least one component does not work.' },
    }),
    ...(hasMetrics && {
      '/metrics': page(
        'getServiceMetrics',
        'Read metrics of the service itself',
        buildTextResponse(
          'Prometheus text format.',
          'text/plain',
          'hindsight_records_accepted_total{signal="traces"} 1204\n',
        ),
      ),
    }),
    ...(signIn !== undefined && {
      '/.well-known/oauth-protected-resource': page('getProtectedResource', 'Learn where to sign in', {
        200: buildJsonResponse(ProtectedResourceSchema, components),
      }),
    }),
  };
}

const JSON_RPC_MESSAGE = { type: 'object', required: ['jsonrpc'], properties: { jsonrpc: { const: '2.0' } } };
const REQUEST_ID_RESPONSE_HEADERS = { 'X-Request-Id': RESPONSE_HEADERS['X-Request-Id'] };

const MCP_DESCRIPTION = [
  'Streamable HTTP of the Model Context Protocol, without sessions: one message a request, and its answer one JSON document.',
  'Needs credentials but no version. A caller with several Grids names one in the header X-Grid-Id. Every member of the Grid may call it.',
].join('\n\n');

/** The queries as tools for agents: JSON-RPC, which has its own errors. */
function buildMcpPath(signIn: TokenIssuer | undefined, components: OpenApiComponents): PathItem {
  return {
    post: {
      operationId: 'callTools',
      tags: ['Agents'],
      summary: 'Send a message of the Model Context Protocol',
      description: MCP_DESCRIPTION,
      parameters: [
        {
          name: 'X-Grid-Id',
          in: 'header',
          required: false,
          description: 'Id of the Grid that the tools look at; not needed where there is only one.',
          schema: { type: 'string', format: 'uuid' },
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: JSON_RPC_MESSAGE, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
        },
      },
      responses: {
        400: buildRefusal(components),
        200: {
          description: 'The answer to the message.',
          headers: REQUEST_ID_RESPONSE_HEADERS,
          content: {
            'application/json': { schema: JSON_RPC_MESSAGE, example: { jsonrpc: '2.0', id: 1, result: { tools: [] } } },
          },
        },
        202: { description: 'The message was taken and has no answer.', headers: REQUEST_ID_RESPONSE_HEADERS },
        406: {
          description: 'The client takes no JSON. Told as JSON-RPC does.',
          headers: REQUEST_ID_RESPONSE_HEADERS,
          content: { 'application/json': { schema: JSON_RPC_MESSAGE } },
        },
        ...buildProblemResponses(
          [
            'unauthenticated',
            'forbidden',
            'subscription-inactive',
            'too-large',
            'unsupported-media-type',
            'request-timeout',
            'rate-limited',
            'headers-too-large',
            'internal-error',
            'overloaded',
            'unavailable',
          ],
          components,
        ),
      },
      security: buildSecurityRequirements({}, signIn),
    },
  };
}

/** Before a message is read faults are problems; those of the message itself are told as JSON-RPC does. */
function buildRefusal(components: OpenApiComponents): object {
  const problem = buildProblemResponse(400, ['invalid-request', 'malformed-json'], components);
  return {
    ...problem,
    description: 'A fault of the request, or of the message in it.',
    content: { ...problem.content, 'application/json': { schema: JSON_RPC_MESSAGE } },
  };
}

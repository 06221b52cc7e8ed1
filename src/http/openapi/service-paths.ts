import Type from 'typebox';
import type { ProblemSlug } from '../problems/problem-catalogue.js';
import type { TokenIssuer } from '../api/operational-pages.js';
import { flag, inlineRecord, record, text } from '../schemas/schema-builders.js';
import { buildJsonResponse, buildProblemResponse, buildProblemResponses } from './openapi-responses.js';
import { type OpenApiComponents, RESPONSE_HEADERS } from './openapi-components.js';
import { buildSecurityRequirements, type Operation, type PathItem } from './openapi-operation.js';
import { findPathParameter } from './openapi-parameters.js';

const LivenessSchema = record('Live', 'The process is running.', {
  live: Type.Literal(true, { description: 'Always true.', examples: [true] }),
});

const HealthSchema = inlineRecord('Health of one component.', {
  ok: flag('Whether the component works.', true),
  reason: Type.Optional(text('What is wrong; present only if the component does not work.', 'disk full')),
  degraded: Type.Optional(
    text(
      'What an operator should check; present only if the component works with limitations.',
      '1 event could not be projected: see `hindsight dead-letters`',
    ),
  ),
});

const ReadinessSchema = record('Readiness', 'Whether the service is ready.', {
  ready: flag('Whether every component works.', true),
  checks: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: HealthSchema,
    description: 'Health checks by component.',
    examples: [
      {
        log: { ok: true },
        readModels: { ok: true },
        projections: { ok: true },
        retention: { ok: true },
        ingestion: { ok: true },
      },
    ],
  }),
});

const ProtectedResourceSchema = record('ProtectedResource', 'Where to sign in (RFC 9728).', {
  resource: text('URL of this service.', 'https://hindsight.example'),
  authorization_servers: Type.Array(text('Issuer.', 'https://hindsight.example/auth/dev/v2.0'), {
    description: 'Issuers whose tokens are accepted.',
  }),
  scopes_supported: Type.Array(text('Scope.', 'api://iapm-api/.default'), {
    description: 'Scopes to request from the issuer.',
  }),
  bearer_methods_supported: Type.Array(text('Method.', 'header'), { description: 'How tokens are sent.' }),
  resource_name: text('Name of this service.', 'Hindsight'),
});

const PLAIN_TEXT_SCHEMA = { type: 'string' };
const requestId = { 'X-Request-Id': RESPONSE_HEADERS['X-Request-Id'] };
const buildTextResponse = (description: string, mediaType: string, example: string): Record<string, object> => ({
  200: { description, headers: requestId, content: { [mediaType]: { schema: PLAIN_TEXT_SCHEMA, example } } },
});

/** Responses of a page with an ETag: 200, or 304 for a conditional request. */
function buildCachedResponses(description: string, mediaType: string, schema: object): Record<string, object> {
  const headers = { ...requestId, ETag: RESPONSE_HEADERS.ETag, 'Cache-Control': RESPONSE_HEADERS['Cache-Control'] };
  return {
    200: { description, headers, content: { [mediaType]: { schema } } },
    304: { description: 'The cached content is still current.', headers },
  };
}

/** Paths of the service pages and of the MCP endpoint. */
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
      description: 'Needs neither an API version nor credentials.',
      parameters: [],
      responses: {
        ...success,
        ...buildProblemResponses(['invalid-request', 'headers-too-large', 'internal-error', ...problems], components),
      },
      security: [],
    } satisfies Operation,
  });
  const ready = buildJsonResponse(ReadinessSchema, components);
  const { get: problemPage } = page(
    'getProblemType',
    'Read the explanation of a problem type',
    buildTextResponse(
      'The explanation.',
      'text/plain',
      'Not found (404)\n\nThe path does not exist, or no resource has the id given in it.\n',
    ),
    ['not-found'],
  );
  return {
    '/mcp': buildMcpPath(signIn, components),
    '/openapi.json': page(
      'getOpenApiDocument',
      'Read this document',
      buildCachedResponses('OpenAPI 3.1 description of the whole service.', 'application/json', {
        type: 'object',
        required: ['openapi', 'info', 'paths'],
      }),
    ),
    '/docs': page(
      'getDocumentation',
      'Read this document as an HTML page',
      buildCachedResponses('The HTML page.', 'text/html', PLAIN_TEXT_SCHEMA),
    ),
    '/problems/{slug}': { get: { ...problemPage!, parameters: [findPathParameter('slug')] } },
    '/live': page('getLiveness', 'Check whether the process is running', {
      200: buildJsonResponse(LivenessSchema, components),
    }),
    '/ready': page('getReadiness', 'Check whether the service is ready', {
      200: ready,
      503: { ...ready, description: 'At least one component does not work.' },
    }),
    ...(hasMetrics && {
      '/metrics': page(
        'getServiceMetrics',
        'Read the metrics of the service itself',
        buildTextResponse(
          'Prometheus text format.',
          'text/plain',
          'hindsight_records_accepted_total{signal="traces"} 1204\n',
        ),
      ),
    }),
    ...(signIn !== undefined && {
      '/.well-known/oauth-protected-resource': page('getProtectedResource', 'Find out where to sign in', {
        200: buildJsonResponse(ProtectedResourceSchema, components),
      }),
    }),
  };
}

const JSON_RPC_MESSAGE = { type: 'object', required: ['jsonrpc'], properties: { jsonrpc: { const: '2.0' } } };
const REQUEST_ID_RESPONSE_HEADERS = { 'X-Request-Id': RESPONSE_HEADERS['X-Request-Id'] };

const MCP_DESCRIPTION = [
  'Model Context Protocol over streamable HTTP, without sessions: one message per request, answered with one JSON document.',
  'Needs credentials but no API version. A caller with several Grids selects one with the header X-Grid-Id. Every member of the Grid can use this operation.',
].join('\n\n');

/** The MCP endpoint: JSON-RPC, which has its own error format. */
function buildMcpPath(signIn: TokenIssuer | undefined, components: OpenApiComponents): PathItem {
  return {
    post: {
      operationId: 'callTools',
      tags: ['Agents'],
      summary: 'Send a Model Context Protocol message',
      description: MCP_DESCRIPTION,
      parameters: [
        {
          name: 'X-Grid-Id',
          in: 'header',
          required: false,
          description: 'Id of the Grid to query; not needed if the caller has only one.',
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
          description: 'The response to the message.',
          headers: REQUEST_ID_RESPONSE_HEADERS,
          content: {
            'application/json': { schema: JSON_RPC_MESSAGE, example: { jsonrpc: '2.0', id: 1, result: { tools: [] } } },
          },
        },
        202: { description: 'The message was accepted and has no response.', headers: REQUEST_ID_RESPONSE_HEADERS },
        406: {
          description: 'The client does not accept JSON. The error is a JSON-RPC message.',
          headers: REQUEST_ID_RESPONSE_HEADERS,
          content: { 'application/json': { schema: JSON_RPC_MESSAGE } },
        },
        ...buildProblemResponses(
          [
            'unauthenticated',
            'forbidden',
            'key-kind',
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

/** Errors before the message is read are problem documents; errors of the message itself are JSON-RPC errors. */
function buildRefusal(components: OpenApiComponents): object {
  const problem = buildProblemResponse(400, ['invalid-request', 'malformed-json'], components);
  return {
    ...problem,
    description: 'The request is invalid (problem document) or the message in it is (JSON-RPC error).',
    content: { ...problem.content, 'application/json': { schema: JSON_RPC_MESSAGE } },
  };
}

import Type from 'typebox';
import type { ProblemSlug } from '../problems/catalogue.js';
import type { SignInPlace } from '../service-pages.js';
import { flag, members, record, text } from '../schemas/terms.js';
import { json } from './answers.js';
import type { Components } from './components.js';
import type { PathItem } from './document.js';
import { HEADERS } from './headers.js';
import { mcpPath } from './mcp-path.js';
import type { Operation } from './operation.js';
import { pathParameter } from './parameters.js';
import { problemResponses } from './problem-responses.js';

const Live = record('Live', 'The process runs.', { live: Type.Literal(true, { description: 'Always true.', examples: [true] }) });

const Health = members('Health of one component.', {
  ok: flag('Whether it works.', true),
  reason: Type.Optional(text('What is wrong; only where it does not work.', 'disk full')),
  degraded: Type.Optional(text('What an operator should look at; only where it works all the same.', '1 event is parked: see hindsight parked')),
});

const Readiness = record('Readiness', 'Whether the service can do its work.', {
  ready: flag('Whether every component works.', true),
  checks: Type.Unsafe<object>({ type: 'object', additionalProperties: Health, description: 'By component.', examples: [{ log: { ok: true }, readModels: { ok: true }, projections: { ok: true }, ingestion: { ok: true } }] }),
});

const ProtectedResource = record('ProtectedResource', 'Where to sign in (RFC 9728).', {
  resource: text('Address of this service.', 'https://hindsight.example'),
  authorization_servers: Type.Array(text('Issuer.', 'https://hindsight.example/auth/dev/v2.0'), { description: 'Issuers whose tokens are accepted.' }),
  scopes_supported: Type.Array(text('Scope.', 'api://iapm-api/.default'), { description: 'What to ask for there.' }),
  bearer_methods_supported: Type.Array(text('Method.', 'header'), { description: 'How tokens are sent.' }),
  resource_name: text('Name of this service.', 'Hindsight'),
});

const TEXT = { type: 'string' };
const requestId = { 'X-Request-Id': HEADERS['X-Request-Id'] };
const text200 = (description: string, mediaType: string, example: string): Record<string, object> => ({ 200: { description, headers: requestId, content: { [mediaType]: { schema: TEXT, example } } } });

/** What an ETag stands for may be asked for again at no cost. */
function cached(description: string, mediaType: string, schema: object): Record<string, object> {
  const headers = { ...requestId, 'ETag': HEADERS.ETag, 'Cache-Control': HEADERS['Cache-Control'] };
  return { 200: { description, headers, content: { [mediaType]: { schema } } }, 304: { description: 'What the client has is still right.', headers } };
}

/** Pages of the service, and the tools for agents. */
export function servicePaths({ signIn, hasMetrics }: { readonly signIn?: SignInPlace; readonly hasMetrics: boolean }, components: Components): Record<string, PathItem> {
  const page = (operationId: string, summary: string, success: Record<string, object>, problems: readonly ProblemSlug[] = []): PathItem => ({
    get: {
      operationId, tags: ['Service'], summary, description: 'Needs neither version nor credentials.', parameters: [],
      responses: { ...success, ...problemResponses(['headers-too-large', 'internal-error', ...problems], components) },
      security: [],
    } satisfies Operation,
  });
  const ready = json(Readiness, components);
  const { get: problemPage } = page('getProblemType', 'Read what a type of problem means', text200('The explanation.', 'text/plain', 'Not found (404)\n\nNo such path, or nothing is known under the id in it.\n'), ['not-found']);
  return {
    '/mcp': mcpPath(signIn, components),
    '/openapi.json': page('getOpenApiDocument', 'Read this document', cached('OpenAPI 3.1 of all that the service answers.', 'application/json', { type: 'object', required: ['openapi', 'info', 'paths'] })),
    '/docs': page('getDocumentation', 'Read this document as a page', cached('The page.', 'text/html', TEXT)),
    '/problems/{slug}': { get: { ...problemPage!, parameters: [pathParameter('slug')] } },
    '/live': page('getLiveness', 'Tell whether the process runs', { 200: json(Live, components) }),
    '/ready': page('getReadiness', 'Tell whether the service can do its work', { 200: ready, 503: { ...ready, description: 'At least one component does not work.' } }),
    ...(hasMetrics && { '/metrics': page('getServiceMetrics', 'Read metrics of the service itself', text200('Prometheus text format.', 'text/plain', 'hindsight_records_accepted_total{signal="traces"} 1204\n')) }),
    ...(signIn !== undefined && { '/.well-known/oauth-protected-resource': page('getProtectedResource', 'Learn where to sign in', { 200: json(ProtectedResource, components) }) }),
  };
}

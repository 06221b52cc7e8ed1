import openapiTS, { astToString } from 'openapi-typescript';
import { buildOpenApiDocument } from '../../dist/src/http/openapi/openapi-document.js';
import { ROUTES } from '../../dist/src/http/routes.js';

/** What explains rather than types: the portal's compiler needs none of it. */
const PROSE = new Set(['description', 'summary', 'example', 'examples', 'tags', 'externalDocs', 'title', 'x-events']);
/** Maps whose keys are names of ours, not words of OpenAPI. */
const NAMED = new Set(['properties', 'schemas', 'paths', 'responses', 'parameters', 'headers']);

/** TypeScript types of all operations, their parameters and what they answer when they succeed, for the portal. */
export async function apiTypes() {
  const document = buildOpenApiDocument({ publicUrl: 'http://127.0.0.1:8080', hasMetrics: false, routes: ROUTES });
  const { paths, components } = JSON.parse(JSON.stringify(document));
  const operations = Object.fromEntries(
    Object.entries(paths).filter(([path]) => ROUTES.some((route) => route.path === path)),
  );
  for (const methods of Object.values(operations))
    for (const operation of Object.values(methods)) keepSuccesses(operation);
  const types = await openapiTS(
    withoutProse({
      openapi: '3.1.0',
      info: { title: 'Hindsight', version: '2.0' },
      paths: operations,
      components: { schemas: components.schemas ?? {}, parameters: components.parameters ?? {} },
    }),
  );
  return `// Made from /openapi.json by \`npm run docs\`.\n${astToString(types).replace(/^ +\w+\?: never;\n/gm, '')}`;
}

/** The portal's client sends these with every call. */
const COMMON = new Set(['api-version', 'X-Api-Version', 'X-Request-Id']);

/** Problems have one shape of their own, and answers no headers that the portal reads. */
function keepSuccesses(operation) {
  if (operation.responses === undefined) return;
  operation.parameters = operation.parameters?.filter(({ name }) => !COMMON.has(name));
  for (const response of Object.values(operation.responses)) delete response.headers;
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
  );
}

function withoutProse(value, isNamed = false) {
  if (Array.isArray(value)) return value.map((each) => withoutProse(each));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => isNamed || !PROSE.has(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutProse(each, !isNamed && NAMED.has(key))]));
}

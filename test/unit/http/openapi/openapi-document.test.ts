import assert from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import type Type from 'typebox';
import { buildOpenApiDocument, type OpenApiSettings } from '../../../../src/http/openapi/openapi-document.js';
import { listOperations } from '../../../../src/http/openapi/openapi-operation.js';
import { PROBLEM_TYPES } from '../../../../src/http/problems/problem-catalogue.js';
import { EVERY_ROLE, defineRoute } from '../../../../src/http/route.js';
import { ROUTES } from '../../../../src/http/routes.js';
import { record, text } from '../../../../src/http/schemas/schema-builders.js';
import { ANY_RESPONSE } from '../../../support/any-response.js';
import { DescribedApi } from '../../../support/described-api.js';

const SETTINGS: OpenApiSettings = {
  publicUrl: 'https://hindsight.example',
  otlpUrl: 'https://hindsight.example:4318',
  hasMetrics: true,
  routes: ROUTES,
  signIn: { issuer: 'https://login.example/tenant/v2.0', scope: 'api://iapm-api/.default' },
};

const document = buildOpenApiDocument(SETTINGS);
const operations = Object.values(document.paths).flatMap(listOperations);

/** Every object and list of a document, with where it is. */
function* nodes(
  value: unknown,
  path: readonly string[] = [],
): Generator<readonly [readonly string[], Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value as Record<string, unknown>];
  for (const [name, part] of Object.entries(value)) yield* nodes(part, [...path, name]);
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, by the schema of the OpenAPI Initiative', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(document.openapi, '3.1.0');
  });

  it('has every route of the table, under its operation id', () => {
    const ids = new Set(operations.map(({ operationId }) => operationId));
    assert.equal(ids.size, operations.length);
    assert.deepEqual(
      ROUTES.filter(({ operationId }) => !ids.has(operationId)),
      [],
    );
    for (const path of [
      '/mcp',
      '/openapi.json',
      '/docs',
      '/problems/{slug}',
      '/live',
      '/ready',
      '/metrics',
      '/v1/traces',
      '/v1/logs',
      '/v1/metrics',
      '/api/v2/spans',
      '/loki/api/v1/push',
      '/api/v1/write',
    ])
      assert.ok(path in document.paths, path);
  });

  it('has no two paths that are one to OpenAPI, and no parameter that its path does not name', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    assert.equal(new Set(shapes).size, shapes.length);
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { parameters, operationId } of listOperations(item)) {
        const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
        assert.deepEqual(inPath, path.match(/\{\w+\}/g) ?? [], operationId);
      }
    }
  });

  it('refers to nothing that it does not have, and has nothing that nobody refers to', () => {
    const referred = new Set<string>();
    for (const [, { $ref }] of nodes(document)) if (typeof $ref === 'string') referred.add($ref);
    const kept = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`));
    assert.deepEqual([...referred].sort(), kept.sort());
    assert.ok([...nodes(document)].every(([, node]) => !('$id' in node)));
  });

  it('gives examples that its own schemas allow', () => {
    const api = new DescribedApi(document);
    let checked = 0;
    for (const [path, node] of nodes(document)) {
      const { schema, example, examples } = node;
      if (typeof schema !== 'object' || path.includes('x-events')) continue;
      const validate = api.validator([...path, 'schema']);
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples ?? {}).map((each: { $ref: string }) => exampleAt(each.$ref)),
      ];
      for (const value of values) {
        assert.ok(validate(value), `${path.join(' ')}: ${JSON.stringify(validate.errors)}`);
        checked++;
      }
    }
    assert.ok(checked > 200, `${checked} examples`);
  });

  it('gives each field of a schema an example that is right', () => {
    const api = new DescribedApi(document);
    for (const [path, { examples }] of nodes(document.components['schemas'], ['components', 'schemas'])) {
      if (!Array.isArray(examples)) continue;
      const validate = api.validator(path);
      for (const example of examples)
        assert.ok(
          validate(example),
          `${path.join(' ')}: ${JSON.stringify(example)} ${JSON.stringify(validate.errors)}`,
        );
    }
  });

  it('says of every field what it means', () => {
    const silent = Object.entries(document.components['schemas'] ?? {}).flatMap(([name, schema]) =>
      [...nodes(schema, [name])].flatMap(([path, { properties }]) =>
        Object.entries((properties ?? {}) as Record<string, object>)
          .filter(([, part]) => !('description' in part || '$ref' in part))
          .map(([field]) => `${path.join('.')}.${field}`),
      ),
    );
    assert.deepEqual(silent, []);
  });

  it('lists every problem that an operation can answer with, and each of the catalogue but those of no operation', () => {
    const named = new Set(Object.keys(document.components['examples'] ?? {}));
    // Nothing can be said of what is not a request, and what a path does not take stands at no operation.
    assert.deepEqual(
      Object.keys(PROBLEM_TYPES).filter((slug) => !named.has(slug)),
      ['malformed-http', 'method-not-allowed'],
    );
  });

  it('says who may call, as the table has it', () => {
    for (const { operationId, grid, roles, apiKeys } of ROUTES) {
      const operation = operations.find((each) => each.operationId === operationId);
      assert.deepEqual(operation?.['x-roles'], grid === 'none' ? undefined : roles, operationId);
      assert.equal(
        operation?.security.some((each) => 'apiKey' in each),
        apiKeys !== false,
        operationId,
      );
      const isSome = grid !== 'none' && roles.length < EVERY_ROLE.length;
      assert.equal(JSON.stringify(operation?.responses['403']).includes('role-required'), isSome, operationId);
    }
  });

  it('names the endpoints of the directory that callers sign in at', () => {
    const { oauth2 } = document.components['securitySchemes'] as unknown as {
      oauth2: { flows: { authorizationCode: Record<string, unknown> } };
    };
    assert.equal(
      oauth2.flows.authorizationCode['authorizationUrl'],
      'https://login.example/tenant/oauth2/v2.0/authorize',
    );
    assert.equal(oauth2.flows.authorizationCode['tokenUrl'], 'https://login.example/tenant/oauth2/v2.0/token');
  });

  it('promises no tokens where nobody gives them, and no page that is not served', () => {
    const bare = buildOpenApiDocument({ ...SETTINGS, signIn: undefined, otlpUrl: undefined, hasMetrics: false });
    assert.deepEqual(Object.keys(bare.components['securitySchemes'] ?? {}), ['bearer', 'apiKey']);
    for (const path of ['/metrics', '/v1/traces', '/.well-known/oauth-protected-resource'])
      assert.ok(!(path in bare.paths), path);
    assert.ok(
      Object.values(bare.paths)
        .flatMap(listOperations)
        .every(
          ({ operationId, security }) =>
            ROUTES.every((each) => each.operationId !== operationId) || security.length > 0,
        ),
    );
  });

  it('is not made of two different schemas under one name, nor of a parameter or a tag that nobody described', () => {
    const at = (path: string, responseSchema: Type.TSchema, tag = 'Logs') =>
      defineRoute({
        method: 'GET',
        path,
        operationId: path,
        tag,
        summary: 'x',
        grid: 'none',
        roles: EVERY_ROLE,
        run: async () => ({}),
        responseSchema,
        present: () => ({}),
      });
    const named = (field: string): Type.TSchema => record('Same', 'A record.', { [field]: text('x', 'x') });
    assert.throws(
      () => buildOpenApiDocument({ ...SETTINGS, routes: [at('/a', named('a')), at('/b', named('b'))] }),
      /Two schemas have the name Same/,
    );
    assert.throws(
      () => buildOpenApiDocument({ ...SETTINGS, routes: [at('/a/{unheardOf}', ANY_RESPONSE)] }),
      /unheardOf/,
    );
    assert.throws(
      () => buildOpenApiDocument({ ...SETTINGS, routes: [at('/a', record('A', 'x', {}), 'Unheard of')] }),
      /Unheard of/,
    );
  });
});

function exampleAt(ref: string): unknown {
  const named = document.components['examples'] as Record<string, { value: unknown }>;
  return named[ref.slice(ref.lastIndexOf('/') + 1)]?.value;
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FieldError } from '../../../../src/errors.js';
import { buildBodySchema, listRequestFields, type JsonSchema } from '../../../../src/http/requests/field-metadata.js';
import { listFieldNames, parseRequest, type RequestClass } from '../../../../src/http/requests/request-parser.js';
import { ROUTES } from '../../../../src/http/routes.js';
import { DESCRIBED } from '../../../support/api.js';
import { DescribedApi } from '../../../support/described-api.js';

const BODIES = [...new Set(ROUTES.flatMap(({ body }) => (body === undefined ? [] : [body])))];
const QUERIES = [...new Set(ROUTES.flatMap(({ query }) => (query === undefined ? [] : [query])))];

const api = new DescribedApi(DESCRIBED.document, 'annotate');

/** Their fields are judged by the commands, together with what is in the path. */
const JUDGED_LATER = ['MemberRoleModel'];

/** What no schema says: fields together, and what a datetime is beyond its form. */
const BEYOND_SCHEMAS = [
  /must be after|must not be before|must be at most .* after|must not be less than/,
  /must be an ISO 8601 datetime/,
  /must not be (below|above) the threshold/,
  /^(rule\.)?(threshold|criticalThreshold) must be a number (from 0 to|of at least 0)/,
  /operator must be > or >= for new_errors/,
  /groupBy must be empty/,
  /(aggregation|serviceName|unit) must be empty for/,
  /chartType (needs a query of spans|shows|must be value, top_list or table for)/,
  /must not exceed the|overlaps with/,
  /is required if no other/,
  /is required with range|must not be given together with/,
  /^(where|selection|query\.where|rule\.query\.where|indicator\.(good|all)) is wrong at position/,
  /metric is required without a query|metric must be absent with a query|must give a number to compare/,
  /needs windowDays of/,
  /is required for|takes no field|needs a number, but|(is|are) for spans and logs/,
  /must name a column of the answer|must differ from the names of other columns|needs at least one function/,
  /must be whole minutes for metrics|: the signal \w+ has no fields/,
  /must be an http\(s\) URL|printable ASCII|does not apply to this type|e-mail addresses for e-mail/,
  /must name a channel if escalateAfterMinutes is set/,
];

/** Values that sit on the bounds of the schema, around them, and beside every type; all of them can be said in JSON, which has no infinity. */
function valuesFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: words, minimum, maximum, maxLength, examples, properties, items } = schema;
  const bounds = [minimum, maximum]
    .filter((bound): bound is number => typeof bound === 'number')
    .flatMap((bound) => [bound - 1, bound - 0.5, bound, bound + 1]);
  const lengths = typeof maxLength === 'number' ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)] : [];
  const listed = [...((examples ?? []) as unknown[]), ...((words ?? []) as unknown[]), ...bounds, ...lengths];
  const parts = properties === undefined ? [] : [instancesOf(schema)];
  const lists = items === undefined ? [] : [fc.array(valuesFor(items as JsonSchema), { maxLength: 3 })];
  return fc.oneof(
    {
      weight: 6,
      arbitrary: listed.length > 0 ? fc.constantFrom(...listed) : fc.constant(type === 'string' ? 'some text' : 1),
    },
    {
      weight: 3,
      arbitrary: fc.oneof(
        ...parts,
        ...lists,
        fc.string(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<unknown>(
        null,
        true,
        false,
        '',
        ' ',
        0,
        -1,
        1.5,
        [],
        {},
        [1],
        { a: {} },
        '2026-01-01T00:00Z',
        '2026-13-01T00:00:00Z',
        '2026-01-01',
        'A0A0A0A0-1111-4222-8333-0123456789AB',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))),
    },
  );
}

function instancesOf({ properties }: JsonSchema): fc.Arbitrary<object> {
  const arbitraries = Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, part]) => [name, valuesFor(part)]),
  );
  return fc.record(arbitraries, { requiredKeys: [] });
}

/** The field of the body in which a fault lies; "" for the whole. */
const fieldOf = (field: string): string => /^[^.[]*/.exec(field)?.[0] ?? '';

function faultsBySchema(shape: RequestClass<object>, instance: object): Set<string> {
  const validate = api.validator(['components', 'schemas', shape.name]);
  if (validate(instance)) return new Set();
  return new Set(
    (validate.errors ?? []).map(({ instancePath, keyword, params }) =>
      keyword === 'required' && instancePath === ''
        ? String(params['missingProperty'])
        : (instancePath.split('/')[1] ?? ''),
    ),
  );
}

const saidBySchemas = ({ field, message }: FieldError): boolean =>
  !BEYOND_SCHEMAS.some((pattern) => pattern.test(message) || pattern.test(`${field} ${message}`));

describe('what the document says of requests', () => {
  for (const shape of BODIES.filter(({ name }) => !JUDGED_LATER.includes(name))) {
    it(`${shape.name}: schema and service refuse the same fields`, () => {
      fc.assert(
        fc.property(instancesOf(buildBodySchema(shape)), (instance) => {
          const faults = parseRequest(shape, instance).errors;
          const bySchema = faultsBySchema(shape, instance);
          const all = new Set(faults.map(({ field }) => fieldOf(field)));
          for (const field of bySchema)
            assert.ok(
              field === '' ? all.size > 0 : all.has(field),
              `the schema refuses ${field || 'the whole'}, the service takes it`,
            );
          const whole = bySchema.has('');
          for (const fault of faults.filter(saidBySchemas))
            assert.ok(whole || bySchema.has(fieldOf(fault.field)), `the service refuses: ${fault.message}`);
        }),
        { numRuns: 400 },
      );
    });
  }

  for (const shape of BODIES) {
    it(`${shape.name}: its example passes`, () => {
      const { properties } = buildBodySchema(shape) as { properties: Record<string, JsonSchema> };
      const changeable = Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true);
      assert.deepEqual(changeable.map(([name]) => name).sort(), [...listFieldNames(shape)].sort());
      const operation = Object.values(DESCRIBED.document.paths)
        .flatMap((item) => [item.post, item.put, item.patch])
        .find((each) => JSON.stringify(each?.requestBody ?? {}).includes(`schemas/${shape.name}"`));
      assert.deepEqual(parseRequest(shape, operation?.requestBody?.content['application/json']?.example).errors, []);
    });
  }

  for (const shape of QUERIES) {
    it(`${shape.name}: every parameter is described, and its example passes`, () => {
      const fields = listRequestFields(shape);
      assert.deepEqual(fields.map(({ name }) => name).sort(), [...listFieldNames(shape)].sort());
      const examples = fields.flatMap(({ name, schema: { examples: given, description } }) => {
        assert.equal(typeof description, 'string', name);
        return Array.isArray(given) ? [[name, String(given[0])] as const] : [];
      });
      assert.deepEqual(parseRequest(shape, Object.fromEntries(examples)).errors, []);
    });
  }
});

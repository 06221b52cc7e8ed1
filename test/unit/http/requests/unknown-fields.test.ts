import assert from 'node:assert/strict';
import { findUnknownFields, findUnknownNames } from '../../../../src/http/requests/request-parser.js';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    rule: { type: 'object', properties: { metric: { type: 'string' } } },
    charts: {
      type: 'array',
      items: { type: 'object', properties: { position: { type: 'object', properties: { row: {} } } } },
    },
  },
};
const messagesOf = (sent: unknown): string[] => findUnknownFields(SCHEMA, sent).map(({ message }) => message);

describe('unknown fields', () => {
  it('are none in what the schema has, whatever its values', () => {
    const known = { name: 5, tags: { any: 1, name2: {} }, rule: { metric: 'x' }, charts: [{ position: { row: 1 } }] };
    assert.deepEqual(messagesOf(known), []);
    assert.deepEqual(messagesOf({ name: { a: 1 }, rule: 'x', charts: 'x', tags: null }), []);
  });

  for (const [sent, field] of [
    [{ colour: null }, 'colour'],
    [{ rule: { metric: 'x', colour: 1 } }, 'rule.colour'],
    [{ charts: [{}, { colour: 1 }] }, 'charts[1].colour'],
    [{ charts: [{ position: { row: 1, z: 1 } }] }, 'charts[0].position.z'],
  ] as const)
    it(`are named by their path: ${field}`, () => {
      assert.deepEqual(findUnknownFields(SCHEMA, sent), [{ field, message: `${field} is unknown` }]);
    });

  it('are the names of prototypes too', () => {
    assert.deepEqual(messagesOf(JSON.parse('{"__proto__":{"name":"x"},"constructor":1,"toString":2}')), [
      '__proto__ is unknown',
      'constructor is unknown',
      'toString is unknown',
    ]);
  });

  it('suggest how a known one is spelled, at any depth', () => {
    assert.deepEqual(messagesOf({ NAME: 'x', rule: { Metric: 'y' } }), [
      'NAME is unknown; the field is spelled name',
      'rule.Metric is unknown; the field is spelled rule.metric',
    ]);
  });

  it('are cut where they are long, named up to a hundred, and counted beyond', () => {
    const [{ field }] = findUnknownFields(SCHEMA, { ['x'.repeat(1_000_000)]: 1 });
    assert.equal(field, `${'x'.repeat(200)}…`);
    const many = Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`k${at}`, 1]));
    const errors = findUnknownFields(SCHEMA, many);
    assert.deepEqual([errors.length, errors.at(-1)?.message], [101, '149900 more fields are unknown']);
  });

  it('of parameters are each named once', () => {
    assert.deepEqual(findUnknownNames(['a', 'page', 'a', 'PAGE', ''], ['page']), [
      { field: 'a', message: 'a is unknown' },
      { field: 'PAGE', message: 'PAGE is unknown; the field is spelled page' },
      { field: '', message: 'a field without a name is unknown' },
    ]);
  });
});

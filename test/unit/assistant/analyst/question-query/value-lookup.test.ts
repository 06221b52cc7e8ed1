import assert from 'node:assert/strict';
import { describeFoundValues, findValues } from '../../../../../src/assistant/analyst/question-query/value-lookup.js';
import type { FoundValue } from '../../../../../src/assistant/analyst/question-query/question-query.js';
import type { Predicate, Query, QueryAnswer } from '../../../../../src/queries/query/query-model.js';
import { NOW } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

type Attributes = Readonly<Record<string, string>>;

function isMet(predicate: Predicate, attributes: Attributes): boolean {
  if (predicate.kind === 'any') return predicate.terms.some((term) => isMet(term, attributes));
  assert.equal(predicate.kind, 'in');
  return predicate.values.some(({ text }) => attributes[predicate.field.name] === text);
}

/** Looks words up in spans with these attributes. */
async function find(
  words: readonly string[],
  spans: readonly Attributes[],
  keys: readonly string[] = [...new Set(spans.flatMap((each) => Object.keys(each)))],
): Promise<{ readonly found: Readonly<Record<string, FoundValue>>; readonly asked: number }> {
  let asked = 0;
  const { queries } = shopQueries();
  const runQuery = async ({ where, limit }: Query): Promise<QueryAnswer> => {
    asked += 1;
    const met = spans.filter((each) => where === undefined || isMet(where, each));
    const rows = met.slice(0, limit).map((each) => [each, {}]);
    const columns = ['attributes', 'resource'].map((name) => ({ name, type: 'object' as const, unit: '' }));
    return { columns, rows, totalRows: met.length, exact: true };
  };
  const context = {
    queries: { ...queries, telemetry: { ...queries.telemetry, runQuery } },
    gridId: 'g',
    userId: 'u',
    mayAdminister: true,
    nowMs: NOW,
  };
  const vocabulary = {
    services: [],
    dependencies: [],
    operations: [],
    measured: [],
    attributes: { traces: keys, logs: [] },
  };
  return { found: Object.fromEntries(await findValues(context, vocabulary, words)), asked };
}

const MANY = Array.from({ length: 50 }, () => ({ 'customer.tier': 'gold' }));

describe('the look-up of values', () => {
  it('finds the attribute that holds a word, as it is stored', async () => {
    const { found } = await find(['gold', 'node-2'], [...MANY, { 'host.name': 'NODE-2' }]);
    assert.deepEqual(found, {
      gold: { field: 'customer.tier', value: 'gold' },
      'node-2': { field: 'host.name', value: 'NODE-2' },
    });
    assert.match(describeFoundValues(new Map(Object.entries(found))), /^I take “gold” as customer\.tier = gold: /);
  });

  it('gives a word no meaning that another attribute holds, in however few records', async () => {
    assert.deepEqual((await find(['gold'], [...MANY, { 'card.type': 'gold' }])).found, {});
    assert.deepEqual((await find(['gold'], [{ 'customer.tier': 'gold', 'card.type': 'gold' }])).found, {});
  });

  it('gives a word no meaning that is stored in several spellings', async () => {
    assert.deepEqual((await find(['gold'], [...MANY, { 'customer.tier': 'Gold' }])).found, {});
  });

  it('looks into all attributes, or gives the word no meaning', async () => {
    const keys = Array.from({ length: 130 }, (_, at) => `key.${at}`);
    const spans = [{ 'key.129': 'gold' }];
    assert.deepEqual((await find(['gold'], spans, keys)).found, { gold: { field: 'key.129', value: 'gold' } });
    assert.deepEqual((await find(['gold'], [...spans, { 'key.70': 'gold' }], keys)).found, {});
    assert.deepEqual(await find(['gold', 'silver', 'bronze'], spans, keys), { found: {}, asked: 0 });
  });
});

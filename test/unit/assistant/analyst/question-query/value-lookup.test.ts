import assert from 'node:assert/strict';
import { HindsightError } from '../../../../../src/errors.js';
import {
  describeFoundValues,
  findFlags,
  findValues,
} from '../../../../../src/assistant/analyst/question-query/value-lookup.js';
import type { ToolContext } from '../../../../../src/assistant/tool.js';
import type { FoundValue } from '../../../../../src/assistant/analyst/question-query/question-query.js';
import type { AttributeText, HeldAttributesQuery } from '../../../../../src/queries/telemetry/telemetry-query-types.js';
import type { QueryAnswer } from '../../../../../src/queries/query/query-model.js';
import { NOW } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

type Attributes = Readonly<Record<string, string>>;

/** Looks up in spans with these attributes; counts the look-ups. */
function contextOf(
  spans: readonly Attributes[],
  isTooMuch = false,
  others = 0,
): { context: ToolContext; asked: () => number } {
  let asked = 0;
  const { queries } = shopQueries();
  const findHeldAttributes = async ({ attributes }: HeldAttributesQuery): Promise<readonly AttributeText[]> => {
    asked += 1;
    if (isTooMuch) throw new HindsightError('unavailable', 'The query took too long.');
    return attributes.filter(({ key, text }) => spans.some((each) => each[key] === text));
  };
  const runQuery = async (): Promise<QueryAnswer> =>
    ({ columns: [{ name: 'count' }], rows: [[others]], totalRows: 1 }) as unknown as QueryAnswer;
  const context = {
    queries: { ...queries, telemetry: { ...queries.telemetry, findHeldAttributes, runQuery } },
    gridId: 'g',
    userId: 'u',
    mayAdminister: true,
    nowMs: NOW,
  };
  return { context, asked: () => asked };
}

/** Looks words up in spans with these attributes. */
async function find(
  words: readonly string[],
  spans: readonly Attributes[],
  { keys = [...new Set(spans.flatMap((each) => Object.keys(each)))], isTooMuch = false } = {},
): Promise<{ readonly found: Readonly<Record<string, FoundValue>>; readonly asked: number }> {
  const { context, asked } = contextOf(spans, isTooMuch);
  const vocabulary = {
    services: [],
    dependencies: [],
    operations: [],
    measured: [],
    attributes: { traces: keys, logs: [] },
  };
  return { found: Object.fromEntries(await findValues(context, vocabulary, words)), asked: asked() };
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

  it('looks into all attributes in one look-up, or gives the words no meaning', async () => {
    const keys = Array.from({ length: 130 }, (_, at) => `key.${at}`);
    const spans = [{ 'key.129': 'gold' }];
    assert.deepEqual(await find(['gold', 'silver'], spans, { keys }), {
      found: { gold: { field: 'key.129', value: 'gold' } },
      asked: 1,
    });
    assert.deepEqual((await find(['gold'], [...spans, { 'key.70': 'gold' }], { keys })).found, {});
    const many = Array.from({ length: 10_000 }, (_, at) => `key.${at}`);
    assert.deepEqual(await find(['gold', 'silver', 'bronze'], spans, { keys: many }), { found: {}, asked: 0 });
  });

  it('takes attributes that hold true or false, and nothing else, for flags', async () => {
    const held = await findFlags(contextOf([{ 'cache.hit': 'false', 'customer.tier': 'gold' }]).context, [
      'cache.hit',
      'customer.tier',
      'service',
    ]);
    assert.deepEqual([...held], ['cache.hit']);
    const mixed = contextOf([{ 'cache.hit': 'true' }, { 'cache.hit': 'stale' }], false, 1);
    assert.deepEqual([...(await findFlags(mixed.context, ['cache.hit']))], []);
  });

  it('gives the words no meaning if the look-up takes too long', async () => {
    assert.deepEqual((await find(['gold'], MANY, { isTooMuch: true })).found, {});
  });
});

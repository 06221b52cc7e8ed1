import assert from 'node:assert/strict';
import { createQueryContext } from '../../../../../src/assistant/analyst/query-context.js';
import { countLogEntries } from '../../../../../src/assistant/analyst/question-query/log-count.js';
import type { Query } from '../../../../../src/queries/query/query-model.js';
import { NOW } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

const VOCABULARY = {
  services: [],
  dependencies: [],
  operations: [],
  measured: [],
  attributes: { traces: [], logs: [] },
};

async function count(text: string): Promise<{ readonly answer: string | undefined; readonly asked: readonly Query[] }> {
  const { queries, calls } = shopQueries();
  const caller = { queries, gridId: 'g', userId: 'u', mayAdminister: true, nowMs: NOW };
  const bounds = { maxSources: 9, refundedEnergy: 0 };
  const context = createQueryContext(caller, VOCABULARY, bounds, new AbortController().signal);
  const draft = await countLogEntries(context, text);
  return {
    answer: draft?.text,
    asked: calls.filter(({ name }) => name === 'runQuery').map((call) => call.with[0] as Query),
  };
}

describe('counts of log entries', () => {
  it('counts the entries that have all the words', async () => {
    const { answer, asked } = await count('How many orders were placed in the last 10 minutes?');
    assert.match(answer ?? '', /: 7 of them contain “?order/);
    assert.equal(asked.length, 1);
    assert.equal(asked[0].range.toUs - asked[0].range.fromUs, 600_000_000);
  });

  const OTHERS = [
    'how many orders or refunds',
    'how many orders and refunds',
    'how many orders but refunds',
    'how many orders before refunds',
    'how many orders without refunds',
    'how many orders not placed',
    'how many orders per customer',
    'how many orders recently',
    'how many orders placed more than once',
    'what orders were placed',
  ];
  for (const text of OTHERS)
    it(`does not answer “${text}”`, async () => {
      assert.deepEqual(await count(text), { answer: undefined, asked: [] });
    });
});

import assert from 'node:assert/strict';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import { hasTrendBaseline } from '../../../../../src/assistant/analyst/answers/answer-sentences.js';
import { NOW, SHOP } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

const NONE = { p50: 0, p95: 0, p99: 0 };
/** What a Grid returns in its first 15 minutes: everything has grown by 100 %. */
const FIRST = {
  latency: { ...SHOP.trends.latency, trend: 'increasing', changePercent: 100, baseline: NONE },
  errorRate: { ...SHOP.trends.errorRate, baseline: 0 },
  throughput: { ...SHOP.trends.throughput, trend: 'increasing', changePercent: 100, baselineRps: 0 },
} as const;

async function ask(text: string, changed: Parameters<typeof shopQueries>[0] = {}): Promise<string> {
  const prompt = { text, gridId: 'g', userId: 'u', mayAdminister: true, turns: [], nowMs: NOW, maxSources: 9 };
  return (await createAnalyst(shopQueries(changed).queries).answer(prompt, new AbortController().signal)).response;
}

describe('the hour before', () => {
  it('is there where it had requests, however few', () => {
    assert.equal(hasTrendBaseline(SHOP.trends), true);
    assert.equal(
      hasTrendBaseline({ ...FIRST, latency: { ...FIRST.latency, baseline: { p50: 1, p95: 1, p99: 1 } } }),
      true,
    );
    assert.equal(hasTrendBaseline(FIRST), false);
  });

  for (const text of ['is the latency increasing', 'how slow are we', 'how many requests do we get']) {
    it(`is not compared with where it had none: “${text}”`, async () => {
      const response = await ask(text, { trends: FIRST });
      assert.match(response, /there were no requests in the hour before/);
      assert.doesNotMatch(response, /100 %|increasing/);
      assert.match(await ask(text), /against the hour before|in the hour before/);
    });
  }
});

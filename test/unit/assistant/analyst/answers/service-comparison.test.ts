import assert from 'node:assert/strict';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import type { Comparison } from '../../../../../src/diagnostics/diagnostic-results.js';
import { NOW } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

const NONE = { avgLatencyMs: 0, p95LatencyMs: 0, errorRate: 0, throughputRps: 0, apdex: 1 };
const SOME = { avgLatencyMs: 35.19, p95LatencyMs: 96.99, errorRate: 1.5, throughputRps: 23.84, apdex: 0.996 };
const ALL = { absolute: 35.19, percent: 100 };
const DELTAS: Comparison['deltas'] = {
  avgLatencyMs: ALL,
  p95LatencyMs: ALL,
  errorRate: ALL,
  throughputRps: ALL,
  apdex: ALL,
};

async function compared(baseline: typeof NONE): Promise<string> {
  const { queries } = shopQueries({});
  const compare: typeof queries.diagnostics.compare = async () =>
    ({
      current: { fromMs: NOW - 300_000, toMs: NOW, ...SOME },
      baseline: { fromMs: NOW - 600_000, toMs: NOW - 300_000, ...baseline },
      deltas: DELTAS,
      regressions: [],
    }) as unknown as Comparison;
  const analyst = createAnalyst({ ...queries, diagnostics: { ...queries.diagnostics, compare } });
  const prompt = {
    text: 'compare the last 5 minutes with the 5 minutes before',
    gridId: 'g',
    userId: 'u',
    mayAdminister: true,
    turns: [],
    nowMs: NOW,
    maxSources: 9,
  };
  return (await analyst.answer(prompt, new AbortController().signal)).response;
}

describe('a comparison', () => {
  it('reports both windows and the change', async () => {
    const response = await compared(SOME);
    assert.match(response, /throughput 23\.84 requests a second against 23\.84 requests a second \(\+100 %\)/);
    assert.match(response, /No service got clearly worse\.$/);
  });

  it('reports no change against a window without requests', async () => {
    const response = await compared(NONE);
    assert.match(response, /throughput 23\.84 requests a second/);
    assert.match(response, /no requests/i);
    assert.doesNotMatch(response, /100 %|against/);
  });
});

describe('a comparison of what sends no telemetry', () => {
  it('reports what its callers saw in each window', async () => {
    const { queries } = shopQueries({});
    const prompt = {
      text: 'compare orders-db in the last hour with the hour before',
      gridId: 'g',
      userId: 'u',
      mayAdminister: true,
      turns: [],
      nowMs: NOW,
      maxSources: 9,
    };
    const { response, sources } = await createAnalyst(queries).answer(prompt, new AbortController().signal);
    assert.match(
      response,
      /^orders-db sends no telemetry of its own; its callers report in the last hour:\n- .*\d calls/,
    );
    assert.equal(response.match(/its callers report/g)?.length, 2);
    assert.deepEqual(
      sources.map(({ type }) => type),
      ['service-map', 'service-map'],
    );
  });
});

describe('medians', () => {
  for (const [text, reported] of [
    ['median latency of payment in the last hour', /^payment in the last hour: .* Its median \(p50\) is 320\.06 ms\./],
    ['median of POST /charge', /Its median \(p50\) is 320\.06 ms\.$/],
    ['p50 of payment and frontend', /- payment: .*, p50 320\.06 ms\n- frontend: .*, p50 160\.25 ms$/],
  ] as const) {
    it(`are told over the window for “${text}”`, async () => {
      const { response } = await createAnalyst(shopQueries({}).queries).answer(
        { text, gridId: 'g', userId: 'u', mayAdminister: true, turns: [], nowMs: NOW, maxSources: 9 },
        new AbortController().signal,
      );
      assert.match(response, reported);
    });
  }
});

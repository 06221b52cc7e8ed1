import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { compileQuery, type QueryDefinition } from '../../../../src/queries/query/query-compiler.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const RANGE = { fromUs: 1_760_000_000_000_000, toUs: 1_760_003_600_000_000 };

/** The examples of docs/query.md. */
function readExamples(): QueryDefinition[] {
  const text = readFileSync(new URL('../../../../../docs/query.md', import.meta.url), 'utf8');
  return Array.from(text.matchAll(/```query\n(.*?)\n```/gs), ([, json]) => JSON.parse(json) as QueryDefinition);
}

describe('the examples of docs/query.md', () => {
  it('are at least 15', () => assert.ok(readExamples().length >= 15));

  for (const definition of readExamples())
    it(`are answered: ${JSON.stringify(definition)}`, async () => {
      const compiled = compileQuery(definition);
      if ('errors' in compiled) assert.fail(JSON.stringify(compiled.errors));
      const world = await TelemetryWorld.empty();
      const start = BigInt(RANGE.fromUs) * 1000n + 5n;
      await world.addSpans([
        {
          traceId: '11'.repeat(16),
          spanId: '22'.repeat(8),
          service: 'checkout',
          operation: 'POST /orders',
          kind: 2,
          start,
          end: start + 300_000_000n,
          attributes: { 'customer.tier': 'gold' },
        },
      ]);
      await world.addLogs([{ time: start, body: 'timeout of order 42', service: 'checkout', severity: 17 }]);
      const query = { ...compiled.plan, gridId: GRID, range: RANGE, nowUs: RANGE.toUs };
      const answer = await world.queries().runQuery(query, 'example');
      assert.equal(answer.exact, true);
    });
});

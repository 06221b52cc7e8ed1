import assert from 'node:assert/strict';
import { alertsDecider } from '../../src/commands/alerts/alert-decider.js';
import { EarliestSpanTable } from '../../src/queries/traces/earliest-span-table.js';
import { Id128HashTable } from '../../src/read-models/blocks/id-hash-tables.js';
import { hashQuad } from '../../src/read-models/blocks/uint32-words.js';
import { startThread } from '../../src/runtime/threads/worker-thread.js';
import type { AlertEvent } from '../../src/streams/events/alert-events.js';
import { processorMs, shortest } from '../support/measurement.js';
import { GRID, TelemetryWorld } from '../unit/queries/telemetry/support/telemetry-world.js';
import type { EchoApi } from '../unit/runtime/threads/echo-thread.js';

const ECHO_THREAD = new URL('../unit/runtime/threads/echo-thread.js', import.meta.url);

/** Guards against work that grows faster than its data. */
describe('processor time of large or adversarial data', () => {
  it('id hash table: ids that share the public hash do not collide', async () => {
    const MANY = 50_000;
    const words = Uint32Array.from({ length: MANY * 4 }, (_, i) =>
      i % 4 === 3 ? i >>> 2 : i % 4 === 2 ? Math.imul(i >>> 2, 0x85ebca6b) : 0,
    );
    const hashes = new Set(
      Array.from({ length: MANY }, (_, n) =>
        hashQuad(words[n * 4], words[n * 4 + 1], words[n * 4 + 2], words[n * 4 + 3]),
      ),
    );
    assert.equal(hashes.size, 1, 'all ids have the same Bloom filter hash');
    const fill = (): void => {
      const table = new Id128HashTable();
      for (let at = 0; at < words.length; at += 4) table.add(words, at);
    };
    const ms = await shortest(500, () => processorMs(fill));
    assert.ok(ms < 500, `${Math.round(ms)} ms`);
  });

  it('trace search: 60,000 roots of one trace that start at the same time', async () => {
    const start = 1_760_000_000_000_000_000n;
    const roots = Array.from({ length: 60_000 }, (_, n) => ({
      traceId: '1'.padStart(32, '0'),
      spanId: (n + 1).toString(16).padStart(16, '0'),
      service: 'shop',
      operation: 'work',
      start,
      end: start + 7_000_000n,
    }));
    const world = await TelemetryWorld.empty();
    for (let from = 0; from < roots.length; from += 8_000) await world.addSpans(roots.slice(from, from + 8_000));
    const range = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER };
    const find = async (): Promise<void> => {
      const { items, totalCount } = await world.queries().findTraces({ gridId: GRID, range, page: 1, pageSize: 5 });
      assert.equal(totalCount, 1);
      assert.equal(items[0].spanId, roots[0].spanId);
    };
    const ms = await shortest(2_500, () => processorMs(find));
    assert.ok(ms < 2_500, `${Math.round(ms)} ms`);
  });

  it('earliest span table: 100,000 spans that start at the same time', async () => {
    const MANY = 100_000;
    const offer = (): void => {
      const spans = new EarliestSpanTable();
      for (let row = 0; row < MANY; row++) spans.offer(0, 5, 0, row % 8_192);
      assert.equal(spans.candidates(0).length, MANY);
    };
    const ms = await shortest(1_000, () => processorMs(offer));
    assert.ok(ms < 1_000, `${Math.round(ms)} ms`);
  });

  it('alert decider: eight times as many alerts take about eight times as long', async () => {
    const few = await shortest(0, () => processorMs(() => fireAndResolve(1_000)));
    const many = await shortest(30 * few, () => processorMs(() => fireAndResolve(8_000)));
    assert.ok(many < 30 * few, `${few} ms for 1,000, ${many} ms for 8,000`);
  });

  it('worker thread: a list of a million items does not block the caller', async () => {
    const thread = startThread<EchoApi>(ECHO_THREAD, {});
    const blockedMs = await shortest(250, () =>
      longestBlockMs(async () => assert.equal((await thread.api.list(1_000_000)).length, 1_000_000)),
    );
    assert.ok(blockedMs < 250, `blocked for ${blockedMs.toFixed(0)} ms`);
    await thread.close();
  });
});

/** Fires this many alerts at the same time, then resolves all of them. */
function fireAndResolve(count: number): void {
  const gridId = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
  const breached = Array.from({ length: count }, (_, i) => ({
    kind: 'breached' as const,
    ruleId: 'r1',
    ruleName: 'High error rate',
    serviceName: `service-${i}`,
    condition: 'error_rate > 5%',
    severity: 'warning' as const,
    value: 7.5,
  }));
  const { initialState, decide, evolveAll } = alertsDecider;
  const fired = decide(
    { type: 'Observe', gridId, at: 1_000, findings: breached },
    initialState,
  ) as readonly AlertEvent[];
  const state = evolveAll!(initialState, fired);
  const over = fired.map(({ data }) => ({ kind: 'over' as const, alertId: data.alertId, reason: 'cleared' as const }));
  const resolved = decide({ type: 'Observe', gridId, at: 1_001, findings: over }, state) as readonly AlertEvent[];
  assert.deepEqual([fired.length, resolved.length, evolveAll!(state, resolved).open.size], [count, count, 0]);
}

/** Longest time (ms) for which the event loop of this thread was blocked during the work. */
async function longestBlockMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isMeasuring = true;
  const sample = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (isMeasuring) setImmediate(sample);
  };
  sample();
  await work();
  isMeasuring = false;
  return Math.max(longest, performance.now() - last);
}

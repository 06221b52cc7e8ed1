import assert from 'node:assert/strict';
import type { TraceQuery } from '../../../../src/queries/telemetry/telemetry-query-types.js';
import { naiveFindTraces } from '../telemetry/support/naive-traces.js';
import type { GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const AT = 1_760_000_000_000_000_000n;
const TRACES = 150;
const EVERYTHING: TraceQuery = {
  gridId: GRID,
  range: { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER },
  page: 1,
  pageSize: 5,
};

function span(trace: number, n: number, startNs: number, more: Partial<GivenSpan> = {}): GivenSpan {
  const start = AT + BigInt(startNs);
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return {
    traceId: hex(trace + 1, 32),
    spanId: hex(trace * 100 + n + 1, 16),
    service: 'shop',
    operation: 'work',
    start,
    end: start + 7_000_000n,
    ...more,
  };
}

/** More traces than are resolved in the first step, so that resolving too few would be noticed. */
describe('trace search', () => {
  async function expectAllPages(parts: readonly GivenSpan[][], query: TraceQuery): Promise<void> {
    const world = await TelemetryWorld.empty();
    for (const part of parts) await world.addSpans(part);
    const queries = world.queries();
    for (const page of [1, 2, 7, TRACES / 5]) {
      const naive = naiveFindTraces(parts.flat(), { ...query, page });
      const found = await queries.findTraces({ ...query, page });
      assert.equal(found.totalCount, naive.totalCount);
      assert.deepEqual(
        found.items.map((item) => item.spanId),
        naive.items.map((item) => item.spanId),
      );
    }
  }

  it('orders by the spans that stand for the traces, though later spans matched in another order', async () => {
    const numbers = Array.from({ length: TRACES }, (_, trace) => trace);
    const children = numbers.map((trace) =>
      span(trace, 1, 1_000_000_000 - trace * 2000, { parentId: span(trace, 0, 0).spanId }),
    );
    const roots = numbers.map((trace) => span(trace, 0, trace * 1000));
    await expectAllPages([children, roots], { ...EVERYTHING, serviceName: 'shop' });
    await expectAllPages([roots, ...children.map((child) => [child])], { ...EVERYTHING, serviceName: 'shop' });
  });

  it('orders by the spans that stand for the traces, though clocks disagree and children start before their roots', async () => {
    const roots = Array.from({ length: TRACES }, (_, trace) =>
      span(trace, 0, 1_000_000_000 + ((trace * 37) % TRACES) * 1000),
    );
    const children = roots.map((root, trace) => span(trace, 1, trace * 1000, { parentId: root.spanId }));
    await expectAllPages([roots, children], { ...EVERYTHING, serviceName: 'shop' });
  });

  it('orders spans of one µs by nanoseconds, then by id', async () => {
    const spans = Array.from({ length: TRACES }, (_, trace) => span(trace, 0, (trace * 7) % 10));
    await expectAllPages([spans.slice(0, 40), spans.slice(40)], EVERYTHING);
    await expectAllPages([spans.slice(0, 40), spans.slice(40)], { ...EVERYTHING, status: 'OK' });
  });

  it('counts a trace with a root in the range once, and not at all when its root lies elsewhere', async () => {
    const world = await TelemetryWorld.empty();
    const twoRoots = [span(0, 0, 2000), span(0, 1, 5000)];
    const rootBefore = [span(1, 0, 0), span(1, 1, 3000, { parentId: span(1, 0, 0).spanId })];
    const rootAfter = [span(2, 0, 9000), span(2, 1, 3000, { parentId: span(2, 0, 0).spanId })];
    const noRoot = [span(3, 0, 4000, { parentId: 'ee'.repeat(8) }), span(3, 1, 4500, { parentId: 'ee'.repeat(8) })];
    const noRootEarlier = [
      span(4, 0, 1000, { parentId: 'ee'.repeat(8) }),
      span(4, 1, 4000, { parentId: 'ee'.repeat(8) }),
    ];
    for (const part of [...twoRoots, ...rootBefore, ...rootAfter, ...noRoot, ...noRootEarlier])
      await world.addSpans([part]);
    const range = { fromUs: Number(AT / 1000n) + 2, toUs: Number(AT / 1000n) + 6 };
    const { items, totalCount } = await world.queries().findTraces({ ...EVERYTHING, range });
    assert.equal(totalCount, 2);
    assert.deepEqual(
      items.map((item) => item.spanId),
      [noRoot[0].spanId, twoRoots[0].spanId],
    );
  });

  it('compares durations in whole milliseconds, both bounds included', async () => {
    const world = await TelemetryWorld.empty();
    const lengths = [1_999_999n, 2_000_000n, 3_999_999n, 4_000_000n, -5n];
    await world.addSpans(
      lengths.map((length, trace) => span(trace, 0, trace * 1000, { end: AT + BigInt(trace * 1000) + length })),
    );
    const durations = async (bounds: Partial<TraceQuery>): Promise<number[]> =>
      (await world.queries().findTraces({ ...EVERYTHING, ...bounds })).items.map((item) => item.durationMs).sort();
    assert.deepEqual(await durations({ minDurationMs: 2, maxDurationMs: 3 }), [2, 3]);
    assert.deepEqual(await durations({ minDurationMs: 3 }), [3, 4]);
    assert.deepEqual(await durations({ maxDurationMs: 0 }), [0]);
  });

  it('keeps durations of months apart', async () => {
    const world = await TelemetryWorld.empty();
    const months = 60n * 24n * 3600n * 1_000_000_000n;
    await world.addSpans([
      span(0, 0, 0, { end: AT + months }),
      span(1, 0, 1000, { end: AT + 1000n + months + 1_000_000n }),
    ]);
    const { items } = await world
      .queries()
      .findTraces({ ...EVERYTHING, minDurationMs: Number(months / 1_000_000n) + 1 });
    assert.deepEqual(
      items.map((item) => item.durationMs),
      [Number(months / 1_000_000n) + 1],
    );
  });

  it('finds nothing by a service, an operation or a tag that nobody has', async () => {
    const world = await TelemetryWorld.empty();
    await world.addSpans([span(0, 0, 0)]);
    for (const conditions of [
      { serviceName: 'x' },
      { operationName: 'x' },
      { tags: { 'service.name': 'x' } },
      { serviceName: '' },
    ]) {
      assert.deepEqual(await world.queries().findTraces({ ...EVERYTHING, ...conditions }), {
        items: [],
        totalCount: 0,
      });
    }
  });
});

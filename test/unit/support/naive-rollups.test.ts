import assert from 'node:assert/strict';
import { naiveRollups, type PlainSpan } from '../../support/naive-rollups.js';

const MINUTE_NS = 60_000_000_000n;
const BASE = 28_000_000n * MINUTE_NS;

/** A span of one trace; times in ms after the beginning of a minute. */
function span(
  spanId: string,
  parentId: string,
  service: string,
  operation: string,
  kind: PlainSpan['kind'],
  fromMs: number,
  toMs: number,
  more: Partial<PlainSpan> = {},
): PlainSpan {
  return {
    traceId: 't',
    spanId,
    parentId,
    service,
    operation,
    kind,
    startNs: BASE + BigInt(fromMs) * 1_000_000n,
    endNs: BASE + BigInt(toMs) * 1_000_000n,
    error: false,
    ...more,
  };
}

describe('naive rollups', () => {
  const spans = [
    span('1', '', 'shop', 'GET /cart', 'SERVER', 0, 100, { error: true }),
    span('2', '1', 'shop', 'call prices', 'CLIENT', 10, 60, { error: true }),
    span('3', '2', 'prices', 'GET /price', 'SERVER', 20, 50, { error: true }),
    // At work while the call waits: what the call covers is not its own.
    span('4', '1', 'shop', 'render', 'INTERNAL', 40, 90),
    span('5', '3', 'prices', 'SELECT', 'CLIENT', 25, 45, { peer: 'price-db' }),
  ];
  const [minute] = naiveRollups({ spans });

  it('report self time: without children, nor sibling calls of the same service', () => {
    const selves = minute.services.flatMap(({ operations }) =>
      operations.map(({ operation, selfNs }) => [operation, selfNs / 1e6]),
    );
    assert.deepEqual(Object.fromEntries(selves), {
      'GET /cart': 20,
      'call prices': 20,
      render: 30,
      'GET /price': 10,
      SELECT: 20,
    });
  });

  it('report edges with time on the wire, and virtual ones', () => {
    const edges = minute.grid.edges.map(({ source, target, virtual, count, errors, durationNs, paired, wireNs }) => [
      source,
      target,
      virtual,
      count,
      errors,
      durationNs / 1e6,
      paired,
      wireNs / 1e6,
    ]);
    assert.deepEqual(edges, [
      ['prices', 'price-db', true, 1, 0, 20, 0, 0],
      ['shop', 'prices', false, 1, 1, 50, 1, 20],
    ]);
  });

  it('report where errors began, and who calls whom', () => {
    const operations = minute.services.flatMap((service) => service.operations);
    assert.deepEqual(
      operations.filter(({ originErrors }) => originErrors > 0).map(({ operation }) => operation),
      ['GET /price'],
    );
    assert.deepEqual(operations.find(({ operation }) => operation === 'GET /cart')?.calls, [
      { service: 'shop', operation: 'call prices', count: 1 },
      { service: 'shop', operation: 'render', count: 1 },
    ]);
  });

  it('count a span in the minute of its end, entry spans as requests', () => {
    const late = span('6', '1', 'shop', 'tail', 'INTERNAL', 59_999, 60_001);
    const [, next] = naiveRollups({ spans: [...spans, late] });
    assert.equal(next.minute, 28_000_001);
    assert.deepEqual(
      minute.grid.services.map(({ service, count, kinds }) => [service, count, kinds]),
      [
        ['prices', 1, [0, 1, 1, 0, 0]],
        ['shop', 1, [1, 1, 1, 0, 0]],
      ],
    );
  });

  it('group log records by template and data points by series', () => {
    const timeUs = Number(BASE / 1000n) + 5;
    const point = {
      service: 'shop',
      instance: 'a',
      metric: 'queue',
      unit: '1',
      kind: 'gauge',
      monotonic: false,
      attributes: [],
      timeUs,
    } as const;
    const [{ logs, metrics }] = naiveRollups({
      logs: [9, 17, 9].map((severity) => ({ service: 'shop', timeUs, severity, template: 'found * items' })),
      points: [
        { ...point, value: 3 },
        { ...point, value: 5, timeUs: timeUs + 1 },
      ],
    });
    assert.deepEqual(
      [logs[0].severities, logs[0].templates],
      [[0, 0, 2, 0, 1, 0], [{ template: 'found * items', severity: 17, count: 3 }]],
    );
    const { points, sum, min, max, last } = metrics[0].series[0];
    assert.deepEqual([points, sum, min, max, last], [2, 8, 3, 5, 5]);
  });
});

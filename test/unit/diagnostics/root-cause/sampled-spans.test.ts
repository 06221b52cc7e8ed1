import assert from 'node:assert/strict';
import { diagnose, type RankedCause } from '../../../../src/diagnostics/root-cause/diagnose.js';
import { completeSampledSpans } from '../../../../src/diagnostics/root-cause/sampled-spans.js';
import { buildTelemetrySeries } from '../../../../src/diagnostics/root-cause/series-builder.js';
import { buildSeriesTimeline, type TelemetrySeries } from '../../../../src/diagnostics/root-cause/telemetry-series.js';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import type { PlainSpan } from '../../../support/naive-rollups.js';
import { inputOf, spans } from '../given-rollups.js';
import { FIRST_MINUTE, FRAMES, littleShop, type Fault, type Scenario } from './little-shop.js';

const ONSET = 67;
const FIRST_MS = FIRST_MINUTE * MINUTE_MS;
const SAMPLED: Scenario = { rate: () => 100, recorded: 0.2 };

describe('diagnose of spans that were sampled one by one', function () {
  const FAULTS: readonly { name: string; service: string; fault: Fault; kind: string; named?: string }[] = [
    { name: 'a slow service far from the entry', service: 'payments', fault: { work: 10 }, kind: 'latency' },
    { name: 'a slow network', service: 'orders', fault: { wire: 80 }, kind: 'network' },
    { name: 'new errors far from the entry', service: 'payments', fault: { errors: 0.3 }, kind: 'errors' },
    { name: 'a slow database', service: 'orders', fault: { database: 40 }, kind: 'dependency', named: 'orders-db' },
  ];

  for (const { name, service, fault, kind, named = service } of FAULTS)
    it(`names ${name}`, () => {
      const [first] = causesOf((each) => (each === service ? fault : undefined));
      assert.deepEqual(
        { serviceName: first?.serviceName, kind: first?.kind },
        { serviceName: named, kind },
        first?.evidence.join('\n'),
      );
    });

  it('warns of nothing where nothing changed', () => {
    assert.deepEqual(
      causesOf(() => undefined).filter(({ severity }) => severity !== 'info'),
      [],
    );
  });

  function causesOf(faultOf: (service: string) => Fault | undefined): RankedCause[] {
    const fault: Scenario['fault'] = (service, minute) => (minute >= ONSET ? faultOf(service) : undefined);
    return diagnose(littleShop({ ...SAMPLED, fault }), FRAMES);
  }
});

describe('completeSampledSpans', function () {
  it('leaves series of complete traces as they are', () => {
    const series = seriesOf({});
    assert.equal(completeSampledSpans(series), series);
  });

  it('finds the self time and the time on the wire that complete traces measure', () => {
    const complete = seriesOf({ rate: SAMPLED.rate });
    const completed = completeSampledSpans(seriesOf(SAMPLED));
    for (const service of ['orders', 'stock', 'payments', 'catalog']) {
      assertNear(meanSelfMs(completed, service), meanSelfMs(complete, service), 0.35, `self time of ${service}`);
      assertNear(meanWireMs(completed, service), meanWireMs(complete, service), 0.35, `wire of ${service}`);
    }
  });

  it('takes answered calls for no calls to unnamed nodes', () => {
    const { edges } = completeSampledSpans(seriesOf(SAMPLED));
    assert.deepEqual([...new Set(edges.filter(({ virtual }) => virtual).map(({ target }) => target))].sort(), [
      'catalog-db',
      'orders-db',
      'stock-db',
    ]);
  });
});

describe('completeSampledSpans of so few spans that no call has its answer beside it', () => {
  it('finds the answering operation by its name', () => {
    const call = { parentId: 'lost', service: 'shop', kind: 'CLIENT', operation: 'pay.Payments/Charge' } as const;
    const answer = { ...call, service: 'payments', kind: 'SERVER', operation: 'grpc.pay.Payments/Charge' } as const;
    const input = inputOf([
      ...spans(20, FIRST_MS, FIRST_MS + MINUTE_MS, { ...call, ms: 30 }),
      ...spans(20, FIRST_MS, FIRST_MS + MINUTE_MS, { ...answer, ms: 20 }),
      ...sampledCall('other', 'others'),
    ]);
    const timeline = buildSeriesTimeline([input.grids, input.services], FRAMES);
    const { edges } = completeSampledSpans(buildTelemetrySeries(input, timeline));
    const edge = edges.find(({ source }) => source === 'shop');
    assert.deepEqual([edge?.target, edge?.virtual], ['payments', false]);
    assertNear(sum(edge!.wireNs) / sum(edge!.paired) / 1e6, 10, 0, 'wire');
  });

  /** One call with its answer, and nine of each without: spans are known to be sampled by it. */
  function sampledCall(source: string, target: string): PlainSpan[] {
    const client = { service: source, kind: 'CLIENT', operation: 'ask' } as const;
    const server = { service: target, kind: 'SERVER', operation: 'answer' } as const;
    const [known] = spans(1, FIRST_MS, FIRST_MS + 1, client);
    return [
      known,
      ...spans(1, FIRST_MS, FIRST_MS + 1, { ...server, traceId: known.traceId, parentId: known.spanId }),
      ...spans(9, FIRST_MS, FIRST_MS + MINUTE_MS, client),
      ...spans(9, FIRST_MS, FIRST_MS + MINUTE_MS, { ...server, parentId: 'lost' }),
    ];
  }
});

function seriesOf(scenario: Scenario): TelemetrySeries {
  const input = littleShop(scenario);
  return buildTelemetrySeries(
    input,
    buildSeriesTimeline([input.grids, input.services, input.logs, input.metrics], FRAMES),
  );
}

function meanSelfMs({ services }: TelemetrySeries, name: string): number {
  const operations = services.find(({ service }) => service === name)!.operations.filter(({ entry }) => entry);
  return sum(operations.map(({ selfNs }) => sum(selfNs))) / sum(operations.map(({ count }) => sum(count))) / 1e6;
}

function meanWireMs({ edges }: TelemetrySeries, name: string): number {
  const own = edges.filter(({ target, virtual }) => target === name && !virtual);
  return sum(own.map(({ wireNs }) => sum(wireNs))) / sum(own.map(({ paired }) => sum(paired))) / 1e6;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const each of values) total += each;
  return total;
}

/** Within a millisecond, or the given share. */
function assertNear(actual: number, expected: number, share: number, what: string): void {
  const tolerance = Math.max(1.5, share * expected);
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} ms instead of ${expected} ms`);
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Indicator } from '../../../../src/diagnostics/slos/slo-model.js';
import { EventCounter } from '../../../../src/queries/slos/event-counter.js';
import { HindsightError } from '../../../../src/errors.js';
import { createSloQueries, type SloFailureLog } from '../../../../src/queries/slos/slo-queries.js';
import type { SloQueries } from '../../../../src/queries/slos/slo-query-types.js';
import { QueryConcurrencyLimiter } from '../../../../src/queries/scheduling/query-concurrency-limiter.js';
import { BlockSnapshotReader } from '../../../../src/queries/telemetry/block-snapshots.js';
import {
  maintenanceCollection,
  type MaintenanceDocument,
} from '../../../../src/read-models/documents/maintenance-documents.js';
import { PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import {
  sloCollection,
  sloDocumentId,
  SLOS_PROJECTION,
  type RecordedCounts,
  type SloDocument,
} from '../../../../src/read-models/documents/slo-documents.js';
import type { GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 10, 20, 12, 30, 20);
const NS_PER_MS = 1_000_000n;
const [OK, ERROR] = [1, 2];
const [SERVER, CLIENT] = [2, 3];

const AVAILABLE: Indicator = {
  ...{ type: 'availability', serviceName: 'shop', operation: '', thresholdMs: 0 },
  ...{ signal: '', good: '', all: '' },
};
const FAST: Indicator = { ...AVAILABLE, type: 'latency', operation: 'buy', thresholdMs: 100 };
const GOLD: Indicator = {
  ...{ type: 'query', serviceName: '', operation: '', thresholdMs: 0 },
  ...{ signal: 'spans', good: 'status = OK', all: 'service = shop and tier = gold' },
};
const QUIET: Indicator = { ...GOLD, signal: 'logs', good: 'not severity = Error', all: 'service = shop' };

const DAY = { days: 1, windowDays: 30, excludesMaintenance: false };

interface Given {
  readonly agoMs: number;
  readonly status?: number;
  readonly durationMs?: number;
  readonly kind?: number;
  readonly service?: string;
  readonly operation?: string;
  readonly tier?: string;
}

let spans = 0;
/** A span that ended that long before now. */
function span({ agoMs, status = OK, durationMs = 10, kind = SERVER, ...given }: Given): GivenSpan {
  const end = BigInt(NOW - agoMs) * NS_PER_MS;
  return {
    traceId: (++spans).toString(16).padStart(32, '0'),
    spanId: spans.toString(16).padStart(16, '0'),
    parentId: 'ffffffffffffffff',
    service: given.service ?? 'shop',
    operation: given.operation ?? 'buy',
    kind,
    status,
    start: end - BigInt(Math.round(durationMs * 1e6)),
    end,
    attributes: { tier: given.tier ?? 'free' },
  };
}

describe('queries on objectives', () => {
  let world: TelemetryWorld;
  let slos: SloQueries;
  let nowMs = NOW;
  /** With what the count of an indicator fails. */
  let failWith: (indicator: Indicator) => Error | undefined;
  let reported: string[];
  const failures: SloFailureLog = {
    reportFailure: ({ sloId }, error) => void reported.push(`${sloId} ${String(error)}`),
    reportSuccess: ({ sloId }) => void reported.push(`${sloId} works`),
  };

  beforeEach(async () => {
    world = await TelemetryWorld.empty();
    nowMs = NOW;
    await world.commit([{ kind: 'put', collection: PROJECTIONS, id: SLOS_PROJECTION, document: { active: 1 } }]);
    [failWith, reported] = [() => undefined, []];
    const counter = new EventCounter(new BlockSnapshotReader(() => world.store), world.bodies, 1 << 20);
    const count = counter.count.bind(counter);
    counter.count = async (request, timeSlice) => {
      const error = failWith(request.indicator);
      if (error !== undefined) throw error;
      return count(request, timeSlice);
    };
    slos = createSloQueries({
      ...{ store: world.store, counter, failures, limiter: new QueryConcurrencyLimiter({}), now: () => nowMs },
    });
  });

  async function define(
    indicator: Indicator,
    changes: Partial<SloDocument> = {},
    counts: RecordedCounts = { definedAt: 1, through: -1, hours: [] },
  ): Promise<void> {
    const document: SloDocument = {
      ...{ id: 's1', name: 'One', indicator, objective: 90, windowDays: 7, calendar: false, alerts: true },
      ...{ gridId: GRID, createdAt: 1, updatedAt: 1, counts },
      ...changes,
    };
    await world.commit([{ kind: 'put', collection: sloCollection(1), id: sloDocumentId(GRID, document.id), document }]);
  }

  async function count(asOfMs?: number): Promise<readonly [good: number, total: number]> {
    const [{ events }] = (await slos.assessSlos(GRID, asOfMs)).assessed;
    return [events.good, events.total];
  }

  /** Records what the policy would, as the projection does. */
  async function recordCounts(indicator: Indicator, before?: RecordedCounts): Promise<RecordedCounts> {
    const { through, hours, maintenance, definedAt } = (await slos.countNewEvents(GRID, 's1'))!;
    const added = new Map((before?.hours ?? []).map(([hour, ...rest]) => [hour, rest]));
    for (const [hour, good, total] of hours) {
      const [goodBefore, totalBefore] = added.get(hour) ?? [0, 0];
      added.set(hour, [goodBefore + good, totalBefore + total]);
    }
    const counts = {
      ...{ definedAt, through, hours: [...added].map(([hour, [g, t]]) => [hour, g, t] as const) },
      ...(maintenance !== undefined && { maintenance }),
    };
    await define(indicator, {}, counts);
    return counts;
  }

  it('compare a duration with the threshold to the nanosecond, also when its product in nanoseconds is rounded up', async () => {
    await define({ ...FAST, thresholdMs: 4.03 });
    await world.addSpans([
      span({ agoMs: MINUTE_MS, durationMs: 4.03 }),
      span({ agoMs: MINUTE_MS, durationMs: 4.029999 }),
    ]);
    assert.deepEqual(await count(), [1, 2]);
  });

  it('count entry spans of the service and operation, by status and by duration', async () => {
    await world.addSpans([
      span({ agoMs: 1_000 }),
      span({ agoMs: 1_000, status: ERROR }),
      span({ agoMs: 1_000, durationMs: 100 }),
      span({ agoMs: 1_000, durationMs: 99.999_999 }),
      span({ agoMs: 1_000, kind: CLIENT }),
      span({ agoMs: 1_000, service: 'cart' }),
      span({ agoMs: 1_000, operation: 'look', durationMs: 500 }),
    ]);
    await define(AVAILABLE);
    assert.deepEqual(await count(), [4, 5]);
    await define(FAST);
    assert.deepEqual(await count(), [3, 4]);
  });

  it('count records by conditions, of spans and of logs', async () => {
    await world.addSpans([
      span({ agoMs: 1_000, tier: 'gold' }),
      span({ agoMs: 1_000, tier: 'gold', status: ERROR, kind: CLIENT }),
      span({ agoMs: 1_000, status: ERROR }),
    ]);
    const log = (agoMs: number, severity: number, service = 'shop') => ({
      ...{ time: BigInt(NOW - agoMs) * NS_PER_MS, body: 'x', service, severity },
    });
    await world.addLogs([log(1_000, 9), log(2_000, 17), log(3_000, 9, 'cart'), log(8 * 24 * HOUR_MS, 17)]);
    await define(GOLD);
    assert.deepEqual(await count(), [1, 2]);
    await define(QUIET);
    assert.deepEqual(await count(), [1, 2]);
  });

  it('count a span in the minute of its end, in windows of whole minutes and hours', async () => {
    await world.addSpans([
      // 12:25:00 is within the last five minutes of 12:30:20, which start at 12:25.
      span({ agoMs: 5 * MINUTE_MS + 20_000, status: ERROR }),
      span({ agoMs: 5 * MINUTE_MS + 20_001 }),
      span({ agoMs: 40_000, durationMs: 600_000 }),
    ]);
    await define(AVAILABLE);
    const [{ burnRates, coveredFromMs, window }] = (await slos.assessSlos(GRID)).assessed;
    assert.deepEqual([burnRates['5m'], Math.round(burnRates['1h'] * 1_000) / 1_000], [5, 3.333]);
    assert.equal(coveredFromMs, Date.UTC(2026, 10, 20, 12));
    assert.equal(window.fromMs, Date.UTC(2026, 10, 13, 12));
  });

  it('as of a moment count what had ended by then', async () => {
    await world.addSpans([
      span({ agoMs: 30_000 }),
      span({ agoMs: 90_000, status: ERROR }),
      span({ agoMs: 26 * HOUR_MS }),
      span({ agoMs: 7 * 24 * HOUR_MS + HOUR_MS }),
    ]);
    await define(AVAILABLE);
    assert.deepEqual(await count(), [2, 3]);
    assert.deepEqual(await count(NOW - 60_000), [1, 2]);
    assert.deepEqual(await count(NOW - 120_000), [1, 1]);
    assert.deepEqual(await count(NOW - 24 * HOUR_MS), [2, 2]);
  });

  it('keep what was recorded when its telemetry is removed, and add late telemetry to it, once', async () => {
    await define(AVAILABLE);
    await world.addSpans([span({ agoMs: 30 * HOUR_MS }), span({ agoMs: 30 * HOUR_MS, status: ERROR })]);
    const recorded = await recordCounts(AVAILABLE);
    assert.equal(await slos.countNewEvents(GRID, 's1'), undefined);
    await world.addSpans([span({ agoMs: 30 * HOUR_MS, status: ERROR }), span({ agoMs: MINUTE_MS })]);
    assert.deepEqual(await count(), [2, 4]);
    // A merge puts recorded and later telemetry into one block.
    await world.commit(world.spanShelf.merge([1, 2]));
    assert.deepEqual(await count(), [2, 4]);
    await recordCounts(AVAILABLE, recorded);
    assert.deepEqual(await count(), [2, 4]);
    await world.commit([
      world.spanShelf.remove(3),
      { kind: 'put', collection: world.spanCollections.catalogs, id: GRID, document: { gridId: GRID, generation: 1 } },
    ]);
    // Of the current hour only telemetry tells which minutes count.
    assert.deepEqual(await count(), [1, 3]);
    nowMs += HOUR_MS;
    assert.deepEqual(await count(), [2, 4]);
  });

  it('count the same however telemetry is divided into blocks and records', async () => {
    const given = fc.record({
      agoMs: fc.integer({ min: 0, max: 9 * 24 * HOUR_MS }),
      status: fc.constantFrom(OK, ERROR),
      service: fc.constantFrom('shop', 'cart'),
    });
    const batches = fc.array(fc.tuple(fc.array(given, { minLength: 1, maxLength: 8 }), fc.boolean()), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (added) => {
        world = await TelemetryWorld.empty();
        await world.commit([{ kind: 'put', collection: PROJECTIONS, id: SLOS_PROJECTION, document: { active: 1 } }]);
        const counter = new EventCounter(new BlockSnapshotReader(() => world.store), world.bodies, 1 << 20);
        slos = createSloQueries({
          ...{ store: world.store, counter, failures, limiter: new QueryConcurrencyLimiter({}), now: () => NOW },
        });
        await define(AVAILABLE);
        let recorded: RecordedCounts | undefined;
        for (const [batch, isRecorded] of added) {
          await world.addSpans(batch.map(span));
          if (isRecorded) recorded = await recordCounts(AVAILABLE, recorded);
        }
        await world.commit(world.spanShelf.merge([...world.spanShelf.blocks.keys()]));
        const from = Date.UTC(2026, 10, 13, 12);
        const own = added
          .flatMap(([batch]) => batch)
          .filter(({ agoMs, service }) => service === 'shop' && NOW - agoMs >= from);
        assert.deepEqual(await count(), [own.filter(({ status }) => status === OK).length, own.length]);
      }),
      { numRuns: 25 },
    );
  });

  it('count the others when one cannot be counted, and say why it cannot', async () => {
    await world.addSpans([span({ agoMs: 1_000 })]);
    await define(AVAILABLE);
    await define({ ...GOLD, good: 'status = (' }, { id: 's2', name: 'Two' });
    await define(GOLD, { id: 's3', name: 'Three' });
    const { assessed, uncounted } = await slos.assessSlos(GRID);
    assert.deepEqual(
      assessed.map(({ slo, events }) => [slo.id, events.total]),
      [
        ['s1', 1],
        ['s3', 0],
      ],
    );
    const [{ slo, failure }, ...others] = uncounted;
    assert.deepEqual([slo.id, failure.code, others], ['s2', 'conflict', []]);
    assert.match(failure.message, /indicator\.good/);
    // The request is not at fault: no field of it is named.
    await assert.rejects(slos.sloDetail(GRID, 's2'), { code: 'conflict', fields: [] });
    assert.deepEqual(reported, ['s1 works', 's3 works']);
  });

  it('log why one cannot be counted when that is not for callers, as of any moment', async () => {
    await define(AVAILABLE);
    await define({ ...AVAILABLE, serviceName: 'cart' }, { id: 's2', name: 'Two' });
    failWith = (indicator) => (indicator.serviceName === 'cart' ? new TypeError('secret detail') : undefined);
    for (const asOfMs of [undefined, NOW - HOUR_MS]) {
      const { assessed, uncounted } = await slos.assessSlos(GRID, asOfMs);
      assert.deepEqual([assessed.length, uncounted.map(({ failure }) => failure.code)], [1, ['internal']]);
      assert.doesNotMatch(uncounted[0].failure.message, /secret/);
    }
    assert.deepEqual(reported, ['s1 works', 's2 TypeError: secret detail', 's1 works', 's2 TypeError: secret detail']);
  });

  it('give no answer when the service cannot count any now', async () => {
    await define(AVAILABLE);
    await define({ ...AVAILABLE, serviceName: 'cart' }, { id: 's2', name: 'Two' });
    const away = new HindsightError('unavailable', 'The query took longer than 25 s.');
    const overloaded = new HindsightError('overloaded', 'Too many queries.', [], { retryAtMs: NOW + 1_000 });
    failWith = ({ serviceName }) => (serviceName === 'cart' ? away : overloaded);
    await assert.rejects(slos.assessSlos(GRID), overloaded);
    failWith = ({ serviceName }) => (serviceName === 'cart' ? away : undefined);
    assert.deepEqual(
      (await slos.assessSlos(GRID)).uncounted.map(({ failure }) => failure),
      [{ code: 'unavailable', message: away.message }],
    );
    failWith = ({ serviceName }) => (serviceName === 'cart' ? away : new TypeError('a bug'));
    assert.equal((await slos.assessSlos(GRID)).uncounted.length, 2);
  });

  describe('with maintenance', () => {
    const matcher = (value: string, label = 'service') => ({ label, operator: '=', value });

    /** Maintenance of these minutes ago. */
    async function plan(...periods: readonly (readonly [from: number, to: number, value?: string, label?: string])[]) {
      const document: MaintenanceDocument = {
        gridId: GRID,
        periods: periods.map(([from, to, value = 'shop', label]) => ({
          ...{ silenceId: 'x', matchers: [matcher(value, label)] },
          ...{ fromMs: NOW - from * MINUTE_MS, toMs: NOW - to * MINUTE_MS },
        })),
      };
      await world.commit([{ kind: 'put', collection: maintenanceCollection(1), id: GRID, document }]);
    }
    const failuresAt = (...minutes: readonly number[]) =>
      minutes.map((minute) => span({ agoMs: minute * MINUTE_MS, status: ERROR }));

    it('leave out its minutes where the objective says so, in every window', async () => {
      await plan([30, 10], [2_000, 1_950]);
      await world.addSpans([...failuresAt(40, 20, 12, 2, 1_960, 2_100), span({ agoMs: MINUTE_MS })]);
      await define(AVAILABLE);
      assert.deepEqual(await count(), [1, 7]);
      await define(AVAILABLE, { excludesMaintenance: true });
      const [{ events, excluded, burnRates }] = (await slos.assessSlos(GRID)).assessed;
      assert.deepEqual(
        [events, excluded],
        [
          { good: 1, total: 4 },
          { good: 0, total: 3 },
        ],
      );
      const rates = Object.values(burnRates).map((rate) => Math.round(rate * 10));
      // Of 5 m, 30 m, 1 h, 6 h and 3 d: 1 of 2, 1 of 2, 2 of 3, 2 of 3, 3 of 4 events are bad.
      assert.deepEqual(rates, [50, 50, 67, 67, 75]);
    });

    it('stay the same as of a past moment, with late telemetry, recorded or not, and when the objective changes', async () => {
      await plan([2_000, 1_950]);
      const excluding = { excludesMaintenance: true } as const;
      await define(AVAILABLE, excluding);
      await world.addSpans(failuresAt(2_100, 1_990, 1_960));
      const counts = await recordCounts(AVAILABLE);
      assert.deepEqual(
        counts.maintenance?.map(([, good, total]) => [good, total]),
        [[0, 2]],
      );
      await world.addSpans(failuresAt(1_970, 1_900));
      await define(AVAILABLE, excluding, counts);
      assert.deepEqual(await count(), [0, 2]);
      assert.deepEqual(await count(NOW - 1_700 * MINUTE_MS), [0, 2]);
      await define(AVAILABLE, {}, counts);
      assert.deepEqual(await count(), [0, 5]);
    });

    it('leave it out only if it concerns all alerts of the objective', async () => {
      await world.addSpans(failuresAt(20));
      const excluding = { excludesMaintenance: true } as const;
      for (const [value, label, total] of [
        ['cart', 'service', 1],
        ['warning', 'severity', 1],
        ['sh*', 'service', 0],
        ['One', 'alertname', 0],
        ['s1', 'rule', 0],
      ] as const) {
        await plan([30, 10, value, label]);
        await define(AVAILABLE, excluding);
        assert.deepEqual(await count(), [0, total], `${label} = ${value}`);
      }
    });

    it('leave it out of backtests that say so', async () => {
      await plan([60, 30]);
      await world.addSpans([...failuresAt(40), span({ agoMs: MINUTE_MS })]);
      const test = (excludesMaintenance: boolean) =>
        slos.backtestSlo(GRID, { indicator: AVAILABLE, objectives: [99], ...DAY, excludesMaintenance });
      assert.deepEqual((await test(false)).events, { good: 1, total: 2 });
      assert.deepEqual((await test(true)).events, { good: 1, total: 1 });
    });
  });

  it('report a month up to its end or an earlier moment, from records and telemetry', async () => {
    await define(AVAILABLE);
    const day = 24 * HOUR_MS;
    await world.addSpans([
      span({ agoMs: 21 * day, status: ERROR }),
      ...[span({ agoMs: 3 * day, status: ERROR }), span({ agoMs: 3 * day }), span({ agoMs: 2 * day, status: ERROR })],
    ]);
    const recorded = await recordCounts(AVAILABLE);
    await world.addSpans([span({ agoMs: 2 * day }), span({ agoMs: 10_000 })]);
    await define(AVAILABLE, {}, recorded);
    const request = { month: '2026-11', zone: 'UTC' };
    const report = (await slos.sloReport(GRID, 's1', request))!;
    assert.deepEqual([report.events, report.isOver, report.isMet], [{ good: 3, total: 5 }, false, false]);
    assert.deepEqual(
      report.worstDays.map(({ day: name, good, total }) => [name, good, total]),
      [
        ['2026-11-17', 1, 2],
        ['2026-11-18', 1, 2],
      ],
    );
    const earlier = await slos.sloReport(GRID, 's1', { ...request, asOfMs: NOW - 2.5 * day });
    assert.deepEqual(earlier?.events, { good: 1, total: 2 });
    const before = await slos.sloReport(GRID, 's1', { month: '2026-10', zone: 'UTC' });
    assert.deepEqual([before?.events, before?.isOver], [{ good: 0, total: 1 }, true]);
    assert.equal(await slos.sloReport(GRID, 'unknown', request), undefined);
  });

  it('list hours with the budget that remained, and backtest objectives', async () => {
    await define(AVAILABLE);
    await world.addSpans([
      ...Array.from({ length: 30 }, () => span({ agoMs: 3 * HOUR_MS })),
      ...Array.from({ length: 6 }, () => span({ agoMs: 2 * HOUR_MS, status: ERROR })),
      ...Array.from({ length: 24 }, () => span({ agoMs: 2 * HOUR_MS })),
    ]);
    const detail = await slos.sloDetail(GRID, 's1');
    assert.deepEqual(
      detail?.hours.map(({ good, total, remainingPercent }) => [good, total, remainingPercent]),
      [
        [30, 30, 100],
        [24, 30, 0],
      ],
    );
    assert.equal(detail?.status, 'met');
    const tested = await slos.backtestSlo(GRID, { indicator: AVAILABLE, objectives: [99, 90, 50], ...DAY });
    assert.deepEqual(
      tested.backtests.map(({ objective, isMet, firings }) => [objective, isMet, firings.length]),
      [
        [99, false, 1],
        [90, true, 0],
        [50, true, 0],
      ],
    );
    assert.deepEqual([tested.events, tested.proposed], [{ good: 54, total: 60 }, 90]);
    assert.equal(await slos.sloDetail(GRID, 'unknown'), undefined);
    const [{ indicator, events, proposed }, ...others] = await slos.proposeSlos(GRID);
    assert.deepEqual([indicator, events, proposed, others], [AVAILABLE, { good: 54, total: 60 }, 90, []]);
  });
});

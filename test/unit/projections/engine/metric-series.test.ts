import assert from 'node:assert/strict';
import fc from 'fast-check';
import { metricRollupCollections, ROLLUP_BLOB } from '../../../../src/read-models/documents/rollup-documents.js';
import { decodeMetricRollup } from '../../../../src/read-models/rollups/metric-rollup-codec.js';
import { metricsReceived, type TestPoint } from './support/requests.js';
import { ProjectedLog } from './support/projected.js';

const SECOND = 1000;
const MINUTE = 60_000;

/** What happened in a series between two exports. */
interface Export {
  readonly seconds: number;
  readonly increment: number;
  readonly restarts: boolean;
}

const series = fc.record({
  kind: fc.constantFrom('gauge' as const, 'sum' as const, 'histogram' as const, 'summary' as const),
  temporality: fc.constantFrom(1, 2),
  exports: fc.array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 40 }),
      increment: fc.integer({ min: 0, max: 10 }),
      restarts: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 18 },
  ),
});

type Plan = typeof series extends fc.Arbitrary<infer T> ? T : never;

describe('metric series', () => {
  it('report what truly happened, however their points are sent, repeated and folded', async () => {
    const cut = fc.record({
      points: fc.integer({ min: 1, max: 8 }),
      again: fc.integer({ min: 0, max: 12 }),
      then: fc.constantFrom('go on', 'settle', 'restart'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(series, { minLength: 1, maxLength: 4 }),
        fc.array(cut, { minLength: 1, maxLength: 12 }),
        async (plans, cuts) => {
          const log = new ProjectedLog();
          try {
            const points = plans
              .flatMap((plan, i) => pointsOf(plan, String(i), log.now))
              .sort((a, b) => a.time - b.time);
            await send(log, points, cuts);
            assert.deepEqual(await found(log), truth(plans, log.now));
          } finally {
            await log.remove();
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

function isCumulative({ kind, temporality }: Plan): boolean {
  return kind === 'summary' || (kind !== 'gauge' && temporality === 2);
}

/** The points that an SDK would send. Of a cumulative series the process has run for an hour. */
function pointsOf(plan: Plan, instance: string, noon: number): TestPoint[] {
  let time = noon;
  let start = noon - 60 * MINUTE;
  let total = 1_000;
  return plan.exports.map(({ seconds, increment, restarts }) => {
    time += seconds * SECOND;
    if (restarts) [start, total] = [time - SECOND / 2, 0];
    total += increment;
    const value = isCumulative(plan) ? total : increment;
    return { kind: plan.kind, temporality: plan.temporality, time, start, value, count: value, instance };
  });
}

/** In order, each cut followed by points from before once more. */
async function send(
  log: ProjectedLog,
  points: readonly TestPoint[],
  cuts: readonly { readonly points: number; readonly again: number; readonly then: string }[],
): Promise<void> {
  for (let at = 0, i = 0; at < points.length; i++) {
    const { points: more, again, then } = cuts[i % cuts.length];
    await log.append(metricsReceived(points.slice(at, (at += more))));
    if (again > 0) await log.append(metricsReceived(points.slice(Math.max(0, at - again), at)));
    if (then === 'settle') await log.settle();
    if (then === 'restart') await log.restart();
  }
  await log.settle();
}

type Sums = Record<string, readonly [points: number, sum: number, count: number]>;

async function found(log: ProjectedLog): Promise<Sums> {
  const sums: Sums = {};
  const { minutes } = metricRollupCollections(1);
  for (const { id, document } of await log.store.find(minutes, {})) {
    const blob = await log.store.readBlob(minutes, id, ROLLUP_BLOB);
    for (const { instance, points, sum, count } of decodeMetricRollup(blob!).series)
      sums[`${instance}@${document.minute}`] = [points, sum, count];
  }
  return sums;
}

/** Increments by minute; a cumulative series that began before it was seen tells nothing by its first point. */
function truth(plans: readonly Plan[], noon: number): Sums {
  const sums: Sums = {};
  plans.forEach((plan, i) => {
    let time = noon;
    plan.exports.forEach((each: Export, n) => {
      time += each.seconds * SECOND;
      const key = `${i}@${Math.floor(time / MINUTE)}`;
      const [points, sum, count] = sums[key] ?? [0, 0, 0];
      const reported = isCumulative(plan) && n === 0 && !each.restarts ? 0 : each.increment;
      const isNumber = plan.kind === 'gauge' || plan.kind === 'sum';
      sums[key] = [points + 1, sum + reported, count + (isNumber ? 1 : reported)];
    });
  });
  return sums;
}

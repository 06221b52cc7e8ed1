import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findTraceFilterOptions,
  findLogFilterOptions,
} from '../../../../src/queries/telemetry/filter-option-queries.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import type { DocumentChange, Checkpoint, CommitResult } from '../../../../src/read-models/read-model-store.js';
import type { NewEvent } from '../../../../src/streams/event-store.js';
import {
  GRID,
  logsReceived,
  metricsReceived,
  spansReceived,
  type TestPoint,
  type TestSpan,
} from './support/requests.js';
import { ProjectedLog } from './support/projected.js';
import { scaleToBudget } from '../../../support/faults/budget.js';

const HOUR = 3_600_000;
const ORDERS = scaleToBudget('ARRIVAL_ORDERS', 50, 10_000);
const START = Date.UTC(2026, 5, 20, 12);

type Step =
  | { readonly kind: 'spans'; readonly spans: readonly TestSpan[] }
  | { readonly kind: 'logs'; readonly times: readonly number[] }
  | { readonly kind: 'points'; readonly points: readonly TestPoint[] }
  | { readonly kind: 'expire'; readonly before: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'settle' | 'restart' | 'crash' };

const span = fc.record({
  trace: fc.integer({ min: 0, max: 1 }),
  span: fc.integer({ min: 0, max: 30 }),
  start: fc.integer({ min: 0, max: 8 }).map((quarters) => START + (quarters * HOUR) / 4),
  service: fc.constantFrom('cart', 'bank'),
  operation: fc.constantFrom('add', 'pay', 'list'),
});

const point: fc.Arbitrary<TestPoint> = fc.record({
  time: fc.oneof(
    fc.integer({ min: 0, max: 120 }).map((minutes) => START + minutes * 60_000),
    fc.integer({ min: 0, max: 30 }).map((hours) => START + hours * HOUR),
  ),
  kind: fc.constantFrom('gauge' as const, 'sum' as const, 'histogram' as const),
  temporality: fc.constantFrom(1, 2),
  value: fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constant(NaN)),
  count: fc.integer({ min: 0, max: 9 }),
  start: fc.constantFrom(START - HOUR, START, START + HOUR),
  buckets: fc.option(
    fc.constantFrom([1], [1, 5], [2]).chain((bounds) =>
      fc.record({
        kind: fc.constant('explicit' as const),
        bounds: fc.constant(bounds),
        counts: fc.array(fc.nat(9), { minLength: bounds.length + 1, maxLength: bounds.length + 1 }),
      }),
    ),
    { nil: undefined },
  ),
  service: fc.constantFrom('cart', 'bank'),
  instance: fc.constantFrom('', 'a'),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('points' as const),
      points: fc.array(point, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('spans' as const),
      spans: fc.array(span, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('logs' as const),
      times: fc.array(
        fc.integer({ min: 0, max: 8 }).map((n) => START + (n * HOUR) / 4),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0, max: 2 })
      .map((hours) => ({ kind: 'expire' as const, before: START + hours * HOUR })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 600_000 }).map((ms) => ({ kind: 'wait' as const, ms })) },
  { weight: 4, arbitrary: fc.constant({ kind: 'settle' as const }) },
  { weight: 2, arbitrary: fc.constantFrom({ kind: 'restart' as const }, { kind: 'crash' as const }) },
);

describe('live read models', () => {
  it('equal a fresh replay, however the log arrived and whatever happened to the projector', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.constantFrom(4, 1 << 20),
        async (steps, spanHorizon) => {
          const store = new MortalStore();
          const log = new ProjectedLog(store, { spanHorizon });
          log.now = START;
          try {
            for (const each of steps) await take(each, log, store);
            const projector = await log.settle();
            for (const name of await projector.projections()) {
              const verified = await projector.verify(name);
              assert.ok(verified.equal, `${name}: ${verified.live} is not ${verified.replayed}`);
            }
          } finally {
            await log.stop();
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('do not equal it when a row is missing', async () => {
    const log = new ProjectedLog();
    await log.append(spansReceived([{ trace: 1, span: 1, start: START }]));
    await log.append(spansReceived([{ trace: 1, span: 2, start: START }]));
    const projector = await log.settle();
    const [{ id }] = await log.store.find({ name: 'span-blocks.v1', indexes: [] }, {});
    await log.store.commit([{ kind: 'delete', collection: { name: 'span-blocks.v1', indexes: [] }, id }], []);
    assert.equal((await projector.verify('traces')).equal, false);
    assert.equal((await projector.verify('logs')).equal, true);
    await log.stop();
  });

  it('are the same in any order of arrival', async function () {
    this.timeout(300_000 + ORDERS * 100);
    const requests = Array.from({ length: 12 }, (_, i) => (i % 3 === 2 ? logsOf(i) : spansOf(i)));
    const reference = await contentAfter(requests);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(requests, { minLength: requests.length }), async (order) => {
        assert.deepEqual(await contentAfter(order), reference);
      }),
      { numRuns: ORDERS },
    );
  });
});

async function take(each: Step, log: ProjectedLog, store: MortalStore): Promise<void> {
  switch (each.kind) {
    case 'spans':
      await log.append(spansReceived(each.spans));
      return;
    case 'logs':
      await log.append(logsReceived(each.times.map((time) => ({ time, body: 'x' }))));
      return;
    case 'points':
      await log.append(metricsReceived(each.points));
      return;
    case 'expire':
      return log.expire(each.before);
    case 'wait':
      log.now += each.ms;
      return;
    case 'settle':
      await log.settle();
      return;
    case 'restart':
      await log.restart();
      return;
    case 'crash':
      return crash(log, store);
  }
}

/** Ends the projector between a fold and its commit. */
async function crash(log: ProjectedLog, store: MortalStore): Promise<void> {
  store.dead = true;
  await log.append(spansReceived([{ trace: 0, span: 99, start: START }]));
  const projector = log.projector ?? (await log.start());
  await projector.waitForPosition('traces', await log.events.head(), 5);
  await log.stop();
  store.dead = false;
}

/** Rejects every commit of a projection while it is dead. */
class MortalStore extends MemoryReadModelStore {
  dead = false;

  override commit(changes: readonly DocumentChange[], checkpoints: readonly Checkpoint[]): Promise<CommitResult> {
    return this.dead && checkpoints.length > 0 ? Promise.reject(new Error('dead')) : super.commit(changes, checkpoints);
  }
}

/** Each repeats a span of its neighbour, unchanged. */
function spansOf(i: number): NewEvent {
  const one = (n: number): TestSpan => ({
    trace: n % 4,
    span: n,
    start: START + n * 1000,
    service: `s${n % 3}`,
    operation: `o${n % 5}`,
    attributes: { [`k${n % 2}`]: 'v' },
  });
  return spansReceived([one(i), one(i + 1), one(i + 100)]);
}

function logsOf(i: number): NewEvent {
  return logsReceived([{ time: START + i, body: `entry ${i}`, service: `s${i % 3}`, severity: 1 + i }]);
}

async function contentAfter(requests: readonly NewEvent[]): Promise<unknown> {
  const log = new ProjectedLog();
  try {
    for (const request of requests) await log.append({ ...request, body: request.body?.slice() });
    await log.settle();
    return {
      spans: await log.spans(),
      logs: await log.logs(),
      traceOptions: await findTraceFilterOptions(log.store, GRID),
      logOptions: await findLogFilterOptions(log.store, GRID),
      names: await log.store.find({ name: 'trace-filter-names.v1', indexes: [] }, {}),
    };
  } finally {
    await log.stop();
  }
}

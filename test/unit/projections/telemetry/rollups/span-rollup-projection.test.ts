import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaleToBudget } from '../../../../support/faults/budget.js';
import type { PlainSpan } from '../../../../support/naive-rollups.js';
import { ProjectedLog } from '../../engine/support/projected.js';
import { GRID } from '../../engine/support/requests.js';
import { rollupsOf } from './support/decoded.js';
import { oracle, plain } from './support/oracle.js';
import { plainSpansReceived } from './support/plain-spans.js';

const START_NS = BigInt(Date.UTC(2026, 5, 20, 12)) * 1_000_000n;
const HOUR_MS = 3_600_000;
const OTHER_GRID = '0f0c4b2a-1111-4222-8333-444455557777';
const GRIDS = [GRID, OTHER_GRID];

/** A span by numbers: its parent is one of the spans before it, itself or nobody. */
const seed = fc.record({
  trace: fc.integer({ min: 1, max: 3 }),
  parent: fc.integer({ min: -2, max: 12 }),
  service: fc.constantFrom('cart', 'bank', 'shop'),
  operation: fc.constantFrom('add', 'pay'),
  kind: fc.constantFrom(
    'INTERNAL' as const,
    'SERVER' as const,
    'CLIENT' as const,
    'CLIENT' as const,
    'PRODUCER' as const,
    'CONSUMER' as const,
  ),
  start: fc.integer({ min: 0, max: 40 }),
  duration: fc.integer({ min: -1, max: 40 }),
  error: fc.boolean(),
  version: fc.constantFrom('', '1', '2'),
  instance: fc.constantFrom('', 'a', 'b'),
  peer: fc.constantFrom('', 'db', 'bank'),
  exceptions: fc.array(fc.record({ type: fc.constantFrom('Timeout', 'Refused'), message: fc.constant('no') }), {
    maxLength: 2,
  }),
});

type Seed = typeof seed extends fc.Arbitrary<infer S> ? S : never;

/** `apart`: ns between two starts. */
function spansOf(seeds: readonly Seed[], apart = 3_000_000_001n): PlainSpan[] {
  return seeds.map(({ trace, parent, start, duration, ...labels }, i) => {
    const startNs = START_NS + BigInt(start) * apart;
    return {
      ...labels,
      traceId: String(trace),
      spanId: String(i + 1),
      parentId: parent < 1 ? '' : String(parent),
      startNs,
      endNs: startNs + BigInt(duration) * 1_700_000_123n,
    };
  });
}

/** One trace, whose spans have their parents close by in the log, before or after. */
function nearby(span: Seed, i: number): Seed {
  return { ...span, trace: 1, parent: i + 1 + (span.parent % 6) - 2 };
}

/** Where the log is cut into requests, where the projector catches up, and where it starts over. */
const cuts = fc.array(
  fc.record({
    spans: fc.integer({ min: 1, max: 6 }),
    then: fc.constantFrom('go on', 'settle', 'restart', 'expire', 'apdex'),
    waitMs: fc.constantFrom(0, 0, 300_000),
  }),
  { minLength: 1, maxLength: 12 },
);

interface Cut {
  readonly spans: number;
  readonly then: string;
  readonly waitMs: number;
}

/** Sends spans in this order, the request of each cut to both Grids in turn. */
async function send(
  log: ProjectedLog,
  spans: readonly PlainSpan[],
  plan: readonly Cut[],
  wait: boolean,
): Promise<void> {
  let from = 0;
  for (let i = 0; from < spans.length; i++) {
    const cut = plan[i % plan.length];
    const some = spans.slice(from, from + cut.spans);
    from += cut.spans;
    for (const gridId of GRIDS) await log.append(plainSpansReceived(some, gridId));
    if (wait) log.now += cut.waitMs;
    if (cut.then === 'settle') await log.settle();
    if (cut.then === 'restart') await log.restart();
    if (cut.then === 'expire' && wait) await log.expire(Number(START_NS / 1_000_000n) + (i % 4) * HOUR_MS);
    if (cut.then === 'apdex' && wait) await log.setApdex(1 << (i % 16));
  }
  await log.settle();
}

/** Of arrival. */
const ORDERS = scaleToBudget('ARRIVAL_ORDERS', 150, 10_000);

describe('rollups of spans', () => {
  it('say what the definitions say, in whatever order, batches and restarts the spans came', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(seed, { minLength: 1, maxLength: 14 }),
        cuts,
        fc.nat(),
        async (seeds, plan, shuffle) => {
          const spans = spansOf(seeds);
          const expected = plain(oracle(spans));
          const log = new ProjectedLog();
          try {
            await send(log, shuffled(spans, shuffle), plan, false);
            for (const gridId of GRIDS) assert.deepEqual(plain(await rollupsOf(log, gridId)), expected);
          } finally {
            await log.stop();
          }
        },
      ),
      { numRuns: ORDERS },
    )).timeout(300_000 + ORDERS * 100);

  it('equal a replay also where relatives are out of reach, what is old expires and settings change', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(seed, { minLength: 1, maxLength: 40 }),
        cuts,
        fc.constantFrom(7, 12, 20, 1 << 20),
        fc.constantFrom(3_000_000_001n, 240_000_000_007n),
        async (seeds, plan, spanHorizon, apart) => {
          const log = new ProjectedLog(undefined, { spanHorizon });
          try {
            await send(log, spansOf(seeds.map(nearby), apart), plan, true);
            const verified = await (await log.settle()).verify('traces');
            assert.ok(verified.equal);
          } finally {
            await log.stop();
          }
        },
      ),
      { numRuns: 150 },
    ));
});

/** By a linear congruential generator. */
function shuffled<T>(items: readonly T[], by: number): T[] {
  let state = by >>> 0;
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { item, key: state };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OTHER_NAME } from '../../../../src/diagnostics/rollups/rollup-types.js';
import type { ImpactFilter } from '../../../../src/diagnostics/root-cause/diagnose.js';
import {
  ImpactedTraceCounter,
  type ImpactedTraceCount,
} from '../../../../src/queries/diagnostics/impacted-trace-counter.js';
import type { SampleOrder } from '../../../../src/queries/diagnostics/impacted-trace-accumulator.js';
import { BlockSnapshotReader } from '../../../../src/queries/telemetry/block-snapshots.js';
import type { GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import { UnlimitedTimeSlice } from '../telemetry/support/unlimited-time-slice.js';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const MINUTE_MS = 60_000;
const NS_PER_MS = 1_000_000n;
const [SERVER, CLIENT] = [2, 3];
const [OK, ERROR] = [1, 2];

const traceId = (number: number): string => number.toString(16).padStart(32, '0');

describe('impacted traces', () => {
  let world: TelemetryWorld;
  let impacted: ImpactedTraceCounter;
  let spans = 0;

  beforeEach(async () => {
    world = await TelemetryWorld.empty();
    impacted = new ImpactedTraceCounter(new BlockSnapshotReader(() => world.store));
  });

  /** A span of the shop that ended at this many ms after noon. */
  function span(
    trace: number,
    endMs: number,
    { durationMs = 10, status = OK, kind = SERVER, service = 'shop', operation = 'buy', isRoot = false } = {},
  ): GivenSpan {
    const end = BigInt(NOON_MS + endMs) * NS_PER_MS;
    const spanId = (++spans).toString(16).padStart(16, '0');
    return {
      traceId: traceId(trace),
      spanId,
      ...(!isRoot && { parentId: 'ffffffffffffffff' }),
      service,
      operation,
      kind,
      status,
      start: end - BigInt(durationMs) * NS_PER_MS,
      end,
    };
  }

  function count({
    fromMinute = 0,
    toMinute = 10,
    telling = 'slow',
    ...impact
  }: Partial<ImpactFilter> & {
    fromMinute?: number;
    toMinute?: number;
    telling?: SampleOrder;
  } = {}): Promise<ImpactedTraceCount> {
    const window = { fromMs: NOON_MS + fromMinute * MINUTE_MS, toMs: NOON_MS + toMinute * MINUTE_MS };
    return impacted.count(
      GRID,
      { service: 'shop', slowerThanNs: 100e6, ...impact, window },
      telling,
      new UnlimitedTimeSlice(),
    );
  }

  it('are those with an entry span of the service that failed or took longer', async () => {
    await world.addSpans([
      span(1, 1_000, { durationMs: 101 }),
      span(2, 1_000, { status: ERROR }),
      span(3, 1_000, { durationMs: 100 }),
      span(4, 1_000, { durationMs: 900, kind: CLIENT }),
      span(5, 1_000, { durationMs: 900, kind: CLIENT, isRoot: true }),
      span(6, 1_000, { durationMs: 900, service: 'cart' }),
    ]);

    assert.deepEqual(await count(), { count: 3, sampleTraceIds: [traceId(5), traceId(1), traceId(2)] });
  });

  it('count once, however many of their spans report the impact, in whatever blocks', async () => {
    await world.addSpans([span(1, 1_000, { status: ERROR }), span(1, 2_000, { status: ERROR })]);
    await world.addSpans([span(1, 3_000, { status: ERROR })]);

    assert.equal((await count()).count, 1);
  });

  it('count in the minute of the end', async () => {
    await world.addSpans([
      span(1, -1, { status: ERROR }),
      span(2, 0, { status: ERROR, durationMs: 300_000 }),
      span(3, 10 * MINUTE_MS - 1, { status: ERROR }),
      span(4, 10 * MINUTE_MS, { status: ERROR, durationMs: 60_000 }),
    ]);

    const noon = BigInt(NOON_MS) * NS_PER_MS;
    await world.addSpans([{ ...span(5, 0, { status: ERROR }), start: noon - 1n, end: noon }]);

    assert.deepEqual((await count()).sampleTraceIds, [traceId(2), traceId(3), traceId(5)]);
    assert.deepEqual((await count({ fromMinute: 10, toMinute: 11 })).sampleTraceIds, [traceId(4)]);
  });

  it('are of one operation where the cause is, of all where its name is past the bounds', async () => {
    await world.addSpans([span(1, 1, { status: ERROR }), span(2, 1, { status: ERROR, operation: 'sell' })]);

    assert.equal((await count({ operation: 'sell' })).count, 1);
    assert.equal((await count({ operation: 'lend' })).count, 0);
    assert.equal((await count({ operation: OTHER_NAME })).count, 2);
  });

  it('are errors alone where there is nothing to compare with', async () => {
    await world.addSpans([span(1, 1, { status: ERROR }), span(2, 1, { durationMs: 86_400_000 })]);

    assert.equal((await count({ slowerThanNs: Infinity })).count, 1);
  });

  it('show the most telling first, errors before others where the cause is one of errors, five at most', async () => {
    await world.addSpans([
      span(1, 1_000, { durationMs: 500 }),
      span(2, 1_000, { durationMs: 700 }),
      span(3, 2_000, { durationMs: 700 }),
      span(4, 1_000, { status: ERROR }),
      span(5, 1_000, { durationMs: 600 }),
      span(6, 1_000, { durationMs: 101 }),
      span(6, 1_000, { durationMs: 650 }),
    ]);

    assert.deepEqual((await count()).sampleTraceIds, [3, 2, 6, 5, 1].map(traceId));
    assert.deepEqual((await count({ telling: 'errors' })).sampleTraceIds, [4, 3, 2, 6, 5].map(traceId));
  });

  it('are the same when blocks come, merge and leave between the questions, as counting the spans one by one', async () => {
    const given = fc.record({
      trace: fc.integer({ min: 1, max: 12 }),
      endMs: fc.integer({ min: -MINUTE_MS, max: 11 * MINUTE_MS }),
      durationMs: fc.integer({ min: 0, max: 200 }),
      status: fc.constantFrom(OK, ERROR),
      kind: fc.constantFrom(SERVER, CLIENT),
      service: fc.constantFrom('shop', 'cart'),
      isRoot: fc.boolean(),
    });
    const step = fc.record({
      block: fc.array(given, { maxLength: 8 }),
      merges: fc.boolean(),
      window: fc.tuple(fc.integer({ min: -2, max: 12 }), fc.integer({ min: -2, max: 12 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        world = await TelemetryWorld.empty();
        impacted = new ImpactedTraceCounter(new BlockSnapshotReader(() => world.store), 2_000);
        const all: (typeof steps)[number]['block'][number][] = [];
        for (const {
          block,
          merges,
          window: [fromMinute, toMinute],
        } of steps) {
          all.push(...block);
          await world.addSpans(block.map(({ trace, endMs, ...rest }) => span(trace, endMs, rest)));
          if (merges && world.spanShelf.blocks.size > 1)
            await world.commit(world.spanShelf.merge([...world.spanShelf.blocks.keys()]));
          const affected = all.filter(
            ({ endMs, durationMs, status, kind, service, isRoot }) =>
              service === 'shop' &&
              (kind === SERVER || isRoot) &&
              (status === ERROR || durationMs > 100) &&
              endMs >= fromMinute * MINUTE_MS &&
              endMs < toMinute * MINUTE_MS,
          );
          assert.equal((await count({ fromMinute, toMinute })).count, new Set(affected.map(({ trace }) => trace)).size);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are counted from new blocks alone when they are counted again', async () => {
    const reads: string[] = [];
    const blob = world.store.readBlob.bind(world.store);
    world.store.readBlob = (...of) => {
      reads.push(of[1]);
      return blob(...of);
    };
    impacted = new ImpactedTraceCounter(new BlockSnapshotReader(() => world.store, 0));
    await world.addSpans([span(1, 1, { status: ERROR })]);
    await count();
    await world.addSpans([span(2, 1, { status: ERROR })]);
    reads.length = 0;

    assert.equal((await count({ fromMinute: -5 })).count, 2);
    assert.equal(new Set(reads).size, 1);
  });

  it('are counted again after their memory was released', async () => {
    await world.addSpans([span(1, 1, { status: ERROR })]);
    const before = await count();
    const size = impacted.size;
    impacted.releaseUnused();
    assert.equal(impacted.size, size, 'it was used before the first release');
    impacted.releaseUnused();
    assert.equal(impacted.size, 0);
    assert.deepEqual(await count(), before);
    assert.equal(impacted.size, size);
  });
});

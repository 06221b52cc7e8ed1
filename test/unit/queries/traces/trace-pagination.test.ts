import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildLogConditions } from '../../../../src/queries/logs/log-conditions.js';
import { searchLogs, type LogSearch } from '../../../../src/queries/logs/log-search.js';
import { RecordReader } from '../../../../src/queries/telemetry/record-reader.js';
import { compareByStartDescending, type SpanLocation } from '../../../../src/queries/traces/span-location.js';
import { selectTracePage, type TraceSearchResult } from '../../../../src/queries/traces/trace-pagination.js';
import { BlockSnapshotReader } from '../../../../src/queries/telemetry/block-snapshots.js';
import { parseTextQuery } from '../../../../src/telemetry/full-text.js';
import { logs } from '../telemetry/support/random-telemetry.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import { UnlimitedTimeSlice } from '../telemetry/support/unlimited-time-slice.js';

const RANGE = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER };
const timeSlice = new UnlimitedTimeSlice();

/** Traces with the start of their spans and the uncertainty of that start. */
class GivenTraces implements TraceSearchResult {
  readonly size: number;
  readonly count: number;
  readonly latestUs: Float64Array;
  /** Number of spans that were looked up. */
  lookedUp = 0;

  constructor(
    private readonly spans: readonly SpanLocation[],
    slackUs: (place: number) => number,
  ) {
    this.size = spans.length;
    this.count = spans.length;
    this.latestUs = Float64Array.from(spans, ({ startUs }, place) => startUs + slackUs(place));
  }

  async resolveStarts(places: Uint32Array): Promise<Float64Array> {
    return Float64Array.from(places, (place) => this.spans[place].startUs);
  }

  async resolveSpans(places: Uint32Array): Promise<SpanLocation[]> {
    this.lookedUp += places.length;
    return Array.from(places, (place) => this.spans[place]);
  }
}

function spanAt(startUs: number, n: number): SpanLocation {
  return { startUs, startNs: n % 3, spanId: n.toString(16), traceId: '', parentId: '' } as SpanLocation;
}

describe('pages of traces', () => {
  const start = fc.record({ startUs: fc.nat(30), slackUs: fc.nat(20) });

  it('are what sorting all would give, at any depth, though bounds mislead', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(start, { maxLength: 150 }),
        fc.nat(160),
        fc.integer({ min: 1, max: 40 }),
        async (given, skip, size) => {
          const spans = given.map(({ startUs }, n) => spanAt(startUs, n));
          const found = new GivenTraces(spans, (place) => given[place].slackUs);
          assert.deepEqual(
            await selectTracePage(found, skip, size, timeSlice),
            [...spans].sort(compareByStartDescending).slice(skip, skip + size),
          );
        },
      ),
    ));

  it('look up no more spans than are on them, however deep they lie', async () => {
    const found = new GivenTraces(
      Array.from({ length: 50_000 }, (_, n) => spanAt((n * 7_919) % 50_000, n)),
      () => 0,
    );
    const page = await selectTracePage(found, 49_900, 100, timeSlice);
    assert.deepEqual(
      page.map(({ startUs }) => startUs),
      Array.from({ length: 100 }, (_, n) => 99 - n),
    );
    assert.equal(found.lookedUp, 100);
  });

  it('look up nothing beyond the last one', async () => {
    const found = new GivenTraces([spanAt(1, 1)], () => 0);
    assert.deepEqual(await selectTracePage(found, 1e11, 100, timeSlice), []);
    assert.equal(found.lookedUp, 0);
  });

  it('are right where more spans start at once than are put in order at once', async () => {
    const spans = Array.from({ length: 10_000 }, (_, n) => spanAt(5, (n * 7_919) % 10_000));
    assert.deepEqual(
      await selectTracePage(new GivenTraces(spans, () => 0), 20, 10, timeSlice),
      [...spans].sort(compareByStartDescending).slice(20, 30),
    );
  });
});

describe('pages of log records', () => {
  async function searchOf(world: TelemetryWorld): Promise<LogSearch> {
    const query = { gridId: GRID, range: RANGE, page: 1, pageSize: 1 };
    const text = parseTextQuery('');
    const records = new RecordReader(world.bodies, GRID, timeSlice);
    return {
      ...(await new BlockSnapshotReader(() => world.store).readLogs(GRID, timeSlice)),
      records,
      text,
      conditions: buildLogConditions(query, text)!,
    };
  }

  it('are the same however few records may be kept at a time', () =>
    fc.assert(
      fc.asyncProperty(
        logs,
        fc.nat(40),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 12 }),
        async (given, skip, size, maxKept) => {
          const world = await TelemetryWorld.empty();
          for (let from = 0; from < given.length; from += 7) await world.addLogs(given.slice(from, from + 7));
          const search = await searchOf(world);
          const inSteps = await searchLogs(search, skip, size, maxKept);
          const atOnce = await searchLogs(search, skip, size, Infinity);
          assert.deepEqual(inSteps.places.map(rank), atOnce.places.map(rank));
          assert.equal(inSteps.totalCount, given.length);
          assert.equal(inSteps.places.length, Math.max(0, Math.min(size, given.length - skip)));
        },
      ),
    ));

  it('are empty beyond the last record, and report the exact count', async () => {
    const world = await TelemetryWorld.empty();
    await world.addLogs([{ time: 1_760_000_000_000_000_000n, body: 'one', service: 'shop' }]);
    const queries = world.queries();
    for (const page of [2, 1_000_000_000]) {
      assert.deepEqual(await queries.findLogs({ gridId: GRID, range: RANGE, page, pageSize: 100 }), {
        items: [],
        totalCount: 1,
      });
    }
  });
});

function rank({
  timeUs,
  timeNs,
  revision,
  ordinal,
}: {
  timeUs: number;
  timeNs: number;
  revision: number;
  ordinal: number;
}): number[] {
  return [timeUs, timeNs, revision, ordinal];
}

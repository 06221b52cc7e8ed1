import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChartFold, FoldState } from '../../../../src/diagnostics/chart-series/chart-fold-contract.js';
import {
  ChartRollupReader,
  findCommonDigits,
  type ReadRange,
} from '../../../../src/read-models/rollups/chart-rollup-reader.js';
import { RollupReader } from '../../../../src/read-models/rollups/rollup-reader.js';
import { LOGS_PROJECTION } from '../../../../src/read-models/documents/block-documents.js';
import { PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import { logRollupCollections, ROLLUP_BLOB, rollupId } from '../../../../src/read-models/documents/rollup-documents.js';
import { CountedLogs, type Added } from './support/counted-logs.js';

const [GRID, OTHER_GRID] = ['grid-a', 'grid-b'];
/** A whole hour. */
const NOON = 29_000_040 - (29_000_040 % 60);

interface Seen {
  readonly minute: number;
  readonly minutes: number;
  readonly service: string;
  readonly records: number;
}

/** Keeps all that it is given. */
class SeenRollups implements FoldState {
  readonly seen: Seen[] = [];
  readonly bytes = 1000;

  merge(other: SeenRollups): void {
    this.seen.push(...other.seen);
  }
}

function foldOf(kept: SeenRollups, service: string | undefined): ChartFold {
  return {
    part: 'logs',
    service,
    state: kept,
    key: service ?? '',
    add: ({ minute, minutes, value }) =>
      void kept.seen.push({ minute: minute - NOON, minutes, service: value.service, records: value.severities[2] }),
    createBucketFold: () => foldOf(new SeenRollups(), service),
    mergeBucketFold: (_minute, folded) => kept.merge(folded.state as SeenRollups),
    computeInSlices: () => assert.fail('nobody asked'),
    compute: () => assert.fail('nobody asked'),
  };
}

describe('rollups for charts', () => {
  let logs: CountedLogs;
  let charts: ChartRollupReader;

  beforeEach(async () => {
    logs = await new CountedLogs().start();
    charts = new ChartRollupReader(() => logs.store, new RollupReader(logs.store));
  });

  const at = (minute: number, service = 'shop', gridId = GRID): Added => ({ gridId, service, minute: NOON + minute });
  const range = (from: number, to: number, byHour = false): ReadRange => ({ from: NOON + from, to: NOON + to, byHour });
  const read = async (
    where: ReadRange,
    service?: string,
    yieldThread: () => Promise<void> | undefined = () => undefined,
  ): Promise<Seen[]> => {
    const kept = new SeenRollups();
    await charts.foldInto(foldOf(kept, service), GRID, where, yieldThread);
    return kept.seen;
  };
  const records = (seen: readonly Seen[]): number => seen.reduce((sum, one) => sum + one.records, 0);

  it('are those of the minutes of one Grid, in order of time and service', async () => {
    await logs.add(at(2), at(1, 'cart'), at(1), at(1), at(0), at(5), at(1, 'shop', OTHER_GRID));

    assert.deepEqual(await read(range(1, 5)), [
      { minute: 1, minutes: 1, service: 'cart', records: 1 },
      { minute: 1, minutes: 1, service: 'shop', records: 2 },
      { minute: 2, minutes: 1, service: 'shop', records: 1 },
    ]);
  });

  it('are read once each, whatever minutes are read together and however many rollups there are', async () => {
    const minutes = [-41, -40, -1, 0, 9, 60, 61, 959, 960, 1_059, 2_000];
    await logs.add(
      ...minutes.map((minute) => at(minute)),
      ...Array.from({ length: 120 }, (_, i) => at(7, `service-${i}`)),
    );
    assert.deepEqual(
      (await read(range(-40, 1_060))).map(({ minute }) => minute),
      [-40, -1, 0, ...Array.from({ length: 120 }, () => 7), 9, 60, 61, 959, 960, 1_059],
    );
  });

  it('are read together by the common digits of their minutes, from the first to the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000_000 }), fc.integer({ min: 1, max: 5_000 }), (from, length) => {
        for (let [at, to] = [from, from + length]; at < to;) {
          const { minutes, prefix } = findCommonDigits(at, to);
          assert.ok(at + minutes <= to);
          for (const minute of [at, at + minutes - 1]) assert.ok(`${minute}/`.startsWith(prefix));
          at += minutes;
        }
      }),
    );
    assert.deepEqual(findCommonDigits(29_000_000, 29_001_000), { minutes: 1_000, prefix: '29000' });
  });

  it('are those of one service if the chart uses no other', async () => {
    await logs.add(at(1), at(1, 'cart'), at(3, 'cart'));

    assert.deepEqual(
      (await read(range(0, 5), 'cart')).map(({ minute, service }) => [minute, service]),
      [
        [1, 'cart'],
        [3, 'cart'],
      ],
    );
    assert.deepEqual(await read(range(0, 5), 'nobody'), []);
    assert.deepEqual(await read(range(0, 5), 'car'), []);
  });

  it('are hours if they are complete, merged and requested, and minutes otherwise', async () => {
    await logs.add(at(-1), at(0), at(59), at(60), at(119), at(120), at(240));
    await logs.add(at(250)); // makes the hours that are over

    const lengths = (seen: readonly Seen[]) => seen.map(({ minute, minutes }) => [minute, minutes]);
    for (const service of [undefined, 'shop']) {
      assert.deepEqual(lengths(await read(range(-1, 251, true), service)), [
        [-1, 1],
        [0, 60],
        [60, 60],
        [120, 60],
        [240, 1],
        [250, 1],
      ]);
      assert.deepEqual(lengths(await read(range(59, 121), service)), [
        [59, 1],
        [60, 1],
        [119, 1],
        [120, 1],
      ]);
    }
    await logs.add(at(30));
    assert.deepEqual(lengths(await read(range(0, 120, true))), [
      [0, 1],
      [30, 1],
      [59, 1],
      [60, 60],
    ]);
  });

  it('add up to the same as the records themselves, whatever was committed between the questions', async () => {
    const minute = fc.integer({ min: -30, max: 500 });
    const commit = fc.array(
      fc.record({ minute, service: fc.constantFrom('shop', 'cart'), gridId: fc.constantFrom(GRID, OTHER_GRID) }),
      { minLength: 1, maxLength: 4 },
    );
    const step = fc.record({
      commits: fc.array(commit, { minLength: 1, maxLength: 3 }),
      window: fc.tuple(minute, minute),
      byHour: fc.boolean(),
      service: fc.constantFrom(undefined, 'shop'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        logs = await new CountedLogs().start();
        charts = new ChartRollupReader(() => logs.store, new RollupReader(logs.store));
        const all: Added[] = [];
        for (const {
          commits,
          window: [from, to],
          byHour,
          service,
        } of steps) {
          for (const added of commits) {
            const placed = added.map((one) => ({ ...one, minute: NOON + one.minute }));
            all.push(...placed);
            await logs.add(...placed);
          }
          const counted = all.filter(
            (one) =>
              one.gridId === GRID &&
              one.minute >= NOON + from &&
              one.minute < NOON + to &&
              (service ?? one.service) === one.service,
          );
          assert.equal(records(await read(range(from, to, byHour), service)), counted.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  describe('of time buckets that were folded before', () => {
    beforeEach(async () => {
      await logs.add(at(0), at(10, 'cart'), at(70), at(130), at(250));
      await logs.add(at(250)); // makes the hours that are over
    });
    const blobsOf = async (question: () => Promise<unknown>): Promise<number> => {
      const before = logs.store.blobsRead;
      await question();
      return logs.store.blobsRead - before;
    };

    it('are not read again, also where the range has moved', async () => {
      assert.equal(await blobsOf(() => read(range(0, 180, true), 'shop')), 3);
      assert.equal(await blobsOf(() => read(range(0, 180, true), 'shop')), 0);
      assert.equal(await blobsOf(() => read(range(60, 240, true), 'shop')), 1);
      assert.deepEqual(
        (await read(range(0, 240, true), 'shop')).map(({ minute }) => minute),
        [0, 60, 120],
      );
    });

    it('are minutes too, beside hours: those that have changed are read again', async () => {
      const minutes = (seen: readonly Seen[]): number[][] =>
        seen.filter((one) => one.minutes === 1).map(({ minute, records: own }) => [minute, own]);
      assert.deepEqual(minutes(await read(range(0, 251, true), 'shop')), [[250, 2]]);
      assert.equal(await blobsOf(() => read(range(0, 251, true), 'shop')), 0);
      await logs.add(at(250), at(245));
      assert.equal(
        await blobsOf(async () =>
          assert.deepEqual(minutes(await read(range(0, 251, true), 'shop')), [
            [245, 1],
            [250, 3],
          ]),
        ),
        2,
      );
      assert.equal(await blobsOf(() => read(range(240, 251), 'shop')), 11, 'but not where no hours are read');
    });

    it('are those of one Grid and of one chart', async () => {
      await logs.add(at(0, 'shop', OTHER_GRID), at(250, 'shop', OTHER_GRID));
      await logs.add(at(250, 'shop', OTHER_GRID));
      assert.equal(records(await read(range(0, 180, true))), 4);
      assert.equal(records(await read(range(0, 180, true), 'cart')), 1);
      assert.equal(records(await read(range(0, 180, true), 'nobody')), 0);
      const kept = new SeenRollups();
      await charts.foldInto(foldOf(kept, undefined), OTHER_GRID, range(0, 180, true), () => undefined);
      assert.equal(records(kept.seen), 1);
    });

    it('include late telemetry, while the hour is open and once it is merged again; the others are not read', async () => {
      await read(range(0, 180, true), 'shop');
      await logs.add(at(75)); // opens its hour
      assert.deepEqual(
        (await read(range(0, 180, true), 'shop')).map(({ minute, records: own }) => [minute, own]),
        [
          [0, 1],
          [70, 1],
          [75, 1],
          [120, 1],
        ],
      );
      await logs.add(at(251)); // makes it
      assert.equal(
        await blobsOf(async () =>
          assert.deepEqual(
            (await read(range(0, 180, true), 'shop')).map(({ minute, records: own }) => [minute, own]),
            [
              [0, 1],
              [60, 2],
              [120, 1],
            ],
          ),
        ),
        1,
      );
    });

    it('include what was committed while they were read', async () => {
      let isLate = true;
      const late = async (): Promise<void> => {
        if (!isLate) return;
        isLate = false;
        await logs.add(at(70), at(0, 'late'));
        await logs.add(at(251));
        await read(range(60, 120, true), 'somebody'); // looks at what has changed
      };
      await read(range(0, 180, true), undefined, late);
      assert.equal(isLate, false);
      assert.equal(records(await read(range(0, 180, true))), 6);
    });

    it('are not used in a range that ends within them', async () => {
      await read(range(0, 180, true));
      assert.deepEqual(
        (await read(range(0, 100, true))).map(({ minute, minutes }) => [minute, minutes]),
        [
          [0, 60],
          [0, 60],
          [70, 1],
        ],
      );
      assert.deepEqual(
        (await read(range(0, 70, true))).map(({ minute }) => minute),
        [0, 0],
      );
    });

    it('include nothing that has expired', async () => {
      await read(range(0, 180, true));
      await logs.expire(GRID, NOON + 100);
      assert.deepEqual(
        (await read(range(0, 180, true))).map(({ minute, minutes }) => [minute, minutes]),
        [[120, 60]],
      );
    });

    it('are those of the active version: a rebuild replaces them', async () => {
      await read(range(0, 180, true));
      const [blob] = await logs.store.readBlobs(logRollupCollections(1).hours, ROLLUP_BLOB, {
        prefix: `${GRID}/${NOON}/shop`,
        limit: 1,
      });
      const document = { gridId: GRID, minute: NOON + 60, service: 'shop', stamp: 1 };
      await logs.store.commit(
        [
          {
            kind: 'put',
            collection: logRollupCollections(2).hours,
            id: rollupId(document),
            document,
            blobs: { [ROLLUP_BLOB]: blob.blob },
          },
          {
            kind: 'put',
            collection: logRollupCollections(2).catalogs,
            id: GRID,
            document: { gridId: GRID, stamp: 1, newestMinute: NOON + 250, openHours: [], expiredBefore: 0 },
          },
          { kind: 'put', collection: PROJECTIONS, id: LOGS_PROJECTION, document: { active: 2, schema: 1 } },
        ],
        [],
      );
      assert.deepEqual(
        (await read(range(0, 180, true))).map(({ minute }) => minute),
        [60],
      );
    });

    it('are read again after a gap without a refresh', async () => {
      let nowMs = 0;
      charts = new ChartRollupReader(() => logs.store, new RollupReader(logs.store, undefined, () => nowMs));
      assert.equal(await blobsOf(() => read(range(0, 180, true), 'shop')), 3);
      nowMs = 31_000;
      assert.equal(await blobsOf(() => read(range(0, 180, true), 'shop')), 3);
    });
  });

  it('are all of them, however many services a bucket has', async () => {
    const services = Array.from({ length: 250 }, (_, i) => `service-${i}`);
    await logs.add(
      ...services.map((service) => at(1, service)),
      ...services.slice(0, 100).map((service) => at(2, service)),
    );

    const seen = await read(range(0, 5));
    assert.deepEqual(
      seen.filter(({ minute }) => minute === 1).map(({ service }) => service),
      [...services].sort(),
    );
    assert.equal(seen.filter(({ minute }) => minute === 2).length, 100);
  });

  it('yield the thread after each', async () => {
    await logs.add(at(0), at(1), at(1, 'cart'));
    let [seen, gaveWay] = [0, 0];
    const way = (): Promise<void> => {
      gaveWay++;
      return new Promise((resolve) => void setImmediate(resolve));
    };
    seen = (await read(range(0, 2), undefined, way)).length;
    assert.ok(seen === 3 && gaveWay >= seen);
    await assert.rejects(
      read(range(0, 2), 'shop', () => Promise.reject(new Error('too old'))),
      /too old/,
    );
  });

  it('are none before the first commit, of an unknown Grid, after the newest minute and before what has expired', async () => {
    assert.deepEqual(await read(range(0, 100)), []);
    await logs.add(at(0), at(70), at(130), at(300));
    const before = logs.store.blobsRead;
    assert.deepEqual(await read(range(301, 1_000), 'shop'), []);
    assert.equal(logs.store.blobsRead, before);

    await logs.expire(GRID, NOON + 100);
    assert.deepEqual(
      (await read(range(0, 301), 'shop')).map(({ minute }) => minute),
      [130, 300],
    );
    assert.equal(logs.store.blobsRead - before, 201);
  });

  it('include every commit before the query', async () => {
    for (let minute = 0; minute < 5; minute++) {
      await logs.add(at(0), at(minute));
      assert.equal(records(await read(range(0, 10))), 2 * (minute + 1));
    }
  });
});

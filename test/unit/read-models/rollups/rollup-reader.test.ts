import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRollup, TimeBucket } from '../../../../src/diagnostics/rollups/rollup-types.js';
import { LOGS_PROJECTION } from '../../../../src/read-models/documents/block-documents.js';
import { PROJECTIONS } from '../../../../src/read-models/documents/projection-documents.js';
import { RollupCache } from '../../../../src/read-models/rollups/rollup-cache.js';
import { RollupReader } from '../../../../src/read-models/rollups/rollup-reader.js';
import { CountedLogs, type Added } from './support/counted-logs.js';

const [GRID, OTHER_GRID] = ['grid-a', 'grid-b'];
/** A whole hour. */
const NOON = 29_000_040 - (29_000_040 % 60);

describe('rollup reader', () => {
  let logs: CountedLogs;
  let reader: RollupReader;

  beforeEach(async () => {
    logs = await new CountedLogs().start();
    reader = new RollupReader(logs.store);
  });

  const at = (minute: number, service = 'shop', gridId = GRID): Added => ({ gridId, service, minute: NOON + minute });
  const load = async (from: number, to: number, service?: string, gridId = GRID) => {
    await reader.refresh();
    return reader.load('logs', gridId, NOON + from, NOON + to, service);
  };
  const records = (loaded: readonly TimeBucket<LogRollup>[]): number =>
    loaded.reduce((sum, { value }) => sum + value.severities[2], 0);

  it('returns the minutes of a window, in order of time and service', async () => {
    await logs.add(at(2), at(1, 'cart'), at(1), at(1), at(0), at(5));

    assert.deepEqual(
      (await load(1, 5)).map(({ minute, minutes, value }) => [
        minute - NOON,
        minutes,
        value.service,
        value.severities[2],
      ]),
      [
        [1, 1, 'cart', 1],
        [1, 1, 'shop', 2],
        [2, 1, 'shop', 1],
      ],
    );
  });

  it('returns one service, and one Grid, only', async () => {
    await logs.add(at(1), at(1, 'cart'), at(1, 'shop', OTHER_GRID));

    assert.deepEqual(
      (await load(0, 5, 'cart')).map(({ value }) => value.service),
      ['cart'],
    );
    assert.deepEqual(await load(0, 5, 'nobody'), []);
    assert.equal(records(await load(0, 5, undefined, OTHER_GRID)), 1);
  });

  it('reads nothing while the store counts no commit, and everything once it does', async () => {
    let commits = 1;
    let finds = 0;
    const { store } = logs;
    const find = store.find.bind(store);
    Object.assign(store, {
      readChangeCounter: async () => commits,
      find: (...query: Parameters<typeof find>) => (finds++, find(...query)),
    });
    await logs.add(at(1));
    const first = await reader.refresh();
    assert.equal(records(await reader.load('logs', GRID, NOON, NOON + 5)), 1);
    finds = 0;
    await logs.add(at(2));
    assert.deepEqual([await reader.refresh(), finds], [first, 0]);
    commits = 2;
    assert.ok((await reader.refresh()) > first);
    assert.equal(records(await reader.load('logs', GRID, NOON, NOON + 5)), 2);
  });

  it('returns nothing before the first commit, and without a projection', async () => {
    assert.deepEqual(await load(0, 100), []);
    assert.deepEqual(await new RollupReader(new CountedLogs().store).load('grids', GRID, NOON, NOON + 5), []);
  });

  it('includes every commit before the query', async () => {
    for (let minute = 0; minute < 5; minute++) {
      await logs.add(at(0), at(minute));
      assert.equal(records(await load(0, 10)), 2 * (minute + 1));
    }
  });

  it('reads complete hours of a long window by the hour once they are merged, and the rest by the minute', async () => {
    await logs.add(at(-1), at(0), at(59), at(60), at(119), at(120), at(240));
    await logs.add(at(250)); // makes the hours that are over

    const lengths = (await load(-1, 251)).map(({ minute, minutes }) => [minute - NOON, minutes]);
    assert.deepEqual(lengths, [
      [-1, 1],
      [0, 60],
      [60, 60],
      [120, 60],
      [240, 1],
      [250, 1],
    ]);
    assert.ok(
      (await load(0, 180)).every(({ minutes }) => minutes === 1),
      'three hours are read by the minute',
    );
  });

  it('reads an hour by its minutes again while late records are not part of it', async () => {
    await logs.add(at(0), at(240));
    await logs.add(at(250));
    assert.equal((await load(0, 250))[0].minutes, 60);

    await logs.add(at(30));
    assert.deepEqual(
      (await load(0, 250)).slice(0, 2).map(({ minutes }) => minutes),
      [1, 1],
    );

    await logs.add(at(251));
    const [hour] = await load(0, 250);
    assert.deepEqual([hour.minutes, records([hour])], [60, 2]);
  });

  it('adds up to the same as the records themselves, whatever was committed between the queries', async () => {
    const minute = fc.integer({ min: -30, max: 500 });
    const commit = fc.array(
      fc.record({ minute, service: fc.constantFrom('shop', 'cart'), gridId: fc.constantFrom(GRID, OTHER_GRID) }),
      { minLength: 1, maxLength: 4 },
    );
    const step = fc.record({
      commits: fc.array(commit, { minLength: 1, maxLength: 3 }),
      window: fc.tuple(minute, minute),
      service: fc.constantFrom(undefined, 'shop'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        logs = await new CountedLogs().start();
        reader = new RollupReader(logs.store, { cache: new RollupCache(2_000) }); // so small that it evicts
        const all: Added[] = [];
        for (const { commits, window, service } of steps) {
          for (const added of commits) {
            const placed = added.map((one) => ({ ...one, minute: NOON + one.minute }));
            all.push(...placed);
            await logs.add(...placed);
          }
          const [from, to] = window;
          const counted = all.filter(
            (one) =>
              one.gridId === GRID &&
              one.minute >= NOON + from &&
              one.minute < NOON + to &&
              (service ?? one.service) === one.service,
          );
          assert.equal(records(await load(from, to, service)), counted.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('reads a blob again only when it has changed', async () => {
    const readBy = async (work: () => Promise<unknown>): Promise<number> => {
      const before = logs.store.blobsRead;
      await work();
      return logs.store.blobsRead - before;
    };
    await logs.add(at(0), at(1), at(2));

    assert.equal(await readBy(() => load(0, 5)), 3);
    assert.equal(await readBy(() => load(0, 5)), 0);
    await logs.add(at(1));
    assert.equal(await readBy(() => load(0, 5)), 1);
  });

  it('caches no more than its limit, and reads evicted rollups again', async () => {
    reader = new RollupReader(logs.store, { cache: new RollupCache(3_000) });
    await logs.add(...Array.from({ length: 50 }, (_, minute) => at(minute)));

    assert.equal(records(await load(0, 50)), 50);
    const read = logs.store.blobsRead;
    assert.equal(records(await load(0, 50)), 50);
    assert.ok(logs.store.blobsRead > read + 20);
  });

  it('drops what retention removed', async () => {
    await logs.add(at(0), at(70), at(130), at(300));
    await load(0, 301);
    await logs.expire(GRID, NOON + 100);

    assert.deepEqual(
      (await load(0, 301)).map(({ minute }) => minute - NOON),
      [130, 300],
    );
  });

  it('switches to the active version', async () => {
    await logs.add(at(0));
    await load(0, 5);
    await logs.store.commit(
      [{ kind: 'put', collection: PROJECTIONS, id: LOGS_PROJECTION, document: { active: 2, schema: 1 } }],
      [],
    );

    assert.deepEqual(await load(0, 5), []);
  });

  it('reports which Grids changed, and their newest minute', async () => {
    await logs.add(at(0), at(3, 'shop', OTHER_GRID));
    await reader.refresh();
    const [grid, other] = [reader.lastChange(GRID), reader.lastChange(OTHER_GRID)];
    await logs.add(at(7));
    const look = await reader.refresh();

    assert.equal(reader.lastChange(GRID), look);
    assert.ok(grid < look);
    assert.equal(reader.lastChange(OTHER_GRID), other);
    assert.equal(reader.newestMinute(GRID), NOON + 7);
    assert.equal(reader.newestMinute('unknown'), undefined);
    assert.deepEqual([...reader.grids()].sort(), [GRID, OTHER_GRID]);
    assert.ok((await reader.refresh()) > look && reader.lastChange(GRID) === look);
  });

  it('has one refresh running and one pending, however many callers, and each sees what was committed before its call', async () => {
    await reader.refresh();
    logs.store.lookedIn.length = 0;
    await logs.add(at(0));
    const asked = [reader.refresh(), ...Array.from({ length: 9 }, () => reader.refresh())];
    await Promise.resolve(); // the first has begun
    await logs.add(at(1, 'shop', OTHER_GRID));
    const later = Array.from({ length: 10 }, () => reader.refresh());
    const [first, last] = [new Set(await Promise.all(asked)), new Set(await Promise.all(later))];

    assert.deepEqual([first.size, last.size], [1, 1]);
    assert.equal(logs.store.lookedIn.filter((name) => name === 'log-rollups.v1').length, 2);
    assert.deepEqual(
      [reader.lastChange(GRID), reader.lastChange(OTHER_GRID)].map((look) => look > 1),
      [true, true],
    );
  });

  it('starts over after a long gap, instead of loading everything that changed meanwhile', async () => {
    let nowMs = 0;
    reader = new RollupReader(logs.store, undefined, () => nowMs);
    await logs.add(at(0));
    assert.equal(records(await load(0, 5)), 1);
    const before = reader.lastChange(GRID);
    nowMs = 31_000;
    await logs.add(...Array.from({ length: 200 }, (_, minute) => at(minute)));
    logs.store.found = 0;
    const look = await reader.refresh();

    assert.ok(logs.store.found < 10, `${logs.store.found} documents`);
    assert.ok(look > before && reader.lastChange(GRID) === look, 'nobody may take what he remembers for current');
    assert.equal(records(await load(0, 200)), 201);
    nowMs += 29_000;
    await logs.add(at(1));
    await reader.refresh();
    assert.equal(reader.lastChange(OTHER_GRID), look, 'no pause, no change');
  });

  it('reads several blobs at once, but not all', async () => {
    await logs.add(...Array.from({ length: 50 }, (_, minute) => at(minute)));
    assert.equal(records(await load(0, 50)), 50);
    assert.equal(logs.store.mostReading, 16);
  });

  it('returns the right result to each of many concurrent callers, though the cache holds hardly any', async () => {
    reader = new RollupReader(logs.store, { cache: new RollupCache(500) });
    await logs.add(...Array.from({ length: 60 }, (_, minute) => at(minute)));
    const loaded = await Promise.all(
      [
        [0, 60],
        [10, 40],
        [0, 20],
        [30, 60],
      ].map(async ([from, to]) => [records(await load(from, to)), to - from]),
    );
    for (const [got, expected] of loaded) assert.equal(got, expected);
  });

  it('does not treat a failed refresh as one that found nothing', async () => {
    await reader.refresh();
    const find = logs.store.find.bind(logs.store);
    await logs.add(at(0));
    logs.store.find = () => Promise.reject(new Error('away'));
    await assert.rejects(reader.refresh(), /away/);
    logs.store.find = find;

    assert.equal(records(await load(0, 5)), 1);
    assert.ok(reader.lastChange(GRID) > 1);
  });

  it('releases rollups that were not read since the last release', async () => {
    const cache = new RollupCache(1_000_000);
    reader = new RollupReader(logs.store, { cache });
    await logs.add(
      { gridId: GRID, minute: NOON, service: 'shop' },
      { gridId: GRID, minute: NOON + 1, service: 'shop' },
    );
    const both = await load(0, 2);
    assert.equal(records(both), 2);
    const full = cache.size;
    cache.releaseUnused();
    await load(1, 2);
    cache.releaseUnused();
    assert.ok(cache.size > 0 && cache.size < full);
    cache.releaseUnused();
    assert.equal(cache.size, 0);
    assert.deepEqual(await load(0, 2), both);
    assert.equal(cache.size, full);
  });
});

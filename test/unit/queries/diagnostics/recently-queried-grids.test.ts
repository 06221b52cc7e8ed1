import assert from 'node:assert/strict';
import { MINUTE_MS } from '../../../../src/diagnostics/time-windows.js';
import { RecentlyQueriedGrids } from '../../../../src/queries/diagnostics/recently-queried-grids.js';
import { HOUR_MS, spans } from '../../diagnostics/given-rollups.js';
import { naiveRollups } from '../../../support/naive-rollups.js';
import { DiagnosticsWorld, GRID } from './support/diagnostics-world.js';

const BOUNDS = { ttlMs: 60_000, maxGrids: 3, evictableAfterMs: 5_000 };

describe('recently queried Grids', () => {
  let nowMs: number;
  let recentGrids: RecentlyQueriedGrids;
  let news: number;

  beforeEach(() => {
    [nowMs, news] = [0, 0];
    recentGrids = new RecentlyQueriedGrids(
      () => nowMs,
      () => news++,
      BOUNDS,
    );
  });

  function noteAt(ms: number, gridId: string): boolean {
    nowMs = ms;
    return recentGrids.record(gridId);
  }

  it('are remembered for a minute after the last question', () => {
    noteAt(0, 'a');
    noteAt(1_000, 'b');
    noteAt(30_000, 'a');
    nowMs = 60_999;
    assert.deepEqual(recentGrids.grids(), ['b', 'a']);
    nowMs = 61_000;
    assert.deepEqual(recentGrids.grids(), ['a']);
    assert.deepEqual([recentGrids.takeEvicted(), recentGrids.takeEvicted()], [['b'], []]);
    nowMs = 90_000;
    assert.deepEqual([recentGrids.grids(), recentGrids.takeEvicted()], [[], ['a']]);
  });

  it('are not said to have left when they are asked about again before anybody learned of it', () => {
    noteAt(0, 'a');
    nowMs = 70_000;
    assert.deepEqual(recentGrids.grids(), []);
    recentGrids.record('a');
    assert.deepEqual([recentGrids.grids(), recentGrids.takeEvicted()], [['a'], []]);
  });

  it('are reported when they are new, or come back', () => {
    for (const ms of [0, 100]) noteAt(ms, 'a');
    assert.equal(news, 1);
    nowMs = 70_000;
    recentGrids.grids();
    recentGrids.record('a');
    assert.equal(news, 2);
    for (const gridId of ['b', 'c', 'd', 'd']) recentGrids.record(gridId);
    assert.equal(news, 4, 'there is no room for the last');
  });

  it('make room for another: who was not asked about for the longest time, unless somebody follows all of them', () => {
    for (const gridId of ['a', 'b', 'c']) noteAt(0, gridId);
    assert.equal(noteAt(4_999, 'd'), false);
    for (const gridId of ['a', 'b', 'c']) assert.equal(noteAt(5_000, gridId), true);
    noteAt(9_000, 'b');
    assert.equal(noteAt(10_000, 'd'), true);
    assert.deepEqual([[...recentGrids.grids()].sort(), recentGrids.takeEvicted()], [['b', 'c', 'd'], ['a']]);
    assert.equal(noteAt(10_001, 'e'), true, 'c was last asked about 5 s ago');
    assert.equal(noteAt(10_002, 'f'), false);
  });
});

describe('live results of recently queried Grids', () => {
  /** 12:30:20. */
  const NOW = HOUR_MS + 30 * MINUTE_MS + 20_000;
  const OTHER = '3f2b8c54-93a1-4b0e-8a51-0d4f6f7c2e11';
  let world: DiagnosticsWorld;
  let most: number;

  beforeEach(async () => {
    most = 1;
    world = new DiagnosticsWorld(
      NOW,
      16,
      new RecentlyQueriedGrids(() => world.nowMs, undefined, {
        ...BOUNDS,
        get maxGrids() {
          return most;
        },
      }),
    );
    await world.project(
      naiveRollups({
        spans: spans(100, NOW - 20 * MINUTE_MS, NOW, { service: 'shop', operation: 'buy', ms: 120 }),
        logs: [],
        points: [],
      }),
    );
  });

  it('are due once somebody asks about now, or for a live answer', async () => {
    assert.deepEqual(await world.liveSource.findDueGrids(), []);
    await world.queries.health(GRID, { asOfMs: NOW - MINUTE_MS });
    await world.queries.evaluations(GRID);
    await world.queries.gridsWithRecentTelemetry();
    assert.deepEqual(await world.queries.recentDiagnosis(GRID), await world.queries.diagnosis(GRID, { asOfMs: NOW }));
    assert.deepEqual(await world.liveSource.findDueGrids(), []);
    await world.queries.health(GRID, {});
    assert.deepEqual(await world.liveSource.findDueGrids(), [GRID]);
  });

  it('are due again when somebody comes back, and answers that were kept are forgotten meanwhile', async () => {
    await world.queries.liveDocument(GRID, 'health');
    (await world.liveSource.computeFor(GRID)).markStored();
    assert.deepEqual([await world.liveSource.findDueGrids(), world.liveSource.takeReleasedGrids()], [[], []]);
    world.nowMs += 60_000;
    assert.deepEqual(
      [
        await world.liveSource.findDueGrids(),
        world.liveSource.takeReleasedGrids(),
        world.liveSource.takeReleasedGrids(),
      ],
      [[], [GRID], []],
    );
    await world.queries.liveDocument(GRID, 'health');
    assert.deepEqual(await world.liveSource.findDueGrids(), [GRID]);
    assert.equal((await world.liveSource.computeFor(GRID)).answers.size, 9);
  });

  it('are not of a Grid that has nothing to report', async () => {
    await world.queries.liveDocument(OTHER, 'health');
    assert.deepEqual(await world.liveSource.findDueGrids(), []);
  });

  it('are refused as a stream where there is no room, and computed as an answer', async () => {
    await world.queries.liveDocument(OTHER, 'health');
    await assert.rejects(world.queries.liveDocument(GRID, 'health'), { code: 'overloaded', retryable: true });
    assert.equal((await world.queries.health(GRID, {})).services.length, 1);
    most = 2;
    await world.queries.liveDocument(GRID, 'health');
    assert.deepEqual(await world.liveSource.findDueGrids(), [GRID]);
  });
});

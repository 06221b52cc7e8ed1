import assert from 'node:assert/strict';
import { VirtualTimeScheduler } from 'rxjs';
import { LiveDiagnosticsRefresher } from '../../../src/projections/live-diagnostics-refresher.js';
import { MemoryReadModelStore } from '../../../src/read-models/adapters/memory/read-model-store.js';
import {
  LIVE_DIAGNOSTICS,
  liveDiagnosticsId,
  type LiveDiagnosticsSource,
  type LiveTopic,
} from '../../../src/read-models/documents/live-diagnostics-documents.js';
import { InProcessFeed } from '../../../src/streams/live/in-process-feed.js';
import type { ChangeHint } from '../../../src/streams/live/live-feed.js';
import type { Position } from '../../../src/streams/event-store.js';
import type { Logger } from '../../../src/self-telemetry/logger.js';

const PROJECTED: ChangeHint = { topic: 'projected', projection: 'traces', position: '1' as Position };
const GRID = 'grid-a';
let feeds = 0;

describe('live diagnostics', () => {
  let time: VirtualTimeScheduler;
  let store: MemoryReadModelStore;
  let feed: InProcessFeed;
  let live: LiveDiagnosticsRefresher;
  let announced: string[];
  let warnings: string[];
  let due: string[];
  let released: string[];
  let followed: Set<string>;
  let answers: Partial<Record<LiveTopic, object>>;
  /** Grids that were computed, with the time. */
  let asked: [string, number][];
  let kept: string[];
  let tookMs: number;
  let failing: (() => Promise<never>) | undefined;
  let started: boolean;

  const source: LiveDiagnosticsSource = {
    findDueGrids: async () => due,
    isFollowed: (gridId) => followed.has(gridId),
    takeReleasedGrids: () => released.splice(0),
    async computeFor(gridId) {
      asked.push([gridId, time.now()]);
      await failing?.();
      time.frame += tookMs;
      return {
        at: time.now(),
        answers: new Map(Object.entries(answers) as [LiveTopic, object][]),
        markStored: () => kept.push(gridId),
      };
    },
  };

  beforeEach(() => {
    time = new VirtualTimeScheduler();
    store = new MemoryReadModelStore();
    feed = new InProcessFeed(`live-diagnostics-${++feeds}`);
    [announced, warnings, due, released, asked, kept] = [[], [], [], [], [], []];
    followed = new Set();
    [answers, tookMs, failing] = [{ trends: { rate: 1 } }, 0, undefined];
    feed.hints.subscribe(
      (hint) => hint.topic === 'diagnosed' && announced.push(`${hint.gridId} ${hint.diagnostic} ${hint.version}`),
    );
    const log = { warn: (message: string) => warnings.push(message) } as unknown as Logger;
    live = new LiveDiagnosticsRefresher({ source, store, feed, log, scheduler: time });
    started = false;
  });

  afterEach(async () => {
    await live.stop();
    await feed.close();
  });

  /** Virtual time, in which promises settle; it begins with the start. */
  async function pass(untilMs: number): Promise<void> {
    if (!started) void live.start();
    started = true;
    for (let i = 0; i < 5; i++) await new Promise(setImmediate);
    while (time.frame < untilMs) {
      time.maxFrames = Math.min(untilMs, time.frame + 50);
      time.schedule(() => undefined, time.maxFrames - time.frame);
      time.flush();
      for (let i = 0; i < 5; i++) await new Promise(setImmediate);
    }
  }

  const document = (topic: LiveTopic) => store.get(LIVE_DIAGNOSTICS, liveDiagnosticsId(GRID, topic));
  const times = (): number[] => asked.map(([, at]) => at);

  it('store and announce a result, and again only when it changes', async () => {
    due = [GRID];
    await pass(600);
    assert.deepEqual(await document('trends'), {
      gridId: GRID,
      topic: 'trends',
      version: 1,
      at: 500,
      answer: { rate: 1 },
    });
    assert.deepEqual(announced, [`${GRID} trends 1`]);
    assert.deepEqual(kept, [GRID, GRID]);

    answers = { trends: { rate: 2 } };
    await pass(1_600);
    assert.deepEqual(announced, [`${GRID} trends 1`, `${GRID} trends 2`]);
    assert.deepEqual((await document('trends'))?.answer, { rate: 2 });
  });

  it('do not treat the time of health as a change, but store it', async () => {
    due = [GRID];
    answers = { health: { timestamp: 1, services: [] } };
    await pass(0);
    answers = { health: { timestamp: 2, services: [] } };
    await pass(600);

    assert.deepEqual(announced, [`${GRID} health 1`]);
    assert.deepEqual(await document('health'), {
      gridId: GRID,
      topic: 'health',
      version: 1,
      at: 500,
      answer: { timestamp: 2, services: [] },
    });
  });

  it('continue from the versions in the store', async () => {
    const known = { gridId: GRID, topic: 'trends', version: 7, at: 0, answer: { rate: 1 } };
    await store.commit(
      [{ kind: 'put', collection: LIVE_DIAGNOSTICS, id: liveDiagnosticsId(GRID, 'trends'), document: known }],
      [],
    );
    due = [GRID];
    await pass(10);
    answers = { trends: { rate: 2 } };
    await pass(600);

    assert.deepEqual(announced, [`${GRID} trends 8`]);
  });

  it('are removed when no client uses them, and no version is reused', async () => {
    due = [GRID];
    await pass(600);
    answers = { trends: { rate: 2 } };
    await pass(1_100);
    [due, released] = [[], [GRID]];
    await pass(3_000);
    assert.equal(await document('trends'), undefined);

    due = [GRID];
    await pass(4_200);
    assert.equal((await document('trends'))?.version, 3);
    assert.deepEqual(
      announced,
      [1, 2, 3].map((version) => `${GRID} trends ${version}`),
    );
  });

  it('are refreshed twice a second while something changes, and once a second otherwise', async () => {
    due = [GRID];
    await pass(1_900);
    assert.deepEqual(times(), [0, 500, 1_000, 1_500]);

    due = [];
    await pass(2_100);
    due = [GRID];
    await pass(3_100);
    assert.deepEqual(times().slice(4), [3_000]);
  });

  it('follow a hint at once after a pause', async () => {
    await pass(300);
    due = [GRID];
    feed.announce(PROJECTED);
    await pass(350);

    assert.equal(asked.length, 1);
    assert.ok(times()[0] <= 350);
  });

  it('start at once when a client waits', async () => {
    await pass(100);
    due = [GRID];
    live.wake();
    await pass(200);
    assert.deepEqual(times(), [100]);
  });

  it('take a tenth of the time at most, but tolerate one slow round', async () => {
    due = [GRID];
    tookMs = 200;
    await pass(10_000);
    const [first, second, third, fourth] = times();

    assert.ok(second - first < 1_000, 'the first round is cold');
    assert.ok(third - second >= 2_000 && fourth - third >= 2_000);
  });

  it('take half of the time for Grids that clients follow, which come first', async () => {
    due = ['a', 'b', 'followed', 'c'];
    followed.add('followed');
    tookMs = 300;
    await pass(10_000);
    const timesOf = (gridId: string) => asked.filter(([asked]) => asked === gridId).map(([, at]) => at);
    assert.equal(asked[0][0], 'followed');
    const gaps = timesOf('followed').map((at, n, all) => at - (all[n - 1] ?? 0));
    assert.ok(Math.max(...gaps) <= 1_500, gaps.join());
    const others = asked.length - timesOf('followed').length;
    assert.ok(others > 0 && others <= 6, `${others} others in 10 s`);
  });

  it('rest half a second at most for Grids that clients follow, however many they are', async () => {
    [tookMs, due] = [100, Array.from({ length: 30 }, (_, n) => `grid-${n}`)];
    followed = new Set(due);
    await pass(12_000);
    const starts = asked.filter(([gridId]) => gridId === 'grid-0').map(([, at]) => at);
    const cycles = starts.slice(1).map((at, n) => at - starts[n]);
    assert.ok(cycles.length >= 3, cycles.join());
    assert.ok(
      cycles.every((ms) => ms <= 4_100),
      cycles.join(),
    );
  });

  it('reach every Grid in turn, however long a round over all of them would take', async () => {
    due = Array.from({ length: 10 }, (_, n) => `grid ${n}`);
    tookMs = 150;
    await pass(60_000);
    assert.deepEqual([...new Set(asked.map(([gridId]) => gridId))].sort(), due);
  });

  it('remember when the first change was committed that a result may contain', async () => {
    await pass(300);
    due = [GRID];
    tookMs = 400;
    feed.announce(PROJECTED);
    await pass(400);
    due = [];
    await pass(2_000);
    const { at, since } = (await document('trends'))!;
    assert.ok(since !== undefined && since >= 300 && since <= 350 && at >= since + 400, `${since} ${at}`);
  });

  it('continue with other Grids when one fails, which is retried after a pause', async () => {
    due = ['broken', GRID];
    failing = () => (asked.at(-1)![0] === 'broken' ? Promise.reject(new Error('broken')) : (undefined as never));
    await pass(700);

    assert.ok(kept.includes(GRID) && !kept.includes('broken'));
    const before = asked.filter(([gridId]) => gridId === 'broken').length;
    assert.equal(warnings.length, before);
    failing = undefined;
    await pass(3_000);
    assert.ok(kept.includes('broken'));
  });

  it('survive an unavailable store', async () => {
    due = [GRID];
    const commit = store.commit.bind(store);
    store.commit = () => Promise.reject(new Error('away'));
    await pass(1_000);
    assert.deepEqual(kept, []);
    assert.deepEqual(announced, []);

    store.commit = commit;
    await pass(5_000);
    assert.deepEqual(announced, [`${GRID} trends 1`]);
  });

  it('are retried when it is unknown what changed', async () => {
    const dueNow = source.findDueGrids;
    const { findDueGrids: _, ...rest } = source;
    Object.assign(source, { ...rest, findDueGrids: () => Promise.reject(new Error('away')) });
    await pass(2_000);
    Object.assign(source, { findDueGrids: dueNow });
    due = [GRID];
    await pass(8_000);

    assert.ok(warnings.length >= 2);
    assert.equal(announced.length, 1);
  });

  it('stop after the Grid in progress, and for good', async () => {
    let release: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    failing = () => gate as Promise<never>;
    due = [GRID, 'next'];
    await pass(10);
    const stopping = live.stop();
    release!();
    await stopping;
    await pass(5_000);

    assert.deepEqual(
      asked.map(([gridId]) => gridId),
      [GRID],
    );
    assert.deepEqual(kept, [GRID]);
    await live.stop();
  });
});

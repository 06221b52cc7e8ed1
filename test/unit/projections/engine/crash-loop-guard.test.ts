import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BehaviorSubject, NEVER, VirtualTimeScheduler } from 'rxjs';
import { SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import { FilePoisonEventJournal } from '../../../../src/projections/engine/adapters/file/file-poison-event-journal.js';
import { CrashLoopGuard, type FoldAttempt } from '../../../../src/projections/engine/crash-loop-guard.js';
import type { Fold } from '../../../../src/projections/projection.js';
import { ProjectionRunner } from '../../../../src/projections/engine/projection-runner.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { LIVE_DEAD_LETTERS } from '../../../../src/read-models/documents/dead-letter-documents.js';
import type { DocumentChange, Collection } from '../../../../src/read-models/read-model-store.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import { START, type RecordedEvent } from '../../../../src/streams/event-store.js';
import { until } from './support/until.js';

const SEEN: Collection = { name: 'seen.v1', indexes: [] };

/** What was folded, in portions of any size; a process dies of the events in `deadly`, and then never answers. */
class DeadlyFold implements Fold {
  readonly folded: string[][] = [];
  died: string | undefined;
  isRestored = false;

  constructor(private readonly deadly: ReadonlySet<string>) {}

  restore(): Promise<void> {
    this.isRestored = true;
    return Promise.resolve();
  }

  commitSize(events: readonly RecordedEvent[], from: number): number {
    return events.length - from;
  }

  fold(events: readonly RecordedEvent[]): Promise<DocumentChange[]> {
    this.folded.push(events.map(({ id }) => id));
    this.died = events.find(({ id }) => this.deadly.has(id))?.id;
    if (this.died !== undefined) return new Promise(() => undefined);
    return Promise.resolve(events.map(({ id }) => ({ kind: 'put', collection: SEEN, id, document: {} })));
  }
}

describe('caution after a process has died', () => {
  let folder: string;
  let events: MemoryEventStore;
  let store: MemoryReadModelStore;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-caution-'));
    events = new MemoryEventStore();
    store = new MemoryReadModelStore();
    for (const id of ['a', 'b', 'c', 'd']) await append(id);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const append = (id: string) => events.append('mine-1', 'any', [{ id, type: 'Happened.v1', data: {} }]);
  const seen = async () =>
    (await store.find(SEEN, {}))
      .map(({ id }) => id)
      .sort()
      .join('');
  const parked = async () => (await store.find(LIVE_DEAD_LETTERS, {})).map(({ document }) => document);

  const manyMore = async (count: number) => {
    for (let n = 0; n < count; n++) await append(`more ${n}`);
  };

  /** A process in which an event that one death more condemns waits so long (ms). */
  async function begin(
    calmMs: number,
    ...deadly: string[]
  ): Promise<{ fold: DeadlyFold; attempts: FilePoisonEventJournal; runner: ProjectionRunner }> {
    const fold = new DeadlyFold(new Set(deadly));
    const attempts = new FilePoisonEventJournal(join(folder, 'attempts.json'), SILENT_LOGGER);
    const run = { name: 'mine', group: 'mine', prefixes: ['mine-'], checkpoints: ['mine.v1'], fold };
    const runner = new ProjectionRunner(run, {
      events,
      store,
      log: SILENT_LOGGER,
      hints: NEVER,
      journal: attempts,
      calmMs,
      until: await events.head(),
      pace: { everyMs: 0, lookMs: 10 },
    });
    return { fold, attempts, runner };
  }

  /** A process that folds until it has reached the end or has died. */
  async function live(...deadly: string[]): Promise<DeadlyFold> {
    const { fold, attempts, runner } = await begin(0, ...deadly);
    let isOver = false;
    void runner.start().then(() => (isOver = true));
    await until(() => Promise.resolve(isOver || fold.died !== undefined));
    if (fold.died === undefined) attempts.close();
    return fold;
  }

  it('passes an event by that three processes died of alone, and folds those around it', async () => {
    assert.deepEqual((await live('c')).folded, [['a', 'b', 'c', 'd']]);
    assert.deepEqual((await live('c')).folded, [['a'], ['b'], ['c']], 'one by one');
    assert.deepEqual((await live('c')).folded, [['c']]);
    assert.deepEqual((await live('c')).folded, [['c']]);
    assert.equal((await live('c')).died, undefined);
    assert.equal(await seen(), 'abd');
    const [{ type, fatal, error }, ...more] = await parked();
    assert.deepEqual([type, fatal, more.length], ['Happened.v1', true, 0]);
    assert.match(error, /the process ended/);
  });

  it('finds it among thousands with one death more, and folds nothing else alone', async () => {
    await manyMore(4_092);
    const deadly = 'more 2000';
    await live(deadly);
    const pieces = (await live(deadly)).folded;
    assert.ok(
      pieces.every((piece) => piece.length === 64),
      'in pieces',
    );
    const suspects = pieces.at(-1)!;
    assert.ok(suspects.includes(deadly));
    assert.deepEqual(
      (await live(deadly)).folded,
      suspects.slice(0, suspects.indexOf(deadly) + 1).map((id) => [id]),
      'one by one',
    );
    assert.deepEqual((await live(deadly)).folded, [[deadly]]);
    assert.deepEqual((await live(deadly)).folded, [[deadly]]);
    const last = await live(deadly);
    assert.equal(last.died, undefined);
    assert.deepEqual(last.folded.flat().length, 4_096 - 32 * 64 + suspects.length - suspects.indexOf(deadly) - 1);
    assert.equal((await store.find(SEEN, {})).length, 4_095);
    assert.deepEqual(
      (await parked()).map(({ fatal }) => fatal),
      [true],
    );
  });

  it('costs a start some commits at most, however long the portion is', async () => {
    await manyMore(996);
    await live('b');
    assert.equal((await live()).folded.length, 63); // pieces of 16
    assert.deepEqual(await parked(), []);
  });

  it('blames nobody for a death in a piece and one alone', async () => {
    await manyMore(252);
    await live('more 8');
    await live('more 8'); // in a piece of four
    assert.equal((await live('more 8')).folded.at(-1)?.length, 1);
    assert.equal((await live()).died, undefined);
    assert.equal((await store.find(SEEN, {})).length, 256);
    assert.deepEqual(await parked(), []);
  });

  it('finds several, one after the other', async () => {
    let deaths = 0;
    while ((await live('b', 'd')).died !== undefined) assert.ok(++deaths < 10);
    assert.equal(await seen(), 'ac');
    assert.equal((await parked()).length, 2);
  });

  it('blames nobody for one death, and goes on as fast as ever after the portion', async () => {
    await live('c');
    assert.equal((await live()).folded.length, 4);
    assert.equal(await seen(), 'abcd');
    assert.deepEqual(await parked(), []);
    await append('e');
    await append('f');
    assert.deepEqual((await live()).folded, [['e', 'f']]);
  });

  it('blames nobody for deaths at different places', async () => {
    await live('b');
    await live('c');
    await live('d');
    assert.equal((await live()).died, undefined);
    assert.equal(await seen(), 'abcd');
    assert.deepEqual(await parked(), []);
  });

  it('blames nobody where the process before got further than it had noted', async () => {
    await live('c');
    await live('c');
    await live('c');
    await store.commit(
      [],
      [{ projection: 'mine.v1', expected: await store.readCheckpoint('mine.v1'), position: await events.head() }],
    );
    await append('e');
    assert.equal((await live()).died, undefined);
    assert.deepEqual(await parked(), []);
  });

  describe('for an event that one death more condemns', () => {
    const scheduler = new VirtualTimeScheduler();
    const noted: FoldAttempt[] = [];
    let suspect: RecordedEvent;
    let caution: CrashLoopGuard;
    let stopped: BehaviorSubject<boolean>;

    beforeEach(async () => {
      [suspect] = await events.readAll(START, { prefixes: ['mine-'], limit: 2 });
      const attempt = { after: START, position: suspect.position, tries: 2 };
      const attempts = {
        readPrevious: () => ({ attempt }),
        record: (_: string, next: FoldAttempt) => void noted.push(next),
        clear: () => undefined,
      };
      caution = new CrashLoopGuard('mine', { isFatal: () => false }, attempts, 5_000, scheduler);
      caution.begin(undefined);
      noted.length = 0;
      stopped = new BehaviorSubject(false);
    });

    it('waits first, so that whoever kills at the start does not condemn it', async () => {
      const began = scheduler.now();
      const calm = caution.waitBeforeRetry([suspect], stopped);
      assert.deepEqual(noted, []);
      scheduler.flush();
      assert.equal(await calm, true);
      assert.equal(scheduler.now() - began, 5_000);
      caution.recordAttempt(undefined, [suspect]);
      assert.deepEqual(
        noted.map(({ tries }) => tries),
        [3],
      );
    });

    it('ends the wait with the run', async () => {
      const calm = caution.waitBeforeRetry([suspect], stopped);
      stopped.next(true);
      assert.equal(await calm, false);
    });

    it('lets others go at once', async () => {
      const [, other] = await events.readAll(START, { prefixes: ['mine-'], limit: 2 });
      assert.equal(await caution.waitBeforeRetry([other], stopped), true);
      assert.equal(await caution.waitBeforeRetry([suspect, other], stopped), true);
    });
  });

  it('folds nothing behind an event that waits when the run is stopped', async () => {
    await live('b');
    await live('b');
    await live('b');
    const { fold, runner } = await begin(60_000);
    const ended = runner.start();
    await until(() => Promise.resolve(fold.isRestored));
    await runner.stop();
    assert.equal((await ended).kind, 'stopped');
    assert.deepEqual(fold.folded, []);
    assert.deepEqual((await live()).folded, [['b'], ['c'], ['d']]);
    assert.deepEqual(await parked(), []);
  });

  it('is not needed after a process that ended in order', async () => {
    await live();
    await append('e');
    await append('f');
    assert.deepEqual((await live()).folded, [['e', 'f']]);
  });
});

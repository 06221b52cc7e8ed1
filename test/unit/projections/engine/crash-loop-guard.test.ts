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

/** Records what was folded, in batches of any size; a process crashes on those in `poisonEvents`: the fold never settles. */
class PoisonFold implements Fold {
  readonly folded: string[][] = [];
  died: string | undefined;
  isRestored = false;

  constructor(private readonly poisonEvents: ReadonlySet<string>) {}

  restore(): Promise<void> {
    this.isRestored = true;
    return Promise.resolve();
  }

  commitSize(events: readonly RecordedEvent[], from: number): number {
    return events.length - from;
  }

  fold(events: readonly RecordedEvent[]): Promise<DocumentChange[]> {
    this.folded.push(events.map(({ id }) => id));
    this.died = events.find(({ id }) => this.poisonEvents.has(id))?.id;
    if (this.died !== undefined) return new Promise(() => undefined);
    return Promise.resolve(events.map(({ id }) => ({ kind: 'put', collection: SEEN, id, document: {} })));
  }
}

describe('crash-loop guard after a crash', () => {
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
  const deadLetters = async () => (await store.find(LIVE_DEAD_LETTERS, {})).map(({ document }) => document);

  const manyMore = async (count: number) => {
    for (let n = 0; n < count; n++) await append(`more ${n}`);
  };

  /** A process in which an event that one more crash would condemn waits this long (ms). */
  async function startProcess(
    calmMs: number,
    ...poisonEvents: string[]
  ): Promise<{ fold: PoisonFold; attempts: FilePoisonEventJournal; runner: ProjectionRunner }> {
    const fold = new PoisonFold(new Set(poisonEvents));
    const attempts = new FilePoisonEventJournal(join(folder, 'attempts.json'), SILENT_LOGGER);
    const run = { name: 'mine', group: 'mine', prefixes: ['mine-'], checkpoints: ['mine.v1'], fold };
    const runner = new ProjectionRunner(run, {
      events,
      store,
      log: SILENT_LOGGER,
      hints: NEVER,
      journal: attempts,
      suspectRetryDelayMs: calmMs,
      until: await events.head(),
      pollingIntervals: { everyMs: 0, idleMs: 10 },
    });
    return { fold, attempts, runner };
  }

  /** A process that folds until it has reached the end or has crashed. */
  async function runProcess(...poisonEvents: string[]): Promise<PoisonFold> {
    const { fold, attempts, runner } = await startProcess(0, ...poisonEvents);
    let isOver = false;
    void runner.start().then(() => (isOver = true));
    await until(() => Promise.resolve(isOver || fold.died !== undefined));
    if (fold.died === undefined) attempts.close();
    return fold;
  }

  it('skips an event on which three processes crashed alone, and folds those around it', async () => {
    assert.deepEqual((await runProcess('c')).folded, [['a', 'b', 'c', 'd']]);
    assert.deepEqual((await runProcess('c')).folded, [['a'], ['b'], ['c']], 'one by one');
    assert.deepEqual((await runProcess('c')).folded, [['c']]);
    assert.deepEqual((await runProcess('c')).folded, [['c']]);
    assert.equal((await runProcess('c')).died, undefined);
    assert.equal(await seen(), 'abd');
    const [{ type, fatal, error }, ...more] = await deadLetters();
    assert.deepEqual([type, fatal, more.length], ['Happened.v1', true, 0]);
    assert.match(error, /the process crashed/);
  });

  it('finds it among thousands with one more crash, and folds nothing else alone', async () => {
    await manyMore(4_092);
    const poisonEvents = 'more 2000';
    await runProcess(poisonEvents);
    const pieces = (await runProcess(poisonEvents)).folded;
    assert.ok(
      pieces.every((piece) => piece.length === 64),
      'in pieces',
    );
    const suspects = pieces.at(-1)!;
    assert.ok(suspects.includes(poisonEvents));
    assert.deepEqual(
      (await runProcess(poisonEvents)).folded,
      suspects.slice(0, suspects.indexOf(poisonEvents) + 1).map((id) => [id]),
      'one by one',
    );
    assert.deepEqual((await runProcess(poisonEvents)).folded, [[poisonEvents]]);
    assert.deepEqual((await runProcess(poisonEvents)).folded, [[poisonEvents]]);
    const last = await runProcess(poisonEvents);
    assert.equal(last.died, undefined);
    assert.deepEqual(last.folded.flat().length, 4_096 - 32 * 64 + suspects.length - suspects.indexOf(poisonEvents) - 1);
    assert.equal((await store.find(SEEN, {})).length, 4_095);
    assert.deepEqual(
      (await deadLetters()).map(({ fatal }) => fatal),
      [true],
    );
  });

  it('costs a start a bounded number of commits, however long the batch is', async () => {
    await manyMore(996);
    await runProcess('b');
    assert.equal((await runProcess()).folded.length, 63); // pieces of 16
    assert.deepEqual(await deadLetters(), []);
  });

  it('condemns no event for a crash in a chunk and one alone', async () => {
    await manyMore(252);
    await runProcess('more 8');
    await runProcess('more 8'); // in a piece of four
    assert.equal((await runProcess('more 8')).folded.at(-1)?.length, 1);
    assert.equal((await runProcess()).died, undefined);
    assert.equal((await store.find(SEEN, {})).length, 256);
    assert.deepEqual(await deadLetters(), []);
  });

  it('finds several poison events, one after the other', async () => {
    let deaths = 0;
    while ((await runProcess('b', 'd')).died !== undefined) assert.ok(++deaths < 10);
    assert.equal(await seen(), 'ac');
    assert.equal((await deadLetters()).length, 2);
  });

  it('condemns no event for one crash, and continues at full speed after the batch', async () => {
    await runProcess('c');
    assert.equal((await runProcess()).folded.length, 4);
    assert.equal(await seen(), 'abcd');
    assert.deepEqual(await deadLetters(), []);
    await append('e');
    await append('f');
    assert.deepEqual((await runProcess()).folded, [['e', 'f']]);
  });

  it('condemns no event for crashes at different events', async () => {
    await runProcess('b');
    await runProcess('c');
    await runProcess('d');
    assert.equal((await runProcess()).died, undefined);
    assert.equal(await seen(), 'abcd');
    assert.deepEqual(await deadLetters(), []);
  });

  it('condemns no event if the previous process got further than it had recorded', async () => {
    await runProcess('c');
    await runProcess('c');
    await runProcess('c');
    await store.commit(
      [],
      [{ projection: 'mine.v1', expected: await store.readCheckpoint('mine.v1'), position: await events.head() }],
    );
    await append('e');
    assert.equal((await runProcess()).died, undefined);
    assert.deepEqual(await deadLetters(), []);
  });

  describe('for an event that one more crash would condemn', () => {
    const scheduler = new VirtualTimeScheduler();
    const recorded: FoldAttempt[] = [];
    let suspect: RecordedEvent;
    let guard: CrashLoopGuard;
    let stopped: BehaviorSubject<boolean>;

    beforeEach(async () => {
      [suspect] = await events.readAll(START, { prefixes: ['mine-'], limit: 2 });
      const attempt = { after: START, position: suspect.position, tries: 2 };
      const attempts = {
        readPrevious: () => ({ attempt }),
        record: (_: string, next: FoldAttempt) => void recorded.push(next),
        clear: () => undefined,
      };
      guard = new CrashLoopGuard('mine', { isFatal: () => false }, attempts, 5_000, scheduler);
      guard.begin(undefined);
      recorded.length = 0;
      stopped = new BehaviorSubject(false);
    });

    it('waits first, so that kills soon after a start do not condemn it', async () => {
      const began = scheduler.now();
      const calm = guard.waitBeforeRetry([suspect], stopped);
      assert.deepEqual(recorded, []);
      scheduler.flush();
      assert.equal(await calm, true);
      assert.equal(scheduler.now() - began, 5_000);
      guard.recordAttempt(undefined, [suspect]);
      assert.deepEqual(
        recorded.map(({ tries }) => tries),
        [3],
      );
    });

    it('ends the wait with the run', async () => {
      const calm = guard.waitBeforeRetry([suspect], stopped);
      stopped.next(true);
      assert.equal(await calm, false);
    });

    it('folds other events at once', async () => {
      const [, other] = await events.readAll(START, { prefixes: ['mine-'], limit: 2 });
      assert.equal(await guard.waitBeforeRetry([other], stopped), true);
      assert.equal(await guard.waitBeforeRetry([suspect, other], stopped), true);
    });
  });

  it('folds nothing after a waiting event when the run is stopped', async () => {
    await runProcess('b');
    await runProcess('b');
    await runProcess('b');
    const { fold, runner } = await startProcess(60_000);
    const ended = runner.start();
    await until(() => Promise.resolve(fold.isRestored));
    await runner.stop();
    assert.equal((await ended).kind, 'stopped');
    assert.deepEqual(fold.folded, []);
    assert.deepEqual((await runProcess()).folded, [['b'], ['c'], ['d']]);
    assert.deepEqual(await deadLetters(), []);
  });

  it('is inactive after a clean exit', async () => {
    await runProcess();
    await append('e');
    await append('f');
    assert.deepEqual((await runProcess()).folded, [['e', 'f']]);
  });
});

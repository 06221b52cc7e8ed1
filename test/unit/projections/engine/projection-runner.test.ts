import assert from 'node:assert/strict';
import { NEVER, Subject, VirtualTimeScheduler } from 'rxjs';
import { SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import type { Fold } from '../../../../src/projections/projection.js';
import { ProjectionRunner } from '../../../../src/projections/engine/projection-runner.js';
import type { ProjectionRunnerParts } from '../../../../src/projections/engine/projection-runner-types.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { LIVE_DEAD_LETTERS } from '../../../../src/read-models/documents/dead-letter-documents.js';
import type { DocumentChange, Collection } from '../../../../src/read-models/read-model-store.js';
import { MemoryEventStore } from '../../../../src/streams/adapters/memory/memory-event-store.js';
import { DamagedEvent } from '../../../../src/streams/damaged-event.js';
import type { Position, RecordedEvent } from '../../../../src/streams/event-store.js';
import { until } from './support/until.js';

interface Count {
  readonly total: number;
}

const COUNTS: Collection<Count> = { name: 'counts.v1', indexes: [] };

/** Counts events in memory; batches of at most three. */
class CountingFold implements Fold {
  total = 0;
  restored = 0;
  readonly folded: string[][] = [];

  constructor(
    private readonly store: MemoryReadModelStore,
    private readonly isPoison: (event: RecordedEvent) => boolean = () => false,
  ) {}

  async restore(): Promise<void> {
    this.restored++;
    this.total = (await this.store.get(COUNTS, 'all'))?.total ?? 0;
  }

  commitSize(events: readonly RecordedEvent[], from: number): number {
    return Math.min(3, events.length - from);
  }

  fold(events: readonly RecordedEvent[]): Promise<DocumentChange[]> {
    this.folded.push(events.map(({ id }) => id));
    for (const event of events) {
      this.total++; // what a failure leaves behind must be undone
      if (this.isPoison(event)) return Promise.reject(new Error(`cannot digest ${event.id}`));
    }
    return Promise.resolve([{ kind: 'put', collection: COUNTS, id: 'all', document: { total: this.total } }]);
  }
}

describe('projection runner', () => {
  let events: MemoryEventStore;
  let store: MemoryReadModelStore;

  beforeEach(async () => {
    events = new MemoryEventStore();
    store = new MemoryReadModelStore();
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await append(id);
  });

  const append = (id: string, stream = 'mine-1') =>
    events.append(stream, 'any', [{ id, type: 'Happened.v1', data: {} }]);
  const total = async () => (await store.get(COUNTS, 'all'))?.total;

  function createRunner(fold: Fold, more: Partial<ProjectionRunnerParts> = {}): ProjectionRunner {
    const run = { name: 'counting/again', group: 'counting', prefixes: ['mine-'], checkpoints: ['counting.v1'], fold };
    return new ProjectionRunner(run, {
      events,
      store,
      log: SILENT_LOGGER,
      hints: NEVER,
      pollingIntervals: { everyMs: 0, idleMs: 10 },
      ...more,
    });
  }

  it('folds everything up to the given end, in batches', async () => {
    const fold = new CountingFold(store);
    const outcome = await createRunner(fold, { until: await events.head() }).start();
    assert.deepEqual(outcome, { kind: 'reached', position: await events.head() });
    assert.deepEqual(fold.folded, [['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]);
    assert.equal(await total(), 7);
  });

  it('stops before events after its end', async () => {
    const until = await events.head();
    await append('h');
    const outcome = await createRunner(new CountingFold(store), { until }).start();
    assert.deepEqual(outcome, { kind: 'reached', position: until });
    assert.equal(await total(), 7);
  });

  it('moves an event that fails three times alone to the dead letters, and folds all others once', async () => {
    const fold = new CountingFold(store, ({ id }) => id === 'e');
    await createRunner(fold, { until: await events.head() }).start();
    assert.equal(await total(), 6);
    assert.deepEqual(fold.folded.filter((ids) => ids.length === 1 && ids[0] === 'e').length, 3);
    const [deadLetters] = await store.find(LIVE_DEAD_LETTERS, {});
    assert.equal(deadLetters.document.stream, 'mine-1');
    assert.equal(deadLetters.document.revision, 4);
    assert.match(deadLetters.document.error, /cannot digest e/);
  });

  it('folds an event that fails twice', async () => {
    let failures = 2;
    const fold = new CountingFold(store, ({ id }) => id === 'e' && failures-- > 0);
    await createRunner(fold, { until: await events.head() }).start();
    assert.equal(await total(), 7);
    assert.equal((await store.find(LIVE_DEAD_LETTERS, {})).length, 0);
  });

  it('moves an event that the log cannot read to the dead letters, and continues after it', async () => {
    const third = (await events.readAll('' as Position, { limit: 3 }))[2].position;
    const readAll = events.readAll.bind(events);
    events.readAll = async (after, options) => {
      const batch = await readAll(after, options);
      const damaged = batch.findIndex(({ position }) => position === third);
      if (damaged === 0) throw new DamagedEvent(third, 'checksum');
      return damaged < 0 ? batch : batch.slice(0, damaged);
    };
    await createRunner(new CountingFold(store), { until: await events.head() }).start();
    assert.equal(await total(), 6);
    assert.equal((await store.find(LIVE_DEAD_LETTERS, {}))[0].document.position, third);
  });

  it('reads events again whose pages cannot be read, up to three times, but not each of several in a row', async () => {
    const [, second, third, , fifth] = (await events.readAll('' as Position, { limit: 7 })).map(
      ({ position }) => position,
    );
    const failuresLeft = new Map([[second, 2], [third, 0], [fifth, Infinity]]); // prettier-ignore
    const readAll = events.readAll.bind(events);
    const tried: Position[] = [];
    events.readAll = async (after, options) => {
      const batch = await readAll(after, options);
      const bad = batch.findIndex(({ position }) => (failuresLeft.get(position) ?? 0) > 0);
      if (bad !== 0) return bad < 0 ? batch : batch.slice(0, bad);
      const { position } = batch[0];
      tried.push(position);
      failuresLeft.set(position, failuresLeft.get(position)! - 1);
      throw new DamagedEvent(position, 'its pages cannot be read', { isUnreadable: true });
    };
    const deadLetters = async (): Promise<Position[]> =>
      (await store.find(LIVE_DEAD_LETTERS, {})).map(({ document }) => document.position);
    await createRunner(new CountingFold(store), { until: await events.head() }).start();
    assert.deepEqual(tried, [second, second, fifth, fifth, fifth]);
    assert.deepEqual([await deadLetters(), await total()], [[fifth], 6]);
    tried.length = 0;
    store = new MemoryReadModelStore();
    for (const position of [second, third, fifth]) failuresLeft.set(position, Infinity);
    await createRunner(new CountingFold(store), { until: await events.head() }).start();
    assert.deepEqual(tried, [second, second, second, third, fifth, fifth, fifth]);
    assert.deepEqual((await deadLetters()).sort(), [second, third, fifth]);
  });

  it('reports that another projector owns its checkpoint, and writes nothing', async () => {
    const fold = new CountingFold(store);
    const commit = store.commit.bind(store);
    store.commit = async (changes, checkpoints) => {
      await commit([], [{ projection: 'counting.v1', expected: undefined, position: 'f' as Position }]);
      return commit(changes, checkpoints);
    };
    assert.deepEqual(await createRunner(fold).start(), { kind: 'fenced', found: 'f' });
    assert.equal(await total(), undefined);
  });

  it('runs idle tasks between polls', async () => {
    const runner = createRunner(new CountingFold(store));
    const ended = runner.start();
    await runner.waitForPosition(await events.head(), 5_000);
    const otherStore = new MemoryReadModelStore();
    const other = createRunner(new CountingFold(otherStore), { store: otherStore });
    const otherEnded = other.start();
    const seen = await runner.runWhenIdle(async () => {
      await append('h');
      await other.waitForPosition(await events.head(), 5_000);
      return total();
    }, 5_000);
    assert.equal(seen, 7, 'an event that came meanwhile waits');
    assert.ok(await runner.waitForPosition(await events.head(), 5_000));
    assert.equal(await total(), 8);
    await other.stop();
    await otherEnded;
    await runner.stop();
    assert.deepEqual(await ended, { kind: 'stopped', position: await events.head() });
    assert.equal(await runner.runWhenIdle(total, 0), 8, 'also when it has ended');
  });

  it('rejects idle tasks that could not start in time', async () => {
    const runner = createRunner(new CountingFold(store));
    const { readCheckpoint: checkpoint } = store;
    let asked = 0;
    let began = false;
    store.readCheckpoint = () => Promise.reject(new Error(`disk full, ${++asked}`));
    const ended = runner.start();
    const task = () => Promise.resolve((began = true));
    await until(() => Promise.resolve(asked > 0));
    await assert.rejects(runner.runWhenIdle(task, 10), { code: 'unavailable' });
    store.readCheckpoint = checkpoint;
    assert.ok(await runner.waitForPosition(await events.head(), 5_000));
    assert.equal(began, false);
    await runner.stop();
    await ended;
  });

  it('reports why it makes no progress after the third consecutive failure, until a poll succeeds', async () => {
    const scheduler = new VirtualTimeScheduler();
    const commit = store.commit.bind(store);
    let refused = 0;
    store.commit = () => Promise.reject(new Error(`database is full, ${++refused}\nat mongodb://me:secret@host`));
    const runner = createRunner(new CountingFold(store), { scheduler });
    const ended = runner.start();
    const commits: (string | undefined)[] = [];
    for (let failures = 1; failures <= 4; failures++) {
      await until(() => Promise.resolve(refused === failures && scheduler.actions.length > 0));
      commits.push(runner.failure);
      if (failures === 4) store.commit = commit;
      scheduler.flush();
    }
    const reason = (times: number) => `counting/again failed ${times} times in a row: database is full, ${times}`;
    assert.deepEqual(commits, [undefined, undefined, reason(3), reason(4)]);
    await until(() => Promise.resolve(runner.failure === undefined));
    await runner.stop();
    await ended;
  });

  it('yields before each batch', async () => {
    const fold = new CountingFold(store);
    const foldedBefore: number[] = [];
    const yieldToOthers = () => Promise.resolve(void foldedBefore.push(fold.folded.length));
    await createRunner(fold, { until: await events.head(), yieldToOthers }).start();
    assert.deepEqual([...new Set(foldedBefore)], [0, 1, 2, 3]);
  });

  it('is busy from the start of a poll until nothing is left to do immediately', async () => {
    const fold = new CountingFold(store);
    const runner = createRunner(fold);
    const seen: boolean[] = [];
    const commit = store.commit.bind(store);
    store.commit = (changes, checkpoints) => {
      seen.push(runner.isBusy);
      return commit(changes, checkpoints);
    };
    assert.equal(runner.isBusy, false);
    const ended = runner.start();
    await runner.waitForPosition(await events.head(), 5_000);
    await runner.whenIdle();
    assert.deepEqual(seen, [true, true, true]);
    await runner.stop();
    await ended;
    assert.equal(runner.isBusy, false);
  });

  it('restores the fold only if its memory does not reflect the checkpoint', async () => {
    const fold = new CountingFold(store);
    const first = await createRunner(fold, { until: await events.head() }).start();
    await append('h');
    const until = await events.head();
    const second = await createRunner(fold, {
      until,
      foldPosition: first.kind === 'reached' ? first.position : undefined,
    }).start();
    assert.deepEqual([fold.restored, await total()], [1, 8]);
    await createRunner(fold, { until, foldPosition: first.kind === 'reached' ? first.position : undefined }).start();
    assert.deepEqual([fold.restored, second.kind], [2, 'reached']);
  });

  it('finishes the commit in progress when it is stopped, and starts no other', async () => {
    const fold = new CountingFold(store);
    const runner = createRunner(fold);
    const commit = store.commit.bind(store);
    store.commit = async (changes, checkpoints) => {
      void runner.stop();
      return commit(changes, checkpoints);
    };
    await runner.start();
    assert.equal(await total(), 3);
  });

  it('has reached a position if no event up to it concerns the run', async () => {
    const runner = createRunner(new CountingFold(store), { hints: new Subject() });
    const ended = runner.start();
    await append('x', 'other-1');
    assert.ok(await runner.waitForPosition(await events.head(), 5_000));
    assert.equal(await runner.waitForPosition('z' as Position, 20), false);
    await runner.stop();
    await ended;
  });
});

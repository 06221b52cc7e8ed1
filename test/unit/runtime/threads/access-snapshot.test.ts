import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readAccessSnapshot } from '../../../../src/runtime/threads/access-snapshot.js';
import type { Collection, ReadModelReader, ReadModelStore } from '../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../src/streams/event-store.js';
import { gridStream } from '../../../../src/streams/stream-names.js';
import { ProjectedLog } from '../../projections/engine/support/projected.js';
import { GRID, logsReceived, metricsReceived, spansReceived } from '../../projections/engine/support/requests.js';

/** A store far away: what is asked at the same time is answered by one trip. */
class RemoteStore {
  trips = 0;
  mostAtOnce = 0;
  private waiting: (() => void)[] = [];

  constructor(private readonly store: ReadModelStore) {}

  find(collection: { readonly name: string }, query: object): Promise<{ id: string; document: object }[]> {
    return this.ask(() => this.store.find(collection as Collection<object>, query));
  }

  openReader(): ReadModelReader {
    return Object.assign(Object.create(this.store) as ReadModelReader, {
      find: this.find.bind(this),
      get: (...read: Parameters<ReadModelReader['get']>) => this.ask(() => this.store.get(...read)),
      readCheckpoint: (name: string) => this.ask(() => this.store.readCheckpoint(name)),
    });
  }

  /** Answers what `result` asks, trip by trip. */
  async answer<Result>(result: Promise<Result>): Promise<Result> {
    let isDone = false;
    const done = result.finally(() => (isDone = true));
    for (;;) {
      await new Promise(setImmediate);
      if (isDone) return done;
      const asked = this.waiting;
      assert.ok(asked.length > 0, 'it waits for nothing');
      this.waiting = [];
      this.trips++;
      this.mostAtOnce = Math.max(this.mostAtOnce, asked.length);
      for (const answer of asked) answer();
    }
  }

  private async ask<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return read();
  }
}

describe('a snapshot of access records', () => {
  let log: ProjectedLog;

  beforeEach(() => (log = new ProjectedLog()));
  afterEach(() => log.remove());

  const createGrid = async (name: string): Promise<Position> => {
    const data = { actor: 'owner', at: log.now, gridId: GRID, name };
    const appended = await log.events.append(gridStream(GRID), 'any', [
      { id: randomUUID(), type: 'GridCreated.v1', data },
    ]);
    return appended.ok ? appended.position : assert.fail('conflict');
  };
  /** A reader of the read models in which logs have been projected up to this position. */
  function readerWithLogsAt(position: Position | undefined): ReadModelReader {
    const { store } = log;
    const reader = Object.create(store) as ReadModelReader;
    for (const method of ['get', 'find'] as const) Object.assign(reader, { [method]: store[method].bind(store) });
    reader.readCheckpoint = (name) =>
      name.startsWith('logs.') ? Promise.resolve(position) : store.readCheckpoint(name);
    return reader;
  }

  it('has the newest watermark of each Grid, as of the position of the projections', async () => {
    await createGrid('shop');
    await log.append(spansReceived([{ trace: 1, span: 1, start: log.now }]));
    await log.append(logsReceived([{ time: log.now, body: 'x' }]));
    await log.append(metricsReceived([{ time: log.now, value: 1 }]));
    await log.expire(log.now + 5);
    await log.settle();
    const position = await createGrid('shop');
    await log.settle();
    const snapshot = (await readAccessSnapshot(log.store, () => log.store))!;
    assert.deepEqual(snapshot.retentionWatermarks, [{ gridId: GRID, before: log.now + 5 }]);
    assert.equal(snapshot.position, position);
    assert.deepEqual(
      snapshot.grids.map(({ gridId }) => gridId),
      [GRID],
    );
  });

  it('has the position of the projection that is furthest behind: it may lack later watermarks', async () => {
    const position = await createGrid('shop');
    await log.append(spansReceived([{ trace: 1, span: 1, start: log.now }]));
    await createGrid('shop');
    await log.settle();
    const behind = await readAccessSnapshot(log.store, () => readerWithLogsAt(position));
    assert.equal(behind?.position, position);
    assert.ok(behind.accessPosition > position, 'while keys and members are further');
    assert.equal(await readAccessSnapshot(log.store, () => readerWithLogsAt(undefined)), undefined);
  });

  it('takes as many trips to a remote store for 16 shards as for one, and a few more for many', async () => {
    await createGrid('shop');
    await log.append(spansReceived([{ trace: 1, span: 1, start: log.now }]));
    await log.expire(log.now + 5);
    await log.settle();
    const ids = Array.from({ length: 40 }, (): string => randomUUID());
    const trips: number[] = [];
    for (const shards of [1, 16, 40]) {
      const remote = new RemoteStore(log.store);
      const readers = ids.slice(0, shards).map(() => remote.openReader());
      const access = Object.assign(remote.openReader(), {
        find: async (collection: { readonly name: string }, query: object) => {
          const found = await remote.find(collection, query);
          return /^grids/.test(collection.name)
            ? ids.slice(0, shards).map((gridId) => ({ ...found[0], document: { ...found[0].document, gridId } }))
            : found;
        },
      });
      const snapshot = await remote.answer(
        readAccessSnapshot(access, (gridId) => readers[ids.indexOf(gridId)] ?? assert.fail(gridId)),
      );
      assert.deepEqual(snapshot?.retentionWatermarks, [{ gridId: GRID, before: log.now + 5 }]);
      assert.equal(snapshot.grids.length, shards);
      assert.ok(remote.mostAtOnce <= 16 * 3, `${remote.mostAtOnce} at once`);
      trips.push(remote.trips);
    }
    assert.equal(trips[1], trips[0]);
    assert.ok(trips[2] <= 3 * trips[0], `${trips[2]} trips`);
  });

  it('is absent before the first commit', async () => {
    assert.equal(await readAccessSnapshot(log.store, () => log.store), undefined);
  });
});

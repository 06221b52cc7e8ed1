import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readAccessSnapshot } from '../../../../src/runtime/threads/access-snapshot.js';
import type { ReadModelReader } from '../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../src/streams/event-store.js';
import { gridStream } from '../../../../src/streams/stream-names.js';
import { ProjectedLog } from '../../projections/engine/support/projected.js';
import { GRID, logsReceived, metricsReceived, spansReceived } from '../../projections/engine/support/requests.js';

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

  it('has the newest mark of each Grid, as of the position of the projections', async () => {
    await createGrid('shop');
    await log.append(spansReceived([{ trace: 1, span: 1, start: log.now }]));
    await log.append(logsReceived([{ time: log.now, body: 'x' }]));
    await log.append(metricsReceived([{ time: log.now, value: 1 }]));
    await log.expire(log.now + 5);
    await log.settle();
    const position = await createGrid('shop');
    await log.settle();
    const snapshot = (await readAccessSnapshot(log.store, () => log.store))!;
    assert.deepEqual(snapshot.expiryMarks, [{ gridId: GRID, before: log.now + 5 }]);
    assert.equal(snapshot.position, position);
    assert.deepEqual(
      snapshot.grids.map(({ gridId }) => gridId),
      [GRID],
    );
  });

  it('has the position of the projection that is furthest behind: it may lack later marks', async () => {
    const position = await createGrid('shop');
    await log.append(spansReceived([{ trace: 1, span: 1, start: log.now }]));
    await createGrid('shop');
    await log.settle();
    const behind = await readAccessSnapshot(log.store, () => readerWithLogsAt(position));
    assert.equal(behind?.position, position);
    assert.equal(await readAccessSnapshot(log.store, () => readerWithLogsAt(undefined)), undefined);
  });

  it('is absent before the first commit', async () => {
    assert.equal(await readAccessSnapshot(log.store, () => log.store), undefined);
  });
});

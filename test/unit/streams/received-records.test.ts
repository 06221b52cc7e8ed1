import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { DamagedEvent } from '../../../src/streams/damaged-event.js';
import { type EventReader, START, type Position } from '../../../src/streams/event-store.js';
import { readReceivedRecords, type ReceivedRecords } from '../../../src/streams/event-log-scans.js';
import { gridStream, telemetryStream } from '../../../src/streams/stream-names.js';

describe('received records', () => {
  it('lists only requests after a position, with their record counts', async () => {
    const store = new MemoryEventStore();
    const append = async (stream: string, type: string, data: object): Promise<Position> => {
      const result = await store.append(stream, 'any', [{ id: randomUUID(), type, data }]);
      return result.ok ? result.position : assert.fail('conflict');
    };
    const first = await append(telemetryStream('a'), 'TracesReceived.v1', {
      gridId: 'a',
      signal: 'traces',
      accepted: 3,
      rejected: [1],
    });
    await append(gridStream('a'), 'GridCreated.v1', {});
    await append(telemetryStream('b'), 'TelemetryPart.v1', {});
    const second = await append(telemetryStream('b'), 'LogsReceived.v1', {
      gridId: 'b',
      signal: 'logs',
      accepted: 5,
      rejected: [],
    });
    const listed = async (after: Position) => {
      const all: ReceivedRecords[] = [];
      for await (const each of readReceivedRecords(store, after)) all.push(each);
      return all;
    };
    assert.deepEqual(await listed(START), [
      { position: first, gridId: 'a', signal: 'traces', records: 3, rejected: 1 },
      { position: second, gridId: 'b', signal: 'logs', records: 5, rejected: 0 },
    ]);
    assert.deepEqual(
      (await listed(first)).map(({ position }) => position),
      [second],
    );
    assert.deepEqual(await listed(second), []);
  });

  it('reads on past a damaged event', async () => {
    const store = new MemoryEventStore();
    for (let n = 0; n < 4; n++)
      await store.append(telemetryStream('a'), 'any', [
        { id: randomUUID(), type: 'LogsReceived.v1', data: { gridId: 'a', accepted: n, rejected: [] } },
      ]);
    const events: Pick<EventReader, 'readAll'> = {
      async readAll(after, options) {
        const batch = await store.readAll(after, options);
        const damaged = batch.findIndex(({ revision }) => revision === 1);
        if (damaged === 0) throw new DamagedEvent(batch[0].position, 'its header');
        return damaged < 0 ? batch : batch.slice(0, damaged);
      },
    };
    const counts: number[] = [];
    for await (const { records } of readReceivedRecords(events, START)) counts.push(records);
    assert.deepEqual(counts, [0, 2, 3]);
  });
});

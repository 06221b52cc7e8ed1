import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { DamagedEvent } from '../../../src/streams/damaged-event.js';
import { DamageSkippingReader } from '../../../src/streams/damage-skipping-reader.js';
import { type EventReader, type Position, START } from '../../../src/streams/event-store.js';

describe('a reader that skips damaged events', () => {
  let store: MemoryEventStore;
  let positions: Position[];
  let damaged: Set<number>;
  let reader: DamageSkippingReader;

  beforeEach(async () => {
    store = new MemoryEventStore();
    positions = [];
    damaged = new Set();
    for (let n = 0; n < 10; n++) {
      const appended = await store.append('grid-a', 'any', [{ id: randomUUID(), type: 'Numbered.v1', data: { n } }]);
      positions.push(appended.ok ? appended.position : assert.fail());
    }
    reader = new DamageSkippingReader(createDamagedLog());
  });

  /** Behaves like the port on a log whose events with these revisions are damaged. */
  function createDamagedLog(): Pick<EventReader, 'readStream' | 'readAll' | 'readEvent'> {
    const damage = (revision: number): DamagedEvent => new DamagedEvent(positions[revision], 'its body', { revision });
    return {
      async readStream(stream, from, limit) {
        const events = await store.readStream(stream, from, limit);
        const first = events.find(({ revision }) => damaged.has(revision));
        if (first !== undefined) throw damage(first.revision);
        return events;
      },
      async readAll(after, options) {
        const events = await store.readAll(after, options);
        const first = events.findIndex(({ revision }) => damaged.has(revision));
        if (first === 0) throw damage(events[0].revision);
        return first < 0 ? events : events.slice(0, first);
      },
      async readEvent(stream, revision) {
        if (damaged.has(revision)) throw damage(revision);
        return store.readEvent(stream, revision);
      },
    };
  }
  const revisionsOf = (events: readonly { revision: number }[]): number[] => events.map(({ revision }) => revision);

  it('returns everything of an intact log', async () => {
    assert.deepEqual(await reader.readStream('grid-a'), await store.readStream('grid-a'));
    assert.deepEqual(await reader.readAll(START, { limit: 4 }), await store.readAll(START, { limit: 4 }));
    assert.deepEqual(reader.damaged, []);
  });

  it('returns the rest of a stream, and names what it skipped', async () => {
    damaged = new Set([0, 4, 5, 9]);
    assert.deepEqual(revisionsOf(await reader.readStream('grid-a')), [1, 2, 3, 6, 7, 8]);
    assert.deepEqual(revisionsOf(await reader.readStream('grid-a', 4, 2)), [6, 7]);
    assert.deepEqual(revisionsOf(await reader.readStream('grid-a', 9, 1)), []);
    assert.deepEqual(
      reader.damaged,
      [0, 4, 5, 9].map((revision) => positions[revision]),
    );
  });

  it('returns the rest of the log, also where all events of a batch are damaged', async () => {
    damaged = new Set([2, 3, 4]);
    const read: number[] = [];
    for (let after = START; ;) {
      const batch = await reader.readAll(after, { limit: 2 });
      if (batch.length === 0) break;
      read.push(...revisionsOf(batch));
      after = batch[batch.length - 1].position;
    }
    assert.deepEqual(read, [0, 1, 5, 6, 7, 8, 9]);
    assert.equal(reader.damaged.length, 3);
  });

  it('returns no damaged event', async () => {
    damaged = new Set([3]);
    assert.equal(await reader.readEvent('grid-a', 3), undefined);
    assert.equal((await reader.readEvent('grid-a', 4))?.revision, 4);
    assert.deepEqual(reader.damaged, [positions[3]]);
  });

  it('passes other failures on', async () => {
    const failing = new DamageSkippingReader({
      readStream: () => Promise.reject(new Error('away')),
      readAll: () => Promise.reject(new Error('away')),
      readEvent: () => Promise.reject(new Error('away')),
    });
    await assert.rejects(failing.readStream('grid-a'), /away/);
    await assert.rejects(failing.readAll(START, { limit: 1 }), /away/);
    await assert.rejects(failing.readEvent('grid-a', 0), /away/);
  });
});

import assert from 'node:assert/strict';
import { WithdrawnWatermarks } from '../../../../src/projections/telemetry/withdrawn-watermarks.js';
import { DamagedEvent } from '../../../../src/streams/damaged-event.js';
import { type Position, type RecordedEvent, type Revision, START } from '../../../../src/streams/event-store.js';
import { RETENTION_WITHDRAWALS_STREAM } from '../../../../src/streams/stream-names.js';

const GRID = '0f0c4b2a-1111-4222-8333-444455556666';

/** A stream whose third withdrawal is damaged and says that it is of this revision. */
function createStream(withdrawals: number, claimed: Revision | undefined) {
  const positionOf = (revision: number): Position => String(revision + 1).padStart(20, '0') as Position;
  return {
    reads: 0,
    readStream(stream: string, from: Revision = 0, limit = Infinity): Promise<RecordedEvent[]> {
      assert.equal(stream, RETENTION_WITHDRAWALS_STREAM);
      assert.ok(++this.reads < 100, 'the stream is read without end');
      const events: RecordedEvent[] = [];
      for (let revision = from; revision < withdrawals && events.length < limit; revision++) {
        if (revision === 2) return Promise.reject(new DamagedEvent(positionOf(2), 'damaged', { revision: claimed }));
        const data = { gridId: GRID, before: 1_000 - revision, actor: 'operator', at: 1 };
        const event = { id: `${revision}`, type: 'RetentionMarkWithdrawn.v1', data, stream, revision };
        events.push({ ...event, position: positionOf(revision), recordedAt: 1 });
      }
      return Promise.resolve(events);
    },
  };
}

describe('withdrawn retention watermarks', () => {
  for (const [label, claimed] of [
    ['its own revision', 2],
    ['no revision', undefined],
    ['a larger revision', 2 ** 40],
    ['a smaller revision', 0],
  ] as const)
    it(`are read up to the newest when one is damaged and names ${label}`, async () => {
      const watermarks = new WithdrawnWatermarks(createStream(5, claimed));
      await watermarks.load();
      assert.equal(watermarks.limit(GRID, START, 2_000), 996);
    });

  it('are read at once when none is damaged', async () => {
    const stream = createStream(2, 2);
    const watermarks = new WithdrawnWatermarks(stream);
    await watermarks.load();
    assert.deepEqual([watermarks.limit(GRID, START, 2_000), stream.reads], [999, 1]);
  });

  it('hold where the newest withdrawal is damaged', async () => {
    const watermarks = new WithdrawnWatermarks(createStream(3, undefined));
    await watermarks.load();
    assert.equal(watermarks.limit(GRID, START, 2_000), 999);
  });
});

import assert from 'node:assert/strict';
import type { Position } from '../../../../src/streams/event-store.js';
import type { Hint } from '../../../../src/streams/live/live-feed.js';
import { Outbox } from '../../../../src/streams/live/nats/outbox.js';

const appended = (position: string): Hint => ({ topic: 'appended', position: position as Position });
const projected = (projection: string, position: string): Hint => ({ topic: 'projected', projection, position: position as Position });
const diagnosed = (gridId: string, version: number): Hint => ({ topic: 'diagnosed', gridId, diagnostic: 'health', version });

describe('The outbox of hints', () => {
  it('keeps the latest about each thing, in the order of their last word', () => {
    const box = new Outbox();
    for (const hint of [appended('1'), projected('a', '1'), diagnosed('g', 1), projected('b', '1'), appended('2'), diagnosed('g', 2)]) box.put(hint);
    assert.deepEqual(box.take(), [projected('a', '1'), projected('b', '1'), appended('2'), diagnosed('g', 2)]);
    assert.equal(box.size, 0);
    assert.deepEqual(box.take(), []);
  });

  it('drops what has waited longest when it is full', () => {
    const box = new Outbox(3);
    for (const hint of [diagnosed('a', 1), diagnosed('b', 1), diagnosed('c', 1), diagnosed('a', 2), diagnosed('d', 1)]) box.put(hint);
    assert.deepEqual(box.take(), [diagnosed('c', 1), diagnosed('a', 2), diagnosed('d', 1)]);
  });
});

import assert from 'node:assert/strict';
import type { Position } from '../../../../../src/streams/event-store.js';
import type { ChangeHint } from '../../../../../src/streams/live/live-feed.js';
import { CoalescingHintQueue } from '../../../../../src/streams/live/nats/hint-messages.js';

const appended = (position: string): ChangeHint => ({ topic: 'appended', position: position as Position });
const projected = (projection: string, position: string): ChangeHint => ({
  topic: 'projected',
  projection,
  position: position as Position,
});
const diagnosed = (gridId: string, version: number): ChangeHint => ({
  topic: 'diagnosed',
  gridId,
  diagnostic: 'health',
  version,
});

describe('hint queue', () => {
  it('keeps the latest hint per subject in the order of arrival', () => {
    const box = new CoalescingHintQueue();
    for (const hint of [
      appended('1'),
      projected('a', '1'),
      diagnosed('g', 1),
      projected('b', '1'),
      appended('2'),
      diagnosed('g', 2),
    ])
      box.enqueue(hint);
    assert.deepEqual(box.drain(), [projected('a', '1'), projected('b', '1'), appended('2'), diagnosed('g', 2)]);
    assert.equal(box.size, 0);
    assert.deepEqual(box.drain(), []);
  });

  it('drops the oldest hint when full', () => {
    const box = new CoalescingHintQueue(3);
    for (const hint of [diagnosed('a', 1), diagnosed('b', 1), diagnosed('c', 1), diagnosed('a', 2), diagnosed('d', 1)])
      box.enqueue(hint);
    assert.deepEqual(box.drain(), [diagnosed('c', 1), diagnosed('a', 2), diagnosed('d', 1)]);
  });
});

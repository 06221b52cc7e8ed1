import assert from 'node:assert/strict';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import { START } from '../../../src/streams/event-store.js';
import { readEventsAfter } from '../../../src/streams/event-log-scans.js';

describe('reading events after a position', () => {
  let log: MemoryEventStore;
  beforeEach(async () => {
    log = new MemoryEventStore();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await append(name);
  });

  it('returns batches in log order up to the end', async () => {
    for (const limit of [1, 2, 5, 100])
      assert.deepEqual(await types(limit), ['a', 'b', 'c', 'd', 'e'], `${limit} at a time`);
  });

  it('returns only later events of the requested streams', async () => {
    const [, second] = await log.readAll(START, { prefixes: ['one-'], limit: 2 });
    assert.deepEqual(await types(2, second.position), ['c', 'd', 'e']);
    assert.deepEqual(await types(2, START, 'other-'), []);
  });

  it('includes events appended meanwhile', async () => {
    const seen: string[] = [];
    for await (const { type } of readEventsAfter(log, START, { prefixes: ['one-'], limit: 2 })) {
      if (type === 'e') await append('f');
      seen.push(type);
    }
    assert.deepEqual(seen, ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  async function append(type: string): Promise<void> {
    await log.append('one-1', 'any', [{ id: `${type}`, type, data: {} }]);
  }

  async function types(limit: number, after = START, prefix = 'one-'): Promise<string[]> {
    const seen: string[] = [];
    for await (const { type } of readEventsAfter(log, after, { prefixes: [prefix], limit })) seen.push(type);
    return seen;
  }
});

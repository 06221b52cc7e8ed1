import assert from 'node:assert/strict';
import { waitUntilVisible } from '../../../src/commands/read-your-writes.js';
import type { Position } from '../../../src/streams/event-store.js';

const position = '7' as Position;

describe('read your writes', () => {
  it('resolves once visible', async () => {
    const steps: string[] = [];
    const showing = { waitForPosition: async (at: Position) => void steps.push(`shows ${at}`) };
    const done = await waitUntilVisible(showing, Promise.resolve({ position, id: 'x' }));
    assert.deepEqual([done, steps], [{ position, id: 'x' }, ['shows 7']]);
  });

  it('resolves after a failed wait: the change is durable', async () => {
    const showing = { waitForPosition: () => Promise.reject(new Error('away')) };
    assert.deepEqual(await waitUntilVisible(showing, Promise.resolve({ position })), { position });
  });

  it('does not wait for a rejected command', async () => {
    const showing = { waitForPosition: () => assert.fail('nothing was done') };
    await assert.rejects(waitUntilVisible(showing, Promise.reject(new Error('refused'))), /refused/);
  });
});

import assert from 'node:assert/strict';
import { runAfterVisible, waitUntilVisible } from '../../../src/commands/read-your-writes.js';
import type { Position } from '../../../src/streams/event-store.js';

const position = '7' as Position;

describe('read your writes', () => {
  it('resolves once visible, after the callback ran', async () => {
    const steps: string[] = [];
    const showing = runAfterVisible(
      { waitForPosition: async (at) => void steps.push(`shows ${at}`) },
      () => void steps.push('then'),
    );
    const done = await waitUntilVisible(showing, Promise.resolve({ position, id: 'x' }));
    assert.deepEqual([done, steps], [{ position, id: 'x' }, ['shows 7', 'then']]);
  });

  it('resolves after a timeout, after the callback ran', async () => {
    let told = 0;
    const showing = runAfterVisible(
      { waitForPosition: () => Promise.reject(new Error('away')) },
      () => void (told += 1),
    );
    assert.deepEqual(await waitUntilVisible(showing, Promise.resolve({ position })), { position });
    assert.equal(told, 1);
  });

  it('does not wait for a rejected command', async () => {
    const showing = { waitForPosition: () => assert.fail('nothing was done') };
    await assert.rejects(waitUntilVisible(showing, Promise.reject(new Error('refused'))), /refused/);
  });
});

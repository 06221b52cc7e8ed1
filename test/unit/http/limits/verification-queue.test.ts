import assert from 'node:assert/strict';
import { VerificationQueue } from '../../../../src/http/limits/verification-queue.js';

describe('queue of verifications', () => {
  let queue: VerificationQueue;
  let granted: string[];
  beforeEach(() => {
    // Without turns by the timer: the test grants them.
    queue = new VerificationQueue(0);
    granted = [];
  });

  const connection = (name: string): { readonly name: string } => ({ name });

  function wait(address: string, from: { readonly name: string }): void {
    void queue
      .takeTurn(address, from)
      .then((isTurn) => granted.push(`${address} ${from.name}${isTurn ? '' : ' refused'}`));
  }

  async function grant(count: number): Promise<string[]> {
    queue.grantTurns(count);
    await Promise.resolve();
    return granted.splice(0);
  }

  it('grants turns by address, and within an address by connection', async () => {
    const [greedy, modest, other] = ['greedy', 'modest', 'other'].map(connection);
    for (let n = 0; n < 4; n++) wait('a', greedy);
    wait('a', modest);
    wait('b', other);
    assert.deepEqual(await grant(3), ['a greedy', 'b other', 'a modest']);
    assert.deepEqual(await grant(9), ['a greedy', 'a greedy', 'a greedy']);
  });

  it('grants a newcomer its turn after one of each other connection', async () => {
    const guessing = Array.from({ length: 50 }, (_, n) => connection(`${n}`));
    for (const each of guessing) for (let n = 0; n < 8; n++) wait('a', each);
    wait('a', connection('newcomer'));
    assert.equal((await grant(51)).at(-1), 'a newcomer');
  });

  it('refuses what comes past the limit of a connection or of an address', async () => {
    const first = connection('first');
    for (let n = 0; n < 9; n++) wait('a', first);
    await Promise.resolve();
    assert.deepEqual(granted.splice(0), ['a first refused']);
    for (let n = 0; n < 3_992; n++) wait('a', connection(`${n}`));
    wait('a', connection('too late'));
    wait('b', connection('elsewhere'));
    await Promise.resolve();
    assert.deepEqual(granted.splice(0), ['a too late refused']);
    assert.equal((await grant(4_001)).length, 4_001);
    wait('a', first);
    assert.deepEqual(await grant(1), ['a first']);
  });

  it('grants turns by itself', async () => {
    assert.equal(await new VerificationQueue().takeTurn('a', connection('only')), true);
  });
});

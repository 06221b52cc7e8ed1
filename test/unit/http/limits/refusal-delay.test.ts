import assert from 'node:assert/strict';
import { RefusalDelay } from '../../../../src/http/limits/refusal-delay.js';

describe('the delay of refusals', () => {
  let nowMs: number;
  let delays: number[];
  let refusals: RefusalDelay;

  beforeEach(() => {
    nowMs = 1_000_000;
    delays = [];
    refusals = new RefusalDelay({
      now: () => nowMs,
      pause: (ms) => Promise.resolve(void delays.push(ms)),
    });
  });

  async function refuse(count: number, ownerId = 'attacker'): Promise<void> {
    for (let n = 0; n < count; n++) await refusals.wait(ownerId);
  }

  it('is none for some refusals at the same time', async () => {
    await refuse(100);
    assert.deepEqual(delays, []);
  });

  it('grows with further ones, up to two seconds', async () => {
    await refuse(1_000);
    assert.deepEqual(delays.slice(0, 3), [20, 40, 60]);
    assert.equal(Math.max(...delays), 2_000);
  });

  it('lets an owner have 50 refusals a second', async () => {
    await refuse(1_000);
    delays = [];
    nowMs += 1_000;
    await refuse(50);
    assert.equal(delays.at(-1), 2_000 - 20);
  });

  it('ends some seconds after the last refusal', async () => {
    await refuse(1_000);
    delays = [];
    nowMs += 4_000;
    await refuse(100);
    assert.deepEqual(delays, []);
  });

  it('is separate for each owner', async () => {
    await refuse(1_000);
    delays = [];
    await refuse(100, 'neighbour');
    assert.deepEqual(delays, []);
  });
});

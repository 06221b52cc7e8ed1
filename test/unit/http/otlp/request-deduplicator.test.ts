import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { IdentitySet, parseIdentity, RequestDeduplicator } from '../../../../src/http/otlp/request-deduplicator.js';

const sha256 = (n: number): string => createHash('sha256').update(String(n)).digest('hex');
const MINUTE = 60_000;
const START = 1_767_225_600_000;

describe('IdentitySet', () => {
  it('holds exactly what was added', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 1_000 }), (added) => {
        const set = new IdentitySet();
        for (const n of added) set.add(parseIdentity(sha256(n)));
        assert.equal(set.size, new Set(added).size);
        for (let n = 0; n <= 500; n++) assert.equal(set.has(parseIdentity(sha256(n))), added.includes(n));
      }),
      { numRuns: 20 },
    );
  });

  it('distinguishes identities that share their place in the table', () => {
    const set = new IdentitySet();
    for (let n = 1; n <= 200; n++) set.add([7, n, 0, 0]);
    assert.equal(set.size, 200);
    assert.equal(set.has([7, 200, 0, 0]), true);
    assert.equal(set.has([7, 201, 0, 0]), false);
  });
});

describe('RequestDeduplicator', () => {
  let deduplicator: RequestDeduplicator;
  let appends: number;
  const append = async (): Promise<void> => void appends++;

  beforeEach(() => {
    deduplicator = new RequestDeduplicator(1_000);
    appends = 0;
  });

  it('appends a request once', async () => {
    assert.equal(await deduplicator.runOnce(sha256(1), START, append), true);
    assert.equal(await deduplicator.runOnce(sha256(1), START + 5, append), false);
    assert.equal(await deduplicator.runOnce(sha256(2), START + 6, append), true);
    assert.equal(appends, 2);
  });

  it('remembers for at least 14 minutes and never for more than 15', async () => {
    const arrivals = fc.record({
      first: fc.integer({ min: 0, max: 5 * MINUTE }),
      gap: fc.integer({ min: 0, max: 20 * MINUTE }),
    });
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ first, gap }) => {
        const fresh = new RequestDeduplicator();
        await fresh.runOnce(sha256(1), START + first, append);
        const again = await fresh.runOnce(sha256(1), START + first + gap, append);
        if (gap < 14 * MINUTE) assert.equal(again, false);
        if (gap > 15 * MINUTE) assert.equal(again, true);
      }),
    );
  });

  it('lets a repetition share the outcome of the one in flight', async () => {
    let durable: () => void = () => undefined;
    const first = deduplicator.runOnce(sha256(1), START, () => new Promise((resolve) => (durable = resolve)));
    const second = deduplicator.runOnce(sha256(1), START, append);
    let answered = false;
    void second.then(() => (answered = true));
    await new Promise(setImmediate);
    assert.equal(answered, false, 'not acknowledged before it is durable');
    durable();
    assert.deepEqual(await Promise.all([first, second]), [true, false]);
    assert.equal(appends, 0);
  });

  it('forgets a failed append, also for those who waited for it', async () => {
    const failing = async (): Promise<void> => {
      throw new Error('disk full');
    };
    const both = await Promise.allSettled([
      deduplicator.runOnce(sha256(1), START, failing),
      deduplicator.runOnce(sha256(1), START, append),
    ]);
    assert.deepEqual(
      both.map((each) => each.status),
      ['rejected', 'rejected'],
    );
    assert.equal(await deduplicator.runOnce(sha256(1), START + 1, append), true);
    assert.equal(appends, 1);
  });

  it('stays within its bound by forgetting the oldest minute', async () => {
    for (let n = 0; n < 600; n++) await deduplicator.runOnce(sha256(n), START, append);
    for (let n = 600; n < 1_200; n++) await deduplicator.runOnce(sha256(n), START + MINUTE, append);
    assert.ok(deduplicator.size <= 1_000, `${deduplicator.size}`);
    assert.equal(await deduplicator.runOnce(sha256(1_199), START + MINUTE, append), false);
    assert.equal(await deduplicator.runOnce(sha256(0), START + MINUTE, append), true);
  });
});

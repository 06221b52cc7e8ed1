import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MemoryBudget, type MemoryReservation } from '../../../../src/http/otlp/memory-budget.js';

const room = { maxWaiting: 3, maxWaitMs: 5_000 };

async function reserveBytes(budget: MemoryBudget, bytes: number): Promise<MemoryReservation> {
  const reservation = await budget.reserve(bytes);
  assert.ok(reservation !== undefined, 'a reservation was expected');
  return reservation;
}

describe('MemoryBudget', () => {
  it('gives what is free and takes it back', async () => {
    const budget = new MemoryBudget(100, room);
    const reservation = await reserveBytes(budget, 60);
    assert.equal(budget.freeBytes, 40);
    reservation.shrinkTo(10);
    assert.equal(budget.freeBytes, 90);
    reservation.release();
    reservation.release();
    assert.equal(budget.freeBytes, 100);
  });

  it('lets who finds nothing free wait until something is', async () => {
    const budget = new MemoryBudget(100, room);
    const first = await reserveBytes(budget, 80);
    const second = budget.reserve(50);
    first.release();
    assert.equal((await second)?.bytes, 50);
  });

  it('serves in the order of arrival: a large request is not starved by small ones', async () => {
    const budget = new MemoryBudget(100, room);
    const holder = await reserveBytes(budget, 60);
    const served: string[] = [];
    const large = budget.reserve(90).then((reservation) => {
      served.push('large');
      reservation?.release();
    });
    const small = budget.reserve(10).then((reservation) => {
      served.push('small');
      reservation?.release();
    });
    assert.equal(holder.tryGrow(1), false, 'who comes later may not pass those who wait');
    holder.release();
    await Promise.all([large, small]);
    assert.deepEqual(served, ['large', 'small']);
  });

  it('turns away who has waited too long, and serves the next in line', async () => {
    const budget = new MemoryBudget(100, { maxWaiting: 3, maxWaitMs: 10 });
    const holder = await reserveBytes(budget, 60);
    const tooLarge = budget.reserve(90);
    assert.equal(await tooLarge, undefined);
    assert.equal((await reserveBytes(budget, 40)).bytes, 40);
    holder.release();
  });

  it('limits all waits of one request together', async () => {
    const budget = new MemoryBudget(100, { maxWaiting: 3, maxWaitMs: 20 });
    const holder = await reserveBytes(budget, 60);
    const reservation = await reserveBytes(budget, 40);
    assert.equal(await reservation.grow(10), false);
    assert.ok(reservation.waitedMs >= 15, `${reservation.waitedMs} ms`);
    const second = reservation.grow(10);
    holder.shrinkTo(0);
    assert.equal(await second, true, 'memory that is free at once is given');
  });

  it('turns away at once who finds the line full or asks for more than there is', async () => {
    const budget = new MemoryBudget(100, { maxWaiting: 1, maxWaitMs: 60_000 });
    const holder = await reserveBytes(budget, 100);
    const waiting = budget.reserve(1);
    assert.equal(await budget.reserve(1), undefined);
    assert.equal(await budget.reserve(101), undefined);
    holder.release();
    assert.equal((await waiting)?.bytes, 1);
  });

  it('never gives more than it has, and has everything back in the end', async () => {
    const step = fc.record({ reservation: fc.nat(4), grow: fc.nat(60), shrink: fc.nat(60) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const budget = new MemoryBudget(100, room);
        const reservations = await Promise.all(Array.from({ length: 5 }, () => reserveBytes(budget, 0)));
        for (const { reservation, grow, shrink } of steps) {
          reservations[reservation].tryGrow(grow);
          reservations[(reservation + 1) % 5].shrinkTo(shrink);
          const held = reservations.reduce((sum, each) => sum + each.bytes, 0);
          assert.equal(held + budget.freeBytes, 100);
          assert.ok(budget.freeBytes >= 0);
        }
        for (const reservation of reservations) reservation.release();
        assert.equal(budget.freeBytes, 100);
      }),
    );
  });
});

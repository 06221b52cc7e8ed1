import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MemoryBudget, type MemoryReservation } from '../../../../src/http/otlp/memory-budget.js';
import type { WorkShare } from '../../../../src/scheduling/fair-queue.js';

const LIMITS = { maxWaiting: 3, maxWaitMs: 5_000 };
const TOTAL = 960;

const share = (ownerId: string, gridId = `grid of ${ownerId}`): WorkShare => ({ ownerId, gridId });

/** Resolves when everything that can continue without a timer has. */
const settle = (): Promise<void> => new Promise(setImmediate);

function hold(budget: MemoryBudget, ownerId: string, bytes: number): MemoryReservation {
  const reservation = budget.open(share(ownerId));
  assert.ok(reservation.tryGrow(bytes), `${bytes} bytes for ${ownerId}`);
  return reservation;
}

describe('MemoryBudget', () => {
  it('gives what is free and takes it back', () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const reservation = hold(budget, 'a', 600);
    assert.equal(budget.freeBytes, 360);
    reservation.shrinkTo(100);
    assert.deepEqual([budget.freeBytes, reservation.bytes], [860, 100]);
    reservation.release();
    reservation.release();
    assert.equal(budget.freeBytes, TOTAL);
  });

  it('lets who finds too little free wait until there is enough', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const first = hold(budget, 'a', 800);
    const second = budget.open(share('a'));
    const granted = second.grow(500);
    first.release();
    assert.equal(await granted, true);
    assert.equal(second.bytes, 500);
  });

  it('admits a neighbour at once while one owner holds as much as it can and asks for more', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const held = Array.from({ length: 3 }, () => budget.open(share('attacker')));
    const asked = held.map((each) => each.grow(300));
    await settle();
    const neighbour = budget.open(share('neighbour'));
    assert.ok(neighbour.tryGrow(20));
    held.forEach((each) => each.release());
    await Promise.all(asked);
  });

  it('ends stalled uploads of who holds more than those that wait, and no others', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const ended: string[] = [];
    for (const [ownerId, heldBytes] of Object.entries({ large: 480, small: 100 })) {
      const reservation = hold(budget, ownerId, heldBytes);
      const end = (): void => {
        ended.push(ownerId);
        reservation.release();
      };
      reservation.lendTo({ ownerId, heldBytes, isSlow: true, end });
    }
    const asking = hold(budget, 'asking', 150);
    assert.equal(await asking.grow(300), true);
    assert.deepEqual(ended, ['large']);
    const demanding = budget.open(share('asking'));
    const refused = demanding.grow(600);
    await settle();
    assert.deepEqual(ended, ['large'], 'whoever asks for much ends nothing of those who hold little');
    demanding.release();
    assert.equal(await refused, false);
  });

  it('admits another Grid of an owner as soon as any memory of that owner is free', async () => {
    const budget = new MemoryBudget(TOTAL, { ...LIMITS, maxWaiting: 100 });
    const held = Array.from({ length: 5 }, () => hold(budget, 'company', 100));
    const order: string[] = [];
    const ask = async (gridId: string): Promise<void> => {
      if (await budget.open(share('company', gridId)).grow(100)) order.push(gridId);
    };
    for (const gridId of ['noisy', 'noisy', 'noisy', 'quiet']) void ask(gridId);
    await settle();
    held[0].release();
    held[1].release();
    await settle();
    assert.ok(order.includes('quiet'), order.join());
  });

  it('admits others at once, whatever they need, while an owner waits for memory that it holds itself', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const held = [hold(budget, 'stalled', 300), hold(budget, 'stalled', 200)];
    const asking = budget.open(share('stalled'));
    const granted = asking.grow(200);
    await settle();
    const neighbour = budget.open(share('neighbour'));
    assert.ok(neighbour.tryGrow(150), `${budget.freeBytes} bytes are free`);
    neighbour.release();
    held.forEach((each) => each.release());
    assert.equal(await granted, true);
  });

  it('admits others at once while an owner asks for more than it may have beside the little that it holds', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const little = hold(budget, 'greedy', 94);
    const refused = budget.open(share('greedy')).grow(650);
    hold(budget, 'neighbour', 140);
    assert.ok(budget.open(share('neighbour')).tryGrow(10), `${budget.freeBytes} bytes are free`);
    little.release();
    assert.equal(await refused, true);
  });

  it('ends stalled uploads for who waits behind an owner that waits for itself', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    hold(budget, 'busy', 450);
    const more = budget.open(share('busy'));
    const refused = more.grow(300);
    const stalled = hold(budget, 'stalled', 250);
    stalled.lendTo({ ownerId: 'stalled', heldBytes: 250, isSlow: true, end: () => stalled.release() });
    assert.equal(await budget.open(share('waiting')).grow(250), true);
    more.release();
    assert.equal(await refused, false);
  });

  it('admits another Grid at once while one of the same owner waits for memory that it holds itself', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const noisy = budget.open(share('company', 'noisy'));
    assert.ok(noisy.tryGrow(500));
    const asking = budget.open(share('company', 'noisy'));
    const granted = asking.grow(100);
    let isGranted = false;
    void budget
      .open(share('company', 'quiet'))
      .grow(20)
      .then((result) => (isGranted = result));
    await settle();
    assert.ok(isGranted, `${budget.freeBytes} bytes are free`);
    noisy.release();
    assert.equal(await granted, true);
  });

  it('serves one Grid in the order of arrival, so that its small requests do not starve a large one', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const holder = hold(budget, 'a', 600);
    const order: string[] = [];
    const ask = async (name: string, bytes: number): Promise<void> => {
      const reservation = budget.open(share('a'));
      assert.ok(await reservation.grow(bytes));
      order.push(name);
      reservation.release();
    };
    const asked = [ask('large', 800), ask('small', 10)];
    assert.equal(holder.tryGrow(1), false, 'who comes later may not pass those of its owner who wait');
    holder.release();
    await Promise.all(asked);
    assert.deepEqual(order, ['large', 'small']);
  });

  it('keeps owners with much memory from taking more while somebody waits, and nobody else', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const [busy, more] = [hold(budget, 'busy', 300), hold(budget, 'busy', 200)];
    const large = budget.open(share('large'));
    const granted = large.grow(700);
    await settle();
    assert.equal(budget.open(share('busy')).tryGrow(10), false);
    hold(budget, 'small', 50).release();
    busy.release();
    more.release();
    assert.equal(await granted, true);
  });

  it('turns away who has waited too long, and serves the next in line', async () => {
    const budget = new MemoryBudget(TOTAL, { maxWaiting: 3, maxWaitMs: 10 });
    const holder = hold(budget, 'a', 500);
    assert.equal(await budget.open(share('a')).grow(800), false);
    hold(budget, 'a', 40);
    holder.release();
  });

  it('limits all waits of one request together', async () => {
    const budget = new MemoryBudget(TOTAL, { maxWaiting: 3, maxWaitMs: 20 });
    const holder = hold(budget, 'a', 800);
    const reservation = budget.open(share('a'));
    assert.equal(await reservation.grow(500), false);
    assert.ok(reservation.waitedMs >= 15, `${reservation.waitedMs} ms`);
    const second = reservation.grow(500);
    holder.shrinkTo(0);
    assert.equal(await second, true, 'memory that is free at once is given');
  });

  it('turns away at once who asks for more than one request can have', async () => {
    const budget = new MemoryBudget(TOTAL, { maxWaiting: 1, maxWaitMs: 60_000 });
    assert.equal(await budget.open(share('a')).grow(budget.largestGrant + 1), false);
    assert.equal(await budget.open(share('a')).grow(budget.largestGrant), true);
  });

  it('refuses the newest of whoever has most waiting when all places are taken', async () => {
    const budget = new MemoryBudget(TOTAL, { maxWaiting: 3, maxWaitMs: 60_000 });
    const holders = ['a', 'b'].map((owner) => hold(budget, owner, owner === 'a' ? 640 : 200));
    const outcomes: string[] = [];
    const ask = (owner: string, name: string): Promise<void> =>
      budget
        .open(share(owner))
        .grow(100)
        .then((granted) => void outcomes.push(`${name} ${granted}`));
    const asked = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => ask(name[0], name));
    await settle();
    assert.deepEqual(outcomes, ['a4 false', 'a3 false']);
    for (const each of holders) each.release();
    await Promise.all(asked);
    assert.deepEqual(outcomes.slice(2).sort(), ['a1 true', 'a2 true', 'b1 true']);
  });

  it('takes a request that is released out of the queue, and keeps nothing for it', async () => {
    const budget = new MemoryBudget(TOTAL, LIMITS);
    const holder = hold(budget, 'a', 800);
    const gone = budget.open(share('a'));
    const granted = gone.grow(500);
    gone.release();
    holder.release();
    assert.equal(await granted, false);
    assert.equal(budget.freeBytes, TOTAL);
  });

  it('never gives more than it has, and has everything back in the end', async () => {
    const step = fc.record({ reservation: fc.nat(4), grow: fc.nat(600), shrink: fc.nat(600), wait: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const budget = new MemoryBudget(TOTAL, LIMITS);
        const reservations = Array.from({ length: 5 }, (_, n) => budget.open(share(`${n % 3}`, `${n}`)));
        const waits: Promise<boolean>[] = [];
        for (const { reservation, grow, shrink, wait } of steps) {
          if (wait) waits.push(reservations[reservation].grow(grow));
          else reservations[reservation].tryGrow(grow);
          reservations[(reservation + 1) % 5].shrinkTo(shrink);
          const held = reservations.reduce((sum, each) => sum + each.bytes, 0);
          assert.equal(held + budget.freeBytes, TOTAL);
          assert.ok(budget.freeBytes >= 0);
        }
        while (budget.freeBytes < TOTAL) for (const reservation of reservations) reservation.release();
        await Promise.race([Promise.all(waits), settle()]);
        for (const reservation of reservations) reservation.release();
        assert.equal(budget.freeBytes, TOTAL);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FairQueue, type WorkShare } from '../../../src/scheduling/fair-queue.js';

interface Task {
  readonly name: string;
}

const share = (ownerId: string, gridId = `${ownerId}1`): WorkShare => ({ ownerId, gridId });

function queueOf(...tasks: readonly (readonly [WorkShare, string])[]): FairQueue<Task> {
  const queue = new FairQueue<Task>();
  for (const [whose, name] of tasks) queue.push(whose, { name });
  return queue;
}

/** Takes tasks in turn, each of which takes as long as `costOf` says; returns their names. */
function work(queue: FairQueue<Task>, costOf: (name: string) => number, turns = Infinity): string[] {
  const order: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = order.length < turns ? queue.shift() : undefined) {
    order.push(next.item.name);
    queue.charge(next.share, costOf(next.item.name));
  }
  return order;
}

describe('FairQueue', () => {
  it('keeps the order of arrival within a Grid', () => {
    const queue = queueOf([share('a'), 'first'], [share('a'), 'second'], [share('a'), 'third']);
    assert.deepEqual(
      work(queue, () => 1),
      ['first', 'second', 'third'],
    );
    assert.equal(queue.shift(), undefined);
  });

  it('serves whoever has a single task before the rest of a long queue', () => {
    const queue = queueOf([share('a'), 'a'], [share('a'), 'a'], [share('a'), 'a']);
    assert.deepEqual(
      work(queue, () => 30, 1),
      ['a'],
    );
    queue.push(share('b'), { name: 'b' });
    assert.deepEqual(
      work(queue, () => 1),
      ['b', 'a', 'a'],
    );
  });

  it('charges by time: of one slow and one fast owner, the fast one gets more turns', () => {
    const tasks = Array.from({ length: 30 }, () => [
      [share('slow'), 'slow'] as const,
      [share('fast'), 'fast'] as const,
    ]);
    const order = work(queueOf(...tasks.flat()), (name) => (name === 'slow' ? 9 : 1), 20);
    assert.equal(order.filter((name) => name === 'slow').length, 2);
  });

  it('counts the Grids of an owner together, and divides the turns of an owner among them', () => {
    const grids = Array.from({ length: 4 }, (_, n) => share('many', `many ${n}`));
    const queue = new FairQueue<Task>();
    for (let n = 0; n < 20; n++) {
      for (const each of grids) queue.push(each, { name: each.gridId });
      queue.push(share('one'), { name: 'one' });
    }
    const order = work(queue, () => 1, 40);
    assert.equal(order.filter((name) => name === 'one').length, 20);
    for (const { gridId } of grids) assert.equal(order.filter((name) => name === gridId).length, 5, gridId);
  });

  it('earns nobody credit to be idle', () => {
    const queue = queueOf([share('idle'), 'idle'], [share('busy'), 'busy']);
    work(queue, () => 1);
    for (let n = 0; n < 100; n++) queue.push(share('busy'), { name: 'busy' });
    work(queue, () => 10, 50);
    for (let n = 0; n < 100; n++) queue.push(share('idle'), { name: 'idle' });
    const order = work(queue, () => 10, 20);
    assert.ok(Math.abs(order.filter((name) => name === 'idle').length - 10) <= 1, order.join());
  });

  it('remembers the time that was used by work that had ended before others began to wait', () => {
    const queue = queueOf([share('a'), 'a'], [share('b'), 'b']);
    work(queue, (name) => (name === 'a' ? 1_000 : 1));
    for (const name of ['a', 'b', 'b', 'b']) queue.push(share(name), { name });
    assert.deepEqual(
      work(queue, () => 1),
      ['b', 'b', 'b', 'a'],
    );
  });

  it('passes over owners who are not eligible, and does not lose their place', () => {
    const queue = queueOf([share('a'), 'a'], [share('b'), 'b']);
    assert.equal(queue.shift(({ share: { ownerId } }) => ownerId !== 'a')?.item.name, 'b');
    assert.equal(
      queue.shift(({ share: { ownerId } }) => ownerId !== 'a'),
      undefined,
    );
    assert.equal(queue.shift()?.item.name, 'a');
  });

  it('passes over Grids whose first task is not eligible, and no others of their owner', () => {
    const queue = queueOf(
      [share('a', 'noisy'), 'large'],
      [share('a', 'noisy'), 'small'],
      [share('a', 'quiet'), 'tiny'],
    );
    const isEligible = ({ item }: { item: Task }): boolean => item.name !== 'large';
    assert.equal(queue.shift(undefined, isEligible)?.item.name, 'tiny');
    assert.equal(queue.shift(undefined, isEligible), undefined, 'what comes later in a Grid waits for its first task');
    assert.equal(queue.shift()?.item.name, 'large');
  });

  for (const order of [
    ['other', 'mine'],
    ['mine', 'other'],
  ])
    it(`makes room for a Grid of an owner with as many tasks as another, of whom ${order[0]} was first`, () => {
      const noisy = order.flatMap((ownerId) => Array<[WorkShare, string]>(5).fill([share(ownerId, ownerId), ownerId]));
      const queue = queueOf(...noisy);
      assert.equal(queue.findExcess(share('mine', 'quiet'))?.item.name, 'mine');
      assert.equal(queue.findExcess(share('mine', 'mine')), undefined);
      assert.ok(queue.findExcess(share('new'))?.item.name);
    });

  it('removes a task that waits, once', () => {
    const queue = new FairQueue<Task>();
    const task = { name: 'a' };
    queue.push(share('a'), task);
    assert.deepEqual([queue.size, queue.ownerCount, queue.waitingOf('a')], [1, 1, 1]);
    assert.equal(queue.remove(share('b'), task), false);
    assert.equal(queue.remove(share('a'), task), true);
    assert.equal(queue.remove(share('a'), task), false);
    assert.deepEqual([queue.size, queue.ownerCount, queue.waitingOf('a')], [0, 0, 0]);
    assert.equal(queue.peek(), undefined);
  });

  /** Owners who always have work: how many Grids each has, and how long its tasks take. */
  const owners = fc.array(
    fc.record({ grids: fc.integer({ min: 1, max: 40 }), costMs: fc.integer({ min: 1, max: 50 }) }),
    {
      minLength: 2,
      maxLength: 6,
    },
  );

  it('gives all owners with work the same time, but for one task, whatever the number of their Grids and tasks', () => {
    fc.assert(
      fc.property(owners, fc.integer({ min: 50, max: 400 }), (all, turns) => {
        const queue = new FairQueue<Task>();
        const used = all.map(() => 0);
        const enqueue = (n: number, grid: number): void => queue.push(share(`${n}`, `${n}/${grid}`), { name: `${n}` });
        all.forEach(({ grids }, n) => {
          for (let grid = 0; grid < grids; grid++) enqueue(n, grid);
        });
        for (let turn = 0; turn < turns; turn++) {
          const next = queue.shift()!;
          const n = Number(next.item.name);
          used[n] += all[n].costMs;
          queue.charge(next.share, all[n].costMs);
          enqueue(n, Number(next.share.gridId.split('/')[1]));
        }
        const dearest = Math.max(...all.map(({ costMs }) => costMs));
        assert.ok(Math.max(...used) - Math.min(...used) <= dearest, used.join());
      }),
    );
  });

  it('lets nobody starve: a new owner waits for at most one turn of each other owner', () => {
    fc.assert(
      fc.property(owners, fc.nat(200), (all, before) => {
        const queue = new FairQueue<Task>();
        const enqueue = (n: number): void => queue.push(share(`${n}`), { name: `${n}` });
        const takeTurn = (): string => {
          const { share: whose, item } = queue.shift()!;
          if (item.name === 'new') return item.name;
          queue.charge(whose, all[Number(item.name)].costMs);
          enqueue(Number(item.name));
          return item.name;
        };
        all.forEach((_, n) => enqueue(n));
        for (let turn = 0; turn < before; turn++) takeTurn();
        queue.push(share('new'), { name: 'new' });
        const order = [];
        while (order.at(-1) !== 'new') order.push(takeTurn());
        assert.equal(new Set(order).size, order.length, order.join());
      }),
    );
  });

  it('keeps no account of those who are idle, however many there were', () => {
    const queue = new FairQueue<Task>();
    for (let n = 0; n < 50_000; n++) {
      queue.push(share(`owner ${n}`), { name: 'task' });
      const next = queue.shift()!;
      queue.charge(next.share, 1);
    }
    const { accounts } = (queue as unknown as { owners: { accounts: Map<string, unknown> } }).owners;
    assert.ok(accounts.size <= 20_001, `${accounts.size} accounts`);
  });

  it('makes no debt of time that was used while nobody waited', () => {
    const queue = new FairQueue<Task>();
    for (let n = 0; n < 100; n++) {
      queue.beginAtOnce(share('a'));
      queue.charge(share('a'), 10);
    }
    queue.beginAtOnce(share('b'));
    queue.charge(share('b'), 10);
    for (const owner of ['a', 'b']) for (let n = 0; n < 3; n++) queue.push(share(owner), { name: owner });
    assert.deepEqual(
      work(queue, () => 10),
      ['a', 'b', 'a', 'b', 'a', 'b'],
    );
  });
});

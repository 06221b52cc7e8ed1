import assert from 'node:assert/strict';
import { type Charged, FairExecutor } from '../../../src/scheduling/fair-executor.js';
import type { WorkShare } from '../../../src/scheduling/fair-queue.js';

const share = (ownerId: string): WorkShare => ({ ownerId, gridId: `grid of ${ownerId}` });

/** Resolves when everything that can continue without a timer has. */
const settle = (): Promise<void> => new Promise(setImmediate);

/** Tasks that end when the test says so. */
class Tasks {
  readonly started: string[] = [];
  private readonly ends = new Map<string, (charged: Charged<string>) => void>();
  private readonly failures = new Map<string, (error: Error) => void>();

  readonly create = (name: string) => (): Promise<Charged<string>> => {
    this.started.push(name);
    return new Promise((resolve, reject) => {
      this.ends.set(name, resolve);
      this.failures.set(name, reject);
    });
  };

  async end(name: string, costMs = 1): Promise<void> {
    this.ends.get(name)?.({ result: name, costMs });
    await settle();
  }

  async fail(name: string): Promise<void> {
    this.failures.get(name)?.(new Error(`${name} failed`));
    await settle();
  }
}

describe('FairExecutor', () => {
  let tasks: Tasks;
  beforeEach(() => (tasks = new Tasks()));

  it('runs as many tasks at the same time as there are slots, and returns their results', async () => {
    const executor = new FairExecutor({ slots: 2, maxWaiting: 10 });
    const results = ['a', 'b', 'c'].map((name) => executor.run(share('o'), tasks.create(name)));
    await settle();
    assert.deepEqual([tasks.started, executor.waiting], [['a', 'b'], 1]);
    await tasks.end('b');
    assert.deepEqual(tasks.started, ['a', 'b', 'c']);
    await tasks.end('a');
    await tasks.end('c');
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'c']);
  });

  it('serves a newcomer before the queue of an owner who keeps all slots busy', async () => {
    const executor = new FairExecutor({ slots: 1, maxWaiting: 100 });
    for (let n = 0; n < 8; n++) void executor.run(share('flood'), tasks.create(`flood ${n}`));
    void executor.run(share('neighbour'), tasks.create('neighbour'));
    await settle();
    await tasks.end('flood 0', 30);
    assert.deepEqual(tasks.started, ['flood 0', 'neighbour']);
  });

  it('takes a task out of the queue as soon as its signal is aborted', async () => {
    const executor = new FairExecutor({ slots: 1, maxWaiting: 10 });
    const running = executor.run(share('o'), tasks.create('running'));
    const gone = new AbortController();
    const refused = executor.run(share('o'), tasks.create('gone'), 60_000, gone.signal);
    await settle();
    gone.abort(new Error('the client has gone'));
    await assert.rejects(refused, /the client has gone/);
    assert.equal(executor.waiting, 0);
    await assert.rejects(executor.run(share('o'), tasks.create('late'), 60_000, gone.signal), /the client has gone/);
    await tasks.end('running');
    assert.equal(await running, 'running');
    assert.deepEqual(tasks.started, ['running']);
  });

  it('charges tasks that fail for the time that they took', async () => {
    const executor = new FairExecutor({ slots: 1, maxWaiting: 100 });
    const failed = executor.run(share('a'), tasks.create('a0')).catch((error: Error) => error.message);
    for (const name of ['a1', 'b1', 'b2']) void executor.run(share(name[0]), tasks.create(name));
    await settle();
    await tasks.fail('a0');
    assert.equal(await failed, 'a0 failed');
    await tasks.end('b1', 0);
    assert.deepEqual(tasks.started, ['a0', 'b1', 'b2'], 'the failed task counts');
  });

  it('leaves a slot to other Grids of an owner while one Grid is at its limit', async () => {
    const executor = new FairExecutor({ slots: 4, slotsPerOwner: 3, slotsPerGrid: 2, maxWaiting: 100 });
    const run = (gridId: string, name: string) => executor.run({ ownerId: 'company', gridId }, tasks.create(name));
    for (const name of ['a0', 'a1', 'a2', 'a3']) void run('a', name);
    void run('b', 'b0');
    await settle();
    assert.deepEqual(tasks.started, ['a0', 'a1', 'b0']);
    await tasks.end('b0');
    assert.deepEqual(tasks.started, ['a0', 'a1', 'b0'], 'the slot stays free for another Grid');
    await tasks.end('a1');
    assert.deepEqual(tasks.started, ['a0', 'a1', 'b0', 'a2']);
  });

  it('leaves a slot to others while one owner is at its limit', async () => {
    const executor = new FairExecutor({ slots: 2, slotsPerOwner: 1, maxWaiting: 100 });
    for (const name of ['a0', 'a1', 'b0']) void executor.run(share(name[0]), tasks.create(name));
    await settle();
    assert.deepEqual(tasks.started, ['a0', 'b0']);
    await tasks.end('b0');
    assert.deepEqual(tasks.started, ['a0', 'b0']);
    await tasks.end('a0');
    assert.deepEqual(tasks.started, ['a0', 'b0', 'a1']);
  });

  it('refuses the newest tasks of the owner with most waiting when the queue is full, and nobody else', async () => {
    const executor = new FairExecutor({ slots: 1, maxWaiting: 10 });
    const outcomes: string[] = [];
    const run = (ownerId: string): void =>
      void executor
        .run(share(ownerId), tasks.create(ownerId))
        .catch(({ code }: { code: string }) => outcomes.push(`${ownerId} ${code}`));
    for (let n = 0; n < 50; n++) run('flood');
    await settle();
    assert.deepEqual([executor.waiting, outcomes.length, outcomes[0]], [10, 39, 'flood overloaded']);
    outcomes.length = 0;
    for (const neighbour of ['b', 'b', 'c', 'd', 'e']) run(neighbour);
    await settle();
    assert.deepEqual([executor.waiting, outcomes], [10, Array(5).fill('flood overloaded')]);
  });

  it('refuses the Grid with most waiting of an owner for the sake of another Grid of that owner', async () => {
    const executor = new FairExecutor({ slots: 1, maxWaiting: 10 });
    const refused: string[] = [];
    const run = (gridId: string): void =>
      void executor.run({ ownerId: 'company', gridId }, tasks.create(gridId)).catch(() => refused.push(gridId));
    for (let n = 0; n < 11; n++) run('noisy');
    run('quiet');
    await settle();
    assert.deepEqual(refused, ['noisy']);
    await tasks.end('noisy', 5);
    assert.deepEqual(tasks.started, ['noisy', 'quiet']);
  });

  for (const level of ['owner', 'Grid'])
    it(`lets the ${level} that was served for long without waiting take turns with newcomers at once`, async () => {
      const executor = new FairExecutor({ slots: 1, maxWaiting: 100 });
      const of = (id: string): WorkShare => (level === 'owner' ? share(id) : { ownerId: 'company', gridId: id });
      for (let n = 0; n < 50; n++) {
        void executor.run(of('steady'), tasks.create(`before ${n}`));
        await settle();
        await tasks.end(`before ${n}`, 20);
      }
      const began = tasks.started.length;
      for (let n = 0; n < 20; n++) void executor.run(of('flood'), tasks.create(`flood ${n}`));
      void executor.run(of('steady'), tasks.create('steady'));
      await settle();
      for (let n = 0; n < 2; n++) await tasks.end(tasks.started.at(-1)!, 20);
      assert.ok(tasks.started.slice(began).includes('steady'), tasks.started.slice(began).join());
    });

  it('gives up a task whose turn does not come in time, and continues with the next', async () => {
    const executor = new FairExecutor({ slots: 1, maxWaiting: 10 });
    void executor.run(share('a'), tasks.create('a'));
    const late = executor.run(share('b'), tasks.create('late'), 1);
    void executor.run(share('c'), tasks.create('c'));
    await assert.rejects(late, { code: 'unavailable', retryable: true });
    await tasks.end('a');
    assert.deepEqual(tasks.started, ['a', 'c']);
  });

  it('rejects what waits when it is asked to, and finishes what runs', async () => {
    const executor = new FairExecutor({ slots: 1, maxWaiting: 10 });
    const running = executor.run(share('a'), tasks.create('a'));
    const waiting = executor.run(share('a'), tasks.create('b'));
    executor.rejectWaiting(new Error('closed'));
    await assert.rejects(waiting, /closed/);
    await tasks.end('a');
    assert.equal(await running, 'a');
    assert.deepEqual(tasks.started, ['a']);
  });
});

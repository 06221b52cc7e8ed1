import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  BoundedWorkQueue,
  ShutdownSignal,
} from '../../../../../../src/assistant/speech/adapters/children/bounded-work-queue.js';
import { hasCode } from '../../../../../../src/errors.js';
import { neverAborted } from '../../../../../support/speech-engines.js';

/** Work that ends on request. */
function work() {
  let [end, fail]: [() => void, () => void] = [() => undefined, () => undefined];
  const ended = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, () => reject(new Error('failed'))]));
  const state = { begun: false, end, fail, run: () => ((state.begun = true), ended) };
  return state;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Turns', () => {
  const bounds = { maxRunning: 2, maxWaiting: 2, what: 'things' };

  it('are taken by a few at once, the others follow in order, also after a failure', async () => {
    const turns = new BoundedWorkQueue(bounds);
    const all = [work(), work(), work(), work()];
    const done = all.map((each) => turns.run(each.run, neverAborted()).catch((error: Error) => error.message));
    await settled();
    assert.deepEqual(
      all.map(({ begun }) => begun),
      [true, true, false, false],
    );
    all[1].fail();
    await settled();
    assert.deepEqual(
      all.map(({ begun }) => begun),
      [true, true, true, false],
    );
    for (const each of all) each.end();
    assert.deepEqual(await Promise.all(done), [undefined, 'failed', undefined, undefined]);
  });

  it('are refused where too many wait', async () => {
    const turns = new BoundedWorkQueue(bounds);
    const all = [work(), work(), work(), work()];
    const done = all.map((each) => turns.run(each.run, neverAborted()));
    await assert.rejects(
      turns.run(async () => 1, neverAborted()),
      (error: Error) => hasCode(error, 'overloaded') && error.message.includes('things'),
    );
    for (const each of all) each.end();
    await Promise.all(done);
    assert.equal(await turns.run(async () => 1, neverAborted()), 1);
  });

  it('are left by those who wait no longer, whose place is free then', async () => {
    const turns = new BoundedWorkQueue({ ...bounds, maxRunning: 1, maxWaiting: 1 });
    const [first, leaving] = [work(), new AbortController()];
    const done = turns.run(first.run, neverAborted());
    const left = turns.run(async () => 1, leaving.signal);
    leaving.abort(new Error('gone'));
    await assert.rejects(left, /gone/);
    const next = turns.run(async () => 2, neverAborted());
    first.end();
    await done;
    assert.equal(await next, 2);
    await assert.rejects(
      turns.run(async () => 1, leaving.signal),
      /gone/,
    );
  });

  it('never let more work than allowed, whoever comes and leaves', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('come', 'end', 'fail', 'leave'), { maxLength: 60 }), async (steps) => {
        const turns = new BoundedWorkQueue({ maxRunning: 2, maxWaiting: 3, what: 'things' });
        const all: { state: ReturnType<typeof work>; controller: AbortController; done: Promise<unknown> }[] = [];
        let [atWork, most] = [0, 0];
        for (const step of steps) {
          const [state, controller] = [work(), new AbortController()];
          const run = async () => {
            most = Math.max(most, ++atWork);
            await state.run().finally(() => atWork--);
          };
          const running = all.find((each) => each.state.begun);
          if (step === 'come')
            all.push({ state, controller, done: turns.run(run, controller.signal).catch(() => undefined) });
          else if (step === 'leave') all.find((each) => !each.state.begun)?.controller.abort();
          else if (running !== undefined) {
            running.state[step]();
            all.splice(all.indexOf(running), 1);
          }
          await settled();
        }
        for (const { state } of all) state.end();
        await Promise.all(all.map(({ done }) => done));
        assert.ok(most <= 2);
        assert.equal(await turns.run(async () => 'free', neverAborted()), 'free');
      }),
      { numRuns: 50 },
    );
  });
});

describe('a bounded queue whose caller aborts', () => {
  const whenAborted = (until: AbortSignal) =>
    new Promise<never>((_, reject) => until.addEventListener('abort', () => reject(until.reason as Error)));

  it('ends what runs, and what begins later', async () => {
    const stopping = new ShutdownSignal();
    assert.deepEqual(stopping.health(), { ok: true });
    const running = stopping.runUntilShutdown(neverAborted(), whenAborted);
    stopping.shutDown();
    await assert.rejects(running, (error) => hasCode(error, 'unavailable'));
    await stopping.runUntilShutdown(neverAborted(), async (until) => assert.ok(until.aborted));
    assert.equal(stopping.health().ok, false);
  });

  it('passes on the reason of the caller', async () => {
    const leaving = new AbortController();
    const running = new ShutdownSignal().runUntilShutdown(leaving.signal, whenAborted);
    leaving.abort(new Error('gone'));
    await assert.rejects(running, /gone/);
  });
});

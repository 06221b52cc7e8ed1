import assert from 'node:assert/strict';
import { take, tap, type SchedulerLike } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { backoffDelayMs, createPollingLoop, type PollResult } from '../../../../src/projections/engine/polling-loop.js';

const PACE = { everyMs: 10, idleMs: 20 };

/** One frame is 1 ms; `f` full, `d` drained, `e` empty. */
const FOUND: Record<string, PollResult> = { f: 'full', d: 'drained', e: 'empty' };

function scheduler(): TestScheduler {
  return new TestScheduler((actual, expected) => assert.deepEqual(actual, expected));
}

describe('polls', () => {
  /** Runs polls that each take 2 ms and return what `finds` says, and expects them to end as in the marble diagram. */
  function expectTurns(finds: string, hints: string, expected: string): void {
    const virtual = scheduler();
    virtual.run(({ hot, cold, expectObservable }) => {
      let turn = 0;
      const takeTurn = () => cold(`--(${finds[turn++]}|)`, FOUND);
      expectObservable(createPollingLoop(takeTurn, hot(hints), PACE, virtual).pipe(take(finds.length))).toBe(
        expected,
        FOUND,
      );
    });
  }

  it('follow each other at once while there is more', () => {
    expectTurns('fff', '-', '--f-f-(f|)');
  });

  it('start in even steps under a trickle', () => {
    expectTurns('dde', '-', '--d 9ms d 9ms (e|)');
  });

  it('do not wait longer for having taken long', () => {
    const virtual = scheduler();
    virtual.run(({ cold, expectObservable }) => {
      const takeTurn = () => cold('15ms (d|)', FOUND);
      expectObservable(createPollingLoop(takeTurn, cold('-'), PACE, virtual).pipe(take(2))).toBe(
        '15ms d 14ms (d|)',
        FOUND,
      );
    });
  });

  it('follow sooner, the longer they take, where a distance shrinks', () => {
    const expectDistance = (poll: string, expected: string): void => {
      const virtual = scheduler();
      virtual.run(({ cold, expectObservable }) => {
        const takeTurn = () => cold(poll, FOUND);
        const pace = { ...PACE, shrinkFactor: 2 };
        expectObservable(createPollingLoop(takeTurn, cold('-'), pace, virtual).pipe(take(2))).toBe(expected, FOUND);
      });
    };
    expectDistance('(d|)', 'd 9ms (d|)');
    expectDistance('--(d|)', '--d 5ms (d|)');
    expectDistance('4ms (d|)', '4ms d 3ms (d|)');
    expectDistance('15ms (d|)', '15ms d 14ms (d|)');
  });

  it('do not wait until a clock that was set back is where it was', () => {
    const virtual = scheduler();
    let setBackMs = 0;
    const clock: SchedulerLike = { now: () => virtual.now() - setBackMs, schedule: virtual.schedule.bind(virtual) };
    virtual.run(({ cold, expectObservable }) => {
      const takeTurn = () => cold('--(d|)', FOUND).pipe(tap(() => (setBackMs += 3_600_000)));
      expectObservable(createPollingLoop(takeTurn, cold('-'), PACE, clock).pipe(take(2))).toBe('--d 11ms (d|)', FOUND);
    });
  });

  it('wait for a hint when there was nothing', () => {
    expectTurns('ee', '-----x', '--e----(e|)');
  });

  it('repeat without a hint after a while', () => {
    expectTurns('ee', '-', '--e 21ms (e|)');
  });

  it('do not miss a hint that arrived during a poll', () => {
    expectTurns('ee', '-x', '--e-(e|)');
  });

  it('are not woken twice by one hint', () => {
    expectTurns('eee', '----x', '--e---e 21ms (e|)');
  });

  it('stop listening to hints when they end', () => {
    const virtual = scheduler();
    virtual.run(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const hints = hot('-');
      expectObservable(createPollingLoop(() => cold('--#'), hints, PACE, virtual)).toBe('--#');
      expectSubscriptions(hints.subscriptions).toBe('^-!');
    });
  });
});

describe('backoff', () => {
  it('doubles from 100 ms to 10 s', () => {
    assert.deepEqual([1, 2, 3, 7, 8, 1_000].map(backoffDelayMs), [100, 200, 400, 6_400, 10_000, 10_000]);
  });
});

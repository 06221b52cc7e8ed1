import assert from 'node:assert/strict';
import { Semaphore } from '../../../../src/queries/scheduling/query-concurrency-limiter.js';

describe('semaphore', () => {
  it('run, and the others in the order in which they came', async () => {
    const places = new Semaphore(2);
    const started: number[] = [];
    const end: (() => void)[] = [];
    const works = Array.from({ length: 5 }, (_, i) =>
      places.run(() => {
        started.push(i);
        return new Promise<number>((resolve) => void (end[i] = () => resolve(i)));
      }),
    );
    assert.deepEqual(started, [0, 1]);
    end[1]();
    await works[1];
    assert.deepEqual(started, [0, 1, 2]);
    for (const i of [2, 0, 3, 4]) {
      while (end[i] === undefined) await Promise.resolve();
      end[i]();
    }
    assert.deepEqual(
      [await Promise.all(works), started],
      [
        [0, 1, 2, 3, 4],
        [0, 1, 2, 3, 4],
      ],
    );
  });

  it('give their places on when they fail', async () => {
    const places = new Semaphore(1);
    const failed = [
      places.run(() => Promise.reject(new Error('one'))),
      places.run(() => Promise.reject(new Error('two'))),
    ];
    const results = await Promise.allSettled([...failed, places.run(() => Promise.resolve('three'))]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    );
    assert.equal(await places.run(() => Promise.resolve('four')), 'four');
  });
});

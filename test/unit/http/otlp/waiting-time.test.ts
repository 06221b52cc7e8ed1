import assert from 'node:assert/strict';
import { WaitingTime } from '../../../../src/http/otlp/waiting-time.js';

const fail = (): never => assert.fail('the work was late');

describe('WaitingTime', () => {
  it('is used up by what is spent, and is never negative', () => {
    const waiting = new WaitingTime(100);
    waiting.spend(60);
    waiting.spend(-5);
    assert.equal(waiting.leftMs, 40);
    waiting.spend(60);
    assert.equal(waiting.leftMs, 0);
  });

  it('passes on the outcome of work that ends in time, and counts its time', async () => {
    let now = 0;
    const waiting = new WaitingTime(60_000, () => now);
    const work = Promise.resolve('done').then((outcome) => {
      now = 70;
      return outcome;
    });
    assert.equal(await waiting.limit(work, fail), 'done');
    assert.equal(waiting.leftMs, 59_930);
    await assert.rejects(waiting.limit(Promise.reject(new Error('failed')), fail), /failed/);
  });

  it('gives up work that does not end in time, and hands it over', async () => {
    let end: (outcome: string) => void = () => undefined;
    let late: Promise<string> | undefined;
    const work = new Promise<string>((resolve) => (end = resolve));
    await assert.rejects(
      new WaitingTime(1).limit(work, (given) => {
        late = given;
      }),
      { code: 'unavailable' },
    );
    end('after all');
    assert.equal(await late, 'after all');
  });
});

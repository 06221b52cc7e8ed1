import assert from 'node:assert/strict';
import { ResponseDeadline } from '../../../../src/http/otlp/response-deadline.js';

const fail = (): never => assert.fail('the work was late');

describe('ResponseDeadline', () => {
  it('comes nearer with the time, and is never negative', () => {
    let now = 1_000;
    const deadline = new ResponseDeadline(100, () => now);
    now += 60;
    assert.equal(deadline.leftMs, 40);
    now += 60;
    assert.equal(deadline.leftMs, 0);
  });

  it('moves by time that does not count, and never backwards', () => {
    let now = 0;
    const deadline = new ResponseDeadline(100, () => now);
    now += 90;
    deadline.extend(80);
    deadline.extend(-5);
    assert.equal(deadline.leftMs, 90);
  });

  it('passes on the outcome of work that ends in time', async () => {
    const deadline = new ResponseDeadline(60_000);
    assert.equal(await deadline.limit(Promise.resolve('done'), fail), 'done');
    await assert.rejects(deadline.limit(Promise.reject(new Error('failed')), fail), /failed/);
  });

  it('passes on work that has ended, also after the deadline', async () => {
    assert.equal(await new ResponseDeadline(0).limit(Promise.resolve('done'), fail), 'done');
  });

  it('gives up work that does not end in time, and hands it over', async () => {
    let end: (outcome: string) => void = () => undefined;
    let late: Promise<string> | undefined;
    const work = new Promise<string>((resolve) => (end = resolve));
    await assert.rejects(
      new ResponseDeadline(1).limit(work, (given) => {
        late = given;
      }),
      { code: 'unavailable' },
    );
    end('after all');
    assert.equal(await late, 'after all');
  });

  it('waits for the new deadline when it was extended while the work ran', async () => {
    const deadline = new ResponseDeadline(1);
    let end: (outcome: string) => void = () => undefined;
    const limited = deadline.limit(new Promise<string>((resolve) => (end = resolve)), fail);
    deadline.extend(60_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    end('in time');
    assert.equal(await limited, 'in time');
  });
});

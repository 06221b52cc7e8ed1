import assert from 'node:assert/strict';
import { VirtualTimeScheduler } from 'rxjs';
import { ClockObservationReader } from '../../../src/policies/clock-observation-reader.js';
import { SILENT_LOGGER, type Logger } from '../../../src/self-telemetry/logger.js';

const MINUTE = 60_000;

describe('the follower of the observed time', () => {
  let scheduler: VirtualTimeScheduler;
  let reads: number[];

  beforeEach(() => {
    scheduler = new VirtualTimeScheduler();
    reads = [];
  });

  /** Lets `ms` of virtual time pass, and promises settle. */
  async function pass(ms: number): Promise<void> {
    scheduler.maxFrames = scheduler.now() + ms;
    scheduler.flush();
    await new Promise(setImmediate);
  }

  function follow(inspect: () => Promise<unknown>, log: Logger = SILENT_LOGGER): ClockObservationReader {
    const counted = () => {
      reads.push(scheduler.now());
      return inspect();
    };
    const follower = new ClockObservationReader({ clock: { inspect: counted }, log, scheduler });
    follower.start();
    return follower;
  }

  it('reads the observations at once, then every minute until it is stopped', async () => {
    const follower = follow(() => Promise.resolve());
    for (let n = 0; n < 3; n++) await pass(n === 0 ? 0 : MINUTE);
    await follower.stop();
    await follower.stop();
    await pass(5 * MINUTE);
    assert.deepEqual(reads, [0, MINUTE, 2 * MINUTE]);
  });

  it('tries again after a failure, which it logs', async () => {
    const warnings: string[] = [];
    const log = { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) };
    const follower = follow(() => (reads.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve()), log);
    await pass(0);
    await pass(MINUTE);
    await follower.stop();
    assert.equal(reads.length, 2);
    assert.equal(warnings.length, 1);
  });

  it('starts no second read while one is in progress, and waits for it when it is stopped', async () => {
    let finish: () => void = () => undefined;
    const follower = follow(() => new Promise<void>((resolve) => (finish = resolve)));
    await pass(0);
    await pass(3 * MINUTE);
    assert.deepEqual(reads, [0]);
    let isStopped = false;
    const stopped = follower.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    assert.equal(isStopped, false);
    finish();
    await stopped;
  });
});

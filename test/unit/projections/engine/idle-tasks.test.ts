import assert from 'node:assert/strict';
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';
import { waitUntilAllIdle, type Workload } from '../../../../src/projections/engine/idle-tasks.js';
import { ProjectedLog } from './support/projected.js';
import { spansReceived } from './support/requests.js';
import { until } from './support/until.js';

class Worker implements Workload {
  readonly busy = new BehaviorSubject(true);

  get isBusy(): boolean {
    return this.busy.value;
  }

  async whenIdle(): Promise<void> {
    await firstValueFrom(this.busy.pipe(filter((busy) => !busy)));
  }
}

const ticks = async (count = 20): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

describe('yielding to other workloads', () => {
  it('waits until none is busy, also if one becomes busy again meanwhile', async () => {
    const [a, b] = [new Worker(), new Worker()];
    let over = false;
    const waiting = waitUntilAllIdle([a, b], 60_000).then(() => (over = true));
    a.busy.next(false);
    await ticks();
    assert.equal(over, false);
    b.busy.next(false);
    a.busy.next(true);
    await ticks();
    assert.equal(over, false, 'the first works again');
    a.busy.next(false);
    await waiting;
  });

  it('does not wait if none is busy', async () => {
    const idle = new Worker();
    idle.busy.next(false);
    await waitUntilAllIdle([idle], 60_000);
    await waitUntilAllIdle([], 60_000);
  });

  it('waits no longer than the timeout', async () => {
    await waitUntilAllIdle([new Worker()], 5);
  });
});

describe('rebuild next to a live run', () => {
  let log: ProjectedLog;
  let release: (() => void) | undefined;

  beforeEach(() => {
    log = new ProjectedLog();
    release = undefined;
  });
  afterEach(() => {
    release?.();
    return log.stop();
  });

  it('commits nothing during a poll of the live run', async () => {
    for (let i = 0; i < 3; i++) await log.append(spansReceived([{ trace: i, span: i, start: log.now }]));
    const projector = await log.settle();
    const commit = log.store.commit.bind(log.store);
    const committed: string[] = [];
    log.store.commit = async (changes, checkpoints) => {
      const [owner] = checkpoints.map(({ projection }) => projection);
      if (owner === 'requests.live' && release === undefined) await new Promise<void>((resolve) => (release = resolve));
      if (owner !== undefined) committed.push(owner);
      return commit(changes, checkpoints);
    };
    await log.append(spansReceived([{ trace: 9, span: 9, start: log.now }]));
    await until(() => Promise.resolve(release !== undefined));
    const rebuilding = projector.rebuild('traces', () => undefined);
    await ticks();
    assert.equal(committed.length, 0);
    release?.();
    await rebuilding;
    assert.equal(committed[0], 'requests.live');
    assert.ok(committed.includes('requests.traces.v2'));
    assert.equal((await log.spans()).length, 4);
  });
});

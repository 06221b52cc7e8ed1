import assert from 'node:assert/strict';
import { VirtualTimeScheduler } from 'rxjs';
import { EventLogScrub, type ScrubState } from '../../../src/policies/event-log-scrub.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { type Position, START } from '../../../src/streams/event-store.js';
import type { CheckedSlice, LogChecker } from '../../../src/streams/log-checker.js';

const MINUTE = 60_000;
const SLICE_EVENTS = 10;
const at = (n: number): Position => String(n).padStart(5, '0') as Position;

/** A log of numbered events, of which some are damaged; a slice of it takes `sliceMs`. */
class FakeLog implements LogChecker {
  events = 100;
  bytesPerSlice = 0;
  sliceMs = 0;
  error: Error | undefined;
  readonly damaged = new Set<number>();
  /** Intact events that an index lacks. */
  readonly unindexed = new Set<number>();
  readonly asked: { readonly after: Position; readonly at: number }[] = [];

  constructor(private readonly time: VirtualTimeScheduler) {}

  async checkAfter(after: Position): Promise<CheckedSlice> {
    this.asked.push({ after, at: this.time.frame });
    if (this.sliceMs > 0) await new Promise<void>((resolve) => this.time.schedule(() => resolve(), this.sliceMs));
    if (this.error !== undefined) throw this.error;
    const first = after === START ? 1 : Number(after) + 1;
    const last = Math.min(this.events, first + SLICE_EVENTS - 1);
    const within = (numbers: ReadonlySet<number>) =>
      [...numbers].filter((n) => n >= first && n <= last).sort((a, b) => a - b);
    return {
      ...(last >= first && { reached: at(last) }),
      bytes: this.bytesPerSlice,
      damaged: [
        ...within(this.damaged).map((n) => ({ position: at(n), reason: 'flipped' })),
        ...within(this.unindexed).map((n) => ({ position: at(n), reason: 'lacks it', isIndexOnly: true })),
      ],
    };
  }
}

describe('the scrub of the event log', () => {
  let time: VirtualTimeScheduler;
  let log: FakeLog;
  let saved: ScrubState | undefined;
  let saves: number;
  let errors: string[];

  beforeEach(() => {
    time = new VirtualTimeScheduler();
    log = new FakeLog(time);
    [saved, errors] = [undefined, []];
    saves = 0;
  });

  const create = (): EventLogScrub =>
    new EventLogScrub({
      checker: log,
      load: () => saved,
      save: (state) => {
        saved = state;
        saves++;
      },
      log: { ...SILENT_LOGGER, error: (line) => void errors.push(line), warn: (line) => void errors.push(line) },
      scheduler: time,
      monotonic: () => time.frame,
    });
  /** Lets virtual time pass; promises settle after each step. */
  async function pass(ms: number, stepMs = 50): Promise<void> {
    const end = time.frame + ms;
    while (time.frame < end) {
      time.maxFrames = Math.min(end, time.frame + stepMs);
      time.schedule(() => undefined, time.maxFrames - time.frame);
      time.flush();
      await new Promise(setImmediate);
    }
  }
  const started = (): EventLogScrub => {
    const scrub = create();
    scrub.start();
    return scrub;
  };

  it('finds nothing in an intact log, and reads it again after a minute', async () => {
    const scrub = started();
    await pass(30_000);
    assert.equal(scrub.finding, undefined);
    assert.equal(log.asked.length, 11);
    await pass(MINUTE);
    assert.equal(log.asked.length, 22);
    await scrub.stop();
  });

  it('goes on at the same pace when the clock jumps', async () => {
    log.sliceMs = 10;
    let jumps = 0;
    time.now = () => time.frame + (jumps++ % 2) * 30 * 24 * 60 * MINUTE;
    const scrub = started();
    await pass(30_000, 10);
    assert.equal(log.asked.length, 11);
    await scrub.stop();
  });

  it('names damaged events, once in the log, and forgets those that are intact or deleted', async () => {
    for (const n of [7, 42]) log.damaged.add(n);
    const scrub = started();
    await pass(30_000);
    assert.match(scrub.finding ?? '', /^2 damaged events in the event log, at positions 00007, 00042: do not replay/);
    await pass(MINUTE);
    assert.equal(errors.length, 2);
    log.damaged.delete(7);
    await pass(MINUTE);
    assert.match(scrub.finding ?? '', /^1 damaged event in the event log, at position 00042:/);
    log.events = 40;
    await pass(2 * MINUTE);
    assert.equal(scrub.finding, undefined);
    await scrub.stop();
  });

  it('tells a damaged index from damaged events', async () => {
    log.events = 300;
    for (let n = 1; n <= 250; n++) log.unindexed.add(n);
    const scrub = started();
    await pass(MINUTE);
    const index = /^an index of the event log is damaged at 250 intact events, from position 00001: no event is lost/;
    assert.match(scrub.finding ?? '', index);
    assert.equal(errors.length, 1);
    log.damaged.add(299);
    await pass(4 * MINUTE);
    assert.match(scrub.finding ?? '', /^1 damaged event in the event log, at position 00299: .*; an index of/);
    assert.match(create().finding ?? '', /^1 damaged event .*; an index of/, 'the next process knows it');
    log.unindexed.clear();
    log.damaged.clear();
    await pass(4 * MINUTE);
    assert.equal(scrub.finding, undefined);
    await scrub.stop();
  });

  it('keeps to five percent of the time, and to four megabytes a second', async () => {
    [log.events, log.sliceMs] = [10_000, 10];
    const slow = started();
    await pass(10_000, 5);
    const stopping = slow.stop();
    await pass(100);
    await stopping;
    assert.ok(log.asked.length <= 51, `${log.asked.length} slices of 10 ms in 10 s`);
    assert.ok(log.asked.length >= 35);
    [log.sliceMs, log.bytesPerSlice, log.asked.length] = [0, 4 * 1024 * 1024, 0];
    const large = started();
    await pass(10_000);
    await large.stop();
    assert.ok(log.asked.length >= 8 && log.asked.length <= 11, `${log.asked.length} slices of 4 MiB in 10 s`);
  });

  it('rests ten times as long as a pass took', async () => {
    [log.sliceMs] = [2_000];
    const scrub = started();
    await pass(8 * MINUTE);
    const first = log.asked.length;
    assert.ok(first >= 11, 'a pass of 7 minutes');
    await pass(60 * MINUTE);
    assert.equal(log.asked.length, first);
    await scrub.stop();
  });

  it('continues where the previous process stopped, and knows what that had found', async () => {
    [log.events, log.bytesPerSlice] = [1_000, 4 * 1024 * 1024];
    log.damaged.add(3);
    const first = started();
    await pass(20_000);
    await first.stop();
    const { position } = saved ?? assert.fail('nothing saved');
    assert.ok(position > at(100) && position < at(300), position);
    log.asked.length = 0;
    const second = started();
    assert.match(second.finding ?? '', /at position 00003/);
    await pass(1_000);
    assert.equal(log.asked[0].after, position);
    await second.stop();
  });

  it('saves what readers have met a second later, all at once, and drops it if the next pass finds the events intact', async () => {
    const scrub = started();
    await pass(1_000);
    const before = saves;
    for (const n of [50, 60, 70]) scrub.note({ position: at(n), reason: 'its body' });
    assert.equal(saves, before);
    await pass(1_000);
    assert.equal(saves, before + 1);
    assert.deepEqual(
      saved?.damaged,
      [50, 60, 70].map((n) => ({ position: at(n), reason: 'its body' })),
    );
    assert.match(scrub.finding ?? '', /at positions 00050, 00060, 00070/);
    await pass(2 * MINUTE);
    assert.equal(scrub.finding, undefined);
    await scrub.stop();
  });

  it('counts more damaged events than it remembers', async () => {
    log.events = 3_000;
    for (let n = 1; n <= 2_500; n++) log.damaged.add(n);
    const scrub = started();
    for (let n = 0; n < 3; n++) {
      await pass(5 * MINUTE);
      assert.match(scrub.finding ?? '', /^2500 damaged events.* 00005 and 2495 more:/);
    }
    assert.equal(saved?.damaged.length, 1_000);
    assert.equal(errors.length, 1_000);
    await scrub.stop();
  });

  it('reports a log that it cannot read, retries, and recovers', async () => {
    log.error = new Error('disk I/O error');
    const scrub = started();
    await pass(3 * MINUTE);
    assert.match(scrub.finding ?? '', /cannot be checked: disk I\/O error/);
    assert.equal(errors.length, 1);
    assert.ok(log.asked.length <= 4);
    log.error = undefined;
    await pass(2 * MINUTE);
    assert.equal(scrub.finding, undefined);
    await scrub.stop();
    const { length } = log.asked;
    await pass(10 * MINUTE);
    assert.equal(log.asked.length, length, 'it has stopped');
  });
});

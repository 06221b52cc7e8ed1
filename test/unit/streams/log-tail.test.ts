import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { firstValueFrom } from 'rxjs';
import { HindsightError } from '../../../src/errors.js';
import { MemoryEventStore } from '../../../src/streams/adapters/memory/memory-event-store.js';
import type { EventReader, Position, RecordedEvent } from '../../../src/streams/event-store.js';
import { START } from '../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../src/streams/live/in-process-feed.js';
import { LogTail, type LogTailOptions } from '../../../src/streams/log-tail.js';
import { waitUntil } from '../../support/wait-until.js';

const PREFIXES = ['telemetry.3', 'grid-'];
const STREAMS = ['telemetry.30-a', 'telemetry.3f-b', 'telemetry.40-c', 'grid-a', 'usage-u'];
const read = { prefixes: PREFIXES, limit: 100 };
const names = (events: readonly RecordedEvent[]): string[] =>
  events.map(({ position, stream }) => `${position} ${stream}`);

/** A log that counts what it is asked, whose subscriptions can hang or fail, and that can be unavailable. */
class WatchedLog implements EventReader {
  reads = 0;
  subscriptions = 0;
  /** Subscriptions that go on. */
  following = 0;
  hangs = false;
  fails = false;
  isAway = false;
  private readonly log = new MemoryEventStore();

  head(): Promise<Position> {
    return this.isAway ? Promise.reject(new HindsightError('unavailable', 'the log is unavailable')) : this.log.head();
  }

  readAll(...asked: Parameters<EventReader['readAll']>): Promise<RecordedEvent[]> {
    this.reads++;
    return this.log.readAll(...asked);
  }

  async *subscribe(...[after, options, signal]: Parameters<EventReader['subscribe']>): AsyncGenerator<RecordedEvent[]> {
    this.subscriptions++;
    this.following++;
    try {
      for await (const batch of this.log.subscribe(after, options, signal)) {
        while (this.hangs && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
        if (this.fails) throw new Error('damaged');
        yield batch;
      }
    } finally {
      this.following--;
    }
  }

  readStream: EventReader['readStream'] = (...asked) => this.log.readStream(...asked);
  readEvent: EventReader['readEvent'] = (...asked) => this.log.readEvent(...asked);
  check: EventReader['check'] = () => this.log.check();
  close: EventReader['close'] = () => this.log.close();

  async add(stream: string, bytes = 10): Promise<void> {
    await this.log.append(stream, 'any', [
      { id: randomUUID(), type: 'Noted.v1', data: {}, body: new Uint8Array(bytes) },
    ]);
  }
}

describe('log tail', () => {
  let log: WatchedLog;
  let tail: LogTail;

  const follow = async (options: Partial<LogTailOptions> = {}): Promise<void> => {
    tail = new LogTail(log, { prefixes: PREFIXES, headCheckIntervalMs: 0, ...options });
    await tail.head();
  };
  const reaches = async (position: Position): Promise<void> =>
    waitUntil(async () => (await tail.head()) >= position, 'the tail has come so far');

  beforeEach(() => (log = new WatchedLog()));
  afterEach(async () => {
    await tail.close();
    await log.close();
  });

  it('returns the same as the log from any position and for any of its streams', async () => {
    const appends = fc.array(fc.constantFrom(...STREAMS), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        appends,
        appends,
        fc.nat(24),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        async (before, behind, at, limit, part) => {
          log = new WatchedLog();
          for (const stream of before) await log.add(stream);
          await follow({ maxBytes: 60 });
          for (const stream of behind) await log.add(stream);
          await reaches(await log.head());
          const positions = [START, ...(await log.readAll(START, { limit: 100 })).map(({ position }) => position)];
          const options = { prefixes: part ? ['telemetry.3f'] : PREFIXES, limit, maxBytes: 25 };
          const after = positions[Math.min(at, positions.length - 1)];
          assert.deepEqual(names(await tail.readAll(after, options)), names(await log.readAll(after, options)));
          await tail.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('emits a hint once new events can be read', async () => {
    await follow({ headCheckIntervalMs: 60_000 });
    const from = await tail.head();
    const feed = new InProcessFeed('log-tail');
    const found: Promise<number> = firstValueFrom(tail.withArrivalHints(feed).hints).then(
      async () => (await tail.readAll(from, read)).length,
    );
    await log.add('grid-a');
    assert.equal(await found, 1);
    await feed.close();
  });

  it('does not query the log for buffered events', async () => {
    await follow({ headCheckIntervalMs: 60_000 });
    const from = await tail.head();
    for (let n = 0; n < 20; n++) await log.add('telemetry.30-a');
    await waitUntil(async () => (await tail.readAll(from, read)).length === 20, 'all have come');
    assert.equal(log.reads, 0);
    assert.equal(log.subscriptions, 1);
  });

  it('delegates to the log for older positions and other streams', async () => {
    await log.add('grid-a');
    await follow();
    assert.equal((await tail.readAll(START, read)).length, 1);
    await log.add('usage-u');
    assert.equal((await tail.readAll(await tail.head(), { limit: 10 })).length, 0);
    assert.equal((await tail.readAll(START, { prefixes: ['usage-'], limit: 10 })).length, 1);
  });

  it('reaches the head of a log in which only other streams grow', async () => {
    await follow();
    for (let n = 0; n < 5; n++) await log.add('usage-u');
    await reaches(await log.head());
    assert.equal(log.subscriptions, 1);
  });

  it('stays within its limits', async () => {
    await follow({ maxBytes: 100, maxEvents: 50 });
    const from = await tail.head();
    for (let n = 0; n < 30; n++) await log.add('grid-a');
    await reaches(await log.head());
    const { reads } = log;
    assert.equal((await tail.readAll(from, read)).length, 30, 'the log has what the tail let go');
    assert.ok(log.reads > reads);
  });

  it('restarts a stalled subscription without losing events', async () => {
    await follow();
    const from = await tail.head();
    log.hangs = true;
    await log.add('grid-a');
    await waitUntil(async () => {
      await tail.head();
      return log.subscriptions > 1;
    }, 'the tail has noticed');
    assert.equal((await tail.readAll(from, read)).length, 1);
    log.hangs = false;
    await log.add('grid-a');
    await reaches(await log.head());
    assert.equal((await tail.readAll(from, read)).length, 2);
  });

  it('restarts a failed subscription', async () => {
    await follow();
    const from = await tail.head();
    log.fails = true;
    await log.add('grid-a');
    await waitUntil(
      async () => (await tail.head()) >= (await log.head()) && log.subscriptions > 1,
      'the tail has come behind it',
    );
    log.fails = false;
    assert.equal((await tail.readAll(from, read)).length, 1);
  });

  it('unsubscribes when idle and subscribes again', async () => {
    await follow({ idleTimeoutMs: 30 });
    const from = await tail.head();
    await log.add('grid-a');
    await waitUntil(() => log.following === 0, 'the tail rests');
    const { reads } = log;
    assert.equal((await tail.readAll(from, read)).length, 1);
    assert.equal(log.reads, reads + 1, 'from the log');
    await reaches(await log.head());
    assert.ok(log.subscriptions > 1, 'it has begun anew');
    await log.add('grid-a');
    await reaches(await log.head());
    assert.equal((await tail.readAll(from, read)).length, 2);
  });

  it('reports that the log is unavailable', async () => {
    await follow();
    log.isAway = true;
    await assert.rejects(tail.head(), { code: 'unavailable' });
  });
});

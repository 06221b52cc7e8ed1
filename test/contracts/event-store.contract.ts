import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { hasCode } from '../../src/errors.js';
import { START } from '../../src/streams/event-store.js';
import type { AppendResult, EventStore, NewEvent, Position, RecordedEvent } from '../../src/streams/event-store.js';

export interface OpenedEventStore {
  readonly store: EventStore;
  /** Closes the store and opens the same log again. */
  reopen(): Promise<EventStore>;
  /** Closes and removes everything. */
  dispose(): Promise<void>;
}

export interface EventStoreFactory {
  /** An empty log. */
  open(): Promise<OpenedEventStore>;
  /** The log survives `reopen`. */
  readonly durable: boolean;
  /** Truncated events are removed from their streams, but `readAll` may return them until the operator of the store runs a scavenge. */
  readonly truncatedStayInAll?: true;
}

/** One test per sentence of the port. Every adapter and every decorator must pass it. */
export function eventStoreContract(name: string, factory: EventStoreFactory): void {
  describe(`${name} satisfies the event store contract`, () => {
    let opened: OpenedEventStore;
    let store: EventStore;

    beforeEach(async () => {
      opened = await factory.open();
      store = opened.store;
    });

    afterEach(() => opened.dispose());

    const append = async (stream: string, ...events: NewEvent[]): Promise<Appended> =>
      appended(await store.append(stream, 'any', events));

    describe('append', () => {
      it('numbers the events of a stream from 0 without gaps', async () => {
        assert.equal((await append('grid-a', event(1), event(2))).revision, 1);
        assert.equal((await append('grid-a', event(3))).revision, 2);
        assert.equal((await append('grid-b', event(4))).revision, 0);
        assert.deepEqual(
          (await store.readStream('grid-a')).map((read) => read.revision),
          [0, 1, 2],
        );
      });

      it('gives later appends larger positions, in string order', async () => {
        const positions: Position[] = [];
        for (let i = 0; i < 20; i++) positions.push((await append(`grid-${i % 3}`, event(i))).position);
        assert.deepEqual([...new Set(positions)].sort(), positions);
        assert.ok(START < positions[0]);
      });

      it('preserves id, type, data and body', async () => {
        const body = new Uint8Array([0, 255, 1, 254]);
        const data = { text: 'Grüße 😀', nested: { list: [1, null, 'x'] } };
        const id = randomUUID();
        await append('grid-a', { id, type: 'Known.v1', data, body: new Uint8Array(body) });
        const [read] = await store.readStream('grid-a');
        assert.deepEqual(
          { ...read, body: [...read.body!], recordedAt: 0, position: '' },
          {
            id,
            type: 'Known.v1',
            data,
            body: [...body],
            stream: 'grid-a',
            revision: 0,
            recordedAt: 0,
            position: '',
          },
        );
      });

      it('distinguishes an empty body from no body', async () => {
        await append('grid-a', event(1), { ...event(2), body: new Uint8Array(0) });
        const [without, empty] = await store.readStream('grid-a');
        assert.equal(without.body, undefined);
        assert.equal(empty.body?.byteLength, 0);
      });

      it('accepts a body that is a slice of a larger buffer', async () => {
        const large = new Uint8Array(1000).fill(7);
        await append('grid-a', { ...event(1), body: large.subarray(10, 20) });
        await append('grid-a', { ...event(2), body: Buffer.from('from the pool') });
        const read = await store.readStream('grid-a');
        assert.deepEqual([...read[0].body!], new Array(10).fill(7));
        assert.equal(Buffer.from(read[1].body!).toString(), 'from the pool');
      });

      it('returns position and revision of the last event', async () => {
        const result = await append('grid-a', event(1), event(2), event(3));
        const last = (await store.readStream('grid-a')).at(-1)!;
        assert.deepEqual(result, { ok: true, position: last.position, revision: 2 });
      });

      it('accepts the correct expected revision and rejects any other, returning the last revision', async () => {
        await append('grid-a', event(1), event(2));
        for (const expected of [0, 2, 99]) {
          assert.deepEqual(await store.append('grid-a', expected, [event(3)]), {
            ok: false,
            conflict: true,
            revision: 1,
          });
        }
        assert.equal(appended(await store.append('grid-a', 1, [event(3)])).revision, 2);
      });

      it('accepts "none" for a new stream only', async () => {
        assert.equal(appended(await store.append('grid-a', 'none', [event(1)])).revision, 0);
        assert.deepEqual(await store.append('grid-a', 'none', [event(2)]), { ok: false, conflict: true, revision: 0 });
        assert.deepEqual(await store.append('grid-b', 0, [event(3)]), { ok: false, conflict: true, revision: 'none' });
      });

      it('appends atomically', async () => {
        await append('grid-a', event(1));
        await store.append('grid-a', 'none', [event(2), event(3)]);
        assert.equal((await store.readStream('grid-a')).length, 1);
        assert.equal((await store.readAll(START, { limit: 10 })).length, 1);
      });

      it('lets exactly one of twenty concurrent appends with one numeric expectation succeed', async () => {
        await append('grid-a', event(0));
        await exactlyOneOfTwenty(store, 0, 1);
      });

      it('lets exactly one of twenty concurrent appends with "none" succeed', async () => {
        await exactlyOneOfTwenty(store, 'none', 0);
      });

      it('does not let a conflict affect concurrent appends', async () => {
        await append('grid-a', event(0));
        const results = await Promise.all([
          store.append('grid-b', 'any', [event(1)]),
          store.append('grid-a', 'none', [event(2)]),
          store.append('grid-b', 'any', [event(3)]),
          store.append('grid-a', 0, [event(4)]),
        ]);
        assert.deepEqual(
          results.map(({ ok, revision }) => [ok, revision]),
          [
            [true, 0],
            [false, 0],
            [true, 1],
            [true, 1],
          ],
        );
      });

      it('accepts every one of many concurrent appends without an expected revision', async () => {
        const results = await Promise.all(Array.from({ length: 200 }, (_, i) => append('grid-a', event(i))));
        assert.deepEqual(
          results.map((result) => result.revision).sort((a, b) => a - b),
          range(200),
        );
        assert.equal((await store.readStream('grid-a')).length, 200);
      });

      it('returns last revision and head for an empty list', async () => {
        assert.deepEqual(await store.append('grid-a', 'any', []), { ok: true, position: START, revision: -1 });
        await append('grid-a', event(1));
        const { position } = await append('grid-b', event(2));
        assert.deepEqual(await store.append('grid-a', 'none', []), { ok: true, position, revision: 0 });
        assert.equal((await store.readAll(START, { limit: 10 })).length, 2);
      });

      it('rejects more than maxAppendBytes as too large and appends none of it', async () => {
        const body = new Uint8Array(store.maxAppendBytes);
        await assert.rejects(store.append('grid-a', 'any', [event(1), { ...event(2), body }]), (error) =>
          hasCode(error, 'too-large'),
        );
        assert.equal(await store.head(), START);
      });
    });

    describe('readStream', () => {
      beforeEach(() => append('grid-a', ...range(5).map(event)));

      it('returns nothing for an unknown stream', async () => {
        assert.deepEqual(await store.readStream('grid-unknown'), []);
        assert.deepEqual(await store.readStream('grid-'), []);
      });

      it('starts at the given revision, inclusive, and returns at most the limit', async () => {
        const numbers = async (from?: number, limit?: number): Promise<unknown[]> =>
          numbersOf(await store.readStream('grid-a', from, limit));
        assert.deepEqual(await numbers(3), [3, 4]);
        assert.deepEqual(await numbers(1, 2), [1, 2]);
        assert.deepEqual(await numbers(undefined, 1), [0]);
        assert.deepEqual(await numbers(5), []);
      });
    });

    describe('readEvent', () => {
      it('returns the event with its body, or undefined', async () => {
        await append('grid-a', event(0), { ...event(1), body: new Uint8Array([9]) }, event(2));
        const read = await store.readEvent('grid-a', 1);
        assert.deepEqual([read?.revision, [...read!.body!]], [1, [9]]);
        assert.equal(await store.readEvent('grid-a', 3), undefined);
        assert.equal(await store.readEvent('grid-unknown', 0), undefined);
      });
    });

    describe('readAll', () => {
      const streams = ['grid-a', 'telemetry.01-a', 'telemetry.02-b', 'grid-b', 'alerts-a', 'plain'];

      beforeEach(async () => {
        for (const i of range(24)) {
          await append(streams[i % streams.length], { ...event(i), body: new Uint8Array(100).fill(i) });
        }
      });

      const read = (options: Partial<Parameters<EventStore['readAll']>[1]>, after = START): Promise<RecordedEvent[]> =>
        store.readAll(after, { limit: 1000, ...options });

      it('returns the events of all streams in position order', async () => {
        const all = await read({});
        assert.deepEqual(numbersOf(all), range(24));
        assert.deepEqual(
          all.map(({ stream }) => stream),
          range(24).map((i) => streams[i % streams.length]),
        );
        assert.deepEqual(numbersOf(await read({ prefixes: [] })), range(24));
      });

      it('starts strictly after the position', async () => {
        const all = await read({});
        for (const at of [0, 7, 23])
          assert.deepEqual(numbersOf(await read({}, all[at].position)), range(24).slice(at + 1));
      });

      it('returns only streams whose names start with one of the prefixes', async () => {
        const expected = (match: (stream: string) => boolean): number[] =>
          range(24).filter((i) => match(streams[i % streams.length]));
        const cases: [string[], (stream: string) => boolean][] = [
          [['grid-'], (s) => s.startsWith('grid-')],
          [['grid-b'], (s) => s === 'grid-b'],
          [['telemetry.'], (s) => s.startsWith('telemetry.')],
          [['telemetry.02'], (s) => s === 'telemetry.02-b'],
          [['telemetry.01-', 'alerts-', 'plain'], (s) => /^(telemetry\.01|alerts|plain)/.test(s)],
          [['t', 'p'], (s) => /^[tp]/.test(s)],
          [['grid-', 'grid-a'], (s) => s.startsWith('grid-')],
          [['none-'], () => false],
          [[''], () => true],
        ];
        for (const [prefixes, match] of cases) {
          assert.deepEqual(numbersOf(await read({ prefixes })), expected(match), prefixes.join());
        }
      });

      it('applies the limit to matching events only', async () => {
        assert.deepEqual(numbersOf(await read({ prefixes: ['grid-b'], limit: 2 })), [3, 9]);
        assert.deepEqual(numbersOf(await read({ limit: 2 })), [0, 1]);
      });

      it('stops after the event with which the bodies reach maxBytes, and returns at least one', async () => {
        assert.equal((await read({ maxBytes: 250 })).length, 3);
        assert.equal((await read({ maxBytes: 300 })).length, 3);
        assert.equal((await read({ maxBytes: 301 })).length, 4);
        assert.equal((await read({ maxBytes: 1 })).length, 1);
      });

      it('pages through everything without gaps or duplicates', async () => {
        const seen: unknown[] = [];
        for (let after = START, batch; (batch = await read({ limit: 5, maxBytes: 350 }, after)).length > 0;) {
          seen.push(...numbersOf(batch));
          after = batch.at(-1)!.position;
        }
        assert.deepEqual(seen, range(24));
      });

      it('omits the bodies if not requested', async () => {
        const [bare] = await read({ bodies: false, limit: 1 });
        const [whole] = await read({ limit: 1 });
        const { body, ...header } = whole;
        assert.deepEqual({ ...bare, body: undefined }, { ...header, body: undefined });
        assert.equal(body!.byteLength, 100);
      });

      it('records times that never decrease', async () => {
        const times = (await read({})).map(({ recordedAt }) => recordedAt);
        assert.deepEqual(
          [...times].sort((a, b) => a - b),
          times,
        );
        assert.ok(Math.abs(times[0] - Date.now()) < 60_000);
      });
    });

    describe('head', () => {
      it('is START for an empty log, then the newest position', async () => {
        assert.equal(await store.head(), START);
        const { position } = await append('grid-a', event(1));
        assert.equal(await store.head(), position);
      });
    });

    describe('subscribe', () => {
      it('delivers existing events, then new ones, without gaps or duplicates under concurrent appends', async () => {
        const total = 300;
        const early = range(100).map((i) => append(`grid-${i % 7}`, event(i)));
        await Promise.all(early);
        const follower = collect(store, START, { limit: 16 }, total);
        await Promise.all(range(total - 100).map((i) => append(`grid-${i % 7}`, event(100 + i))));
        const seen = await follower;
        const all = await store.readAll(START, { limit: total + 1 });
        assert.deepEqual(
          seen.map(({ position }) => position),
          all.map(({ position }) => position),
        );
        assert.equal(all.length, total);
      });

      it('starts after the position and filters by the prefixes', async () => {
        const { position } = await append('grid-a', event(0));
        const follower = collect(store, position, { limit: 10, prefixes: ['grid-a'] }, 2);
        await append('grid-b', event(1));
        await append('grid-a', event(2));
        await append('telemetry.00-a', event(3));
        await append('grid-a', event(4));
        assert.deepEqual(numbersOf(await follower), [2, 4]);
      });

      it('never delivers an empty batch or one above the limit', async () => {
        await append('grid-a', ...range(10).map(event));
        const abort = new AbortController();
        const sizes: number[] = [];
        for await (const batch of store.subscribe(START, { limit: 4 }, abort.signal)) {
          sizes.push(batch.length);
          if (sizes.length === 3) abort.abort();
        }
        assert.deepEqual(sizes, [4, 4, 2]);
      });

      it('ends if it is aborted while waiting', async () => {
        const abort = new AbortController();
        const iterator = store.subscribe(START, { limit: 4 }, abort.signal)[Symbol.asyncIterator]();
        const next = iterator.next();
        abort.abort();
        assert.equal((await next).done, true);
      });

      it('delivers nothing if already aborted', async () => {
        await append('grid-a', event(1));
        for await (const batch of store.subscribe(START, { limit: 4 }, AbortSignal.abort()))
          assert.fail(`${batch.length} events`);
      });
    });

    describe('truncate', () => {
      const later = (): number => Date.now() + 60_000;

      beforeEach(async () => {
        for (const i of range(6))
          await append(i % 2 === 0 ? 'telemetry.00-a' : 'grid-a', { ...event(i), body: new Uint8Array(50) });
      });

      it('removes the events of the prefix and returns their number and bytes', async () => {
        assert.deepEqual(await store.truncate('telemetry.', later()), {
          events: 3,
          bytes: factory.truncatedStayInAll === true ? undefined : 150,
        });
        assert.deepEqual(await store.readStream('telemetry.00-a'), []);
        assert.equal(await store.readEvent('telemetry.00-a', 0), undefined);
        if (factory.truncatedStayInAll !== true)
          assert.deepEqual(numbersOf(await store.readAll(START, { limit: 10 })), [1, 3, 5]);
      });

      it('keeps events that were recorded later', async () => {
        assert.equal((await store.truncate('telemetry.', 1000)).events, 0);
        assert.equal((await store.readAll(START, { limit: 10 })).length, 6);
      });

      it('keeps the revisions and positions of the remaining events, and continues the revisions of an emptied stream', async () => {
        const before = await store.readStream('grid-a');
        const head = await store.head();
        await store.truncate('telemetry.', later());
        assert.deepEqual(await store.readStream('grid-a'), before);
        assert.deepEqual(await store.append('telemetry.00-a', 'none', [event(6)]), {
          ok: false,
          conflict: true,
          revision: 2,
        });
        const next = appended(await store.append('telemetry.00-a', 2, [event(6)]));
        assert.equal(next.revision, 3);
        assert.ok(next.position > head);
      });

      it('continues positions after every event was removed', async () => {
        const head = await store.head();
        await store.truncate('', later());
        assert.ok((await append('grid-a', event(7))).position > head);
      });
    });

    if (factory.durable)
      describe('reopening', () => {
        it('returns every event', async () => {
          await append('grid-a', event(1), { ...event(2), body: new Uint8Array([1, 2]) });
          await append('grid-b', event(3));
          const before = await store.readAll(START, { limit: 10 });
          store = await opened.reopen();
          assert.deepEqual(await store.readAll(START, { limit: 10 }), before);
        });

        it('continues revisions and positions, also for an emptied stream', async () => {
          await append('telemetry.00-a', event(1));
          const { position } = await append('grid-a', event(2));
          await store.truncate('telemetry.', Date.now() + 60_000);
          store = await opened.reopen();
          const next = appended(await store.append('telemetry.00-a', 0, [event(3)]));
          assert.equal(next.revision, 1);
          assert.ok(next.position > position);
        });
      });

    describe('check and close', () => {
      it('is healthy while it is open', async () => {
        assert.deepEqual(await store.check(), { ok: true });
      });

      it('can be closed twice, keeps accepted appends, and rejects later ones', async () => {
        const accepted = range(20).map((i) => append('grid-a', event(i)));
        await Promise.all([store.close(), store.close()]);
        await Promise.all(accepted);
        await store.close();
        assert.equal((await store.check()).ok, false);
        await assert.rejects(store.append('grid-a', 'any', [event(99)]), (error) => hasCode(error, 'unavailable'));
        if (!factory.durable) return;
        store = await opened.reopen();
        assert.equal((await store.readStream('grid-a')).length, 20);
      });
    });
  });
}

type Appended = Extract<AppendResult, { ok: true }>;

function appended(result: AppendResult): Appended {
  assert.ok(result.ok, `conflict at ${result.revision}`);
  return result;
}

function event(n: number): NewEvent {
  return { id: randomUUID(), type: 'Numbered.v1', data: { n } };
}

function numbersOf(events: readonly RecordedEvent[]): unknown[] {
  return events.map(({ data }) => (data as { n: number }).n);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

async function exactlyOneOfTwenty(store: EventStore, expected: number | 'none', revision: number): Promise<void> {
  const results = await Promise.all(range(20).map((i) => store.append('grid-a', expected, [event(i)])));
  assert.equal(results.filter((result) => result.ok).length, 1);
  for (const result of results) assert.equal(result.revision, revision);
  assert.equal((await store.readStream('grid-a')).length, revision + 1);
}

async function collect(
  store: EventStore,
  after: Position,
  options: { limit: number; prefixes?: string[] },
  count: number,
): Promise<RecordedEvent[]> {
  const abort = new AbortController();
  const seen: RecordedEvent[] = [];
  for await (const batch of store.subscribe(after, options, abort.signal)) {
    seen.push(...batch);
    if (seen.length >= count) abort.abort();
  }
  return seen;
}

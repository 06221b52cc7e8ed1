import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECTION_GROUPS } from '../../../../src/projections/projection-groups.js';
import { openEventReader } from '../../../../src/streams/adapters/sqlite/sqlite-event-reader.js';
import { toEventLogPath } from '../../../../src/streams/adapters/sqlite/data-folder.js';
import { START, type EventReader, type RecordedEvent } from '../../../../src/streams/event-store.js';
import {
  chainUpcasters,
  EVENT_TYPES,
  upcastToNewest,
  type Upcast,
} from '../../../../src/streams/events/event-registry.js';
import { FROZEN_LOG, goldenDigests, goldenLog, type GoldenEvent } from '../../../support/golden-log/golden-log.js';
import { createFutureEvent, createEventLog, replayAll } from '../../../support/golden-log/replay.js';
import { feedOf } from './support/projected.js';

const REMEDY = 'raise the schema of the projection and run node dist/test/support/golden-log/write.js';
const digestsOf = (golden: ReturnType<typeof goldenDigests>) =>
  Object.fromEntries(Object.entries(golden).map(([name, { digest }]) => [name, digest]));
const plain = ({ stream, id, type, data, body }: RecordedEvent | GoldenEvent) => ({
  stream,
  id,
  type,
  data,
  body: body === undefined ? undefined : Buffer.from(body).toString('hex'),
});

/** Steps that no release has: a second and a third version of an event that is in the log. */
const PLANTED: Upcast = chainUpcasters([
  {
    from: 'MemberSet.v2',
    to: 'MemberSet.v3',
    upcast: (data) => ({ ...(data as object), invited: (data as { since: number }).since > 0 }),
  },
  {
    from: 'MemberSet.v1',
    to: 'MemberSet.v2',
    upcast: (data) => ({ ...(data as object), since: (data as { at: number }).at }),
  },
]);

const BROKEN: Upcast = (type, data) => {
  if (type === 'MemberSet.v1') throw new Error('no such step');
  return upcastToNewest(type, data);
};

describe('the golden log', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hindsight-golden-'));
    copyFileSync(FROZEN_LOG, toEventLogPath(folder));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const events = goldenLog();

  /** The log in memory, and the first lines of it in the file that a release wrote. */
  async function logs(upcast: Upcast): Promise<Map<string, EventReader>> {
    return new Map([
      ['memory', await createEventLog(events, upcast)],
      ['SQLite', openEventReader(folder, feedOf(), upcast)],
    ]);
  }

  it('has every type of event that was ever written', () => {
    assert.deepEqual(
      [...new Set(events.map(({ type }) => type))].sort(),
      [...EVENT_TYPES].sort(),
      'run node dist/test/support/golden-log/write.js',
    );
  });

  it('has an id of its own for every event: stores take a known one for a repeated append', () =>
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length));

  it('gives every projection the digest that it had when it was frozen', async () => {
    const golden = goldenDigests();
    const schemas = Object.fromEntries(
      PROJECTION_GROUPS.flatMap(({ projections }) => projections.map(({ name, schema }) => [name, schema])),
    );
    assert.deepEqual(
      Object.fromEntries(Object.entries(golden).map(([name, { schema }]) => [name, schema])),
      schemas,
      REMEDY,
    );
    assert.deepEqual(
      await replayAll(await createEventLog(events)),
      { digests: digestsOf(golden), deadLetters: 0 },
      `what a projection makes of the log has changed: ${REMEDY}`,
    );
  });

  it('is read in the format of the file that was frozen, event by event', async () => {
    const reader = openEventReader(folder, feedOf());
    const read = await reader.readAll(START, { limit: 1_000 });
    assert.ok(read.length > 60);
    const newest = events.slice(0, read.length).map((event) => ({
      ...event,
      ...(upcastToNewest(event.type, event.data) as GoldenEvent),
    }));
    assert.deepEqual(read.map(plain), newest.map(plain));
    assert.deepEqual(
      read.map(({ recordedAt }) => recordedAt),
      events.slice(0, read.length).map(({ at }) => at),
    );
    await reader.close();
  });

  it('gives the same digests from that file as from its lines', async () => {
    const reader = openEventReader(folder, feedOf());
    const { length } = await reader.readAll(START, { limit: 1_000, bodies: false });
    assert.deepEqual(await replayAll(reader), await replayAll(await createEventLog(events.slice(0, length))));
    await reader.close();
  });

  it('comes in the newest version, step by step, the same each time', async () => {
    for (const [name, log] of await logs(PLANTED)) {
      const read = async () =>
        (await log.readAll(START, { limit: 1_000 }))
          .filter(({ type }) => type.startsWith('MemberSet'))
          .map(({ type, data }) => ({ type, data }));
      const first = await read();
      assert.ok(first.length > 1, name);
      const stored = events.filter(({ type }) => type === 'MemberSet.v1').map(({ data }) => data as { at: number });
      assert.deepEqual(
        first,
        stored.map((data) => ({ type: 'MemberSet.v3', data: { ...data, since: data.at, invited: true } })),
        name,
      );
      assert.equal(JSON.stringify(await read()), JSON.stringify(first), name);
      await log.close();
    }
  });

  it('is upcast by steps that leave what they were given alone', () => {
    for (const { type, data } of events) {
      const before = JSON.stringify(data);
      const first = JSON.stringify(upcastToNewest(type, data));
      assert.equal(JSON.stringify(data), before, type);
      assert.equal(JSON.stringify(upcastToNewest(type, data)), first, type);
    }
  });

  it('is read by an older program as if what it does not know were not there', async () => {
    const [{ stream: grid }] = events.filter(({ type }) => type === 'GridCreated.v1');
    const telemetry = events.find(({ type }) => type === 'TracesReceived.v1')!;
    const newer = events.flatMap((event, i) => [
      event,
      ...(i % 9 === 0
        ? [createFutureEvent(grid, event.at, 'GridCreated.v9'), createFutureEvent(grid, event.at, 'WeatherSeen.v1')]
        : []),
      ...(i > events.length - 3
        ? [
            createFutureEvent('weather-1', event.at, 'WeatherSeen.v1'),
            createFutureEvent(telemetry.stream.replace('telemetry.', 'unknown.'), event.at, 'TracesReceived.v7'),
          ]
        : []),
    ]);
    const digests = digestsOf(goldenDigests());
    const seen = await replayAll(await createEventLog(newer));
    // Revisions of the Grid's stream are part of what the audit shows.
    assert.deepEqual({ ...seen.digests, audit: '' }, { ...digests, audit: '' });
    assert.equal(seen.deadLetters, 0);
  });

  it('keeps what it does not know for a program that does', async () => {
    const future = createFutureEvent('grid-x', events[events.length - 1].at, 'WeatherSeen.v1');
    const log = await createEventLog([...events, future]);
    const { stream, id, type, data, body } = future;
    assert.deepEqual(plain((await log.readStream('grid-x'))[0]), plain({ stream, id, type, data, body, at: 0 }));
  });

  it('stops nobody where a step fails: the events are passed by, and named', async () => {
    for (const [name, log] of await logs(BROKEN)) {
      const { digests, deadLetters } = await replayAll(log);
      assert.ok(deadLetters >= 2, name);
      assert.equal(digests['traces'], digestsOf(goldenDigests())['traces'], name);
      await log.close();
    }
  });
});

import assert from 'node:assert/strict';
import type { Connection } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { openWriter } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { START } from '../../../../../src/streams/event-store.js';
import { LogFolder, request } from './log-folder.js';

describe('event log writer', () => {
  let folder: LogFolder;
  beforeEach(() => {
    folder = new LogFolder();
  });
  afterEach(() => folder.remove());

  const numbers = (): unknown[] =>
    folder.read((log) => log.readAll(START, { limit: 1000 })).map(({ data }) => (data as { n: number }).n);

  it('returns one result per append of a group, in order', () => {
    const writer = folder.writer();
    const results = writer.commit([
      { ...request('grid-a', 1), expected: 'none' },
      { ...request('grid-a', 2), expected: 'none' },
      { ...request('grid-a', 3), expected: 0 },
      request('grid-b', 4),
    ]);
    assert.deepEqual(
      results.map(({ ok, revision }) => [ok, revision]),
      [
        [true, 0],
        [false, 0],
        [true, 1],
        [true, 0],
      ],
    );
    assert.deepEqual(numbers(), [1, 3, 4]);
    writer.close();
  });

  it('records times that never decrease, also after reopening', () => {
    const times = [1000, 900, 800];
    const clock = (): number => times.shift()!;
    for (let n = 0; n < 3; n++) {
      const writer = folder.writer(clock);
      writer.commit([request('grid-a', n)]);
      writer.close();
    }
    assert.deepEqual(
      folder.read((log) => log.readStream('grid-a')).map(({ recordedAt }) => recordedAt),
      [1000, 1000, 1000],
    );
  });

  it('lets the time of the log go on after the clock was set back, until the clock has caught up', () => {
    const steps = [
      { clock: 1_000_000, monotonic: 0, recorded: 1_000_000 },
      { clock: 1_000, monotonic: 10.5, recorded: 1_000_000 },
      { clock: 1_200, monotonic: 210.9, recorded: 1_000_200 },
      { clock: 500, monotonic: 310.5, recorded: 1_000_300 },
      { clock: 1_000_301, monotonic: 400, recorded: 1_000_301 },
      { clock: 1_000_300, monotonic: 500, recorded: 1_000_301 },
    ];
    let at = 0;
    const writer = new EventLogWriter(
      () => openWriter(folder.file),
      () => steps[at].clock,
      () => steps[at].monotonic,
    );
    for (; at < steps.length; at++) writer.commit([request('grid-a', at)]);
    writer.close();
    assert.deepEqual(
      folder.read((log) => log.readStream('grid-a')).map(({ recordedAt }) => recordedAt),
      steps.map(({ recorded }) => recorded),
    );
  });

  it('rejects the whole group as unavailable when the commit fails, and opens a new connection for the next', () => {
    const opened: Connection[] = [];
    const writer = new EventLogWriter(() => {
      const database = openWriter(folder.file);
      opened.push(database);
      return opened.length === 1 ? failingAtSecond(database, 'COMMIT') : database;
    }, Date.now);
    writer.commit([request('grid-a', 1)]);
    assert.throws(() => writer.commit([request('grid-a', 2), request('new-b', 3)]), {
      code: 'unavailable',
      message: /disk I\/O error/,
    });
    assert.equal(opened[0].isOpen, false);
    assert.deepEqual(numbers(), [1]);
    const [first, second] = writer.commit([request('grid-a', 4), request('new-b', 5)]);
    assert.deepEqual([first.revision, second.revision], [1, 0]);
    assert.deepEqual(numbers(), [1, 4, 5]);
    writer.close();
  });

  it('survives a full disk without a restart', () => {
    let pages = 40;
    const writer = new EventLogWriter(() => {
      const database = openWriter(folder.file);
      database.exec(`PRAGMA max_page_count = ${pages}`);
      return database;
    }, Date.now);
    const body = (): Uint8Array => new Uint8Array(100_000);
    writer.commit([request('grid-a', 0, body())]);
    let accepted = 1;
    assert.throws(
      () => {
        for (; ; accepted++) writer.commit([request('grid-a', accepted, body())]);
      },
      { code: 'unavailable', message: /full/ },
    );
    assert.equal(numbers().length, accepted);
    assert.deepEqual(writer.commit([request('grid-a', accepted)])[0].revision, accepted, 'a small event still fits');
    assert.throws(() => writer.commit([request('grid-a', 99, body())]), { code: 'unavailable' });
    pages = 400;
    const [result] = writer.commit([request('grid-a', accepted + 1, body())]);
    assert.equal(result.revision, accepted + 1);
    assert.deepEqual(
      numbers(),
      Array.from({ length: accepted + 2 }, (_, i) => i),
    );
    writer.close();
  });

  it('is unhealthy after a failure until a durable write succeeds again', () => {
    let broken = true;
    const writer = new EventLogWriter(() => {
      if (broken) throw new Error('unable to open database file');
      return openWriter(folder.file);
    }, Date.now);
    assert.throws(() => writer.commit([request('grid-a', 1)]), { code: 'unavailable' });
    assert.deepEqual(writer.check(), {
      ok: false,
      reason: 'Cannot write to the event store: unable to open database file',
    });
    broken = false;
    assert.deepEqual(writer.check(), { ok: true });
  });
});

/** The connection, but its second use of the statement fails as it does when fsync does. */
function failingAtSecond(database: Connection, statement: string): Connection {
  let uses = 0;
  return new Proxy(database, {
    get(target, name) {
      if (name === 'exec') return exec;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  function exec(sql: string): void {
    if (sql === statement && ++uses === 2) throw Object.assign(new Error('disk I/O error'), { errcode: 1034 });
    database.exec(sql);
  }
}

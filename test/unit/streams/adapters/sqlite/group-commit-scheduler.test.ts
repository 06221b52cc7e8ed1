import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openWriter, type Connection } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { DiskReserve } from '../../../../../src/streams/adapters/sqlite/disk-reserve.js';
import { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import type { Reply } from '../../../../../src/streams/adapters/sqlite/worker-protocol.js';
import { WalCheckpointer } from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { GroupCommitScheduler } from '../../../../../src/streams/adapters/sqlite/group-commit-scheduler.js';
import { START } from '../../../../../src/streams/event-store.js';
import { telemetryStream } from '../../../../../src/streams/stream-names.js';
import { LogFolder, request } from './log-folder.js';

const TELEMETRY = telemetryStream('2f1c0c0e-0000-4000-8000-000000000001');

/** Refuses every commit as SQLite does on a full disk, as long as there is a reserve to give up. */
function fullUnless(hasRoom: () => boolean, database: Connection): Connection {
  const exec = (sql: string): void => {
    if (sql === 'COMMIT' && !hasRoom()) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    database.exec(sql);
  };
  return new Proxy(database, {
    get(target, name) {
      if (name === 'exec') return exec;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('group commit writer on a full disk', () => {
  let folder: LogFolder;
  let writer: EventLogWriter;
  let desk: GroupCommitScheduler;
  let replies: Reply[];
  let isFull: boolean;
  let now: number;

  beforeEach(() => {
    folder = new LogFolder();
    const file = join(folder.dir, 'reserve');
    const reserve = new DiskReserve(file, () => now);
    replies = [];
    isFull = true;
    now = 0;
    writer = new EventLogWriter(
      () => fullUnless(() => !isFull || !existsSync(file), openWriter(folder.file)),
      Date.now,
    );
    desk = new GroupCommitScheduler(writer, new WalCheckpointer(() => undefined), reserve, (given) =>
      replies.push(...given),
    );
    reserve.prepare();
  });
  afterEach(() => {
    writer.close();
    folder.remove();
  });

  const append = (id: number, stream: string) => desk.receive([{ id, kind: 'append', request: request(stream, id) }]);
  const outcomes = () =>
    replies.sort((a, b) => a.id - b.id).map((reply) => ('answer' in reply ? 'appended' : reply.fault.code));
  const stored = () =>
    folder.read((log) => log.readAll(START, { limit: 100 })).map(({ data }) => (data as { n: number }).n);

  it('uses the reserve for the commands of a group and rejects its telemetry', () => {
    append(1, TELEMETRY);
    append(2, 'grid-a');
    append(3, TELEMETRY);
    desk.step();
    assert.deepEqual(outcomes(), ['unavailable', 'appended', 'unavailable']);
    assert.deepEqual(stored(), [2]);
  });

  it('rejects telemetry until the reserve can be acquired again', () => {
    append(1, 'grid-a');
    desk.step();
    append(2, TELEMETRY);
    append(3, 'grid-a');
    desk.step();
    assert.deepEqual(outcomes(), ['appended', 'unavailable', 'appended']);
    isFull = false;
    now += 1_000;
    append(4, TELEMETRY);
    desk.step();
    assert.equal(outcomes()[3], 'appended');
    assert.deepEqual(stored(), [1, 3, 4]);
  });
});

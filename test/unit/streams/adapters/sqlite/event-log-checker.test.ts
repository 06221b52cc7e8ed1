import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { openLogChecker } from '../../../../../src/streams/adapters/sqlite/event-log-checker.js';
import { truncateInBatches } from '../../../../../src/streams/adapters/sqlite/log-truncation.js';
import { toPosition } from '../../../../../src/streams/adapters/sqlite/event-row-format.js';
import type { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { checkpoint } from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { type Position, START } from '../../../../../src/streams/event-store.js';
import type { CheckedSlice, Damage } from '../../../../../src/streams/log-checker.js';
import { LogFolder, request } from './log-folder.js';

describe('the check of the event log', () => {
  let folder: LogFolder;
  let writer: EventLogWriter;
  let now: number;
  let opened: ReturnType<typeof openLogChecker> | undefined;

  beforeEach(() => {
    folder = new LogFolder();
    now = 1_000;
    writer = folder.writer(() => now);
    opened = undefined;
  });
  afterEach(() => {
    opened?.connection.close();
    writer.close();
    folder.remove();
  });

  const append = (n: number, bytes = 100): void =>
    void writer.commit([request(`grid-${n % 3}`, n, new Uint8Array(bytes).fill(n))]);
  const moveWalIntoFile = (): void => void writer.withConnection((database) => checkpoint(database, 'TRUNCATE'));
  /** Checks the whole log with one connection for the whole test. */
  const check = (): { readonly slices: CheckedSlice[]; readonly damaged: Damage[] } => {
    opened ??= openLogChecker(folder.file);
    const slices: CheckedSlice[] = [];
    for (let after: Position | undefined = START; after !== undefined; after = slices[slices.length - 1].reached)
      slices.push(opened.checker.checkAfter(after));
    return { slices, damaged: slices.flatMap(({ damaged }) => damaged) };
  };
  const change = (sql: string): void => {
    const database = new DatabaseSync(folder.file);
    database.exec(sql);
    database.close();
  };
  const placesOf = (damaged: readonly Damage[]): Position[] => damaged.map(({ position }) => position);

  it('finds nothing in an intact or empty log, and reads it in slices', () => {
    append(0);
    assert.deepEqual(check().damaged, []);
    for (let n = 1; n < 300; n++) append(n, 6_000);
    const { slices, damaged } = check();
    assert.deepEqual(damaged, []);
    assert.equal(slices.at(-2)?.reached, toPosition(300));
    assert.ok(slices.every(({ bytes }) => bytes < 640 * 1024));
    assert.ok(slices.length >= 4);
  });

  it('names events that do not match their checksums', () => {
    for (let n = 0; n < 20; n++) append(n);
    change('UPDATE events SET body = zeroblob(100) WHERE position = 7');
    change(`UPDATE events SET data = '{}' WHERE position IN (3, 20)`);
    const { damaged } = check();
    assert.deepEqual(placesOf(damaged), [3, 7, 20].map(toPosition));
    assert.match(damaged[1].reason, /its body does not match/);
  });

  it('sees damage of the file that began after it had read the same page', () => {
    for (let n = 0; n < 20; n++) append(n, 9_000);
    moveWalIntoFile();
    assert.deepEqual(check().damaged, []);
    const bytes = readFileSync(folder.file);
    bytes[bytes.indexOf(Buffer.alloc(200, 5)) + 100] ^= 1;
    writeFileSync(folder.file, bytes);
    assert.deepEqual(placesOf(check().damaged), [toPosition(6)]);
  });

  it('names events that readers miss because an index lacks them, or that only an index names', () => {
    for (let n = 0; n < 20; n++) append(n);
    moveWalIntoFile();
    // Drops one entry of an index, or one row of the table, from a page: the count and the pointers behind it move up.
    const dropCell = (kind: number, find: Buffer, index: number): Buffer => {
      const bytes = readFileSync(folder.file);
      for (let page = 0; page < bytes.length; page += 4096) {
        if (bytes[page] !== kind || bytes.subarray(page, page + 4096).indexOf(find) < 0) continue;
        const count = bytes.readUInt16BE(page + 3);
        if (count !== 20) continue;
        bytes.copyWithin(page + 8 + index * 2, page + 8 + (index + 1) * 2, page + 8 + count * 2);
        bytes.writeUInt16BE(count - 1, page + 3);
        return bytes;
      }
      return assert.fail('there is no such page');
    };
    const intact = readFileSync(folder.file);
    writeFileSync(folder.file, dropCell(13, Buffer.from('"n":4'), 4));
    const [row] = check().damaged;
    assert.deepEqual([row.position, row.reason], [toPosition(5), 'only an index names it']);
    folder.read((log) => {
      assert.equal(log.readAll(START, { limit: 100 }).length, 4, 'readers stop before it, too');
      assert.throws(() => log.readAll(toPosition(4), { limit: 100 }), {
        code: 'damaged-event',
        position: toPosition(5),
      });
      assert.equal(log.readAll(toPosition(5), { limit: 100 }).length, 15);
    });
    writeFileSync(folder.file, intact);
    assert.deepEqual(check().damaged, []);
    writeFileSync(folder.file, dropCell(10, Buffer.alloc(0), 4));
    const [entry] = check().damaged;
    assert.match(entry.reason, /the index by (stream|category) lacks it/);
  });

  it('continues past pages that cannot be read', () => {
    for (let n = 0; n < 60; n++) append(n, 2_000);
    moveWalIntoFile();
    const bytes = readFileSync(folder.file);
    const page = Math.floor(bytes.indexOf('{"n":30}') / 4096) * 4096;
    writeFileSync(folder.file, bytes.fill(0, page, page + 4096));
    const { damaged, slices } = check();
    assert.ok(damaged.length > 0 && damaged.length < 20, `${damaged.length}`);
    assert.ok(placesOf(damaged).includes(toPosition(31)));
    assert.equal(slices.at(-2)?.reached, toPosition(60));
  });

  it('takes nothing that retention deleted for damage', () => {
    for (let n = 0; n < 30; n++) append(n);
    now = 2_000;
    append(30);
    for (const _ of truncateInBatches(writer, 'grid-1', 2_000));
    assert.deepEqual(check().damaged, []);
  });
});

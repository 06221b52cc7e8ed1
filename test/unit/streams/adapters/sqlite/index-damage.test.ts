import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { toEventLogPath } from '../../../../../src/streams/adapters/sqlite/data-folder.js';
import { copyEventLog } from '../../../../../src/streams/adapters/sqlite/event-log-copy.js';
import {
  findIndexOnlyDamage,
  findLogStructureDamage,
} from '../../../../../src/streams/adapters/sqlite/event-log-integrity.js';
import { openLogChecker } from '../../../../../src/streams/adapters/sqlite/event-log-checker.js';
import type { EventLogReader } from '../../../../../src/streams/adapters/sqlite/event-log-reader.js';
import type { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { toPosition } from '../../../../../src/streams/adapters/sqlite/event-row-format.js';
import { truncateInBatches } from '../../../../../src/streams/adapters/sqlite/log-truncation.js';
import { readRecords } from '../../../../../src/streams/adapters/sqlite/salvage/page-records.js';
import { checkpoint } from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { isDamagedEvent } from '../../../../../src/streams/damaged-event.js';
import { type Position, START } from '../../../../../src/streams/event-store.js';
import type { CheckedSlice, Damage } from '../../../../../src/streams/log-checker.js';
import { LogFolder, request } from './log-folder.js';

const PAGE = 4096;
const EVENTS = 4_000;
const STREAMS = 3;

/** Pages whose first byte says what they are. */
const LEAF = { table: 13, index: 10 };

describe('a log whose indexes are damaged', function () {
  let folder: LogFolder;
  let writer: EventLogWriter;

  beforeEach(() => {
    folder = new LogFolder();
    writer = folder.writer(() => 1_000);
    writer.commit(Array.from({ length: EVENTS }, (_, n) => request(`grid-${n % STREAMS}`, n, Buffer.from([n % 251]))));
    writer.withConnection((database) => checkpoint(database, 'TRUNCATE'));
  });
  afterEach(() => {
    writer.close();
    folder.remove();
  });

  const pagesOf = (object: 'events' | 'events_by_stream' | 'events_by_category', kind: number): number[] => {
    const bytes = readFileSync(folder.file);
    const database = new DatabaseSync(folder.file, { readOnly: true });
    const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(object) as {
      rootpage: number;
    };
    database.close();
    const root = bytes.subarray((rootpage - 1) * PAGE, rootpage * PAGE);
    const cells = Array.from({ length: root.readUInt16BE(3) }, (_, cell) => root.readUInt16BE(12 + cell * 2));
    const children = [...cells.map((at) => root.readUInt32BE(at)), root.readUInt32BE(8)];
    assert.ok(children.length > 2, `${object} has several leaves`);
    for (const page of children) assert.equal(bytes[(page - 1) * PAGE], kind, `page ${page} of ${object}`);
    return children;
  };
  const zero = (...pages: readonly number[]): void => {
    const bytes = readFileSync(folder.file);
    for (const page of pages) bytes.fill(0, (page - 1) * PAGE, page * PAGE);
    writeFileSync(folder.file, bytes);
  };
  /** Removes one entry of an index, or one row, from the leaf that has it: the pointers behind it move up. */
  const dropCell = (page: number, cell: number): void => {
    const bytes = readFileSync(folder.file);
    const start = (page - 1) * PAGE;
    const count = bytes.readUInt16BE(start + 3);
    bytes.copyWithin(start + 8 + cell * 2, start + 8 + (cell + 1) * 2, start + 8 + count * 2);
    bytes.writeUInt16BE(count - 1, start + 3);
    writeFileSync(folder.file, bytes);
  };
  const dropRow = (rowid: number): void => {
    for (const page of pagesOf('events', LEAF.table)) {
      const bytes = readFileSync(folder.file).subarray((page - 1) * PAGE, page * PAGE);
      const cell = [...readRecords({ number: page, bytes }, 'leafTable')].findIndex((each) => each.rowid === rowid);
      if (cell >= 0) return dropCell(page, cell);
    }
    assert.fail(`no page has row ${rowid}`);
  };
  /** Positions that reading on after damage gives, and those that it names as damaged. */
  const readOn = (prefixes?: readonly string[]): { readonly read: Position[]; readonly damaged: Position[] } =>
    folder.read((log) => {
      const read: Position[] = [];
      const damaged: Position[] = [];
      for (let after: Position = START; ;) {
        try {
          const batch = log.readAll(after, { limit: 500, ...(prefixes && { prefixes }) });
          if (batch.length === 0) return { read, damaged };
          read.push(...batch.map(({ position }) => position));
          after = batch[batch.length - 1].position;
        } catch (error) {
          if (!isDamagedEvent(error)) throw error;
          assert.ok(error.position > after, 'it goes on');
          damaged.push((after = error.position));
        }
      }
    });
  const positions = (select: (n: number) => boolean = () => true): Position[] =>
    Array.from({ length: EVENTS }, (_, n) => n)
      .filter(select)
      .map((n) => toPosition(n + 1));
  const check = (): Damage[] => {
    const { checker, connection } = openLogChecker(folder.file);
    const damaged: Damage[] = [];
    let slice: CheckedSlice = checker.checkAfter(START);
    for (; slice.reached !== undefined; slice = checker.checkAfter(slice.reached)) damaged.push(...slice.damaged);
    connection.close();
    return damaged;
  };
  const numberOf = (log: EventLogReader, stream: number, revision: number): number =>
    (log.readEvent(`grid-${stream}`, revision)?.data as { n: number }).n;

  it('is read completely when pages of the category index are lost, also by prefix', () => {
    const leaves = pagesOf('events_by_category', LEAF.index);
    zero(leaves[0], leaves[leaves.length - 1]);
    assert.deepEqual(readOn(), { read: positions(), damaged: [] });
    assert.deepEqual(readOn(['grid-1']), { read: positions((n) => n % STREAMS === 1), damaged: [] });
    const found = check();
    assert.ok(found.length > 0 && found.length < EVENTS, `${found.length}`);
    assert.match(found[0].reason, /^the index by category cannot be read there, so readers search the table$/);
    assert.ok(found.every(({ isIndexOnly }) => isIndexOnly === true));
  });

  it('is read completely when pages of the index by stream are lost', () => {
    const leaves = pagesOf('events_by_stream', LEAF.index);
    zero(leaves[0], leaves[2], leaves[leaves.length - 1]);
    folder.read((log) => {
      for (let stream = 0; stream < STREAMS; stream++) {
        const events = log.readStream(`grid-${stream}`);
        assert.deepEqual(
          events.map(({ data }) => (data as { n: number }).n),
          Array.from({ length: EVENTS }, (_, n) => n).filter((n) => n % STREAMS === stream),
        );
        assert.equal(log.readStream(`grid-${stream}`, 700, 2)[1].revision, 701);
        for (let revision = 0; revision < events.length; revision += 97)
          assert.equal(numberOf(log, stream, revision), revision * STREAMS + stream);
      }
    });
    assert.match(check()[0].reason, /the index by stream cannot be read there/);
  });

  for (const index of ['events_by_stream', 'events_by_category'] as const)
    it(`is told from a log with damaged events, and a copy of it is sound: ${index}`, async () => {
      zero(pagesOf(index, LEAF.index)[1]);
      assert.notDeepEqual(findLogStructureDamage(folder.dir), []);
      assert.match(findIndexOnlyDamage(folder.dir) ?? '', /at \d+ events, from position \w+; all events are intact$/);
      const copies = join(folder.dir, 'copy');
      mkdirSync(copies);
      const { events, damaged } = await copyEventLog(folder.dir, toEventLogPath(copies));
      assert.deepEqual([events, damaged], [EVENTS, []]);
      assert.deepEqual(findLogStructureDamage(copies), []);
      zero(pagesOf('events', LEAF.table)[1]);
      assert.equal(findIndexOnlyDamage(folder.dir), undefined);
    });

  it('gives an event that the index by stream has lost, first, in the middle and last of its stream', () => {
    const leaves = pagesOf('events_by_stream', LEAF.index);
    dropCell(leaves[0], 0);
    dropCell(leaves[0], 99);
    const last = leaves[leaves.length - 1];
    dropCell(last, readFileSync(folder.file).readUInt16BE((last - 1) * PAGE + 3) - 1);
    folder.read((log) => {
      assert.equal(numberOf(log, 0, 0), 0);
      assert.equal(numberOf(log, 0, 100), 300);
      assert.equal(log.readStream('grid-0', 99, 3).length, 3);
      const newest = Math.ceil((EVENTS - 2) / STREAMS) - 1;
      assert.equal(numberOf(log, 2, newest), newest * STREAMS + 2);
      assert.equal(log.readEvent('grid-2', newest + 1), undefined, 'it never existed');
    });
  });

  it('names an event that it has lost completely, instead of passing it over', () => {
    dropCell(pagesOf('events_by_stream', LEAF.index)[0], 100);
    dropCell(pagesOf('events_by_category', LEAF.index)[0], 300);
    dropRow(301);
    folder.read((log) => {
      assert.throws(() => log.readEvent('grid-0', 100), {
        code: 'damaged-event',
        revision: 100,
        position: toPosition(299),
      });
    });
  });

  it('names an event of which only index entries are left, with its place in its stream', () => {
    dropRow(10);
    folder.read((log) => {
      assert.throws(() => log.readStream('grid-0'), { code: 'damaged-event', revision: 3, position: toPosition(10) });
      assert.throws(() => log.readEvent('grid-0', 3), { code: 'damaged-event', revision: 3 });
      assert.equal(log.readStream('grid-0', 4).length, Math.ceil(EVENTS / STREAMS) - 4);
    });
  });

  it('takes nothing that retention deleted for lost', () => {
    writer.commit([request('grid-0', 0)]);
    for (const _ of truncateInBatches(writer, 'grid-', 1_001));
    folder.read((log) => {
      assert.equal(log.readEvent('grid-0', 100), undefined);
      assert.equal(log.readEvent('grid-1', 100), undefined);
      assert.equal(log.readStream('grid-1').length, 0);
      assert.equal(log.readStream('grid-0').length, 1);
    });
  });

  it('is read past pages that both the table and an index have lost, and checked to its end', () => {
    const table = pagesOf('events', LEAF.table);
    zero(table[0], table[table.length - 1], pagesOf('events_by_category', LEAF.index)[0]);
    const { read, damaged } = readOn();
    assert.deepEqual([...read, ...damaged].sort(), positions());
    assert.ok(read.length > 0 && damaged.includes(toPosition(1)) && damaged.includes(toPosition(EVENTS)));
    const found = new Set(check().map(({ position }) => position));
    for (const position of damaged) assert.ok(found.has(position), position);
  });
});

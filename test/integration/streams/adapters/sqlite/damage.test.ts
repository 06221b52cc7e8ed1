import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync, appendFileSync, mkdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { checkpoint } from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { findLogStructureDamage } from '../../../../../src/streams/adapters/sqlite/event-log-integrity.js';
import { openWriter } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import type { EventLogReader } from '../../../../../src/streams/adapters/sqlite/event-log-reader.js';
import { openEventReader } from '../../../../../src/streams/adapters/sqlite/sqlite-event-reader.js';
import { isDamagedEvent } from '../../../../../src/streams/damaged-event.js';
import { findDamagedEvents } from '../../../../../src/streams/event-log-scans.js';
import { START } from '../../../../../src/streams/event-store.js';
import type { Position, RecordedEvent } from '../../../../../src/streams/event-store.js';
import { InProcessFeed } from '../../../../../src/streams/live/in-process-feed.js';
import { scaleToBudget } from '../../../../support/faults/budget.js';
import { collectGarbage, LogFolder, request } from '../../../../unit/streams/adapters/sqlite/log-folder.js';

/** Spread over the used bytes of a log: every one of them costs two openings. */
const FLIPS = scaleToBudget('LOG_FLIPS', 600, 2_000);
/** Places at which the WAL is torn, spread over its last 64 KiB and what is before. */
const TEARS = scaleToBudget('LOG_TEARS', 200, 65_536);

describe('A damaged log', () => {
  let folder: LogFolder;
  let writer: EventLogWriter;
  let copies = 0;

  beforeEach(() => {
    folder = new LogFolder();
    writer = folder.writer();
  });
  afterEach(() => {
    writer.close();
    folder.remove();
  });

  /** What a power cut leaves: the files as they are now, without the index of the WAL. */
  const copy = (): string => {
    const dir = join(folder.dir, `copy-${copies++}`);
    mkdirSync(dir);
    for (const end of ['', '-wal']) copyFileSync(folder.file + end, join(dir, 'events.db') + end);
    return join(dir, 'events.db');
  };
  const numbersIn = (file: string): number[] =>
    folder.read((log) => log.readAll(START, { limit: 1000 }), file).map(({ data }) => (data as { n: number }).n);

  it('keeps every whole commit and nothing else of a WAL torn at any place', async function () {
    this.timeout(TEARS * 50 + 60_000);
    const sizes: number[] = [];
    for (let n = 0; n < 12; n++) {
      writer.commit([request('grid-a', n, randomBytes(5000)), request('grid-b', n)]);
      sizes.push(readFileSync(`${folder.file}-wal`).length);
    }
    const whole = (bytes: number): number => sizes.filter((size) => size <= bytes).length;
    const from = Math.max(sizes[0], sizes.at(-1)! - Math.max(TEARS, 65_536));
    for (let i = 0; i < TEARS; i++) {
      const cut = Math.floor(from + ((sizes.at(-1)! - from) * i) / (TEARS - 1));
      const torn = copy();
      truncateSync(`${torn}-wal`, cut);
      assert.deepEqual(
        numbersIn(torn),
        Array.from({ length: whole(cut) * 2 }, (_, k) => k >> 1),
        `cut at ${cut}`,
      );
      rmSync(dirname(torn), { recursive: true });
      if (i % 50 === 0) await collectGarbage();
    }
  });

  it('continues after garbage at the end of the WAL', () => {
    writer.commit([request('grid-a', 0)]);
    const torn = copy();
    appendFileSync(`${torn}-wal`, randomBytes(70_000));
    assert.deepEqual(numbersIn(torn), [0]);
    const next = new EventLogWriter(() => openWriter(torn), Date.now);
    assert.equal(next.commit([request('grid-a', 1)])[0].revision, 1);
    next.close();
    assert.deepEqual(numbersIn(torn), [0, 1]);
  });

  it('never gives an event that differs from what was appended, wherever a bit flips, nor hides one from the check', async function () {
    this.timeout(FLIPS * 200 + 60_000); // opens several hundred copies
    for (let n = 0; n < 6; n++) writer.commit([request(`grid-${n % 2}`, n, randomBytes(n * 700))]);
    writer.withConnection((database) => checkpoint(database, 'TRUNCATE'));
    const file = copy();
    const intact = readFileSync(file);
    const expected = new Map(
      folder.read((log) => log.readAll(START, { limit: 100 }), file).map((event) => [event.position, event]),
    );
    const used = [...intact.keys()].filter((at) => intact[at] !== 0);
    const steps = Math.max(1, Math.floor(used.length / FLIPS));
    let detected = 0;
    for (let i = 0; i < used.length; i += steps) {
      const flipped = new Uint8Array(intact);
      flipped[used[i]] ^= 1 << (i % 8);
      writeFileSync(file, flipped);
      detected += findings(folder, file, expected);
      if (i % 50 === 0) await collectGarbage();
    }
    assert.ok(detected > FLIPS / 2, `${detected} flips were detected`);
  });

  it('shows nothing to the check while it is whole', () => {
    writer.commit([request('grid-a', 1), request('grid-b', 2)]);
    assert.deepEqual(findLogStructureDamage(folder.dir), []);
  });

  it('names a damaged event, serves the events before it, and lets readers continue after it', () => {
    for (let n = 0; n < 5; n++) writer.commit([request('grid-a', n, new Uint8Array(100).fill(n))]);
    damage(folder.file, 'UPDATE events SET body = zeroblob(100) WHERE position = 3');
    folder.read((log) => {
      assert.deepEqual(log.readAll(START, { limit: 10 }).length, 2);
      const damaged = caught(() => log.readAll(log.readAll(START, { limit: 10 })[1].position, { limit: 10 }));
      assert.deepEqual(
        log.readAll(damaged, { limit: 10 }).map(({ revision }) => revision),
        [3, 4],
      );
      assert.equal(
        caught(() => log.readEvent('grid-a', 2)),
        damaged,
      );
      assert.equal(
        caught(() => log.readStream('grid-a')),
        damaged,
      );
      assert.equal(log.readAll(START, { limit: 10, bodies: false }).length, 5, 'its header is intact');
    });
  });

  it('names each event of a page that cannot be read, with its place in its stream, so that the stream can be read past it', () => {
    for (let n = 0; n < 60; n++) writer.commit([request('grid-a', n, new Uint8Array(1_000).fill(n))]);
    writer.withConnection((database) => checkpoint(database, 'TRUNCATE'));
    const file = copy();
    breakPageWith(file, '{"n":30}');
    folder.read((log) => {
      const [whole, broken]: [number[], number[]] = [[], []];
      while (whole.length + broken.length < 60) {
        const from = Math.max(-1, ...whole, ...broken) + 1;
        try {
          whole.push(log.readStream('grid-a', from, 1)[0].revision);
        } catch (error) {
          if (!isDamagedEvent(error)) throw error;
          broken.push(error.revision ?? assert.fail('without a place'));
        }
      }
      assert.ok(broken.includes(30) && whole.includes(0) && whole.includes(59), broken.join());
      assert.equal(
        caught(() => log.readStream('grid-a')),
        caught(() => log.readStream('grid-a', broken[0], 1)),
        'the first of them',
      );
    }, file);
  });

  it('is found by whoever reads the whole log, as many as are asked for', async () => {
    for (let n = 0; n < 6; n++) writer.commit([request('grid-a', n, new Uint8Array(100).fill(n))]);
    const events = openEventReader(folder.dir, new InProcessFeed());
    assert.deepEqual(await findDamagedEvents(events, 10), []);
    damage(folder.file, 'UPDATE events SET body = zeroblob(100) WHERE position = 3');
    damage(folder.file, `UPDATE events SET data = '{"n":7}' WHERE position IN (1, 6)`);
    assert.deepEqual(
      (await findDamagedEvents(events, 10)).map((line) => /position 0*(\d)/.exec(line)?.[1]),
      ['1', '3', '6'],
    );
    assert.equal((await findDamagedEvents(events, 2)).length, 2);
    await events.close();
  });

  it('detects a change in any column', () => {
    writer.commit([request('grid-a', 1, new Uint8Array(10)), request('grid-b', 2)]);
    const changes = [
      "id = 'other'",
      "type = 'Other.v1'",
      'data = \'{"n":7}\'',
      'recorded_at = recorded_at + 1',
      'revision = 5',
      'stream = 2, revision = 9',
      "body = x'00'",
      'body = NULL',
      "checksum = x'0102'",
      "checksum = ''",
      "checksum = 'text'",
      'checksum = substr(checksum, 1, 8)',
    ];
    for (const change of changes) {
      const file = copy();
      damage(file, `UPDATE events SET ${change} WHERE position = 1`);
      folder.read((log) => caught(() => log.readAll(START, { limit: 1 })), file);
    }
  });
});

/** Reads everything there is to read past damage; 1 when something was found, at the latest by the check. */
function findings(folder: LogFolder, file: string, expected: ReadonlyMap<Position, RecordedEvent>): number {
  try {
    const found = folder.read((log) => compare(log, expected), file);
    if (found !== 'hidden') return found;
    assert.notDeepEqual(findLogStructureDamage(dirname(file)), [], 'events are missing without a word');
    return 1;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    const { code, message } = error as Error & { code?: string };
    assert.match(code ?? message, /ERR_SQLITE_ERROR|(index|schema) of the event log (is|does)/, (error as Error).stack);
    return 1;
  }
}

function compare(log: EventLogReader, expected: ReadonlyMap<Position, RecordedEvent>): number | 'hidden' {
  let found = 0;
  let seen = 0;
  for (let after = START; ;) {
    try {
      const batch = log.readAll(after, { limit: 2 });
      seen += batch.length;
      if (batch.length === 0) {
        return found === 1 || seen === expected.size ? found : 'hidden';
      }
      for (const event of batch) assert.deepEqual(event, expected.get(event.position));
      after = batch.at(-1)!.position;
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      assert.ok(error.position > after);
      after = error.position;
      found = 1;
    }
  }
}

function damage(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** Zeros in place of the page of a table that holds this text. */
function breakPageWith(file: string, text: string): void {
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16);
  const page = Math.floor(bytes.indexOf(text) / pageSize) * pageSize;
  assert.ok(page > 0, 'a page, and not the first');
  writeFileSync(file, bytes.fill(0, page, page + pageSize));
}

function caught(read: () => unknown): Position {
  try {
    read();
  } catch (error) {
    if (isDamagedEvent(error)) return error.position;
    throw error;
  }
  return assert.fail('damage was not detected');
}

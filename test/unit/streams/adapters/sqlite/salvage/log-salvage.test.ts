import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWriter } from '../../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { EventLogWriter } from '../../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { truncateInBatches } from '../../../../../../src/streams/adapters/sqlite/log-truncation.js';
import { type LogSalvage, salvageEventLog } from '../../../../../../src/streams/adapters/sqlite/salvage/log-salvage.js';
import { checkpoint } from '../../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { type RecordedEvent, START } from '../../../../../../src/streams/event-store.js';
import { collectGarbage, LogFolder, request } from '../log-folder.js';

const PAGE = 16_384;
const EVENTS = 90;

describe('a salvage of the event log', function () {
  this.timeout(60_000);
  let folder: LogFolder;
  let writer: EventLogWriter;
  let scratch: string;
  let now: number;
  let copies: number;

  beforeEach(() => {
    folder = new LogFolder();
    now = 1_000;
    writer = folder.writer(() => now);
    scratch = mkdtempSync(join(tmpdir(), 'hindsight-salvage-'));
    copies = 0;
  });
  afterEach(async () => {
    writer.close();
    folder.remove();
    rmSync(scratch, { recursive: true, force: true });
    await collectGarbage();
  });

  /** Events of three streams: small ones, and bodies that fill several pages. */
  const fill = (events = EVENTS): void => {
    for (let n = 0; n < events; n++)
      writer.commit([request(`telemetry.0${n % 3}-a`, n, n % 4 === 0 ? undefined : randomBytes((n % 9) * 5_000))]);
  };
  const moveWalIntoFile = (): void => void writer.withConnection((database) => checkpoint(database, 'TRUNCATE'));
  const readEvents = (file: string): RecordedEvent[] =>
    folder.read((log) => log.readAll(START, { limit: 100_000 }), file);

  /** The files as they are now, with a change to the content of one of them. */
  const damage = (change: (bytes: Buffer) => Buffer | void, side: '' | '-wal' = ''): string => {
    const file = join(scratch, `${copies++}.db`);
    for (const end of ['', '-wal']) if (existsSync(folder.file + end)) copyFileSync(folder.file + end, file + end);
    const bytes = readFileSync(file + side);
    writeFileSync(file + side, change(bytes) ?? bytes);
    return file;
  };
  const salvage = async (file: string): Promise<LogSalvage & { readonly saved: RecordedEvent[] }> => {
    const to = join(scratch, `${copies++}.salvaged.db`);
    const result = await salvageEventLog(file, to);
    return { ...result, saved: readEvents(to) };
  };
  /** Whatever was saved is as it was appended, and what was not is counted. */
  const assertExact = ({ saved, events, missing }: Awaited<ReturnType<typeof salvage>>, label: string): void => {
    const intact = new Map(readEvents(folder.file).map((event) => [event.position, event]));
    for (const event of saved) assert.deepEqual(event, intact.get(event.position), label);
    assert.deepEqual([events, saved.length + missing], [saved.length, intact.size], label);
  };

  it('saves every event of an intact log, and of its salvage again, whether it is in the file or in the WAL', async () => {
    fill(45);
    moveWalIntoFile();
    fill(45);
    const { saved, ranges, ...counts } = await salvage(damage(() => undefined));
    assert.deepEqual(saved, readEvents(folder.file));
    assert.deepEqual(ranges, []);
    assert.deepEqual(counts, {
      events: 90,
      position: saved[89].position,
      recordedAt: 1_000,
      missing: 0,
      truncatedPages: 0,
    });
    const again = await salvage(join(scratch, '1.salvaged.db'));
    assert.deepEqual([again.saved, again.missing], [saved, 0]);
  });

  it('continues the streams where they end', async () => {
    fill(9);
    const to = join(scratch, 'continued.db');
    await salvageEventLog(folder.file, to);
    const next = new EventLogWriter(() => openWriter(to), Date.now);
    assert.equal(next.commit([request('telemetry.00-a', 99)])[0].revision, 3);
    next.close();
    assert.equal(readEvents(to).length, 10);
  });

  it('names what is missing: stream, revisions and positions', async () => {
    for (let n = 0; n < 12; n++) writer.commit([request('grid-a', n, Buffer.alloc(60, n)), request('grid-b', n)]);
    moveWalIntoFile();
    const file = damage((bytes) => {
      for (const n of [3, 4, 11]) bytes[bytes.indexOf(Buffer.alloc(60, n)) + 7] ^= 1;
    });
    const { missing, ranges, saved } = await salvage(file);
    assert.equal(missing, 3);
    assert.equal(saved.length, 21);
    const all = readEvents(folder.file).filter(({ stream }) => stream === 'grid-a');
    const at = (revision: number) => all[revision].position;
    assert.deepEqual(ranges, [
      {
        stream: 'grid-a',
        fromRevision: 3,
        toRevision: 4,
        events: 2,
        after: at(2),
        before: at(5),
        positions: [at(3), at(4)],
      },
      { stream: 'grid-a', fromRevision: 11, toRevision: 11, events: 1, after: at(10), positions: [at(11)] },
    ]);
  });

  it('saves what a truncated file still has', async () => {
    fill();
    moveWalIntoFile();
    const { length } = readFileSync(folder.file);
    for (const share of [0.25, 0.5, 0.9]) {
      const file = damage(() => undefined);
      truncateSync(file, Math.floor(length * share));
      const { saved, truncatedPages, missing } = await salvage(file);
      const intact = new Map(readEvents(folder.file).map((event) => [event.position, event]));
      for (const event of saved) assert.deepEqual(event, intact.get(event.position));
      assert.ok(saved.length > EVENTS * (share - 0.2), `${saved.length} at ${share}`);
      assert.ok(saved.length + missing <= EVENTS);
      assert.equal(truncatedPages, length / PAGE - Math.floor((length * share) / PAGE));
    }
  });

  it('saves the rest of a WAL with a flipped bit, which SQLite would drop', async () => {
    fill(30);
    moveWalIntoFile();
    fill(30);
    const middle = (bytes: Buffer): number => 32 + Math.floor(bytes.length / PAGE / 2) * (PAGE + 24);
    const inPage = await salvage(damage((bytes) => void (bytes[middle(bytes) + 24 + 9_000] ^= 1), '-wal'));
    assertExact(inPage, 'in a page');
    assert.ok(inPage.saved.length >= 58, `${inPage.saved.length}`);
    const inHeader = await salvage(damage((bytes) => void (bytes[middle(bytes) + 17] ^= 1), '-wal'));
    assertExact(inHeader, 'in a frame header');
    assert.equal(inHeader.saved.length, 60);
  });

  it('ignores what was not committed at the end of the WAL', async () => {
    fill(10);
    const file = damage((bytes) => Buffer.concat([bytes.subarray(0, bytes.length - PAGE / 2)]), '-wal');
    const { saved } = await salvage(file);
    assert.deepEqual(saved, readEvents(folder.file).slice(0, saved.length));
    assert.equal(saved.length, 9);
  });

  it('does not bring back what retention deleted', async () => {
    fill();
    now = 2_000;
    fill(6);
    for (const _ of truncateInBatches(writer, 'telemetry.00', 2_000));
    moveWalIntoFile();
    const { saved, missing } = await salvage(damage(() => undefined));
    assert.equal(missing, 0);
    assert.deepEqual(saved, readEvents(folder.file));
    assert.ok(saved.length < EVENTS);
  });

  it('takes no event out of bytes that a client sent', async () => {
    const forged = new LogFolder();
    const forger = forged.writer();
    forger.commit(Array.from({ length: 40 }, (_, n) => request('grid-a', n)));
    forger.withConnection((database) => checkpoint(database, 'TRUNCATE'));
    const bytes = readFileSync(forged.file);
    forger.close();
    forged.remove();
    const page = bytes.subarray(Math.floor(bytes.indexOf('{"n":3}') / PAGE) * PAGE).subarray(0, PAGE);
    assert.equal(page[0], 13, 'a leaf of a table');
    // Every overflow page of the body holds the forged page behind its pointer to the next one.
    writer.commit([
      request('grid-a', 0),
      request('telemetry.00-a', 0, Buffer.concat(Array<Buffer>(9).fill(page.subarray(4)))),
    ]);
    moveWalIntoFile();
    for (const change of [(): void => undefined, (all: Buffer): void => void all.fill(0, 0, PAGE)]) {
      const { saved } = await salvage(damage(change));
      assert.ok(saved.length <= 2);
    }
  });
});

import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { openWriter } from '../../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { EventLogWriter } from '../../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { truncateInBatches } from '../../../../../../src/streams/adapters/sqlite/log-truncation.js';
import { DatabasePages } from '../../../../../../src/streams/adapters/sqlite/salvage/database-pages.js';
import { salvageEventLog } from '../../../../../../src/streams/adapters/sqlite/salvage/log-salvage.js';
import { checkpoint } from '../../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { LogFolder, request } from '../log-folder.js';
import { createBadSector, EVENTS, PAGE, type SavedLog, SalvageFolder } from './salvage-folder.js';

const FORMER_PAGE = 16_384;

describe('a salvage of the event log', function () {
  let folder: SalvageFolder;
  let now: number;

  beforeEach(() => {
    now = 1_000;
    folder = new SalvageFolder(() => now);
  });
  afterEach(() => folder.remove());

  it('saves every event of an intact log, and of its salvage again, whether it is in the file or in the WAL', async () => {
    folder.fill(45);
    folder.moveWalIntoFile();
    folder.fill(45);
    const { saved, ranges, ...counts } = await folder.salvage(folder.copyDamaged(() => undefined));
    assert.deepEqual(saved, folder.readEvents());
    assert.deepEqual(ranges, []);
    assert.deepEqual(counts, {
      events: 90,
      position: saved[89].position,
      recordedAt: 1_000,
      missing: 0,
      truncatedPages: 0,
      unreadablePages: 0,
    });
    const again = await folder.salvage(join(folder.scratch, '1.salvaged.db'));
    assert.deepEqual([again.saved, again.missing], [saved, 0]);
  });

  it('saves a log with pages of 16 KiB, as versions until 2026-11-24 created, also without its first page', async () => {
    const former = new SalvageFolder(undefined, FORMER_PAGE);
    former.fill(45);
    former.moveWalIntoFile();
    assert.equal(readFileSync(former.log.file).readUInt16BE(16), FORMER_PAGE);
    former.fill(45);
    const all = former.readEvents();
    assert.equal(all.length, 90);
    const changes: ((bytes: Buffer) => void)[] = [
      (): void => undefined,
      (bytes) => void bytes.fill(0, 0, 100),
      (bytes) => void bytes.fill(0, 0, FORMER_PAGE),
    ];
    for (const change of changes) {
      const { saved, missing } = await former.salvage(former.copyDamaged(change));
      assert.deepEqual([saved.length, missing], [90, 0]);
    }
    former.moveWalIntoFile();
    for (const change of changes) {
      const { saved, missing } = await former.salvage(former.copyDamaged(change));
      assert.deepEqual([saved.length, missing], [90, 0]);
    }
    await former.remove();
  });

  it('continues the streams where they end', async () => {
    folder.fill(9);
    const to = join(folder.scratch, 'continued.db');
    await salvageEventLog(folder.log.file, to);
    const next = new EventLogWriter(() => openWriter(to), Date.now);
    assert.equal(next.commit([request('telemetry.00-a', 99)])[0].revision, 3);
    next.close();
    assert.equal(folder.readEvents(to).length, 10);
  });

  it('names what is missing: stream, revisions and positions', async () => {
    for (let n = 0; n < 12; n++)
      folder.writer.commit([request('grid-a', n, Buffer.alloc(60, n)), request('grid-b', n)]);
    folder.moveWalIntoFile();
    const file = folder.copyDamaged((bytes) => {
      for (const n of [3, 4, 11]) bytes[bytes.indexOf(Buffer.alloc(60, n)) + 7] ^= 1;
    });
    const { missing, ranges, saved } = await folder.salvage(file);
    assert.equal(missing, 3);
    assert.equal(saved.length, 21);
    const all = folder.readEvents().filter(({ stream }) => stream === 'grid-a');
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
    folder.fill();
    folder.moveWalIntoFile();
    const { length } = readFileSync(folder.log.file);
    for (const share of [0.25, 0.5, 0.9]) {
      const file = folder.copyDamaged(() => undefined);
      truncateSync(file, Math.floor(length * share));
      const { saved, truncatedPages, missing } = await folder.salvage(file);
      const intact = new Map(folder.readEvents().map((event) => [event.position, event]));
      for (const event of saved) assert.deepEqual(event, intact.get(event.position));
      assert.ok(saved.length > EVENTS * (share - 0.2), `${saved.length} at ${share}`);
      assert.ok(saved.length + missing <= EVENTS);
      assert.equal(truncatedPages, length / PAGE - Math.floor((length * share) / PAGE));
    }
  });

  it('saves the rest of a WAL with a flipped bit, which SQLite would drop', async () => {
    folder.fill(30);
    folder.moveWalIntoFile();
    folder.fill(30);
    const middle = (bytes: Buffer): number => 32 + Math.floor(bytes.length / PAGE / 2) * (PAGE + 24);
    const inPage = await folder.salvage(
      folder.copyDamaged((bytes) => void (bytes[middle(bytes) + 24 + 9_000] ^= 1), '-wal'),
    );
    folder.assertExact(inPage, 'in a page');
    assert.ok(inPage.saved.length >= 58, `${inPage.saved.length}`);
    const inHeader = await folder.salvage(folder.copyDamaged((bytes) => void (bytes[middle(bytes) + 17] ^= 1), '-wal'));
    folder.assertExact(inHeader, 'in a frame header');
    assert.equal(inHeader.saved.length, 60);
  });

  it('takes an older intact copy of a page where the newest one, in the WAL, is damaged', async () => {
    folder.fill(30);
    folder.moveWalIntoFile();
    folder.fill(6);
    const frame = PAGE + 24;
    const intact = readFileSync(`${folder.log.file}-wal`);
    const pageOf = (at: number): number => intact.readUInt32BE(at);
    const frames = Array.from({ length: Math.floor((intact.length - 32) / frame) }, (_, n) => 32 + n * frame);
    const before = folder.readEvents().slice(0, 30);
    // The last frame of each page: zeros in place of its content leave only older copies.
    const newest = frames.filter((at, n) => frames.slice(n + 1).every((later) => pageOf(later) !== pageOf(at)));
    assert.ok(newest.length > 5);
    for (const at of newest.filter((each) => intact.readUInt32BE(each + 4) === 0)) {
      const result = await folder.salvage(folder.copyDamaged((bytes) => bytes.fill(0, at + 24, at + frame), '-wal'));
      folder.assertExact(result, `page ${pageOf(at)}`);
      assert.deepEqual(result.saved.slice(0, 30), before, `page ${pageOf(at)}: what the file has of it`);
    }
  });

  it('saves the commits of a WAL whose header is damaged, which SQLite would ignore as a whole', async () => {
    folder.fill(30);
    folder.moveWalIntoFile();
    folder.fill(30);
    for (const at of [0, 3, 8, 10, 17, 22, 26]) {
      const result = await folder.salvage(folder.copyDamaged((bytes) => void (bytes[at] ^= 4), '-wal'));
      folder.assertExact(result, `byte ${at}`);
      assert.equal(result.saved.length, 60, `byte ${at}`);
    }
  });

  it('saves all events but those on sectors that the disk does not return, and counts their pages', async () => {
    folder.fill();
    folder.moveWalIntoFile();
    const { length: size } = readFileSync(folder.log.file);
    for (const [code, pages] of [
      ['EIO', 7],
      ['EUCLEAN', 23],
    ] as const)
      for (let at = 0; at < size; at += pages * PAGE + 4_096) {
        const file = folder.copyDamaged(() => undefined);
        const result = await folder.salvage(file, createBadSector(file, at, code));
        folder.assertExact(result, `${code} at ${at}`);
        assert.equal(result.unreadablePages, 1, `${code} at ${at}`);
        assert.ok(result.saved.length > EVENTS - 60, `${result.saved.length} without the sector at ${at}`);
      }
  });

  it('saves the commits after a sector of the WAL that the disk does not return', async () => {
    folder.fill(30);
    folder.moveWalIntoFile();
    folder.fill(30);
    const { length: size } = readFileSync(`${folder.log.file}-wal`);
    const salvageWithout = (at: number): Promise<SavedLog> => {
      const file = folder.copyDamaged(() => undefined);
      return folder.salvage(file, createBadSector(`${file}-wal`, at));
    };
    // The last transaction, of at most 10 frames, cannot be told from one that a power cut has interrupted.
    assert.ok((await salvageWithout(size - (size % 4_096))).unreadablePages >= 1, 'at the end');
    for (let at = 0; at < size - 10 * (PAGE + 24); at += 8 * PAGE + 4_096) {
      const result = await salvageWithout(at);
      folder.assertExact(result, `at ${at}`);
      assert.ok(result.unreadablePages >= 1, `at ${at}`);
      assert.ok(result.saved.length >= 56, `${result.saved.length} without the sector at ${at}`);
    }
  });

  it('reads as many pages as there are where a page number or a salt in the WAL is damaged', async () => {
    folder.fill(6);
    const frame = PAGE + 24;
    const { length } = readFileSync(`${folder.log.file}-wal`);
    const middle = 32 + Math.floor((length - 32) / frame / 2) * frame;
    for (let bit = 0; bit < 12 * 8; bit += bit < 32 ? 1 : 5) {
      const at = middle + (bit >> 3);
      const file = folder.copyDamaged((bytes) => void (bytes[at] ^= 1 << (bit & 7)), '-wal');
      const pages = new DatabasePages(file);
      const { count } = pages;
      pages.close();
      assert.ok(count <= (length - 32) / frame, `${count} pages with bit ${bit} of a frame flipped`);
      folder.assertExact(await folder.salvage(file), `bit ${bit}`);
    }
  });

  it('ends at other errors of the disk', async () => {
    folder.fill(3);
    const fail = (): never => {
      throw Object.assign(new Error('EACCES: read'), { code: 'EACCES' });
    };
    await assert.rejects(
      folder.salvage(
        folder.copyDamaged(() => undefined),
        fail,
      ),
      { code: 'EACCES' },
    );
  });

  it('ignores what was not committed at the end of the WAL', async () => {
    folder.fill(10);
    const file = folder.copyDamaged((bytes) => Buffer.concat([bytes.subarray(0, bytes.length - PAGE / 2)]), '-wal');
    const { saved } = await folder.salvage(file);
    assert.deepEqual(saved, folder.readEvents().slice(0, saved.length));
    assert.equal(saved.length, 9);
  });

  it('does not bring back what retention deleted', async () => {
    folder.fill();
    now = 2_000;
    folder.fill(6);
    for (const _ of truncateInBatches(folder.writer, 'telemetry.00', 2_000));
    folder.moveWalIntoFile();
    const { saved, missing } = await folder.salvage(folder.copyDamaged(() => undefined));
    assert.equal(missing, 0);
    assert.deepEqual(saved, folder.readEvents());
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
    folder.writer.commit([
      request('grid-a', 0),
      request('telemetry.00-a', 0, Buffer.concat(Array<Buffer>(9).fill(page.subarray(4)))),
    ]);
    folder.moveWalIntoFile();
    for (const change of [(): void => undefined, (all: Buffer): void => void all.fill(0, 0, PAGE)]) {
      const { saved } = await folder.salvage(folder.copyDamaged(change));
      assert.ok(saved.length <= 2);
    }
  });
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { EventLogWriter } from '../../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import type { ReadBytes } from '../../../../../../src/streams/adapters/sqlite/salvage/damaged-file.js';
import { type LogSalvage, salvageEventLog } from '../../../../../../src/streams/adapters/sqlite/salvage/log-salvage.js';
import { toEventLogPath } from '../../../../../../src/streams/adapters/sqlite/data-folder.js';
import { checkpoint } from '../../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { type RecordedEvent, START } from '../../../../../../src/streams/event-store.js';
import { collectGarbage, LogFolder, request } from '../log-folder.js';

/** Bytes of a page of the log. */
export const PAGE = 4096;
/** Events that `fill` appends unless told otherwise. */
export const EVENTS = 90;

/**
 * Reads as Linux does where the disk does not return 4 KiB of `file` at `at`: the bytes before them without an error, and
 * the error for a read that begins within them.
 */
export function createBadSector(file: string, at: number, code = 'EIO'): ReadBytes {
  const { ino } = statSync(file);
  return (descriptor, into, offset, length, from) => {
    const isHit = from < at + 4_096 && from + length > at && fstatSync(descriptor).ino === ino;
    if (isHit && from >= at) throw Object.assign(new Error(`${code}: read`), { code });
    return readSync(descriptor, into, offset, isHit ? at - from : length, from);
  };
}

/** Settings of the file that take effect only before its first table. */
function createEmptyLog(file: string, pageBytes: number): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL`);
  database.close();
}

export type SavedLog = LogSalvage & { readonly saved: RecordedEvent[] };

/** A log of one test, damaged copies of it, and what a salvage makes of them. */
export class SalvageFolder {
  readonly log = new LogFolder();
  readonly scratch = mkdtempSync(join(tmpdir(), 'hindsight-salvage-'));
  readonly writer: EventLogWriter;
  private copies = 0;

  /** `pageBytes`: of the log. */
  constructor(clock: () => number = () => 1_000, pageBytes = PAGE) {
    if (pageBytes !== PAGE) createEmptyLog(this.log.file, pageBytes);
    this.writer = this.log.writer(clock);
  }

  async remove(): Promise<void> {
    this.writer.close();
    this.log.remove();
    rmSync(this.scratch, { recursive: true, force: true });
    await collectGarbage();
  }

  /** Events of three streams: small ones, and bodies that fill several pages. */
  fill(events = EVENTS): void {
    for (let n = 0; n < events; n++)
      this.writer.commit([request(`telemetry.0${n % 3}-a`, n, n % 4 === 0 ? undefined : randomBytes((n % 9) * 5_000))]);
  }

  moveWalIntoFile(): void {
    this.writer.withConnection((database) => checkpoint(database, 'TRUNCATE'));
  }

  readEvents(file = this.log.file): RecordedEvent[] {
    return this.log.read((log) => log.readAll(START, { limit: 100_000 }), file);
  }

  /** The files as they are now, with a change to the content of one of them. */
  copyDamaged(change: (bytes: Buffer) => Buffer | void, side: '' | '-wal' = ''): string {
    const file = join(this.scratch, `${this.copies++}.db`);
    for (const end of ['', '-wal']) if (existsSync(this.log.file + end)) copyFileSync(this.log.file + end, file + end);
    const bytes = readFileSync(file + side);
    writeFileSync(file + side, change(bytes) ?? bytes);
    return file;
  }

  /**
   * A data folder with 20 events in the database file and 20 in the write-ahead log, of which a frame in the middle has a
   * flipped bit. To be called once.
   */
  createDamagedDataFolder(): string {
    this.fill(20);
    this.moveWalIntoFile();
    this.fill(20);
    const file = this.copyDamaged((bytes) => {
      const frames = Math.floor((bytes.length - 32) / (PAGE + 24));
      bytes[32 + (frames >> 1) * (PAGE + 24) + 17] ^= 8;
    }, '-wal');
    const dir = mkdtempSync(join(this.scratch, 'data-'));
    for (const end of ['', '-wal']) renameSync(file + end, toEventLogPath(dir) + end);
    return dir;
  }

  async salvage(file: string, readBytes?: ReadBytes): Promise<SavedLog> {
    const to = join(this.scratch, `${this.copies++}.salvaged.db`);
    const result = await salvageEventLog(file, to, undefined, readBytes);
    return { ...result, saved: this.readEvents(to) };
  }

  /** Whatever was saved is as it was appended, and what was not is counted. */
  assertExact({ saved, events, missing }: SavedLog, label: string): void {
    const intact = new Map(this.readEvents().map((event) => [event.position, event]));
    for (const event of saved) assert.deepEqual(event, intact.get(event.position), label);
    assert.deepEqual([events, saved.length + missing], [saved.length, intact.size], label);
  }
}

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { type LogSalvage, salvageEventLog } from '../../../../../src/streams/adapters/sqlite/salvage/log-salvage.js';
import { checkpoint } from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { type RecordedEvent, START } from '../../../../../src/streams/event-store.js';
import { collectGarbage, LogFolder, request } from '../../../../unit/streams/adapters/sqlite/log-folder.js';

const PAGE = 16_384;
const EVENTS = 90;

describe('a salvage of a damaged event log', function () {
  this.timeout(180_000);
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

  it('saves all other events when any page is zeroed, and counts those of the page', async () => {
    fill();
    moveWalIntoFile();
    const pages = readFileSync(folder.file).length / PAGE;
    for (let page = 0; page < pages; page++) {
      const result = await salvage(damage((bytes) => bytes.fill(0, page * PAGE, (page + 1) * PAGE)));
      assertExact(result, `page ${page + 1}`);
      assert.ok(result.saved.length >= EVENTS - 60, `${result.saved.length} without page ${page + 1}`);
    }
  });

  it('never saves an event that differs from what was appended, wherever a bit flips, nor miscounts', async () => {
    fill();
    moveWalIntoFile();
    const intact = readFileSync(folder.file);
    const headers = Array.from({ length: intact.length / PAGE }, (_, page) => page * PAGE + (page === 0 ? 100 : 0));
    const places = [
      ...headers.flatMap((at) => [at, at + 3, at + 4, at + 8, at + 9]),
      ...Array.from({ length: 60 }, (_, n) => Math.floor((n * intact.length) / 60) + n),
    ];
    for (const [n, at] of places.entries()) {
      const result = await salvage(damage((bytes) => void (bytes[at] ^= 1 << (n % 8))));
      assertExact(result, `bit ${n % 8} of byte ${at}`);
      if (n % 20 === 0) await collectGarbage();
    }
  });

  it('keeps the first events of a stream whose row has a flipped bit', async () => {
    fill(30);
    moveWalIntoFile();
    const row = Buffer.from('telemetry.01-a');
    const intact = readFileSync(folder.file);
    const at = intact.indexOf(row);
    for (const place of [at - 1, at - 2, at - 3, at - 4, at + 2, at + row.length])
      for (let bit = 0; bit < 8; bit++)
        assertExact(await salvage(damage((bytes) => void (bytes[place] ^= 1 << bit))), `bit ${bit} at ${place - at}`);
  });
});

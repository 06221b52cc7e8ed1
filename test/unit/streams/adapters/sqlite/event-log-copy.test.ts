import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWriter } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { toEventLogPath } from '../../../../../src/streams/adapters/sqlite/data-folder.js';
import { copyEventLog, type LogCutoff } from '../../../../../src/streams/adapters/sqlite/event-log-copy.js';
import { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { toPosition } from '../../../../../src/streams/adapters/sqlite/event-row-format.js';
import { truncateInBatches } from '../../../../../src/streams/adapters/sqlite/log-truncation.js';
import { checkpoint } from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { START, type Position } from '../../../../../src/streams/event-store.js';
import { LogFolder, request } from './log-folder.js';

describe('a copy of the event log', () => {
  let folder: LogFolder;
  let writer: EventLogWriter;
  let copies: string;
  let copied: number;
  let now: number;

  beforeEach(() => {
    folder = new LogFolder();
    copies = mkdtempSync(join(tmpdir(), 'hindsight-copies-'));
    copied = 0;
    now = 1_000;
    writer = folder.writer(() => now);
  });
  afterEach(() => {
    writer.close();
    folder.remove();
    rmSync(copies, { recursive: true, force: true });
  });

  const append = (stream: string, n: number, size = 10): void =>
    void writer.commit([request(stream, n, randomBytes(size))]);
  const everything = (file: string) => folder.read((log) => log.readAll(START, { limit: 100_000 }), file);

  async function copy(
    until?: LogCutoff,
    onProgress?: () => void,
  ): Promise<{ file: string; result: Awaited<ReturnType<typeof copyEventLog>> }> {
    const file = join(copies, `${++copied}.db`);
    return {
      file,
      result: await copyEventLog(folder.dir, file, {
        ...(until === undefined ? {} : { until }),
        ...(onProgress === undefined ? {} : { onProgress }),
      }),
    };
  }

  it('is refused, with what to do, where pages of the log cannot be read', async () => {
    for (let n = 0; n < 60; n++) append('grid-a', n, 2_000);
    writer.withConnection((database) => checkpoint(database, 'TRUNCATE'));
    const bytes = readFileSync(folder.file);
    const page = Math.floor(bytes.indexOf('{"n":30}') / 16_384) * 16_384;
    writeFileSync(folder.file, bytes.fill(0, page, page + 16_384));
    await assert.rejects(copy(), /Nothing was copied: pages of the event log cannot be read .*\n.*hindsight salvage/);
  });

  it('contains the log at the start of the copy byte for byte during appends', async () => {
    for (let n = 0; n < 60; n++) append(`telemetry.0${n % 3}-a`, n, 300_000);
    const before = everything(folder.file);
    let slices = 0;
    const { file, result } = await copy(undefined, () => append('telemetry.09-new', slices++));
    assert.ok(slices >= 4, `${slices} slices`);
    assert.deepEqual(everything(file), before);
    assert.deepEqual(result, { position: before[59].position, events: 60, recordedAt: 1_000, damaged: [] });
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('continues streams, revisions and positions', async () => {
    for (let n = 0; n < 5; n++) append('grid-a', n);
    const { file } = await copy();
    const other = new EventLogWriter(
      () => openWriter(file),
      () => now,
    );
    other.commit([request('grid-a', 5), request('grid-b', 0)]);
    other.close();
    assert.deepEqual(
      everything(file).map(({ stream, revision, position }) => [stream, revision, position]),
      [0, 1, 2, 3, 4]
        .map((n): [string, number, Position] => ['grid-a', n, toPosition(n + 1)])
        .concat([
          ['grid-a', 5, toPosition(6)],
          ['grid-b', 0, toPosition(7)],
        ]),
    );
  });

  for (const when of ['before', 'meanwhile']) {
    it(`continues with the next revision of a stream whose events retention deleted ${when}`, async () => {
      for (let n = 0; n < 30; n++) append('telemetry.00-a', n, 300_000);
      now = 2_000;
      append('telemetry.00-b', 0);
      let isTruncated = false;
      const truncateOnce = (): void => {
        if (isTruncated) return;
        isTruncated = true;
        for (const slices = truncateInBatches(writer, 'telemetry.00-a', 1_500); slices.next().done !== true;);
      };
      if (when === 'before') truncateOnce();
      const { file } = await copy(undefined, truncateOnce);
      const other = new EventLogWriter(
        () => openWriter(file),
        () => now,
      );
      other.commit([request('telemetry.00-a', 30)]);
      other.close();
      assert.equal(folder.read((log) => log.readStream('telemetry.00-a'), file).at(-1)?.revision, 30);
    });
  }

  it('ends at a position or a time', async () => {
    for (let n = 0; n < 20; n++) {
      now = 1_000 + 10 * Math.floor(n / 2);
      append(`grid-${n}`, n);
    }
    const cuts: readonly (readonly [LogCutoff, number])[] = [
      [{ position: toPosition(7) }, 7],
      [{ position: toPosition(99) }, 20],
      [{ recordedAt: 1_030 }, 8],
      [{ recordedAt: 1_039 }, 8],
      [{ recordedAt: 999 }, 0],
      [{ recordedAt: 9_999 }, 20],
    ];
    for (const [until, events] of cuts) {
      const { file, result } = await copy(until);
      assert.equal(result.events, events, JSON.stringify(until));
      assert.deepEqual(everything(file), everything(folder.file).slice(0, events));
      assert.equal(result.position, events === 0 ? undefined : toPosition(events));
    }
  });

  it('reports damaged events and copies them unchanged', async () => {
    for (let n = 0; n < 3; n++) append('grid-a', n);
    writer.withConnection((database) => database.exec("UPDATE events SET body = x'00' WHERE position = 2"));
    const { file, result } = await copy();
    assert.deepEqual([result.events, result.damaged], [3, [toPosition(2)]]);
    assert.throws(() => folder.read((log) => log.readStream('grid-a'), file), {
      code: 'damaged-event',
      position: toPosition(2),
    });
  });

  it('of an empty log is an empty log', async () => {
    writer.withConnection(() => undefined);
    const { file, result } = await copy();
    assert.deepEqual([result.events, result.position, everything(file)], [0, undefined, []]);
    assert.equal(toEventLogPath(folder.dir), folder.file);
  });
});

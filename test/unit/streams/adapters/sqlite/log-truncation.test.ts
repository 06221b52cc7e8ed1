import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readPragma } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import type { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { truncateInBatches } from '../../../../../src/streams/adapters/sqlite/log-truncation.js';
import type { TruncationResult } from '../../../../../src/streams/adapters/sqlite/log-truncation.js';
import { START } from '../../../../../src/streams/event-store.js';
import { LogFolder, request } from './log-folder.js';

describe('event log truncation', () => {
  let folder: LogFolder;
  let writer: EventLogWriter;
  let now = 0;

  beforeEach(() => {
    folder = new LogFolder();
    now = 1000;
    writer = folder.writer(() => now);
  });
  afterEach(() => {
    writer.close();
    folder.remove();
  });

  const append = (stream: string, n: number, size: number): void => {
    writer.commit([request(stream, n, randomBytes(size))]);
  };
  const pages = (): number => writer.withConnection((database) => readPragma(database, 'page_count') as number);

  it('removes events older than the time, to the millisecond', () => {
    for (let n = 0; n < 50; n++) {
      now = 1000 + n;
      append(`telemetry.0${n % 3}-a`, n, 10);
    }
    assert.deepEqual(run(truncateInBatches(writer, 'telemetry.', 1017)).result, { events: 17, bytes: 170 });
    const kept = folder.read((log) => log.readAll(START, { limit: 100 }));
    assert.deepEqual(
      kept.map(({ recordedAt }) => recordedAt),
      Array.from({ length: 33 }, (_, i) => 1017 + i),
    );
  });

  it('works in batches between which appends run', () => {
    for (let n = 0; n < 40; n++) append('telemetry.00-a', n, 400_000);
    append('grid-a', 0, 0);
    now = 2000;
    let between = 0;
    const { result, slices } = run(truncateInBatches(writer, 'telemetry.', 1500), () =>
      append('telemetry.00-a', 40 + between++, 10),
    );
    assert.deepEqual(result, { events: 40, bytes: 40 * 400_000 });
    assert.ok(slices >= 4, `${slices} slices`);
    const kept = folder.read((log) => log.readStream('telemetry.00-a'));
    assert.deepEqual(
      kept.map(({ revision }) => revision),
      Array.from({ length: between }, (_, i) => 40 + i),
    );
  });

  it('returns pages except a small reserve', () => {
    for (let n = 0; n < 60; n++) append('telemetry.00-a', n, 200_000);
    append('grid-a', 0, 0);
    const before = pages();
    run(truncateInBatches(writer, 'telemetry.', 5000));
    assert.ok(pages() < before / 10, `${before} pages before, ${pages()} after`);
  });

  it('keeps the newest event of the log, and accepts an empty log', () => {
    assert.deepEqual(run(truncateInBatches(writer, '', 5000)).result, { events: 0, bytes: 0 });
    append('telemetry.00-a', 0, 10);
    assert.deepEqual(run(truncateInBatches(writer, '', 5000)).result, { events: 0, bytes: 0 });
    append('telemetry.00-a', 1, 10);
    assert.deepEqual(run(truncateInBatches(writer, '', 5000)).result, { events: 1, bytes: 10 });
    assert.deepEqual(
      folder.read((log) => log.readStream('telemetry.00-a')).map(({ revision }) => revision),
      [1],
    );
  });
});

function run(
  slices: Generator<void, TruncationResult, void>,
  between: () => void = () => undefined,
): { result: TruncationResult; slices: number } {
  for (let count = 1; ; count++) {
    const { done, value } = slices.next();
    if (done === true) return { result: value, slices: count };
    between();
  }
}

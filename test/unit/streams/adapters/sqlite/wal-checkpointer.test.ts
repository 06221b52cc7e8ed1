import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import {
  openCheckpointer,
  openReaderConnection,
} from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import type { Connection } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import type { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import {
  checkpoint,
  readWalBytes,
  WalCheckpointer,
} from '../../../../../src/streams/adapters/sqlite/wal-checkpointer.js';
import { LogFolder, request } from './log-folder.js';

const MB = 1024 * 1024;
const BOUNDS = { passBytes: MB, restartBytes: 4 * MB, limitBytes: 12 * MB };

describe('WAL checkpointer', () => {
  let folder: LogFolder;
  let writer: EventLogWriter;
  let checkpointer: Connection;
  let requested = 0;
  let walCheckpointer: WalCheckpointer;

  beforeEach(() => {
    folder = new LogFolder();
    writer = folder.writer();
    writer.commit([request('grid-a', 0)]);
    checkpointer = openCheckpointer(folder.file);
    requested = 0;
    walCheckpointer = new WalCheckpointer(() => requested++, BOUNDS);
  });
  afterEach(() => {
    checkpointer.close();
    writer.close();
    folder.remove();
  });

  /** Appends that many half megabytes; after each the checkpointer may do what it was asked for. */
  const append = (halves: number, pass: () => void): number => {
    let largest = 0;
    for (let n = 0; n < halves; n++) {
      writer.commit([request('telemetry.00-a', n, randomBytes(MB / 2))]);
      writer.withConnection((database) => walCheckpointer.afterCommit(database));
      pass();
      largest = Math.max(largest, writer.withConnection(readWalBytes));
    }
    return largest;
  };
  const passOnRequest = (): void => {
    if (requested === 0) return;
    requested = 0;
    checkpoint(checkpointer, 'PASSIVE');
    writer.withConnection((database) => walCheckpointer.afterPass(database));
  };

  it('requests one pass at a time', () => {
    append(10, () => undefined);
    assert.equal(requested, 1);
  });

  it('restarts the WAL when a pass ends above the bound', () => {
    assert.ok(append(60, passOnRequest) <= BOUNDS.restartBytes + 2 * MB);
    assert.ok(statSync(`${folder.file}-wal`).size < 8 * MB);
  });

  it('restarts it without a pass when the checkpoint worker is gone', () => {
    assert.ok(append(60, () => undefined) <= BOUNDS.limitBytes + MB);
  });

  it('waits for a long read before it restarts the WAL', () => {
    const reader = openReaderConnection(folder.file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM events').get();
    assert.ok(append(20, passOnRequest) > 2 * BOUNDS.restartBytes);
    reader.exec('COMMIT');
    append(8, passOnRequest);
    assert.ok(writer.withConnection(readWalBytes) <= BOUNDS.restartBytes + 2 * MB);
    reader.close();
  });
});

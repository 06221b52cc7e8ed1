import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openReaderConnection, openWriter } from '../../../../src/streams/adapters/sqlite/connection.js';
import { logFile } from '../../../../src/streams/adapters/sqlite/folder.js';
import type { AppendRequest } from '../../../../src/streams/adapters/sqlite/log-appending.js';
import { LogReading } from '../../../../src/streams/adapters/sqlite/log-reading.js';
import { LogWriter } from '../../../../src/streams/adapters/sqlite/log-writer.js';
import { upcastToNewest } from '../../../../src/streams/events/registry.js';

/** A data folder of one test. */
export class LogFolder {
  readonly dir = mkdtempSync(join(tmpdir(), 'hindsight-log-'));
  readonly file = logFile(this.dir);

  writer(clock: () => number = Date.now): LogWriter {
    return new LogWriter(() => openWriter(this.file), clock);
  }

  /** Reads in the thread of the test, with a fresh connection. */
  read<T>(work: (log: LogReading) => T, file = this.file): T {
    const database = openReaderConnection(file);
    try {
      return work(new LogReading(database, upcastToNewest));
    } finally {
      database.close();
    }
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

export function request(stream: string, n: number, body?: Uint8Array): AppendRequest {
  const event = { id: randomUUID(), type: 'Numbered.v1', data: JSON.stringify({ n }) };
  return { stream, expected: 'any', events: [body === undefined ? event : { ...event, body }] };
}

/** Connections of the SQLite package keep their files until their statements are collected. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await new Promise(setImmediate);
}

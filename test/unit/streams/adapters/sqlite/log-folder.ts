import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openReaderConnection, openWriter } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { toEventLogPath } from '../../../../../src/streams/adapters/sqlite/data-folder.js';
import type { AppendRequest } from '../../../../../src/streams/adapters/sqlite/event-appender.js';
import { EventLogReader } from '../../../../../src/streams/adapters/sqlite/event-log-reader.js';
import { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { upcastToNewest } from '../../../../../src/streams/events/event-registry.js';

/** A data folder of one test. */
export class LogFolder {
  readonly dir = mkdtempSync(join(tmpdir(), 'hindsight-log-'));
  readonly file = toEventLogPath(this.dir);

  writer(clock: () => number = Date.now): EventLogWriter {
    return new EventLogWriter(() => openWriter(this.file), clock);
  }

  /** Reads in the thread of the test, with a fresh connection. */
  read<T>(work: (log: EventLogReader) => T, file = this.file): T {
    const database = openReaderConnection(file);
    try {
      return work(new EventLogReader(database, upcastToNewest));
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

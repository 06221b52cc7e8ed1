import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { SqliteReadModelStore } from '../../../../../src/read-models/adapters/sqlite/read-model-store.js';
import { openScratchStore } from '../../../../../src/read-models/adapters/sqlite/scratch-store.js';
import type { ReadModelStore } from '../../../../../src/read-models/read-model-store.js';
import { MemoryEventStore } from '../../../../../src/streams/adapters/memory/memory-event-store.js';
import { openWriter } from '../../../../../src/streams/adapters/sqlite/event-log-connection.js';
import { openEventReader } from '../../../../../src/streams/adapters/sqlite/sqlite-event-reader.js';
import { toEventLogPath } from '../../../../../src/streams/adapters/sqlite/data-folder.js';
import { EventLogWriter } from '../../../../../src/streams/adapters/sqlite/event-log-writer.js';
import { truncateInBatches } from '../../../../../src/streams/adapters/sqlite/log-truncation.js';
import { encodeAppend } from '../../../../../src/streams/event-encoding.js';
import type { EventReader, EventStore } from '../../../../../src/streams/event-store.js';
import type { LiveFeed } from '../../../../../src/streams/live/live-feed.js';

/** What a projector works with. */
export interface Stores {
  /** Not closed by who appends. */
  readonly events: EventReader & Pick<EventStore, 'append' | 'truncate'>;
  readonly store: ReadModelStore;
  readonly scratch: () => ReadModelStore;
  remove(): Promise<void>;
}

/** A kind of stores: suites run over each. `clock` is that of the log. */
export interface Storage {
  readonly name: string;
  open(clock: () => number, feed: LiveFeed): Stores;
}

export const MEMORY: Storage = {
  name: 'memory',
  open(clock, feed) {
    const events = new MemoryEventStore({ clock, feed });
    return {
      events,
      store: new MemoryReadModelStore(),
      scratch: () => new MemoryReadModelStore(),
      remove: () => Promise.resolve(),
    };
  },
};

/** The embedded stores, in the thread of the test: the writer of the log takes its clock. */
const EMBEDDED: Storage = {
  name: 'SQLite',
  open(clock, feed) {
    const dir = mkdtempSync(join(tmpdir(), 'hindsight-projected-'));
    const writer = new EventLogWriter(() => openWriter(toEventLogPath(dir)), clock);
    writer.withConnection(() => undefined); // readers want the file
    const reader = openEventReader(dir, feed);
    const store = new SqliteReadModelStore(join(dir, 'read-models.db'));
    return {
      events: Object.assign(reader, writing(writer, feed)),
      store,
      scratch: () => openScratchStore(dir),
      async remove() {
        await Promise.all([reader.close(), store.close()]);
        writer.close();
        rmSync(dir, { recursive: true });
      },
    };
  },
};

export const STORAGES: readonly Storage[] = [MEMORY, EMBEDDED];

function writing(writer: EventLogWriter, feed: LiveFeed): Pick<EventStore, 'append' | 'truncate'> {
  return {
    append(stream, expected, events) {
      const [result] = writer.commit([{ stream, expected, events: encodeAppend(events, Infinity) }]);
      if (result.ok) feed.announce({ topic: 'appended', position: result.position });
      return Promise.resolve(result);
    },
    truncate(prefix, beforeTime) {
      const slices = truncateInBatches(writer, prefix, beforeTime);
      for (;;) {
        const { done, value } = slices.next();
        if (done === true) return Promise.resolve(value);
      }
    },
  };
}

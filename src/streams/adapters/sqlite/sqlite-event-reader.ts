import { isDamagedEvent } from '../../damaged-event.js';
import type { EventReader, Position, ReadAllOptions, RecordedEvent, Revision } from '../../event-store.js';
import { type Upcast, upcastToNewest } from '../../events/event-registry.js';
import { type Connection, openReaderConnection } from './event-log-connection.js';
import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import { subscribeByPolling } from '../../polling-subscription.js';
import type { LiveFeed } from '../../live/live-feed.js';
import { toEventLogPath } from './data-folder.js';
import { EventLogReader } from './event-log-reader.js';

/**
 * Opens a reader of the log in `dir` with its own connection, for threads that may block on disk I/O (projector,
 * reader, rebuild): it reads in the calling thread. The connection opens at first use.
 */
export function openEventReader(dir: string, feed: LiveFeed, upcast: Upcast = upcastToNewest): EventReader {
  return new SqliteEventReader(toEventLogPath(dir), feed, upcast);
}

class SqliteEventReader implements EventReader {
  #database: Connection | undefined;
  #reader: EventLogReader | undefined;
  #closed = false;

  constructor(
    private readonly file: string,
    private readonly feed: LiveFeed,
    private readonly upcast: Upcast,
  ) {}

  async readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]> {
    return this.#read((log) => log.readStream(stream, from, limit));
  }

  async readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.#read((log) => log.readAll(after, options));
  }

  async readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    return this.#read((log) => log.readEvent(stream, revision));
  }

  async head(): Promise<Position> {
    return this.#read((log) => log.head());
  }

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    return subscribeByPolling(this, this.feed.hints, after, options, signal);
  }

  async check(): Promise<Health> {
    try {
      await this.head();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  releaseMemory(): void {
    this.#database?.exec('PRAGMA shrink_memory');
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#reader = undefined;
    this.#database?.close();
    this.#database = undefined;
  }

  #read<T>(work: (log: EventLogReader) => T): T {
    if (this.#closed) throw new HindsightError('unavailable', 'The event reader is closed');
    try {
      return work((this.#reader ??= this.#open()));
    } catch (error) {
      if (isDamagedEvent(error)) throw error;
      throw new HindsightError('unavailable', `Cannot read the event log: ${(error as Error).message}`, [], {
        cause: error,
      });
    }
  }

  #open(): EventLogReader {
    this.#database ??= openReaderConnection(this.file);
    return new EventLogReader(this.#database, this.upcast);
  }
}

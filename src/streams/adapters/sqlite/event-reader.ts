import type { Health } from '../../../component.js';
import { HindsightError } from '../../../errors.js';
import { isDamagedEvent } from '../../damaged-event.js';
import type { EventReader, Position, ReadAllOptions, RecordedEvent, Revision } from '../../event-store.js';
import { upcastToNewest } from '../../events/registry.js';
import type { Upcast } from '../../events/registry.js';
import { follow } from '../../following.js';
import type { LiveFeed } from '../../live/live-feed.js';
import { openReaderConnection } from './connection.js';
import type { Connection } from './connection.js';
import { logFile } from './folder.js';
import { LogReading } from './log-reading.js';

/**
 * A reader of the log in `dir` with a connection of its own, for threads that may wait for the disk (projector, reader,
 * rebuild): it reads in the thread that calls. The connection opens at first use.
 */
export function openEventReader(dir: string, feed: LiveFeed, upcast: Upcast = upcastToNewest): EventReader {
  return new SqliteEventReader(logFile(dir), feed, upcast);
}

class SqliteEventReader implements EventReader {
  #database: Connection | undefined;
  #reading: LogReading | undefined;
  #closed = false;

  constructor(private readonly file: string, private readonly feed: LiveFeed, private readonly upcast: Upcast) {}

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
    return follow(this, this.feed.hints, after, options, signal);
  }

  async check(): Promise<Health> {
    try {
      await this.head();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#reading = undefined;
    this.#database?.close();
    this.#database = undefined;
  }

  #read<T>(work: (log: LogReading) => T): T {
    if (this.#closed) throw new HindsightError('unavailable', 'The event reader is closed');
    try {
      return work(this.#reading ??= this.#open());
    } catch (error) {
      if (isDamagedEvent(error)) throw error;
      throw new HindsightError('unavailable', `The event log cannot be read: ${(error as Error).message}`, [], { cause: error });
    }
  }

  #open(): LogReading {
    this.#database ??= openReaderConnection(this.file);
    return new LogReading(this.#database, this.upcast);
  }
}

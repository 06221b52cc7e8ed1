import type { Health } from '../component.js';
import type { AppendResult, EventStore, ExpectedRevision, NewEvent, Position, ReadAllOptions, RecordedEvent, Revision } from '../streams/event-store.js';
import type { AppendOutcome } from './metrics.js';

/** The part of the metrics that the log reports to. */
export interface LogMetrics {
  appendTook(seconds: number, outcome: AppendOutcome): void;
  retentionFreed(store: 'events', bytes: number): void;
  eventsExpired(events: number): void;
}

/** The same store, reporting how long appends take and what retention removes. */
export function meteredEventStore(store: EventStore, metrics: LogMetrics, now: () => number = () => performance.now()): EventStore {
  return new MeteredEventStore(store, metrics, now);
}

class MeteredEventStore implements EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly metrics: LogMetrics,
    /** Milliseconds of a clock that never goes back. */
    private readonly now: () => number,
  ) {}

  get maxAppendBytes(): number {
    return this.store.maxAppendBytes;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const start = this.now();
    let outcome: AppendOutcome = 'failed';
    try {
      const result = await this.store.append(stream, expected, events);
      outcome = result.ok ? 'appended' : 'conflict';
      return result;
    } finally {
      this.metrics.appendTook((this.now() - start) / 1000, outcome);
    }
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number }> {
    const freed = await this.store.truncate(prefix, beforeTime);
    this.metrics.retentionFreed('events', freed.bytes);
    this.metrics.eventsExpired(freed.events);
    return freed;
  }

  readStream(stream: string, from?: Revision, limit?: number): Promise<RecordedEvent[]> {
    return this.store.readStream(stream, from, limit);
  }

  readAll(after: Position, options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.store.readAll(after, options);
  }

  readEvent(stream: string, revision: Revision): Promise<RecordedEvent | undefined> {
    return this.store.readEvent(stream, revision);
  }

  head(): Promise<Position> {
    return this.store.head();
  }

  subscribe(after: Position, options: ReadAllOptions, signal: AbortSignal): AsyncIterable<RecordedEvent[]> {
    return this.store.subscribe(after, options, signal);
  }

  check(): Promise<Health> {
    return this.store.check();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

import type { Health } from '../component.js';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Position,
  ReadAllOptions,
  RecordedEvent,
  Revision,
} from '../streams/event-store.js';
import type { AppendOutcome } from './prometheus-metrics.js';
import { countRecords, type OwnTelemetryFilter } from './own-telemetry-filter.js';
import type { Tracer } from './tracer.js';

/** Metrics of the event log. */
export interface EventStoreMetrics {
  recordAppend(seconds: number, outcome: AppendOutcome): void;
  countFreedBytes(store: 'events', bytes: number): void;
  countExpiredEvents(events: number): void;
}

/** Wraps a store and records append durations and what retention deletes. */
export function withMetrics(
  store: EventStore,
  metrics: EventStoreMetrics,
  now: () => number = () => performance.now(),
): EventStore {
  return new MeteredEventStore(store, metrics, now);
}

class MeteredEventStore implements EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly metrics: EventStoreMetrics,
    /** Monotonic milliseconds. */
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
      this.metrics.recordAppend((this.now() - start) / 1000, outcome);
    }
  }

  async truncate(prefix: string, beforeTime: number): Promise<{ events: number; bytes: number | undefined }> {
    const freed = await this.store.truncate(prefix, beforeTime);
    if (freed.bytes !== undefined) this.metrics.countFreedBytes('events', freed.bytes);
    this.metrics.countExpiredEvents(freed.events);
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

/** One of this many telemetry appends gets a span, because there can be a thousand a second. */
const TELEMETRY_SAMPLE_INTERVAL = 100;

/** Wraps a store and traces appends: all of commands, a sample of telemetry, none of Hindsight's own telemetry. */
export function withTracing(store: EventStore, tracer: Tracer, own: OwnTelemetryFilter): EventStore {
  const appends = new TracedAppends(store, tracer, own);
  return new Proxy(store, {
    get(target, name) {
      if (name === 'append') return (...args: Parameters<EventStore['append']>) => appends.append(...args);
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member;
    },
  });
}

class TracedAppends {
  private telemetryAppends = 0;

  constructor(
    private readonly store: EventStore,
    private readonly tracer: Tracer,
    private readonly own: OwnTelemetryFilter,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const append = () => this.store.append(stream, expected, events);
    if (this.own.concerns(stream, events)) return this.own.trackAppend(events, append);
    const records = countRecords(events);
    if (records > 0 && this.telemetryAppends++ % TELEMETRY_SAMPLE_INTERVAL !== 0) return append();
    const span = this.tracer.start(records > 0 ? 'append telemetry' : 'append events', 'internal', {
      events: events.length,
      records,
    });
    try {
      const result = await append();
      span.end({ conflict: !result.ok }, false);
      return result;
    } catch (error) {
      span.end({}, true);
      throw error;
    }
  }
}

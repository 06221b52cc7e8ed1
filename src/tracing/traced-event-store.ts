import type { AppendResult, EventStore, ExpectedRevision, NewEvent } from '../streams/event-store.js';
import { recordsOf, type OwnTelemetry } from './own-telemetry.js';
import type { Tracer } from './tracer.js';

/** Of appended telemetry one request in so many has a span: its number may be a thousand a second. */
const EVERY = 100;

/** The same store, of whose appends the tracer hears: each command's, a sample of telemetry, none that concerns our own. */
export function tracedEventStore(store: EventStore, tracer: Tracer, own: OwnTelemetry): EventStore {
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
  private telemetry = 0;

  constructor(
    private readonly store: EventStore,
    private readonly tracer: Tracer,
    private readonly own: OwnTelemetry,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const append = () => this.store.append(stream, expected, events);
    if (this.own.concerns(stream, events)) return this.own.during(events, append);
    const records = recordsOf(events);
    if (records > 0 && this.telemetry++ % EVERY !== 0) return append();
    const span = this.tracer.start(records > 0 ? 'append telemetry' : 'append events', 'internal', { events: events.length, records });
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

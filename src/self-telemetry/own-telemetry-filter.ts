import type { AppendResult, NewEvent, Position } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';

/** Own requests that are in the log and not yet projected; when full, the oldest are dropped. */
const MAX_PENDING = 10_000;

/**
 * Recognizes the telemetry that Hindsight exports to itself, by its API key. Tracing it would produce more of it
 * without end, so it is excluded.
 */
export class OwnTelemetryFilter {
  private readonly pending: { readonly position: Position; readonly records: number }[] = [];
  private appending = 0;
  private gridId: string | undefined;

  /** @param keyId id of the API key with which Hindsight sends its own telemetry */
  constructor(private readonly keyId: string) {}

  /** Whether these events contain our own telemetry or belong to its Grid. */
  concerns(stream: string, events: readonly NewEvent[]): boolean {
    const own = events.map(({ data }) => data as Partial<TelemetryReceived>).find(({ keyId }) => keyId === this.keyId);
    this.gridId ??= own?.gridId;
    return own !== undefined || (this.gridId !== undefined && stream.endsWith(`-${this.gridId}`));
  }

  /** Tracks an append of our own events, so that their projection can be recognized. */
  async trackAppend(events: readonly NewEvent[], append: () => Promise<AppendResult>): Promise<AppendResult> {
    this.appending += 1;
    try {
      const result = await append();
      if (result.ok) this.addPending(result.position, countRecords(events));
      return result;
    } finally {
      this.appending -= 1;
    }
  }

  /**
   * Number of records in a projection commit up to `position` that are not our own; 0 while own events are being
   * appended, since the number is then unknown.
   */
  countOthers(position: Position, records: number): number {
    let own = 0;
    while (this.pending[0] !== undefined && this.pending[0].position <= position)
      own += this.pending.shift()?.records ?? 0;
    return this.appending > 0 ? 0 : Math.max(0, records - own);
  }

  private addPending(position: Position, records: number): void {
    if (this.pending.length >= MAX_PENDING) this.pending.shift();
    this.pending.push({ position, records });
  }
}

/** Number of accepted records, without rejected ones: those that a projection commit counts. */
export function countRecords(events: readonly NewEvent[]): number {
  return events.reduce((sum, { data }) => sum + ((data as Partial<TelemetryReceived>).accepted ?? 0), 0);
}

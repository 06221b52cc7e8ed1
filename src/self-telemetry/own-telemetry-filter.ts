import type { AppendResult, NewEvent, Position } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';

/** Requests of our own that are in the log and not yet projected; more are forgotten, oldest first. */
const MAX_PENDING = 10_000;

/**
 * Knows what of the telemetry that arrives is our own: what our own key has sent. To tell of it would make more of it, without end, so
 * whatever concerns our own alone is left out.
 */
export class OwnTelemetryFilter {
  private readonly waiting: { readonly position: Position; readonly records: number }[] = [];
  private appending = 0;
  private gridId: string | undefined;

  /** @param keyId of the key that our own telemetry is sent with */
  constructor(private readonly keyId: string) {}

  /** Whether these events tell of our own telemetry, or of the Grid that it goes to. */
  concerns(stream: string, events: readonly NewEvent[]): boolean {
    const own = events.map(({ data }) => data as Partial<TelemetryReceived>).find(({ keyId }) => keyId === this.keyId);
    this.gridId ??= own?.gridId;
    return own !== undefined || (this.gridId !== undefined && stream.endsWith(`-${this.gridId}`));
  }

  /** Follows the append of our own events, so that their commit is recognised. */
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

  /** How many records of a commit up to `position` others have sent; none for certain while our own are being appended. */
  countOthers(position: Position, records: number): number {
    let own = 0;
    while (this.waiting[0] !== undefined && this.waiting[0].position <= position)
      own += this.waiting.shift()?.records ?? 0;
    return this.appending > 0 ? 0 : Math.max(0, records - own);
  }

  private addPending(position: Position, records: number): void {
    if (this.waiting.length >= MAX_PENDING) this.waiting.shift();
    this.waiting.push({ position, records });
  }
}

/** Of accepted records, rejected ones left out: those that a commit counts. */
export function countRecords(events: readonly NewEvent[]): number {
  return events.reduce((sum, { data }) => sum + ((data as Partial<TelemetryReceived>).accepted ?? 0), 0);
}

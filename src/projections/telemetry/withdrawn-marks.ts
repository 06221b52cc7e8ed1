import { isDamagedEvent } from '../../streams/damaged-event.js';
import type { EventReader, Position, RecordedEvent } from '../../streams/event-store.js';
import type { RetentionMarkWithdrawn } from '../../streams/events/retention-events.js';
import { WITHDRAWN_MARKS_STREAM } from '../../streams/stream-names.js';

/** Damaged withdrawals after which the rest of the stream is not read: a damaged index may name one without end. */
const MAX_DAMAGED = 1_000;

interface Withdrawal {
  readonly position: Position;
  readonly before: number;
}

/**
 * Expiry marks that were taken back. They are known before the log is folded: a replay then keeps what a mark removed
 * from the read models that it rebuilds.
 */
export class WithdrawnMarks {
  private readonly withdrawals = new Map<string, Withdrawal[]>();

  constructor(private readonly events: Pick<EventReader, 'readStream'>) {}

  /** Reads all withdrawals. A damaged one is skipped: the mark then holds. */
  async load(): Promise<void> {
    this.withdrawals.clear();
    try {
      this.add(await this.events.readStream(WITHDRAWN_MARKS_STREAM));
    } catch (error) {
      if (!isDamagedEvent(error)) throw error;
      await this.loadEachIntact();
    }
  }

  /** The time (ms) up to which a mark at this position expires telemetry: `before`, or less if it was taken back. */
  limit(gridId: string, position: Position, before: number): number {
    const later = (this.withdrawals.get(gridId) ?? []).filter((each) => each.position > position);
    return Math.min(before, ...later.map((each) => each.before));
  }

  /** Reads one at a time: a damaged one may name no revision, or a wrong one. */
  private async loadEachIntact(): Promise<void> {
    let damaged = 0;
    for (let from = 0; damaged < MAX_DAMAGED; from++) {
      try {
        const events = await this.events.readStream(WITHDRAWN_MARKS_STREAM, from, 1);
        if (events.length === 0) return;
        this.add(events);
        from = events[0].revision;
      } catch (error) {
        if (!isDamagedEvent(error)) throw error;
        damaged++;
      }
    }
  }

  private add(events: readonly RecordedEvent[]): void {
    for (const { position, data } of events) {
      const { gridId, before } = data as RetentionMarkWithdrawn['data'];
      const known = this.withdrawals.get(gridId);
      if (known === undefined) this.withdrawals.set(gridId, [{ position, before }]);
      else known.push({ position, before });
    }
  }
}

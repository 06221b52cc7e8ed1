import type { EventReader, Position } from '../../streams/event-store.js';
import type { RetentionMarkWithdrawn } from '../../streams/events/retention-events.js';
import { readIntactEvents } from '../../streams/intact-events.js';
import { RETENTION_WITHDRAWALS_STREAM } from '../../streams/stream-names.js';

interface Withdrawal {
  readonly position: Position;
  readonly before: number;
}

/**
 * Retention watermarks that were taken back. They are known before the log is folded: a replay then keeps what a
 * watermark removed from the read models that it rebuilds.
 */
export class WithdrawnWatermarks {
  private readonly withdrawals = new Map<string, Withdrawal[]>();

  constructor(private readonly events: Pick<EventReader, 'readStream'>) {}

  /** Reads all withdrawals. A damaged one is skipped: the watermark then holds. */
  async load(): Promise<void> {
    this.withdrawals.clear();
    for (const { position, data } of await readIntactEvents(this.events, RETENTION_WITHDRAWALS_STREAM)) {
      const { gridId, before } = data as RetentionMarkWithdrawn['data'];
      const known = this.withdrawals.get(gridId);
      if (known === undefined) this.withdrawals.set(gridId, [{ position, before }]);
      else known.push({ position, before });
    }
  }

  /** Grids of which a watermark was ever taken back. */
  get gridIds(): readonly string[] {
    return [...this.withdrawals.keys()];
  }

  /**
   * The time (ms) up to which a watermark at this position expires telemetry: `before`, or less if it was taken back.
   */
  limit(gridId: string, position: Position, before: number): number {
    const later = (this.withdrawals.get(gridId) ?? []).filter((each) => each.position > position);
    return Math.min(before, ...later.map((each) => each.before));
  }
}

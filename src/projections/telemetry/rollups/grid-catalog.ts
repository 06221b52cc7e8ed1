import { MINUTE_MS } from '../../../diagnostics/timeframe.js';
import type { RollupCatalogDocument } from '../../../read-models/rollups.js';

export const HOUR_MINUTES = 60;

/** Minutes past its end after which an hour is expected to change no more. */
const SETTLING_MINUTES = 10;

const NONE: readonly number[] = [];

/** What a shelf knows of one Grid, see RollupCatalogDocument. */
export class GridCatalog {
  private newestMinute: number;
  private readonly openHours: Set<number>;
  private expiry: number;
  /** Whether it differs from what was last taken. */
  private changed = false;

  constructor(
    readonly gridId: string,
    document?: RollupCatalogDocument,
  ) {
    this.newestMinute = document?.newestMinute ?? 0;
    this.openHours = new Set(document?.openHours);
    this.expiry = document?.expiredBefore ?? 0;
  }

  /** What ended before this time (ms) has left. */
  get expiredBefore(): number {
    return this.expiry;
  }

  /** Whether the whole minute lies before what has expired. */
  isExpired(minute: number): boolean {
    return (minute + 1) * MINUTE_MS <= this.expiry;
  }

  /** A minute has changed: its hour has to be made of its minutes, perhaps again. */
  touch(minute: number): void {
    const hour = hourOf(minute);
    if (minute <= this.newestMinute && this.openHours.has(hour)) return;
    this.newestMinute = Math.max(minute, this.newestMinute);
    this.openHours.add(hour);
    this.changed = true;
  }

  /** Hours that are over and have to be made, oldest first. */
  dueHours(): readonly number[] {
    const over = this.newestMinute - HOUR_MINUTES - SETTLING_MINUTES;
    // Asked of all Grids with every commit: mostly there is none.
    for (const hour of this.openHours) if (hour < over) return [...this.openHours].filter((each) => each < over).sort((a, b) => a - b);
    return NONE;
  }

  /** The hour is made, of all of its minutes. */
  close(hour: number): void {
    this.openHours.delete(hour);
    this.changed = true;
  }

  /** False when that much has expired before. */
  expire(before: number): boolean {
    if (before <= this.expiry) return false;
    this.expiry = before;
    for (const hour of this.openHours) if (this.isExpired(hour + HOUR_MINUTES - 1)) this.openHours.delete(hour);
    // A replay finds the log without what has expired, and knows no minute then.
    if (this.isExpired(this.newestMinute)) this.newestMinute = 0;
    this.changed = true;
    return true;
  }

  /** The document under this stamp, if it has changed since the last call. */
  takeChange(stamp: number): RollupCatalogDocument | undefined {
    if (!this.changed) return undefined;
    this.changed = false;
    const { gridId, newestMinute, openHours, expiredBefore } = this;
    return { gridId, stamp, newestMinute, openHours: [...openHours].sort((a, b) => a - b), expiredBefore };
  }
}

/** First minute of the hour that holds a minute. */
export function hourOf(minute: number): number {
  return Math.floor(minute / HOUR_MINUTES) * HOUR_MINUTES;
}

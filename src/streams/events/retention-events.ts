import type { Authored } from './grid-events.js';

/**
 * Event in the stream `service-clock`, about one an hour: what retention took for the current time. Retention compares
 * the clock with the newest of these events, because a wrong clock would expire everything that is stored.
 */
export interface ClockObserved {
  readonly type: 'ClockObserved.v2';
  readonly data: {
    /** The time that retention used, ms since 1970: never later than the clock. */
    readonly at: number;
    /** What the clock said, ms since 1970. */
    readonly clock: number;
    /** The operator who confirmed that the clock is right; absent: observed by the service. */
    readonly confirmedBy?: string;
    /** Start of the machine, or of the process where the machine does not name its own; absent in events of version 1. */
    readonly machineStart?: string;
    /** Time (ms) from that start to this event; it passes whatever the clock says. Present with `machineStart`. */
    readonly uptime?: number;
  };
}

/** Type before it told how long the machine had run. */
export const CLOCK_OBSERVED_V1 = 'ClockObserved.v1';

export type ClockObservation = ClockObserved['data'];

/**
 * Event in the stream `retention-withdrawals`: an operator took the retention watermarks of a Grid back. Of each
 * watermark before this event only what is older than `before` (ms since 1970) counts as expired; 0: nothing.
 */
export interface RetentionMarkWithdrawn {
  readonly type: 'RetentionMarkWithdrawn.v1';
  readonly data: Authored & { readonly gridId: string; readonly before: number };
}

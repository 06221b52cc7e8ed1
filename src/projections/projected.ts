import type { Position } from '../streams/event-store.js';
import type { TelemetryReceived } from '../streams/events/telemetry-events.js';
import type { Signal } from '../telemetry/signals.js';
import type { Commit } from './runner.js';
import { signalOf } from './telemetry/telemetry-fold.js';

/** What one commit of the projector amounted to. Plain data. */
export interface Projected {
  /** Group of projections that committed: `access` or `telemetry`. */
  readonly group: string;
  /** The share of Grids that it was about; absent: all Grids. */
  readonly share?: number;
  readonly position: Position;
  /** Accepted records of the commit's requests, repeated requests included: they leave the backlog too. */
  readonly records: Readonly<Record<Signal, number>>;
  /** Events that it passed by because they cannot be projected. */
  readonly parked: number;
  /** Milliseconds since the oldest of its requests arrived; absent where it had none. */
  readonly lagMs?: number;
  /** Milliseconds of work that it took. */
  readonly busyMs: number;
}

/** `now` in ms since 1970. */
export function projectedOf(group: string, { events, position, busyMs, parked }: Commit, now: number): Projected {
  const records: Record<Signal, number> = { traces: 0, logs: 0, metrics: 0 };
  let oldest = Infinity;
  for (const event of events) {
    const signal = signalOf(event);
    if (signal === undefined) continue;
    const { accepted, receivedAt } = event.data as TelemetryReceived;
    records[signal] += accepted;
    oldest = Math.min(oldest, receivedAt);
  }
  const lag = oldest === Infinity ? {} : { lagMs: Math.max(0, now - oldest) };
  return { group, position, records, parked, busyMs, ...lag };
}

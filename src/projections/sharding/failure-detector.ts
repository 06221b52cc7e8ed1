import type { ShardAllocation } from './shard-allocation.js';

/** What a member has observed in the register, by its own clock: times of different machines are never compared. */
export interface FailureDetectorState {
  readonly era: string | undefined;
  /** Since when this era has been observed without a gap. */
  readonly eraSince: number;
  /** Newest revision seen in this era. */
  readonly revision: number;
  /** Largest token seen in any era. */
  readonly highToken: number;
  readonly readAt: number;
  /** Latest heartbeat of each member, and since when it has not changed. */
  readonly beats: ReadonlyMap<string, { readonly beat: number; readonly since: number }>;
}

/** Result of a read; `allocation` undefined: the register is empty. */
export interface AllocationReading {
  readonly allocation: ShardAllocation | undefined;
  readonly revision: number;
}

export const INITIAL_FAILURE_DETECTOR_STATE: FailureDetectorState = {
  era: undefined,
  eraSince: -Infinity,
  revision: 0,
  highToken: 0,
  readAt: -Infinity,
  beats: new Map(),
};

/** True if the register has lost state: it is empty, or went back to an earlier revision. */
export function hasRegisterLostState(
  state: FailureDetectorState,
  { allocation, revision }: AllocationReading,
): boolean {
  return allocation === undefined || (allocation.era === state.era && revision < state.revision);
}

/** The state after a read that ended at `now`. */
export function observeMembers(
  state: FailureDetectorState,
  reading: AllocationReading,
  now: number,
  timing: LeaseTiming,
): FailureDetectorState {
  const { allocation, revision } = reading;
  if (allocation === undefined || hasRegisterLostState(state, reading)) return { ...state, readAt: now };
  const isContinuous = allocation.era === state.era && now - state.readAt <= maxObservationGapMs(timing);
  const since = (id: string, beat: number): number => {
    const known = isContinuous ? state.beats.get(id) : undefined;
    return known?.beat === beat ? known.since : now;
  };
  return {
    era: allocation.era,
    eraSince: isContinuous ? state.eraSince : now,
    revision,
    highToken: Math.max(state.highToken, allocation.lastToken),
    readAt: now,
    beats: new Map(allocation.members.map(({ id, beat }) => [id, { beat, since: since(id, beat) }])),
  };
}

/** Members without a heartbeat for as long as it takes every lease to expire. */
export function findSilentMembers(state: FailureDetectorState, now: number, { lapseMs }: LeaseTiming): string[] {
  return [...state.beats].filter(([, { since }]) => now - since >= lapseMs).map(([id]) => id);
}

/** All in ms of elapsed time on the machine that measures. */
export interface LeaseTiming {
  /** Interval of heartbeats, with which a member also reads those of the others. */
  readonly beatMs: number;
  /** A lease is valid this long after its last renewal was sent. */
  readonly validMs: number;
  /**
   * A member without a heartbeat for this long counts as dead. Longer than `validMs` by the tolerated difference of
   * clock speeds.
   */
  readonly lapseMs: number;
}

/**
 * The shards of a dead member have new owners within 7.5 s: one heartbeat to see its last, the timeout, and two
 * heartbeats to take over.
 */
export const LEASE_TIMING: LeaseTiming = { beatMs: 1_000, validMs: 3_500, lapseMs: 4_500 };

/** After a gap longer than this a member does not know whether the others are alive, and starts observing again. */
function maxObservationGapMs({ beatMs }: LeaseTiming): number {
  return 3 * beatMs;
}

import type { ShardAllocation } from './shard-allocation.js';

/** What a member has seen of the register, by its own clock alone: no time of another machine is ever compared. */
export interface FailureDetectorState {
  readonly era: string | undefined;
  /** Since when this era has been watched without a gap. */
  readonly eraSince: number;
  /** The newest revision seen in this era. */
  readonly revision: number;
  /** The largest token seen in any era. */
  readonly highToken: number;
  readonly lookedAt: number;
  /** The latest beat of each other member, and since when it has been watched without another. */
  readonly beats: ReadonlyMap<string, { readonly beat: number; readonly since: number }>;
}

/** What was read; no allocation: the register is empty. */
export interface AllocationReading {
  readonly allocation: ShardAllocation | undefined;
  readonly revision: number;
}

export const INITIAL_FAILURE_DETECTOR_STATE: FailureDetectorState = {
  era: undefined,
  eraSince: -Infinity,
  revision: 0,
  highToken: 0,
  lookedAt: -Infinity,
  beats: new Map(),
};

/** True where the register has forgotten something: it is empty, or is as it was some time ago. */
export function hasRegisterLostState(
  watch: FailureDetectorState,
  { allocation, revision }: AllocationReading,
): boolean {
  return allocation === undefined || (allocation.era === watch.era && revision < watch.revision);
}

/** The watch after a look that ended at `now`. */
export function observeMembers(
  watch: FailureDetectorState,
  look: AllocationReading,
  now: number,
  timing: LeaseTiming,
): FailureDetectorState {
  const { allocation, revision } = look;
  if (allocation === undefined || hasRegisterLostState(watch, look)) return { ...watch, lookedAt: now };
  const watching = allocation.era === watch.era && now - watch.lookedAt <= maxObservationGapMs(timing);
  const since = (id: string, beat: number): number => {
    const known = watching ? watch.beats.get(id) : undefined;
    return known?.beat === beat ? known.since : now;
  };
  return {
    era: allocation.era,
    eraSince: watching ? watch.eraSince : now,
    revision,
    highToken: Math.max(watch.highToken, allocation.lastToken),
    lookedAt: now,
    beats: new Map(allocation.seats.map(({ id, beat }) => [id, { beat, since: since(id, beat) }])),
  };
}

/** Who has given no sign of life for as long as it takes every lease to lapse. */
export function findSilentMembers(watch: FailureDetectorState, now: number, { lapseMs }: LeaseTiming): string[] {
  return [...watch.beats].filter(([, { since }]) => now - since >= lapseMs).map(([id]) => id);
}

/** All in ms of elapsed time on the machine that measures. */
export interface LeaseTiming {
  /** A member says that it lives this often, and looks what the others do. */
  readonly beatMs: number;
  /** A lease is valid this long after its last renewal was sent. */
  readonly validMs: number;
  /** Who has not been heard for this long is taken for dead. Longer than `validMs` by what clocks may differ in speed. */
  readonly lapseMs: number;
}

/** The shares of a member that dies have new owners within 7.5 s: one beat to see its last, the lapse, and two beats to take. */
export const LEASE_TIMING: LeaseTiming = { beatMs: 1_000, validMs: 3_500, lapseMs: 4_500 };

/** Whoever could not look for longer than this has not seen whether the others live, and begins anew to watch them. */
function maxObservationGapMs({ beatMs }: LeaseTiming): number {
  return 3 * beatMs;
}

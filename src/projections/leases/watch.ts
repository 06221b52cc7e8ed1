import type { Allocation } from './allocation.js';
import { type LeaseTiming, longestGap } from './timing.js';

/** What a member has seen of the register, by its own clock alone: no time of another machine is ever compared. */
export interface Watch {
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
export interface Look {
  readonly allocation: Allocation | undefined;
  readonly revision: number;
}

export const NOTHING_SEEN: Watch = { era: undefined, eraSince: -Infinity, revision: 0, highToken: 0, lookedAt: -Infinity, beats: new Map() };

/** True where the register has forgotten something: it is empty, or is as it was some time ago. */
export function hasForgotten(watch: Watch, { allocation, revision }: Look): boolean {
  return allocation === undefined || (allocation.era === watch.era && revision < watch.revision);
}

/** The watch after a look that ended at `now`. */
export function observed(watch: Watch, look: Look, now: number, timing: LeaseTiming): Watch {
  const { allocation, revision } = look;
  if (allocation === undefined || hasForgotten(watch, look)) return { ...watch, lookedAt: now };
  const watching = allocation.era === watch.era && now - watch.lookedAt <= longestGap(timing);
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
export function silent(watch: Watch, now: number, { lapseMs }: LeaseTiming): string[] {
  return [...watch.beats].filter(([, { since }]) => now - since >= lapseMs).map(([id]) => id);
}

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
export function longestGap({ beatMs }: LeaseTiming): number {
  return 3 * beatMs;
}

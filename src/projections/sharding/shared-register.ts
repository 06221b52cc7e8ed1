/** `revision` 0 and no value: nothing was ever written, or it was lost. */
export interface RegisterReading {
  readonly value: string | undefined;
  readonly revision: number;
}

/**
 * One value that all members of a cluster read and replace atomically. Both calls MUST settle within 2 s, and MUST
 * reject with `unavailable` if the outcome is unknown; a rejected write MAY still be applied later, if nothing was
 * written before it.
 */
export interface SharedRegister {
  read(): Promise<RegisterReading>;
  /** Returns the new revision, larger than `expected`; undefined if the value has another revision than `expected`. */
  write(value: string, expected: number): Promise<number | undefined>;
}

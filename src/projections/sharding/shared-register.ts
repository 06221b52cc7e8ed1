/** `revision` 0 and no value: nothing was ever written, or it was lost. */
export interface RegisterReading {
  readonly value: string | undefined;
  readonly revision: number;
}

/**
 * One value that all members of a cluster see and change, one after the other. Both calls MUST settle within 2 s, and MUST reject with
 * `unavailable` where they cannot tell; a write that was rejected MAY still be done later, if nothing was written before it.
 */
export interface SharedRegister {
  read(): Promise<RegisterReading>;
  /** The new revision, larger than `expected`; undefined where the value has another revision than `expected`. */
  write(value: string, expected: number): Promise<number | undefined>;
}

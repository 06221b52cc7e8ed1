/**
 * What one group adds up to, by step: all that is kept of it. NaN stands for nothing measured; what is given out is not
 * rounded.
 */
export interface GroupRow<Of> {
  /** How much was added: requests, log records, data points. Says which groups count least. */
  readonly weight: number;
  /** Memory, roughly. */
  readonly bytes: number;
  add(step: number, of: Of): void;
  /**
   * Adds all that another row has; its first step counts in step `from` (0), and all of its steps MUST have one here. It MUST
   * be of the same class, or one that this class is said to take (see `newSharedRow` of Groups).
   */
  merge(other: GroupRow<Of>, from?: number): void;
  /** The value over the whole frame, computed from everything added up. */
  total(): number;
  /** Values by step: a list for each line that the group is drawn as, which is one but for `latency`. */
  lines(): readonly Float64Array[];
}

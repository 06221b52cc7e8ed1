/** How content is read that may be much. */
export interface Reading {
  readonly signal?: AbortSignal;
  /** Awaited before each part: lets runs go first that matter more. */
  readonly giveWay?: () => Promise<void>;
}

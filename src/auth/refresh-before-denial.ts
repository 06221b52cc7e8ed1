/** Time (ms) within which the log is read once for a subject: below the time within which changes take effect anyway. */
const INTERVAL_MS = 250;
/** Subjects that are remembered; of more, the oldest is forgotten and may cause another read. */
const MAX_SUBJECTS = 10_000;

interface Refresh {
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly done: Promise<void>;
}

/** Reads the log again before access is denied, but at most four times a second for each subject. */
export class DenialRefresh {
  /** The last read of each subject, oldest first. */
  readonly #last = new Map<string, Refresh>();

  constructor(
    private readonly refresh: () => Promise<void>,
    private readonly now: () => number,
  ) {}

  /** Resolves once a read is over that began at most 250 ms ago; rejects as that does. */
  before(subject: string): Promise<void> {
    const startedAt = this.now();
    const last = this.#last.get(subject);
    if (last !== undefined && startedAt - last.startedAt < INTERVAL_MS) return last.done;
    this.#last.delete(subject);
    for (const oldest of this.#last.keys()) if (this.#last.size >= MAX_SUBJECTS) this.#last.delete(oldest);
    const done = this.refresh();
    this.#last.set(subject, { startedAt, done });
    return done;
  }
}

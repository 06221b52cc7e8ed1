import type { CallCount } from './call-counts.js';

/** Keys whose counts are remembered; the ones that were counted longest ago leave first. */
const MAX_KEYS = 10_000;

interface Known {
  readonly calls: number;
  readonly endsAt: number;
}

/** What a process has last been told of counts that others may share: never too high while the window runs, as counts only grow. */
export class KnownCounts {
  private readonly counts = new Map<string, Known>();

  /** `now` counts milliseconds and never goes back. */
  constructor(private readonly now: () => number, private readonly maxKeys = MAX_KEYS) {}

  note(key: string, { calls, endsInMs }: CallCount): void {
    this.counts.delete(key);
    if (this.counts.size >= this.maxKeys) this.counts.delete(this.counts.keys().next().value!);
    this.counts.set(key, { calls, endsAt: this.now() + endsInMs });
  }

  /** Of the window that runs; undefined where nothing is known of it. */
  of(key: string): CallCount | undefined {
    const known = this.counts.get(key);
    const endsInMs = known === undefined ? 0 : known.endsAt - this.now();
    return known === undefined || endsInMs <= 0 ? undefined : { calls: known.calls, endsInMs };
  }

  forget(key: string): void {
    this.counts.delete(key);
  }
}

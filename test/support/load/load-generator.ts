import type { Batch } from './batches.js';
import type { Attempt, Sender } from './senders.js';

/** Results of a load from the view of its senders. */
export class LoadResult {
  /** Number of records. */
  acknowledged = 0;
  /** Scheduled records; those without a free connection were not sent. */
  due = 0;
  /** Number of requests. */
  refused = 0;
  /** Refused requests by status: 429 because of overload, 503 because the answer was late. */
  readonly refusedWith: Record<number, number> = {};
  unknown = 0;
  /** Statuses of refusals without a retry hint. */
  readonly unhinted: (number | undefined)[] = [];
  /** Acknowledgement times (ms). */
  readonly latencies: number[] = [];
  readonly began = performance.now();

  add({ records }: Batch, { outcome, hinted, status, ms }: Attempt): void {
    if (outcome === 'acknowledged') {
      this.acknowledged += records;
      this.latencies.push(ms);
    } else if (outcome === 'unknown') this.unknown++;
    else {
      this.refused++;
      const known = this.refusedWith[status ?? 0] ?? 0;
      this.refusedWith[status ?? 0] = known + 1;
      if (!hinted) this.unhinted.push(status);
    }
  }

  /** Milliseconds; NaN if nothing was acknowledged. */
  get p99(): number {
    return percentile(this.latencies, 0.99);
  }
}

export function percentile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? NaN;
}

/** Sends the next request after each response, in parallel lanes. */
export async function runClosedLoop(sender: Sender, next: () => Batch, lanes: number, ms: number): Promise<LoadResult> {
  const load = new LoadResult();
  const lane = async (): Promise<void> => {
    while (performance.now() < load.began + ms) {
      const batch = next();
      load.due += batch.records;
      load.add(batch, await sender.send(batch));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return load;
}

export interface OpenLoad {
  readonly recordsPerSecond: number;
  readonly ms: number;
  /** Maximum concurrent requests; records due while all are busy are not sent. */
  readonly atOnce: number;
}

/** Sends at a fixed rate, regardless of responses, without retries. */
export async function runOpenLoop(
  sender: Sender,
  next: () => Batch,
  { recordsPerSecond, ms, atOnce }: OpenLoad,
): Promise<LoadResult> {
  const load = new LoadResult();
  const open = new Set<Promise<void>>();
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - load.began) {
    const owed = (recordsPerSecond * elapsed) / 1_000;
    while (load.due <= owed && open.size < atOnce) {
      const batch = next();
      load.due += batch.records;
      const attempt: Promise<void> = sender.send(batch).then((answer) => {
        load.add(batch, answer);
        open.delete(attempt);
      });
      open.add(attempt);
    }
    // No catching up: records due while all connections were busy are skipped.
    if (open.size >= atOnce) load.due = Math.max(load.due, owed);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(open);
  return load;
}

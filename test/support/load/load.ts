import type { Batch } from './batches.js';
import type { Attempt, Sender } from './senders.js';

/** What senders saw of a load. */
export class Tally {
  /** Records. */
  acknowledged = 0;
  /** Records that were due; those that found no free connection were never sent. */
  due = 0;
  /** Requests. */
  refused = 0;
  unknown = 0;
  /** Refusals that a client would take for final, by status. */
  readonly unhinted: (number | undefined)[] = [];
  /** Of acknowledgements, in ms. */
  readonly latencies: number[] = [];
  readonly began = performance.now();

  add({ records }: Batch, { outcome, hinted, status, ms }: Attempt): void {
    if (outcome === 'acknowledged') {
      this.acknowledged += records;
      this.latencies.push(ms);
    } else if (outcome === 'unknown') this.unknown++;
    else {
      this.refused++;
      if (!hinted) this.unhinted.push(status);
    }
  }

  /** ms; NaN where nothing was acknowledged. */
  get p99(): number {
    return percentile(this.latencies, 0.99);
  }
}

export function percentile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? NaN;
}

/** As fast as answers come, over so many lanes. */
export async function closedLoop(sender: Sender, next: () => Batch, lanes: number, ms: number): Promise<Tally> {
  const tally = new Tally();
  const lane = async (): Promise<void> => {
    while (performance.now() < tally.began + ms) {
      const batch = next();
      tally.due += batch.records;
      tally.add(batch, await sender.send(batch));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return tally;
}

export interface OpenLoad {
  readonly recordsPerSecond: number;
  readonly ms: number;
  /** Requests at once; what is due while all are busy is not sent. */
  readonly atOnce: number;
}

/** At a rate of its own, whatever the answers: what was refused is not sent again. */
export async function openLoop(
  sender: Sender,
  next: () => Batch,
  { recordsPerSecond, ms, atOnce }: OpenLoad,
): Promise<Tally> {
  const tally = new Tally();
  const open = new Set<Promise<void>>();
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - tally.began) {
    const owed = (recordsPerSecond * elapsed) / 1_000;
    while (tally.due <= owed && open.size < atOnce) {
      const batch = next();
      tally.due += batch.records;
      const attempt: Promise<void> = sender.send(batch).then((answer) => {
        tally.add(batch, answer);
        open.delete(attempt);
      });
      open.add(attempt);
    }
    // Nobody catches up: time in which all were busy is lost to the senders.
    if (open.size >= atOnce) tally.due = Math.max(tally.due, owed);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(open);
  return tally;
}

import { countUnaccounted, RECORD_OUTCOMES } from '../accounting/record-account.js';
import { sumBySignal } from '../operations/record-report.js';
import type { RecordMeasurement } from '../self-telemetry/prometheus-metrics.js';
import { SIGNALS } from '../telemetry/signals.js';
import type { ServiceParts } from './service-parts.js';

/** Time (ms) for which figures are reused: a scrape more often than that costs nothing. */
const MAX_AGE_MS = 5_000;

/** Time (ms) that a scrape waits for the figures; afterwards it continues without them. */
const TIMEOUT_MS = 1_000;

/** Shows in `/metrics` the outcomes of the records of the shards that this process owns, summed over Grids. */
export function registerRecordMetrics({
  metrics,
  accessThread,
  ownedShards,
}: Pick<ServiceParts, 'metrics' | 'accessThread' | 'ownedShards'>): void {
  const measure = async (): Promise<RecordMeasurement[]> => {
    const sources = await accessThread.api.recordSources(ownedShards.all);
    const sums = sumBySignal(sources.flatMap(({ accounts }) => accounts));
    return SIGNALS.map((signal) => ({
      signal,
      received: sums[signal].received,
      outcomes: Object.fromEntries(RECORD_OUTCOMES.map((outcome) => [outcome, sums[signal][outcome]])),
      unaccounted: countUnaccounted(sums[signal]),
    }));
  };
  metrics.registerRecords(createTimelyReader(measure, () => performance.now()));
}

/**
 * A reader that runs `read` at most once at a time, reuses its result for MAX_AGE_MS, and resolves to undefined if it
 * fails or takes too long: a scrape must not fail because a store is unavailable. `monotonic` in ms.
 */
export function createTimelyReader<T>(read: () => Promise<T>, monotonic: () => number): () => Promise<T | undefined> {
  let running: Promise<T | undefined> | undefined;
  let known: { readonly value: T; readonly at: number } | undefined;
  const refresh = async (): Promise<T | undefined> => {
    try {
      const value = await read();
      known = { value, at: monotonic() };
      return value;
    } catch {
      return undefined; // `/ready` and the log report the store that failed
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (known !== undefined && monotonic() - known.at < MAX_AGE_MS) return known.value;
    running ??= refresh();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)));
    return Promise.race([running, timeout]).finally(() => clearTimeout(timer));
  };
}

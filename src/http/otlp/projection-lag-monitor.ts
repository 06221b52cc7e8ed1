import type { WorkShare } from '../../scheduling/fair-queue.js';
import type { Logger } from '../../self-telemetry/logger.js';
import {
  type BacklogEntry,
  type BackpressureDecision,
  type BackpressureMonitor,
  MAX_RETRY_AFTER_MS,
  NO_BACKPRESSURE,
} from './ingest-backlog.js';

/** The lag is measured this many times within the limit. */
const MEASUREMENTS_PER_LIMIT = 20;
/** Bounds (ms) of the interval of measurements. */
const MIN_INTERVAL_MS = 500;
const MAX_INTERVAL_MS = 30_000;

const ADMITTED: BackpressureDecision = { admit: true, delayAckMs: 0 };

export interface ProjectionLagParts {
  /** Lag (ms) from which senders are refused. */
  readonly maxLagMs: number;
  readonly shardFor: (gridId: string) => number;
  /**
   * Age (ms) of the oldest event of a Grid's shard that is not projected yet; 0 if all are. Rejects while a store does
   * not answer.
   */
  readonly measureLag: (gridId: string) => Promise<number>;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/** Requests of the Grids of one shard. Memory: one entry for each Grid that sends. */
interface ShardState {
  /** Since the last measurement, by Grid. */
  requests: Map<string, number>;
  /** Between the two measurements before. */
  earlier: ReadonlyMap<string, number>;
  lagMs: number;
  isRefusing: boolean;
}

/**
 * Back-pressure of a process whose projectors run elsewhere: refuses senders while the projector of their shard is
 * further behind than the limit and does not catch up, so that a rebuild of days of telemetry refuses nobody. Grids that
 * send less than the average of the shard stay admitted. A lag that cannot be measured, because a store does not answer,
 * refuses nobody either: the log accepts telemetry without it.
 */
export class ProjectionLagMonitor implements BackpressureMonitor {
  private readonly shards = new Map<number, ShardState>();

  private readonly reason: string;

  constructor(private readonly parts: ProjectionLagParts) {
    this.reason = `the projection of telemetry is more than ${parts.maxLagMs / 1_000} s behind; retry later`;
  }

  begin(share: WorkShare, records: number): BacklogEntry {
    return NO_BACKPRESSURE.begin(share, records);
  }

  decide({ gridId }: WorkShare): BackpressureDecision {
    const shard = this.shardOf(gridId);
    shard.requests.set(gridId, (shard.requests.get(gridId) ?? 0) + 1);
    if (!shard.isRefusing || isBelowAverage(shard.earlier, gridId)) return ADMITTED;
    return { admit: false, retryAfterMs: MAX_RETRY_AFTER_MS, reason: this.reason };
  }

  /** Measures the lag of the shards whose Grids have sent since the last call; forgets the others. Never rejects. */
  async measure(): Promise<void> {
    await Promise.all([...this.shards].map(([number, shard]) => this.measureShard(number, shard)));
  }

  /** Measures until the returned function is called. */
  start(): () => void {
    const intervalMs = Math.min(
      MAX_INTERVAL_MS,
      Math.max(MIN_INTERVAL_MS, this.parts.maxLagMs / MEASUREMENTS_PER_LIMIT),
    );
    let isMeasuring = false;
    const timer = setInterval(() => {
      if (isMeasuring) return;
      isMeasuring = true;
      void this.measure().finally(() => (isMeasuring = false));
    }, intervalMs).unref();
    return () => clearInterval(timer);
  }

  private shardOf(gridId: string): ShardState {
    const number = this.parts.shardFor(gridId);
    let shard = this.shards.get(number);
    if (shard === undefined) {
      shard = { requests: new Map(), earlier: new Map(), lagMs: 0, isRefusing: false };
      this.shards.set(number, shard);
    }
    return shard;
  }

  private async measureShard(number: number, shard: ShardState): Promise<void> {
    const [gridId] = shard.requests.keys();
    if (gridId === undefined) return void this.shards.delete(number);
    const lagMs = await this.parts.measureLag(gridId).catch(() => 0); // `/ready` reports the store
    const isRefusing = lagMs >= this.parts.maxLagMs && lagMs >= shard.lagMs;
    if (isRefusing !== shard.isRefusing) this.report(number, lagMs, isRefusing);
    Object.assign(shard, { earlier: shard.requests, requests: new Map(), lagMs, isRefusing });
  }

  private report(shard: number, lagMs: number, isRefusing: boolean): void {
    const { maxLagMs, logger } = this.parts;
    if (isRefusing)
      logger.warn('The projector of a shard is too far behind and does not catch up; refusing senders', {
        shard,
        lagMs,
        maxLagMs,
      });
    else logger.info('The projector of a shard catches up; accepting senders again', { shard, lagMs });
  }
}

function isBelowAverage(requests: ReadonlyMap<string, number>, gridId: string): boolean {
  const total = [...requests.values()].reduce((sum, each) => sum + each, 0);
  return (requests.get(gridId) ?? 0) * requests.size < total;
}

import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';

/** How retention assesses the clock. Times in ms since 1970. */
export interface ClockReport {
  /** `ahead`, `behind`: not trusted, so retention is on hold. */
  readonly kind: 'agrees' | 'ahead' | 'behind';
  /** The time that retention uses. */
  readonly trusted: number;
  /** What is wrong and what to do; absent if the clock agrees. */
  readonly advice?: string;
}

/** State of retention. */
export interface RetentionReport {
  readonly clock: ClockReport;
  /** One for each Grid. */
  readonly grids: readonly TelemetryAge[];
}

/** A retention watermark that was moved back. Times in ms since 1970. */
export interface WatermarkTakenBack {
  readonly gridId: string;
  readonly from: number;
  /** 0: nothing has expired any more. */
  readonly to: number;
  /** Projections to rebuild, so that the telemetry returns. */
  readonly projections: readonly string[];
}

/** Operations on retention. */
export interface RetentionOperations {
  retention(): Promise<RetentionReport>;
  /** Confirms that the clock of this machine is right, so that retention follows it; resolves to the new state. */
  confirmClock(actor: string): Promise<RetentionReport>;
  /**
   * Moves the retention watermark of a Grid back to what its current retention requires, in the event log: the
   * telemetry returns when its projections are rebuilt. Rejects with `invalid-request` if the watermark is not later
   * than that.
   */
  takeBackMark(gridId: string, actor: string): Promise<WatermarkTakenBack>;
}

/** The clock of RetentionClock, which belongs to a higher layer. */
interface ConfirmableClock {
  inspect(): Promise<ClockReport>;
  confirm(actor: string): Promise<void>;
}

export interface RetentionOperationsParts {
  readonly clock: ConfirmableClock;
  readonly readTelemetryAges: () => Promise<readonly TelemetryAge[]>;
  /** Appends the withdrawal. `now`: the time that retention trusts. */
  readonly withdrawWatermark: (
    gridId: string,
    actor: string,
    now: number,
  ) => Promise<Omit<WatermarkTakenBack, 'projections'>>;
  /** Suffix of the names of projections of a Grid: its shard; "" without shards. */
  readonly projectionSuffix: (gridId: string) => string;
}

const TELEMETRY_PROJECTIONS = ['traces', 'logs', 'metrics'];

export function createRetentionOperations({
  clock,
  readTelemetryAges,
  withdrawWatermark,
  projectionSuffix,
}: RetentionOperationsParts): RetentionOperations {
  const retention = async (): Promise<RetentionReport> => ({
    clock: await clock.inspect(),
    grids: await readTelemetryAges(),
  });
  return {
    retention,
    async confirmClock(actor) {
      await clock.confirm(actor);
      return retention();
    },
    async takeBackMark(gridId, actor) {
      const { trusted } = await clock.inspect();
      const suffix = projectionSuffix(gridId);
      return {
        ...(await withdrawWatermark(gridId, actor, trusted)),
        projections: TELEMETRY_PROJECTIONS.map((name) => name + suffix),
      };
    },
  };
}

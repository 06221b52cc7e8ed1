import type { TelemetryAge } from '../queries/telemetry/telemetry-age-queries.js';

/** What retention makes of the clock. Times in ms since 1970. */
export interface ClockReport {
  /** `ahead`, `behind`: not believed, so retention is on hold. */
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

/** Operations on retention. */
export interface RetentionOperations {
  retention(): Promise<RetentionReport>;
  /** Makes retention follow the clock of this machine, on the word of the operator; resolves to the new state. */
  confirmClock(actor: string): Promise<RetentionReport>;
}

/** The clock of RetentionClock, which belongs to a higher layer. */
interface ConfirmableClock {
  inspect(): Promise<ClockReport>;
  confirm(actor: string): Promise<void>;
}

export function createRetentionOperations(
  clock: ConfirmableClock,
  readTelemetryAges: () => Promise<readonly TelemetryAge[]>,
): RetentionOperations {
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
  };
}

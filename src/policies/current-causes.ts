import type { Diagnosis } from '../diagnostics/diagnostic-results.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { NotifiedCause } from '../streams/events/notification-events.js';
import { toCauses } from './alert-routing.js';
import { FailureReporter } from '../self-telemetry/failure-reporter.js';

/** How long (ms) notifications wait for a diagnosis. */
const TIMEOUT_MS = 3_000;
/** Age (ms) up to which an earlier diagnosis stands in for one that is late or has failed. */
const STAND_IN_MS = 30_000;

export interface CurrentCausesParts {
  /** Current diagnosis, best first. */
  diagnose(gridId: string): Promise<readonly Diagnosis[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
  readonly timeoutMs?: number;
}

interface GridCauses {
  known?: { readonly causes: readonly NotifiedCause[]; readonly at: number };
  /** A diagnosis that has not ended. */
  running?: Promise<void>;
  /** Notifications do not wait for it any more. */
  isLate?: boolean;
}

/** Causes of Grids by the last diagnosis, one at a time for each Grid. A message without its cause is better than none. */
export class CurrentCauses {
  private readonly grids = new Map<string, GridCauses>();

  private readonly failures: FailureReporter;

  constructor(private readonly parts: CurrentCausesParts) {
    this.failures = new FailureReporter({
      log: parts.logger,
      level: 'warn',
      failed: 'Cannot read the cause of alerts; notifications are sent without it',
      recovered: 'The cause of alerts can be read again',
      now: parts.now,
      isStopping: () => false,
    });
  }

  /**
   * Causes of a diagnosis of at most this age (ms), best first. If it is late, those of an earlier one; undefined without
   * any.
   */
  async find(gridId: string, maxAgeMs: number): Promise<readonly NotifiedCause[] | undefined> {
    const grid = this.grids.get(gridId) ?? {};
    this.grids.set(gridId, grid);
    if (!this.isFresh(grid, maxAgeMs)) {
      grid.running ??= this.diagnose(gridId, grid);
      if (grid.isLate !== true) await this.waitFor(grid, grid.running);
    }
    return this.isFresh(grid, Math.max(maxAgeMs, STAND_IN_MS)) ? grid.known?.causes : undefined;
  }

  /** Forgets all Grids but these. */
  keepOnly(isKept: (gridId: string) => boolean): void {
    for (const gridId of this.grids.keys()) if (!isKept(gridId)) this.grids.delete(gridId);
  }

  private isFresh({ known }: GridCauses, maxAgeMs: number): boolean {
    if (known === undefined) return false;
    const age = this.parts.now() - known.at;
    return age >= 0 && age < maxAgeMs;
  }

  private async diagnose(gridId: string, grid: GridCauses): Promise<void> {
    await this.failures.watch({ gridId }, async () => {
      const causes = toCauses(await this.parts.diagnose(gridId));
      grid.known = { causes, at: this.parts.now() };
    });
    delete grid.running;
    delete grid.isLate;
  }

  private async waitFor(grid: GridCauses, running: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((done) => {
      timer = setTimeout(() => {
        grid.isLate = true;
        done();
      }, this.parts.timeoutMs ?? TIMEOUT_MS);
    });
    await Promise.race([running, timeout]);
    clearTimeout(timer);
  }
}

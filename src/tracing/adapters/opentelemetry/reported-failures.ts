import type { Logger } from '../../../log.js';

const INTERVAL_MS = 60_000;

/** Says at most once a minute that own telemetry does not arrive: that it does not is no reason to disturb anybody. */
export class ReportedFailures {
  private lastAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  failed(error: unknown): void {
    if (this.now() - this.lastAt < INTERVAL_MS) return;
    this.lastAt = this.now();
    // The error of an exporter may hold its headers, and they hold the key.
    this.log.warn('own telemetry could not be sent', { reason: error instanceof Error ? error.message : String(error) });
  }
}

interface Result {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Batch> {
  export(batch: Batch, done: (result: Result) => void): void;
}

/** The same exporter, whose failures are reported. */
export function reporting<Batch, E extends Exporter<Batch>>(exporter: E & Exporter<Batch>, failures: ReportedFailures): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code !== 0) failures.failed(result.error ?? 'no reason was given');
      done(result);
    });
  return exporter;
}

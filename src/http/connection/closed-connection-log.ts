import type { Logger } from '../../self-telemetry/logger.js';
import type { ClosureReason } from '../../self-telemetry/prometheus-metrics.js';
import { LogThrottle } from '../limits/log-throttle.js';

/** Counts connections that were closed because of a limit. */
export interface ClosedConnectionMeters {
  countClosedConnection(reason: ClosureReason): void;
}

const MESSAGES: Readonly<Record<ClosureReason, string>> = {
  'aborted-requests': 'Closed a connection whose client aborts requests in large numbers',
  'control-frames': 'Closed a connection whose client floods it with frames that belong to no request',
  unresponsive: 'Closed a connection whose client no longer reacts',
  'address-limit':
    'Closed an idle connection, or refused a new one: its address has too many open (CONNECTIONS_PER_ADDRESS)',
  'total-limit': 'Closed an idle connection, or refused a new one: too many are open',
  blocked: 'Closed or refused a connection from an address that floods the service; it may connect again after 10 s',
};

/** Records closed connections: all of them in the metrics, and one per second and reason in the log, as a warning. */
export class ClosedConnectionLog {
  private readonly throttles = new Map<ClosureReason, LogThrottle>();

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly meters: ClosedConnectionMeters,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param client address of the other end */
  record(reason: ClosureReason, client: string): void {
    this.meters.countClosedConnection(reason);
    const throttle = this.throttles.get(reason) ?? new LogThrottle(this.now);
    this.throttles.set(reason, throttle);
    const leftOut = throttle.acquire();
    if (leftOut !== undefined) this.log.warn(MESSAGES[reason], { client, leftOut });
  }
}

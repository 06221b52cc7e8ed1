import type { Logger } from '../../self-telemetry/logger.js';
import type { ClosureReason } from '../../self-telemetry/prometheus-metrics.js';
import { LogThrottle } from '../limits/log-throttle.js';

/** Counts connections that were closed because of a limit, and connections that had to wait. */
export interface ClosedConnectionMeters {
  countClosedConnection(reason: ClosureReason): void;
  countDelayedConnection(): void;
}

const MESSAGES: Readonly<Record<ClosureReason, string>> = {
  'aborted-requests': 'Closed a connection whose client aborts requests in large numbers',
  'control-frames': 'Closed a connection whose client floods it with frames that belong to no request',
  unresponsive: 'Closed a connection whose client no longer reacts',
  'address-limit':
    'Closed an idle connection, or refused a new one: its address has too many open (CONNECTIONS_PER_ADDRESS)',
  'total-limit': 'Closed an idle connection, or refused a new one: too many are open',
  blocked: 'Closed a connection of an address that floods the service, or refused one because too many are waiting',
};
const DELAY_MESSAGE = 'New connections of an address that floods the service have to wait for their turn';

/** Records closed and delayed connections: all of them in the metrics, and one per second and reason in the log, as a warning. */
export class ClosedConnectionLog {
  private readonly throttles = new Map<string, LogThrottle>();

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly meters: ClosedConnectionMeters,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param client address of the other end */
  record(reason: ClosureReason, client: string): void {
    this.meters.countClosedConnection(reason);
    this.warn(MESSAGES[reason], client);
  }

  /** Records that a new connection has to wait for its turn. */
  recordDelay(client: string): void {
    this.meters.countDelayedConnection();
    this.warn(DELAY_MESSAGE, client);
  }

  private warn(message: string, client: string): void {
    const throttle = this.throttles.get(message) ?? new LogThrottle(this.now);
    this.throttles.set(message, throttle);
    const leftOut = throttle.acquire();
    if (leftOut !== undefined) this.log.warn(message, { client, leftOut });
  }
}

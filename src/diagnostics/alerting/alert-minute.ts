import type { ServiceTotals } from '../rollups.js';

/** How full a resource of a service was, percent. */
export interface Utilization {
  readonly service: string;
  /** Tells it from other resources of the service. */
  readonly resource: string;
  readonly utilization: number;
}

/** All that rules look at, of one minute of a Grid. */
export interface AlertMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly services: readonly ServiceTotals[];
  readonly utilizations: readonly Utilization[];
}

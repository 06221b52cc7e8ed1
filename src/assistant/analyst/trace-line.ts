import type { ListedTrace } from '../tools/presented-telemetry.js';
import { clockOf } from './when.js';
import { ms } from './wording.js';

/** Such as `14:03 UTC: payment POST /charge, 640 ms, ERROR, trace 5b8aa5a2d2c872e8321cf37308d69df2`. */
export function traceLine({ startTime, serviceName, operationName, duration, status, traceId }: ListedTrace, nowMs: number): string {
  return `${clockOf(startTime, nowMs)}: ${serviceName} ${operationName}, ${ms(duration)}, ${status}, trace ${traceId}`;
}

import type { Alert } from '../../diagnostics/answers.js';
import type { Presented } from '../tools/presented.js';
import { quotedName } from './quoted-names.js';
import type { SpokenTime } from './slots.js';
import { clockOf } from './when.js';

/** Such as `High error rate on payment (critical): error_rate > 5%, now 30.77, since 14:03 UTC`. */
export function alertLine(alert: Presented<Alert>, time: SpokenTime | undefined, nowMs: number): string {
  const value = `${time === undefined && alert.status === 'firing' ? 'now' : 'value'} ${alert.currentValue}`;
  const end = alert.status === 'resolved' ? ', resolved' : '';
  return `${quotedName(alert.ruleName)} on ${alert.serviceName} (${alert.severity}): ${alert.condition}, ${value}, since ${clockOf(alert.triggeredAt, nowMs)}${end}`;
}

import type { Alert, TimelineEvent } from '../../diagnostics/answers.js';
import type { Presented } from '../tools/presented.js';
import { quotedName } from './quoted-names.js';
import type { SpokenTime } from './slots.js';
import { clockOf } from './when.js';

/** An event of the timeline that says that an alert was resolved. */
export type Ended = Pick<Presented<TimelineEvent>, 'timestamp' | 'serviceName' | 'description'>;

/** Such as `High error rate on payment (critical): error_rate > 5%, now 30.77, since 14:03 UTC`. */
export function alertLine(alert: Presented<Alert>, time: SpokenTime | undefined, nowMs: number, ends: readonly Ended[] = []): string {
  const value = `${time === undefined && alert.status === 'firing' ? 'now' : 'value'} ${alert.currentValue}`;
  return `${quotedName(alert.ruleName)} on ${alert.serviceName} (${alert.severity}): ${alert.condition}, ${value}, since ${clockOf(alert.triggeredAt, nowMs)}${endOf(alert, ends, nowMs)}`;
}

/** The first end after it fired: an alert may fire again. */
function endOf({ status, ruleName, serviceName, triggeredAt }: Presented<Alert>, ends: readonly Ended[], nowMs: number): string {
  if (status !== 'resolved') return '';
  const end = ends.find((each) => each.serviceName === serviceName && [`${ruleName} resolved`, `${ruleName} alert resolved`].includes(each.description) && each.timestamp >= triggeredAt);
  return end === undefined ? ', resolved' : `, resolved at ${clockOf(end.timestamp, nowMs)}`;
}

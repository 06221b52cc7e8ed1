import type { TimelineEvent } from './answers.js';
import type { AlertRecord } from './input.js';
import { round2 } from './rounding.js';

/** The threshold at the end of a condition such as `error_rate > 5%`, and the unit behind its number. */
const THRESHOLD = /(-?[\d.]+)(\D*)$/;

/** An alert as it fired, and as it was resolved. */
export function alertEvents({ ruleName, serviceName, severity, value, condition, firedAt, resolvedAt }: AlertRecord): TimelineEvent[] {
  const [threshold, , unit] = THRESHOLD.exec(condition) ?? ['', '', ''];
  const name = /\balert$/i.test(ruleName) ? ruleName : `${ruleName} alert`;
  const limit = threshold === '' ? '' : ` (threshold: ${threshold})`;
  const fired: TimelineEvent = { timestamp: firedAt, type: 'alert', description: `${name} triggered: ${round2(value)}${unit}${limit}`, severity, serviceName };
  if (resolvedAt === undefined) return [fired];
  return [fired, { timestamp: resolvedAt, type: 'alert', description: `${name} resolved`, severity: 'info', serviceName }];
}

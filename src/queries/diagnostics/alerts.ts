import type { Alert } from '../../diagnostics/answers.js';
import type { AlertRecord } from '../../diagnostics/input.js';
import { USUAL_LENGTHS, type Frames, type Timeframe, type When } from '../../diagnostics/timeframe.js';
import { question } from './question.js';

/**
 * Alerts that had fired by the moment and were not resolved by then, the newest first; of a window all that were open in
 * it, firing or resolved as they stood at its end.
 */
function alertsAt(records: readonly AlertRecord[], { nowMs }: Frames, range?: Timeframe): readonly Alert[] {
  const fired = records.filter(({ firedAt }) => firedAt <= nowMs);
  const shown = fired.filter((record) => isOpen(record, nowMs) || (range !== undefined && isOpen(record, range.fromMs)));
  return shown.map((record) => alertOf(record, nowMs)).reverse();
}

export function alertsQuestion({ range }: When) {
  return question<readonly Alert[], 'alerts'>({ lengths: USUAL_LENGTHS, parts: ['alerts'], baseline: false, answer: ({ alerts }, frames) => alertsAt(alerts, frames, range) });
}

function isOpen({ resolvedAt }: AlertRecord, atMs: number): boolean {
  return resolvedAt === undefined || resolvedAt > atMs;
}

function alertOf(record: AlertRecord, nowMs: number): Alert {
  const { id, ruleName, severity, serviceName, condition, value, firedAt } = record;
  const status = isOpen(record, nowMs) ? 'firing' : 'resolved';
  return { id, ruleName, severity, serviceName, condition, currentValue: value, triggeredAt: firedAt, status };
}

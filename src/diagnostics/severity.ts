import type { Severity } from './answers.js';

/** The mildest first. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies readonly Severity[];

/** Negative where `a` is the milder one. */
export function compareSeverities(a: Severity, b: Severity): number {
  return SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);
}

export function isWorse(severity: Severity, than: Severity): boolean {
  return compareSeverities(severity, than) > 0;
}

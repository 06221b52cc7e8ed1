import type { ShownRule } from './rules';

/** A rule while somebody types it: numbers are texts, and may be none yet. */
export interface RuleDraft {
  readonly name: string;
  readonly metric: string;
  readonly operator: string;
  readonly threshold: string;
  readonly severity: string;
  readonly criticalThreshold: string;
  readonly serviceName: string;
  readonly windowMinutes: string;
  readonly forMinutes: string;
  readonly minRequests: string;
  readonly enabled: boolean;
}

export const NEW_RULE: RuleDraft = { name: '', metric: 'error_rate', operator: '>', threshold: '5', severity: 'warning', criticalThreshold: '', serviceName: '', windowMinutes: '15', forMinutes: '0', minRequests: '20', enabled: true };

export function draftOf(rule: ShownRule & { readonly enabled: boolean }): RuleDraft {
  return {
    name: rule.name, metric: rule.metric, operator: rule.operator, threshold: String(rule.threshold), severity: rule.severity,
    criticalThreshold: rule.criticalThreshold === undefined ? '' : String(rule.criticalThreshold),
    serviceName: rule.serviceName ?? '',
    windowMinutes: String(rule.windowMinutes), forMinutes: String(rule.forMinutes), minRequests: String(rule.minRequests), enabled: rule.enabled,
  };
}

/** As it is sent: a field left empty is left to the service, and what is no number goes as it was typed, so that the service says what is wrong with it. */
export function ruleOf(draft: RuleDraft) {
  const { name, metric, operator, severity, enabled } = draft;
  return {
    name, metric, operator, severity, enabled,
    threshold: figureOf(draft.threshold),
    ...(draft.criticalThreshold.trim() !== '' && { criticalThreshold: figureOf(draft.criticalThreshold) }),
    ...(draft.serviceName.trim() !== '' && { serviceName: draft.serviceName.trim() }),
    windowMinutes: figureOf(draft.windowMinutes), forMinutes: figureOf(draft.forMinutes), minRequests: figureOf(draft.minRequests),
  };
}

function figureOf(text: string): number | string | null {
  const figure = Number(text);
  return text.trim() === '' ? null : Number.isNaN(figure) ? text : figure;
}

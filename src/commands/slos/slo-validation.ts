import {
  CALENDAR_WINDOW_DAYS,
  INDICATOR_SIGNALS,
  INDICATOR_TYPES,
  type Indicator,
  SLO_BOUNDS,
  SLO_WINDOW_DAYS,
  type Slo,
} from '../../diagnostics/slos/slo-model.js';
import type { FieldError } from '../../errors.js';
import { checkChoice, checkOptionalText, checkText, isWithin, toFieldErrors } from '../field-validation.js';

/** An objective as sent by its author; the id is generated. */
export type NewSlo = Omit<Slo, 'id'>;

/** What an indicator of each type has. */
export const INDICATOR_FIELDS: Readonly<Record<Indicator['type'], readonly (keyof Indicator)[]>> = {
  availability: ['serviceName', 'operation'],
  latency: ['serviceName', 'operation', 'thresholdMs'],
  query: ['signal', 'good', 'all'],
};

/** All field errors of an objective, but for the conditions of a query: only the query layer knows their language. */
export function validateSlo(slo: NewSlo): FieldError[] {
  const { name, indicator, objective, windowDays, calendar, alerts, excludesMaintenance = false } = slo;
  return [
    ...toFieldErrors('name', checkText(name, SLO_BOUNDS.nameLength)),
    ...validateIndicator(indicator),
    ...toFieldErrors('objective', checkObjective(objective)),
    ...validateWindowDays(windowDays),
    ...toFieldErrors('calendar', checkCalendar(calendar, windowDays)),
    ...toFieldErrors('alerts', checkFlag(alerts)),
    ...validateExclusion(excludesMaintenance),
  ];
}

export function validateWindowDays(windowDays: number): FieldError[] {
  return toFieldErrors('windowDays', checkChoice(windowDays, SLO_WINDOW_DAYS));
}

export function validateExclusion(excludesMaintenance: unknown): FieldError[] {
  return toFieldErrors('excludesMaintenance', checkFlag(excludesMaintenance));
}

function checkFlag(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'must be true or false';
}

export function checkObjective(objective: unknown): string | undefined {
  const isPossible = isWithin(objective, 0, 100) && objective !== 0 && objective !== 100;
  return isPossible ? undefined : 'must be a percentage above 0 and below 100';
}

function checkCalendar(calendar: unknown, windowDays: number): string | undefined {
  if (typeof calendar !== 'boolean') return 'must be true or false';
  const isPossible = !calendar || CALENDAR_WINDOW_DAYS.includes(windowDays);
  return isPossible ? undefined : 'needs windowDays of 7 (weeks from Monday) or 30 (months)';
}

/** Field errors of an indicator; fields of another type are errors, since nothing would read them. */
export function validateIndicator(indicator: Indicator): FieldError[] {
  const typeError = checkChoice(indicator.type, INDICATOR_TYPES);
  if (typeError !== undefined) return toFieldErrors('indicator.type', typeError);
  const own = INDICATOR_FIELDS[indicator.type];
  const errors = own.flatMap((field) => toFieldErrors(`indicator.${field}`, checkMember(indicator, field)));
  const foreign = (Object.keys(CHECKS) as (keyof Indicator)[]).filter(
    (field) => !own.includes(field) && indicator[field] !== '' && indicator[field] !== 0,
  );
  return [
    ...errors,
    ...foreign.map((field) => ({ field: `indicator.${field}`, message: 'does not apply to this type' })),
  ];
}

function checkMember(indicator: Indicator, field: keyof Indicator): string | undefined {
  const value = indicator[field];
  const isMissing = (value === '' || value === 0) && !OPTIONAL.includes(field);
  return isMissing ? `is required for ${indicator.type}` : CHECKS[field]?.(value);
}

const OPTIONAL: readonly (keyof Indicator)[] = ['operation', 'all'];

const CHECKS: Partial<Record<keyof Indicator, (value: unknown) => string | undefined>> = {
  serviceName: (value) => checkText(value, SLO_BOUNDS.serviceNameLength),
  operation: (value) => checkOptionalText(value, SLO_BOUNDS.operationLength),
  thresholdMs: (value) =>
    isWithin(value, 0, SLO_BOUNDS.thresholdMs)
      ? undefined
      : `must be a number of milliseconds above 0, at most ${SLO_BOUNDS.thresholdMs}`,
  signal: (value) => checkChoice(value, INDICATOR_SIGNALS),
  good: (value) => checkText(value, SLO_BOUNDS.whereLength),
  all: (value) => checkOptionalText(value, SLO_BOUNDS.whereLength),
};

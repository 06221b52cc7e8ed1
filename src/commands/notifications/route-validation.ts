import type { FieldError } from '../../errors.js';
import {
  MATCHER_OPERATORS,
  NOTIFICATION_BOUNDS,
  type Matcher,
  type NewNotificationRoute,
  type NewSilence,
} from '../../notifications/notification-model.js';
import { countWildcards } from '../../notifications/label-matching.js';
import { checkText, toFieldErrors } from '../field-validation.js';

const {
  nameLength,
  reasonLength,
  labelLength,
  valueLength,
  wildcards,
  matchers: mostMatchers,
  groupLabels,
  channelsOfARoute,
} = NOTIFICATION_BOUNDS;
const SECONDS = ['groupWaitSeconds', 'groupIntervalSeconds', 'repeatIntervalSeconds', 'escalateAfterMinutes'] as const;

/** All field errors of a route. */
export function validateRoute(route: NewNotificationRoute): FieldError[] {
  const errors = [...toFieldErrors('name', checkText(route.name, nameLength)), ...validateMatchers(route.matchers, 0)];
  const note = (field: string, isValid: boolean, message: string): void => {
    if (!isValid) errors.push({ field, message });
  };
  note('channelIds', isIdList(route.channelIds, 1), `must be 1 to ${channelsOfARoute} ids of channels`);
  note('escalateTo', isIdList(route.escalateTo, 0), `must be at most ${channelsOfARoute} ids of channels`);
  note('groupBy', isLabelList(route.groupBy), `must be a list of at most ${groupLabels} different labels`);
  for (const field of SECONDS) {
    const { min, max } = NOTIFICATION_BOUNDS[field];
    const value: unknown = route[field];
    const isWithin = Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
    note(field, isWithin, `must be a whole number from ${min} to ${max}`);
  }
  const escalates = typeof route.escalateAfterMinutes === 'number' && route.escalateAfterMinutes > 0;
  const isAimless = Array.isArray(route.escalateTo) && route.escalateTo.length === 0;
  note('escalateTo', !escalates || !isAimless, 'must name a channel if escalateAfterMinutes is set');
  note('sendResolved', typeof route.sendResolved === 'boolean', 'must be true or false');
  note('enabled', typeof route.enabled === 'boolean', 'must be true or false');
  return errors;
}

/** All field errors of a silence. `endsAfter` (ms since 1970): a new one must not be over already. */
export function validateSilence(silence: NewSilence, endsAfter = -Infinity): FieldError[] {
  const errors = validateSilenceTexts(silence);
  if (silence.endsAt <= silence.startsAt) errors.push({ field: 'endsAt', message: 'must be after startsAt' });
  else if (silence.endsAt <= endsAfter) errors.push({ field: 'endsAt', message: 'must be in the future' });
  return errors;
}

/** Field errors of matchers and reason. */
export function validateSilenceTexts({ matchers, reason }: Pick<NewSilence, 'matchers' | 'reason'>): FieldError[] {
  return [...validateMatchers(matchers, 1), ...toFieldErrors('reason', checkText(reason, reasonLength))];
}

/** A silence of everything is more often a mistake than meant: it needs at least one matcher. */
function validateMatchers(matchers: unknown, least: number): FieldError[] {
  if (!Array.isArray(matchers) || matchers.length < least || matchers.length > mostMatchers)
    return [{ field: 'matchers', message: `must be a list of ${least} to ${mostMatchers} matchers` }];
  return matchers.flatMap((matcher: unknown, i) => validateMatcher(matcher, `matchers[${i}]`));
}

function validateMatcher(matcher: unknown, place: string): FieldError[] {
  if (typeof matcher !== 'object' || matcher === null) return [{ field: place, message: 'must be an object' }];
  const { label, operator, value, ...rest } = matcher as Matcher;
  const errors = Object.keys(rest).map((name) => ({ field: `${place}.${name}`, message: 'is unknown' }));
  errors.push(...toFieldErrors(`${place}.label`, checkText(label, labelLength)));
  if (!MATCHER_OPERATORS.includes(operator))
    errors.push({ field: `${place}.operator`, message: `must be one of ${MATCHER_OPERATORS.join(', ')}` });
  if (typeof value !== 'string' || [...value].length > valueLength)
    errors.push({ field: `${place}.value`, message: `must be a string of at most ${valueLength} characters` });
  else if (countWildcards(value) > wildcards)
    errors.push({ field: `${place}.value`, message: `must contain at most ${wildcards} wildcards (*)` });
  return errors;
}

function isIdList(ids: unknown, least: number): boolean {
  if (!Array.isArray(ids) || ids.length < least || ids.length > channelsOfARoute) return false;
  return ids.every((id) => typeof id === 'string' && [...id].length <= 100) && new Set(ids).size === ids.length;
}

function isLabelList(labels: unknown): boolean {
  if (!Array.isArray(labels) || labels.length > groupLabels || new Set(labels).size !== labels.length) return false;
  return labels.every((label) => checkText(label, labelLength) === undefined);
}

import type { FieldError } from '../../errors.js';
import { checkChoice, checkText, isWithin, toFieldErrors } from '../field-validation.js';
import {
  API_KEY_KINDS,
  type ApiKeyKind,
  ROLES,
  type GridSettings,
  type Role,
} from '../../streams/events/grid-events.js';

export const NAME_MAX_LENGTH = 200;
export const MEMBER_ID_MAX_LENGTH = 256;

/**
 * Prefixes of ids that are not memberships, and what they identify: a member with such an id could be mistaken for one,
 * especially in the audit log.
 */
const RESERVED_ID_PREFIXES = {
  'key:': 'an API key: a key is a Member of its own Grid',
  'operator:': 'the operator of the machine, who needs no role',
};

/**
 * Control characters are invisible or make ids look alike, so one member could pose as another, and stores need not
 * distinguish such ids.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}]/u;

interface NumberBounds {
  readonly min: number;
  readonly max: number;
}

/** Inclusive bounds. */
export const SETTING_BOUNDS = {
  apdexThresholdMs: { min: 1, max: 3_600_000 },
  errorRateThreshold: { min: 0, max: 100 },
  apdexHealthThreshold: { min: 0, max: 1 },
  retentionDays: { min: 0, max: 3650 },
} as const;

type SettingRule<Value> = (value: Value) => string | undefined;

const settingRules: { readonly [Name in keyof GridSettings]: SettingRule<GridSettings[Name]> } = {
  name: (name) => checkText(name, NAME_MAX_LENGTH),
  apdexThresholdMs: wholeNumberRule(SETTING_BOUNDS.apdexThresholdMs),
  errorRateThreshold: numberRule(SETTING_BOUNDS.errorRateThreshold),
  apdexHealthThreshold: numberRule(SETTING_BOUNDS.apdexHealthThreshold),
  retentionDays: (days) => (days === null ? undefined : wholeNumberRule(SETTING_BOUNDS.retentionDays)(days)),
  subscriptionActive: (active) => (typeof active === 'boolean' ? undefined : 'must be true or false'),
};

/** All field errors of the settings, in the order given. */
export function validateSettings(changes: Partial<GridSettings>): FieldError[] {
  return Object.entries(changes).flatMap(([field, value]) => {
    const message = Object.hasOwn(settingRules, field)
      ? checkSetting(settingRules[field as keyof GridSettings] as SettingRule<unknown>, value)
      : 'is not a setting';
    return toFieldErrors(field, message);
  });
}

/** Like `validateSettings`, for a request that must change at least one setting. */
export function validateGridChanges(changes: Partial<GridSettings>): FieldError[] {
  const isEmpty = Object.values(changes).every((value) => value === undefined);
  return isEmpty
    ? Object.keys(settingRules).flatMap((name) => toFieldErrors(name, 'is required if no other setting is given'))
    : validateSettings(changes);
}

function checkSetting(rule: SettingRule<unknown>, value: unknown): string | undefined {
  return value === undefined ? undefined : rule(value);
}

export function validateName(name: string): FieldError[] {
  return toFieldErrors('name', checkText(name, NAME_MAX_LENGTH));
}

/** All field errors of an API key to be issued. */
export function validateNewApiKey({ name, kind }: { readonly name: string; readonly kind: ApiKeyKind }): FieldError[] {
  return [...validateName(name), ...toFieldErrors('kind', checkChoice(kind, API_KEY_KINDS))];
}

export function validateMember(userId: string, role: Role): FieldError[] {
  return [...toFieldErrors('userId', checkMemberId(userId)), ...toFieldErrors('role', checkRole(role))];
}

function checkMemberId(userId: string): string | undefined {
  if (userId.trim() === '' || userId.length > MEMBER_ID_MAX_LENGTH)
    return `must have 1 to ${MEMBER_ID_MAX_LENGTH} characters`;
  if (CONTROL_CHARACTERS.test(userId)) return 'must not contain control characters';
  const reserved = Object.entries(RESERVED_ID_PREFIXES).find(([prefix]) => userId.startsWith(prefix));
  return reserved && `must not be the id of ${reserved[1]}`;
}

function checkRole(role: Role): string | undefined {
  return ROLES.includes(role) ? undefined : `must be one of ${ROLES.join(', ')}`;
}

function numberRule({ min, max }: NumberBounds): SettingRule<unknown> {
  return (value) => (isWithin(value, min, max) ? undefined : `must be a number from ${min} to ${max}`);
}

function wholeNumberRule({ min, max }: NumberBounds): SettingRule<unknown> {
  return (value) =>
    Number.isInteger(value) && numberRule({ min, max })(value) === undefined
      ? undefined
      : `must be a whole number from ${min} to ${max}`;
}

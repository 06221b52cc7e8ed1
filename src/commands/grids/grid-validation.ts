import type { FieldError } from '../../errors.js';
import { ROLES, type GridSettings, type Role } from '../../streams/events/grid-events.js';

export const NAME_MAX_LENGTH = 200;
export const MEMBER_ID_MAX_LENGTH = 256;

/** Of identities that are nobody's membership, and what they are: a member of such a name could pass for one, in the audit at least. */
const RESERVED_ID_PREFIXES = {
  'key:': 'an API key: a key is a Member of its own Grid',
  'operator:': 'the operator of the machine, who needs no role',
};

/** They show as nothing, or as another id: somebody could pass for another, and no store has to keep the two apart. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}]/u;

interface NumberBounds {
  readonly min: number;
  readonly max: number;
}

/** Both ends belong to them. */
export const SETTING_BOUNDS = {
  apdexThresholdMs: { min: 1, max: 3_600_000 },
  errorRateThreshold: { min: 0, max: 100 },
  apdexHealthThreshold: { min: 0, max: 1 },
  retentionDays: { min: 0, max: 3650 },
} as const;

type SettingRule<Value> = (value: Value) => string | undefined;

const settingRules: { readonly [Name in keyof GridSettings]: SettingRule<GridSettings[Name]> } = {
  name: checkName,
  apdexThresholdMs: wholeNumberRule(SETTING_BOUNDS.apdexThresholdMs),
  errorRateThreshold: numberRule(SETTING_BOUNDS.errorRateThreshold),
  apdexHealthThreshold: numberRule(SETTING_BOUNDS.apdexHealthThreshold),
  retentionDays: (days) => (days === null ? undefined : wholeNumberRule(SETTING_BOUNDS.retentionDays)(days)),
  subscriptionActive: (active) => (typeof active === 'boolean' ? undefined : 'must be true or false'),
};

/** All faults of the settings at once, in the order in which they were given. */
export function validateSettings(changes: Partial<GridSettings>): FieldError[] {
  return Object.entries(changes).flatMap(([field, value]) => {
    const message = Object.hasOwn(settingRules, field)
      ? checkSetting(settingRules[field as keyof GridSettings] as SettingRule<unknown>, value)
      : 'is not a setting';
    return message === undefined ? [] : [{ field, message }];
  });
}

/** The same for a request to change some, which must name one. */
export function validateGridChanges(changes: Partial<GridSettings>): FieldError[] {
  const isEmpty = Object.values(changes).every((value) => value === undefined);
  return isEmpty
    ? Object.keys(settingRules).flatMap((name) => toFieldErrors(name, 'must be given where no other setting is'))
    : validateSettings(changes);
}

function checkSetting(rule: SettingRule<unknown>, value: unknown): string | undefined {
  return value === undefined ? undefined : rule(value);
}

export function validateName(name: string): FieldError[] {
  return toFieldErrors('name', checkName(name));
}

export function validateMember(userId: string, role: Role): FieldError[] {
  return [...toFieldErrors('userId', checkMemberId(userId)), ...toFieldErrors('role', checkRole(role))];
}

function checkName(name: unknown): string | undefined {
  const fits = typeof name === 'string' && name.trim() !== '' && [...name].length <= NAME_MAX_LENGTH;
  return fits ? undefined : `must be a text of 1 to ${NAME_MAX_LENGTH} characters`;
}

function checkMemberId(userId: string): string | undefined {
  if (userId.trim() === '' || userId.length > MEMBER_ID_MAX_LENGTH)
    return `must have 1 to ${MEMBER_ID_MAX_LENGTH} characters`;
  if (CONTROL_CHARACTERS.test(userId)) return 'must hold no control characters';
  const reserved = Object.entries(RESERVED_ID_PREFIXES).find(([prefix]) => userId.startsWith(prefix));
  return reserved && `must not name ${reserved[1]}`;
}

function checkRole(role: Role): string | undefined {
  return ROLES.includes(role) ? undefined : `must be one of ${ROLES.join(', ')}`;
}

function numberRule({ min, max }: NumberBounds): SettingRule<unknown> {
  return (value) =>
    typeof value === 'number' && value >= min && value <= max ? undefined : `must be a number from ${min} to ${max}`;
}

function wholeNumberRule({ min, max }: NumberBounds): SettingRule<unknown> {
  return (value) =>
    Number.isInteger(value) && numberRule({ min, max })(value) === undefined
      ? undefined
      : `must be a whole number from ${min} to ${max}`;
}

function toFieldErrors(field: string, message: string | undefined): FieldError[] {
  return message === undefined ? [] : [{ field, message }];
}

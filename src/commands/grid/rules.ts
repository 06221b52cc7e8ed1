import type { FieldError } from '../../errors.js';
import { ROLES, type GridSettings, type Role } from '../../streams/events/grid-events.js';

export const NAME_MAX_LENGTH = 200;
export const MEMBER_ID_MAX_LENGTH = 256;

/** API keys act under `key:<keyId>`; a member of such a name could pass for one. */
export const KEY_IDENTITY_PREFIX = 'key:';

type Rule<Value> = (value: Value) => string | undefined;

const settingRules: { readonly [Name in keyof GridSettings]: Rule<GridSettings[Name]> } = {
  name: nameFault,
  apdexThresholdMs: wholeNumber(1, 3_600_000),
  errorRateThreshold: number(0, 100),
  apdexHealthThreshold: number(0, 1),
  retentionDays: (days) => (days === null ? undefined : wholeNumber(0, 3650)(days)),
  subscriptionActive: (active) => (typeof active === 'boolean' ? undefined : 'must be true or false'),
};

/** All faults of the settings at once, in the order in which they were given. */
export function settingsFaults(changes: Partial<GridSettings>): FieldError[] {
  return Object.entries(changes).flatMap(([field, value]) => {
    const message = Object.hasOwn(settingRules, field)
      ? faultOf(settingRules[field as keyof GridSettings] as Rule<unknown>, value)
      : 'is not a setting';
    return message === undefined ? [] : [{ field, message }];
  });
}

function faultOf(rule: Rule<unknown>, value: unknown): string | undefined {
  return value === undefined ? undefined : rule(value);
}

export function nameFaults(name: string): FieldError[] {
  return faults('name', nameFault(name));
}

export function memberFaults(userId: string, role: Role): FieldError[] {
  return [...faults('userId', memberIdFault(userId)), ...faults('role', roleFault(role))];
}

function nameFault(name: unknown): string | undefined {
  const fits = typeof name === 'string' && name.trim() !== '' && [...name].length <= NAME_MAX_LENGTH;
  return fits ? undefined : `must be a text of 1 to ${NAME_MAX_LENGTH} characters`;
}

function memberIdFault(userId: string): string | undefined {
  if (userId.trim() === '' || userId.length > MEMBER_ID_MAX_LENGTH) return `must have 1 to ${MEMBER_ID_MAX_LENGTH} characters`;
  return userId.startsWith(KEY_IDENTITY_PREFIX) ? 'must not name an API key: a key is a Member of its own Grid' : undefined;
}

function roleFault(role: Role): string | undefined {
  return ROLES.includes(role) ? undefined : `must be one of ${ROLES.join(', ')}`;
}

function number(min: number, max: number): Rule<unknown> {
  return (value) => (typeof value === 'number' && value >= min && value <= max ? undefined : `must be a number from ${min} to ${max}`);
}

function wholeNumber(min: number, max: number): Rule<unknown> {
  return (value) => (Number.isInteger(value) && number(min, max)(value) === undefined ? undefined : `must be a whole number from ${min} to ${max}`);
}

function faults(field: string, message: string | undefined): FieldError[] {
  return message === undefined ? [] : [{ field, message }];
}

import type { FieldError } from '../../errors.js';
import {
  CHANNEL_TYPES,
  NOTIFICATION_BOUNDS,
  type ChannelSecret,
  type ChannelType,
  type NewChannel,
} from '../../notifications/notification-model.js';
import { checkHttpUrl, checkText, toFieldErrors } from '../field-validation.js';

const { nameLength, secretLength, recipients: mostRecipients } = NOTIFICATION_BOUNDS;
const FIELDS_OF_TYPE: Readonly<Record<ChannelType, readonly (keyof NewChannel)[]>> = {
  webhook: ['url', 'token'],
  slack: ['url'],
  teams: ['url'],
  pagerduty: ['routingKey', 'url'],
  email: ['recipients'],
};
const SECRET_FIELDS = ['url', 'token', 'routingKey'] as const;
/** One plain address: no display name, quotes, comments or lists, which could add recipients or headers. */
const EMAIL_ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * All field errors of a channel. A secret field may be absent, as in a change that keeps it; the command checks that
 * the channel has one in the end.
 */
export function validateChannel(channel: NewChannel): FieldError[] {
  const errors = toFieldErrors('name', checkText(channel.name, nameLength));
  const note = (field: string, isValid: boolean, message: string): void => {
    if (!isValid) errors.push({ field, message });
  };
  note('type', CHANNEL_TYPES.includes(channel.type), `must be one of ${CHANNEL_TYPES.join(', ')}`);
  // The type may be of any type here.
  const allowed = CHANNEL_TYPES.includes(channel.type) ? FIELDS_OF_TYPE[channel.type] : SECRET_FIELDS;
  for (const field of SECRET_FIELDS)
    note(field, channel[field] === undefined || allowed.includes(field), 'does not apply to this type of channel');
  if (channel.url !== undefined) errors.push(...toFieldErrors('url', checkHttpUrl(channel.url)));
  note('token', isSecret(channel.token), `must be 1 to ${secretLength} printable ASCII characters without spaces`);
  note('routingKey', isSecret(channel.routingKey), `must be 1 to ${secretLength} printable ASCII characters`);
  note('recipients', areRecipients(channel), `must be 1 to ${mostRecipients} e-mail addresses for e-mail, else empty`);
  return errors;
}

/** Fields that the secret of a channel lacks. */
export function findMissingSecret(type: string, { url, routingKey }: ChannelSecret): FieldError[] {
  if (type === 'email') return [];
  if (type === 'pagerduty')
    return routingKey === undefined ? [{ field: 'routingKey', message: 'is required for pagerduty channels' }] : [];
  return url === undefined ? [{ field: 'url', message: `is required for ${type} channels` }] : [];
}

function areRecipients({ type, recipients }: NewChannel): boolean {
  if (!Array.isArray(recipients)) return false;
  const isUnknown = !CHANNEL_TYPES.includes(type);
  if (type !== 'email' && !isUnknown) return recipients.length === 0;
  const isAddress = (each: unknown): boolean => typeof each === 'string' && EMAIL_ADDRESS.test(each);
  return (isUnknown || recipients.length > 0) && recipients.length <= mostRecipients && recipients.every(isAddress);
}

function isSecret(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.length <= secretLength && PRINTABLE.test(value));
}

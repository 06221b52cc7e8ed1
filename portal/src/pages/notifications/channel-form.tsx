import type { Schemas } from '../../api/api-client';
import { FormField } from '../../ui/form-field';
import type { DefinitionForm, FieldsProps } from './definition-dialog';
import { CHANNELS } from './notification-definitions';
import controls from '../../ui/controls.module.css';
import styles from './notifications.module.css';

type ChannelType = Schemas['Channel']['type'];

export const CHANNEL_TITLES: Readonly<Record<ChannelType, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  email: 'E-mail',
  pagerduty: 'PagerDuty',
  teams: 'Microsoft Teams',
};

const URL_HINTS: Readonly<Partial<Record<ChannelType, string>>> = {
  webhook: 'Receives JSON as from Alertmanager’s webhook, version 4',
  slack: 'Address of an incoming webhook of your Slack app',
  teams: 'Address of a workflow that posts to a channel',
  pagerduty: 'Only for a region other than the default',
};

export interface ChannelDraft {
  readonly name: string;
  readonly type: ChannelType;
  readonly url: string;
  readonly token: string;
  readonly routingKey: string;
  /** Separated by commas. */
  readonly recipients: string;
}

export const NEW_CHANNEL: ChannelDraft = {
  name: '',
  type: 'webhook',
  url: '',
  token: '',
  routingKey: '',
  recipients: '',
};

/** Address and credentials are never shown: their fields are empty. If all stay empty, they are kept as they are. */
export const CHANNEL_FORM: DefinitionForm<Schemas['Channel'], Schemas['ChannelModel'], ChannelDraft> = {
  kind: CHANNELS,
  fields: ['name', 'type', 'url', 'token', 'routingKey', 'recipients'],
  toDraft: ({ name, type, recipients }) => ({ ...NEW_CHANNEL, name, type, recipients: recipients.join(', ') }),
  toBody: ({ name, type, url, token, routingKey, recipients }) => ({
    name: name.trim(),
    type,
    recipients: type === 'email' ? splitAddresses(recipients) : [],
    ...(url.trim() !== '' && type !== 'email' && { url: url.trim() }),
    ...(token.trim() !== '' && type === 'webhook' && { token: token.trim() }),
    ...(routingKey.trim() !== '' && type === 'pagerduty' && { routingKey: routingKey.trim() }),
  }),
  Fields: ChannelFields,
};

const splitAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== '');

function ChannelFields({ draft, errors, isExisting, onChange }: FieldsProps<ChannelDraft>) {
  const { type } = draft;
  const isRenewed = [draft.url, draft.token, draft.routingKey].some((text) => text.trim() !== '');
  const kept = isExisting && !isRenewed ? ' (leave empty to keep it)' : '';
  const renderField = (
    label: string,
    field: 'name' | 'url' | 'token' | 'routingKey' | 'recipients',
    hint?: string,
    inputType = 'text',
  ) => (
    <FormField label={label} error={errors.forField(field)} hint={hint}>
      {(controlProps) => (
        <input
          {...controlProps}
          className={controls.input}
          type={inputType}
          autoComplete="off"
          value={draft[field]}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </FormField>
  );
  return (
    <>
      {renderField('Name', 'name', 'For example, who is notified')}
      <FormField label="Type" error={errors.forField('type')}>
        {(controlProps) => (
          <select
            {...controlProps}
            className={controls.select}
            value={type}
            disabled={isExisting}
            onChange={(event) => onChange({ type: event.target.value as ChannelType })}
          >
            {Object.entries(CHANNEL_TITLES).map(([each, title]) => (
              <option key={each} value={each}>
                {title}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {type === 'pagerduty' && renderField(`Integration key${kept}`, 'routingKey', undefined, 'password')}
      {type !== 'email' &&
        renderField(`${type === 'pagerduty' ? 'Address (optional)' : 'Address'}${kept}`, 'url', URL_HINTS[type])}
      {type === 'webhook' &&
        renderField(`Token (optional)${kept}`, 'token', 'Sent as Authorization: Bearer', 'password')}
      {isExisting && isRenewed && (
        <p className={styles.quiet} role="status">
          Enter the address and all credentials. Fields left empty are removed, so that no credential is sent to another
          address.
        </p>
      )}
      {type === 'email' && renderField('Recipients', 'recipients', 'E-mail addresses, separated by commas')}
    </>
  );
}

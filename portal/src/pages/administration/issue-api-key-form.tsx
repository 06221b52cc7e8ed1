import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { CopyButton } from '../../ui/copy-button';
import { FormField, GeneralError, toFormErrors } from '../../ui/form-field';
import { StatusBadge } from '../../ui/status-badge';
import { type ApiKeyKind, useIssueApiKey } from './use-api-keys';
import controls from '../../ui/controls.module.css';
import styles from './administration.module.css';

/** What a key of each kind may do. */
export const KIND_LABELS: Readonly<Record<ApiKeyKind, string>> = {
  send: 'Send telemetry',
  read: 'Read the API',
  full: 'Send and read',
};

interface IssueApiKeyFormProps {
  /** Gets the key with its secret, which is only available once. */
  readonly onIssued: (key: Schemas['IssuedApiKey']) => void;
  /** The kind of the key; absent: the user chooses. */
  readonly kind?: ApiKeyKind;
}

/** Issues an API key. */
export function IssueApiKeyForm({ onIssued, kind: fixedKind }: IssueApiKeyFormProps) {
  const [name, setName] = useState('');
  const [chosenKind, setChosenKind] = useState<ApiKeyKind>('send');
  const issue = useIssueApiKey();
  const errors = toFormErrors(issue.error, ['name', 'kind']);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    issue.mutate(
      { name: name.trim(), kind: fixedKind ?? chosenKind },
      {
        onSuccess: (key) => {
          setName('');
          onIssued(key);
        },
      },
    );
  };
  return (
    <form className={styles.line} onSubmit={handleSubmit}>
      <FormField
        label="Name of the new key"
        hint="For example, the application that uses it"
        error={errors.forField('name')}
      >
        {(controlProps) => (
          <input
            {...controlProps}
            className={controls.input}
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </FormField>
      {fixedKind === undefined && (
        <FormField label="Use of the new key" error={errors.forField('kind')}>
          {(controlProps) => (
            <select
              {...controlProps}
              className={controls.select}
              value={chosenKind}
              onChange={(event) => setChosenKind(event.target.value as ApiKeyKind)}
            >
              {Object.entries(KIND_LABELS).map(([kind, label]) => (
                <option key={kind} value={kind}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </FormField>
      )}
      <button type="submit" className={controls.primary} disabled={issue.isPending}>
        Issue key
      </button>
      <GeneralError errors={errors} />
    </form>
  );
}

/** A new key with its secret, which cannot be shown again. */
export function ApiKeySecret({ apiKey }: { readonly apiKey: string }) {
  return (
    <div className="stack" role="status">
      <StatusBadge level="warning">Copy the key now. It will not be shown again.</StatusBadge>
      <div className={styles.secret}>
        <code>{apiKey}</code> <CopyButton text={apiKey} label="Copy key" />
      </div>
    </div>
  );
}

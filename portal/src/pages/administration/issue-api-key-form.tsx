import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { CopyButton } from '../../ui/copy-button';
import { FormField, toFormErrors } from '../../ui/form-field';
import { StatusBadge } from '../../ui/status-badge';
import { useIssueApiKey } from './use-api-keys';
import controls from '../../ui/controls.module.css';
import styles from './administration.module.css';

/** Issues an API key. `onIssued` gets the key with its secret, which is only available once. */
export function IssueApiKeyForm({ onIssued }: { readonly onIssued: (key: Schemas['IssuedApiKey']) => void }) {
  const [name, setName] = useState('');
  const issue = useIssueApiKey();
  const errors = toFormErrors(issue.error, ['name']);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    issue.mutate(name.trim(), {
      onSuccess: (key) => {
        setName('');
        onIssued(key);
      },
    });
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
      <button type="submit" className={controls.primary} disabled={issue.isPending}>
        Issue key
      </button>
      {errors.general !== undefined && (
        <p className={controls.error} role="alert">
          {errors.general}
        </p>
      )}
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

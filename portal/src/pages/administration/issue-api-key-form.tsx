import { type FormEvent, useState } from 'react';
import { FormField, toFormErrors } from '../../ui/form-field';
import type { Schemas } from '../../api/api-client';
import controls from '../../ui/controls.module.css';
import { useIssueApiKey } from './use-api-keys';
import styles from './administration.module.css';
import { CopyButton } from '../../ui/copy-button';
import { StatusBadge } from '../../ui/status-badge';

/** Issues a key; told who gets it, so that it can be shown once. */
export function IssueApiKeyForm({ onIssued }: { readonly onIssued: (key: Schemas['IssuedApiKey']) => void }) {
  const [name, setName] = useState('');
  const issue = useIssueApiKey();
  const faults = toFormErrors(issue.error, ['name']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    issue.mutate(name.trim(), {
      onSuccess: (key) => {
        setName('');
        onIssued(key);
      },
    });
  };
  return (
    <form className={styles.line} onSubmit={submit}>
      <FormField
        label="Name of a new key"
        hint="Such as the application that will use it"
        fault={faults.forField('name')}
      >
        {(told) => (
          <input
            {...told}
            className={controls.input}
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </FormField>
      <button type="submit" className={controls.primary} disabled={issue.isPending}>
        Issue a key
      </button>
      {faults.general !== undefined && (
        <p className={controls.fault} role="alert">
          {faults.general}
        </p>
      )}
    </form>
  );
}

/** A key in full, which nobody is told a second time. */
export function ApiKeySecret({ apiKey }: { readonly apiKey: string }) {
  return (
    <div className="stack" role="status">
      <StatusBadge level="warning">Copy it now. It is not shown again.</StatusBadge>
      <div className={styles.secret}>
        <code>{apiKey}</code> <CopyButton text={apiKey} label="Copy key" />
      </div>
    </div>
  );
}

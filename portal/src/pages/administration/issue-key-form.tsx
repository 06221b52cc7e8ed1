import { useState, type FormEvent } from 'react';
import { faultsOf } from '../../charts/faults';
import type { Schemas } from '../../api/client';
import { Field } from '../../ui/field';
import controls from '../../ui/controls.module.css';
import { useIssueKey } from './use-keys';
import styles from './administration.module.css';

/** Issues a key; told who gets it, so that it can be shown once. */
export function IssueKeyForm({ onIssued }: { readonly onIssued: (key: Schemas['IssuedApiKey']) => void }) {
  const [name, setName] = useState('');
  const issue = useIssueKey();
  const faults = faultsOf(issue.error, ['name']);
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
      <Field label="Name of a new key" hint="Such as the application that will use it" fault={faults.of('name')}>
        {(told) => (
          <input
            {...told}
            className={controls.input}
            required
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
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

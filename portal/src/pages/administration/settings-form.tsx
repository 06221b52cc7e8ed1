import { useState, type FormEvent } from 'react';
import type { Schemas } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { Field } from '../../ui/field';
import { Status } from '../../ui/status';
import controls from '../../ui/controls.module.css';
import { changedSettings, SETTINGS, textsOf, type SettingName } from './settings';
import { useChangeSettings } from './use-settings';
import styles from './administration.module.css';

/** The thresholds of a Grid. Only what was changed is sent: another Owner may be at it too. */
export function SettingsForm({ grid }: { readonly grid: Schemas['Grid'] }) {
  const [edited, setEdited] = useState<Partial<Record<SettingName, string>>>({});
  const change = useChangeSettings();
  const texts = { ...textsOf(grid), ...edited };
  const changes = changedSettings(grid, texts);
  const faults = faultsOf(change.error, SETTINGS.map(({ name }) => name));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate(changes, { onSuccess: () => setEdited({}) });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {SETTINGS.map(({ name, label, hint, input }) => (
        <Field key={name} label={label} hint={hint} fault={faults.of(name)}>
          {(told) => <input {...told} {...input} className={controls.input} required value={texts[name]} onChange={(event) => setEdited({ ...edited, [name]: event.target.value })} />}
        </Field>
      ))}
      {faults.general !== undefined && <p className={controls.fault} role="alert">{faults.general}</p>}
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={change.isPending || Object.keys(changes).length === 0}>Save</button>
        <span aria-live="polite">{change.isSuccess && Object.keys(edited).length === 0 && <Status level="good">Saved</Status>}</span>
      </div>
    </form>
  );
}

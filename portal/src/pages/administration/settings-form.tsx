import { useState, type FormEvent } from 'react';
import type { Schemas, Tagged } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { MeanwhileChoice } from '../../definitions/meanwhile-choice';
import { Field } from '../../ui/field';
import { Status } from '../../ui/status';
import controls from '../../ui/controls.module.css';
import { changedSettings, SETTINGS, textsOf, type SettingName } from './settings';
import { useChangeSettings } from './use-settings';
import styles from './administration.module.css';

export interface SettingsProps {
  readonly read: Tagged<Schemas['Grid']>;
  /** Goes on with what holds now: after a change of one's own, or with somebody else's. */
  readonly onTake: (grid: Tagged<Schemas['Grid']>) => void;
}

interface Draft {
  /** As it was when one began: a save that is based on it does not pass over what others, or the subscription below, have saved since. */
  readonly basedOn: Tagged<Schemas['Grid']>;
  readonly edited: Partial<Record<SettingName, string>>;
}

/** The thresholds of a Grid. Only what was changed is sent: over what another Owner has saved it leaves the rest as it is. */
export function SettingsForm({ read, onTake }: SettingsProps) {
  const [draft, setDraft] = useState<Draft>();
  const { record: grid, etag } = draft?.basedOn ?? read;
  const change = useChangeSettings(onTake);
  const texts = { ...textsOf(grid), ...draft?.edited };
  const changes = changedSettings(grid, texts);
  const faults = faultsOf(change.error, SETTINGS.map(({ name }) => name));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(etag);
  };
  const save = (basedOn: string): void => change.mutate({ body: changes, etag: basedOn }, { onSuccess: () => setDraft(undefined) });
  const edit = (name: SettingName, text: string): void => setDraft({ basedOn: draft?.basedOn ?? read, edited: { ...draft?.edited, [name]: text } });
  const takeTheirs: typeof onTake = (theirs) => {
    change.reset();
    setDraft({ basedOn: theirs, edited: {} });
    onTake(theirs);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {SETTINGS.map(({ name, label, hint, input }) => (
        <Field key={name} label={label} hint={hint} fault={faults.of(name)}>
          {(told) => <input {...told} {...input} className={controls.input} required value={texts[name]} onChange={(event) => edit(name, event.target.value)} />}
        </Field>
      ))}
      {faults.general !== undefined && <p className={controls.fault} role="alert">{faults.general}</p>}
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={change.isPending || Object.keys(changes).length === 0}>Save</button>
        <MeanwhileChoice error={change.error} onOverwrite={(theirs) => save(theirs.etag)} onTake={takeTheirs} />
        <span aria-live="polite">{change.isSuccess && Object.keys(changes).length === 0 && <Status level="good">Saved</Status>}</span>
      </div>
    </form>
  );
}

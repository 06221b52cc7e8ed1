import type { FormEvent } from 'react';
import type { Schemas, Tagged } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { MeanwhileChoice } from '../../definitions/meanwhile-choice';
import { Field } from '../../ui/field';
import { Status } from '../../ui/status';
import controls from '../../ui/controls.module.css';
import { changedSettings, SETTINGS, textsOf, type Draft, type SettingName } from './settings';
import { useChangeSettings } from './use-settings';
import styles from './administration.module.css';

export interface SettingsProps {
  readonly read: Tagged<Schemas['Grid']>;
  /** Goes on with what holds now: somebody else's, or what a change of one's own has made of what had the tag `changed`. */
  readonly onTake: (grid: Tagged<Schemas['Grid']>, changed?: string) => void;
}

export type SettingsDraft = Draft<Tagged<Schemas['Grid']>>;

interface SettingsFormProps extends SettingsProps {
  readonly draft: SettingsDraft | undefined;
  readonly onDraft: (draft: SettingsDraft | undefined) => void;
}

/** The thresholds of a Grid. Only what was changed is sent: over what another Owner has saved it leaves the rest as it is. */
export function SettingsForm({ read, onTake, draft, onDraft }: SettingsFormProps) {
  const { record: grid, etag } = draft?.basedOn ?? read;
  const change = useChangeSettings(onTake);
  const texts = { ...textsOf(grid), ...draft?.edited };
  const changes = changedSettings(grid, texts);
  const faults = faultsOf(
    change.error,
    SETTINGS.map(({ name }) => name),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(etag);
  };
  const save = (basedOn: string): void =>
    change.mutate({ body: changes, etag: basedOn }, { onSuccess: () => onDraft(undefined) });
  const edit = (name: SettingName, text: string): void =>
    onDraft({ basedOn: draft?.basedOn ?? read, edited: { ...draft?.edited, [name]: text } });
  const takeTheirs: typeof onTake = (theirs) => {
    change.reset();
    onDraft({ basedOn: theirs, edited: {} });
    onTake(theirs);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {SETTINGS.map(({ name, label, hint, input }) => (
        <Field key={name} label={label} hint={hint} fault={faults.of(name)}>
          {(told) => (
            <input
              {...told}
              {...input}
              className={controls.input}
              required
              value={texts[name]}
              onChange={(event) => edit(name, event.target.value)}
            />
          )}
        </Field>
      ))}
      {faults.general !== undefined && (
        <p className={controls.fault} role="alert">
          {faults.general}
        </p>
      )}
      <div className={controls.row}>
        <button
          type="submit"
          className={controls.primary}
          disabled={change.isPending || Object.keys(changes).length === 0}
        >
          Save
        </button>
        <MeanwhileChoice error={change.error} onOverwrite={(theirs) => save(theirs.etag)} onTake={takeTheirs} />
        <span aria-live="polite">
          {change.isSuccess && Object.keys(changes).length === 0 && <Status level="good">Saved</Status>}
        </span>
      </div>
    </form>
  );
}

import { useState, type FormEvent } from 'react';
import type { Schemas } from '../../api/client';
import { faultsOf } from '../../charts/faults';
import { agoText, momentText } from '../../format/moments';
import { Card } from '../../ui/card';
import { Field } from '../../ui/field';
import { QueryState } from '../../ui/query-state';
import { Status } from '../../ui/status';
import controls from '../../ui/controls.module.css';
import { changedLimits, limitTexts, LIMITS, type LimitName } from './limits';
import { useLastLimitsChange, useLimits, useUpdateLimits } from './use-usage';
import styles from './usage.module.css';

/** What an Owner lets the Grid use. */
export function LimitsCard() {
  const limits = useLimits();
  return (
    <Card title="Limits" aside={<LastChange />}>
      <QueryState query={limits}>{(data) => <LimitsForm limits={data} />}</QueryState>
    </Card>
  );
}

function LastChange() {
  const { data } = useLastLimitsChange();
  if (data === undefined || data === null) return null;
  return (
    <span className={styles.quiet}>
      Changed by {data.actor}{' '}
      <time dateTime={data.at} title={momentText(data.at)}>
        {agoText(data.at)}
      </time>
    </span>
  );
}

function LimitsForm({ limits }: { readonly limits: Schemas['GridLimits'] }) {
  const [edited, setEdited] = useState<Partial<Record<LimitName, string>>>({});
  const update = useUpdateLimits();
  const texts = { ...limitTexts(limits), ...edited };
  const changes = changedLimits(limits, texts);
  const faults = faultsOf(
    update.error,
    LIMITS.map(({ name }) => name),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    update.mutate(changes, { onSuccess: () => setEdited({}) });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {LIMITS.map(({ name, label, hint }) => (
        <Field key={name} label={label} hint={hint} fault={faults.of(name)}>
          {(told) => (
            <input
              {...told}
              className={controls.input}
              type="number"
              step={1}
              required
              value={texts[name]}
              onChange={(event) => setEdited({ ...edited, [name]: event.target.value })}
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
          disabled={update.isPending || Object.keys(changes).length === 0}
        >
          Save limits
        </button>
        <span aria-live="polite">
          {update.isSuccess && Object.keys(edited).length === 0 && <Status level="good">Saved</Status>}
        </span>
      </div>
    </form>
  );
}

import { Merge, Split } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { formatDateTime } from '../../format/time-format';
import { Dialog } from '../../ui/dialog';
import { FormField } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { describeAlertCondition } from '../alerts/alert-condition';
import { type Incident, type IncidentDetail, useIncidentAction, useIncidents } from './incident-queries';
import controls from '../../ui/controls.module.css';
import styles from './incidents.module.css';

interface RegroupingProps {
  readonly incident: IncidentDetail;
}

/** Incidents to choose from: those that last, then the newest. */
const CHOICES = 100;

/** Buttons that correct which alerts belong together: make another incident part of this one, or some of its alerts one of their own. */
export function RegroupingButtons({ incident }: RegroupingProps) {
  const [open, setOpen] = useState<'merge' | 'split'>();
  const close = (): void => setOpen(undefined);
  const canSplit = firingAlerts(incident).length > (incident.cause === null ? 1 : 0);
  return (
    <>
      <button type="button" className={controls.button} onClick={() => setOpen('merge')}>
        <Merge size={15} aria-hidden /> Merge…
      </button>
      {canSplit && (
        <button type="button" className={controls.button} onClick={() => setOpen('split')}>
          <Split size={15} aria-hidden /> Split…
        </button>
      )}
      {open === 'merge' && <MergeDialog incident={incident} onClose={close} />}
      {open === 'split' && <SplitDialog incident={incident} onClose={close} />}
    </>
  );
}

function firingAlerts({ alerts }: Pick<Incident, 'alerts'>): Incident['alerts'] {
  return alerts.filter(({ resolvedAt }) => resolvedAt === undefined);
}

interface DialogProps extends RegroupingProps {
  readonly onClose: () => void;
}

function MergeDialog({ incident, onClose }: DialogProps) {
  const others = useIncidents(1, CHOICES);
  // Here and not in the form, which goes when there is nothing left to merge: then it would not close the dialog.
  const action = useIncidentAction(incident.id);
  return (
    <Dialog title="Merge another incident into this one" onClose={onClose}>
      <QueryBoundary query={others} skeleton={<Skeleton lines={2} />}>
        {({ incidents }) => {
          const choices = incidents.filter(({ id }) => id !== incident.id);
          return choices.length === 0 ? (
            <p>There is no other incident.</p>
          ) : (
            <MergeForm action={action} choices={choices} onClose={onClose} />
          );
        }}
      </QueryBoundary>
    </Dialog>
  );
}

interface MergeFormProps {
  readonly action: ReturnType<typeof useIncidentAction>;
  readonly choices: readonly Incident[];
  readonly onClose: () => void;
}

function MergeForm({ action: { mutate, isPending, error }, choices, onClose }: MergeFormProps) {
  const [chosen, setChosen] = useState('');
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    mutate({ action: 'merge', incidentId: chosen }, { onSuccess: onClose });
  };
  return (
    <form className="stack" onSubmit={handleSubmit}>
      <FormField
        label="Incident"
        hint="Its firing alerts move here. While this incident is open, its cause does not open another one."
      >
        {(control) => (
          <select
            {...control}
            className={controls.select}
            required
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="">Choose an incident</option>
            {choices.map(({ id, title, status, startedAt }) => (
              <option key={id} value={id}>
                {title} ({status}, since {formatDateTime(startedAt)})
              </option>
            ))}
          </select>
        )}
      </FormField>
      <DialogButtons action="Merge" isDisabled={isPending || chosen === ''} error={error} onClose={onClose} />
    </form>
  );
}

/** Leads to the new incident. */
function SplitDialog({ incident, onClose }: DialogProps) {
  const { mutate, isPending, error } = useIncidentAction(incident.id);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [navigate, links] = [useNavigate(), usePageLinks()];
  const toggle = (alertId: string): void =>
    setChosen(
      (before) => new Set(before.has(alertId) ? [...before].filter((id) => id !== alertId) : [...before, alertId]),
    );
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const onSuccess = ({ incidentId }: { readonly incidentId: string }): void => {
      onClose();
      void navigate(links.incident(incidentId));
    };
    mutate({ action: 'split', alertIds: [...chosen] }, { onSuccess });
  };
  return (
    <Dialog title="Split alerts from this incident" onClose={onClose}>
      <form className="stack" onSubmit={handleSubmit}>
        <fieldset className={styles.choices}>
          <legend>Alerts to move to a new incident</legend>
          {firingAlerts(incident).map((alert) => (
            <label key={alert.alertId}>
              <input type="checkbox" checked={chosen.has(alert.alertId)} onChange={() => toggle(alert.alertId)} />
              <span className={styles.title}>{describeAlert(alert)}</span>
            </label>
          ))}
        </fieldset>
        <DialogButtons action="Split" isDisabled={isPending || chosen.size === 0} error={error} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function describeAlert({ serviceName, labels = {}, ruleName, condition }: Incident['alerts'][number]): string {
  const group = Object.entries(labels).map(([name, value]) => `${name} = ${value}`);
  const subject = [...(serviceName === '' ? [] : [serviceName]), ...group].join(', ');
  const rule = `${ruleName}: ${describeAlertCondition(condition)}`;
  return subject === '' ? rule : `${subject}, ${rule}`;
}

function DialogButtons({
  action,
  isDisabled,
  error,
  onClose,
}: {
  readonly action: string;
  readonly isDisabled: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
}) {
  return (
    <>
      {error !== null && (
        <p className={controls.error} role="alert">
          {error.message}
        </p>
      )}
      <div className={controls.row}>
        <button type="submit" className={controls.primary} disabled={isDisabled}>
          {action}
        </button>
        <button type="button" className={controls.button} onClick={onClose}>
          Cancel
        </button>
      </div>
    </>
  );
}

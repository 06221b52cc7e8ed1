import { Check, CircleCheck, UserRound } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useHasRole, useSession } from '../../session/use-session';
import { type IncidentAction, type IncidentDetail, useIncidentAction } from './incident-queries';
import { RegroupingButtons } from './incident-regrouping';
import { isUnresolved } from './incident-status';
import controls from '../../ui/controls.module.css';
import styles from './incidents.module.css';

/** What the user may do: acknowledge, take command, merge, split, note, resolve. */
export function IncidentActions({ incident }: { readonly incident: IncidentDetail }) {
  const mayAct = useHasRole('User');
  const { mutate, isPending, error } = useIncidentAction(incident.id);
  if (!mayAct) return null;
  return (
    <div className={styles.actions}>
      <div className={controls.row}>
        {isUnresolved(incident) && <IncidentButtons incident={incident} isPending={isPending} onAct={mutate} />}
        <RegroupingButtons incident={incident} />
      </div>
      <NoteForm incident={incident} isPending={isPending} onAct={mutate} />
      {error !== null && (
        <p className={controls.error} role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}

interface ActionProps {
  readonly incident: IncidentDetail;
  readonly isPending: boolean;
  readonly onAct: (action: IncidentAction, callbacks?: { readonly onSuccess: () => void }) => void;
}

function IncidentButtons({ incident: { acknowledgedBy, commander }, isPending, onAct }: ActionProps) {
  const userId = useSession().data?.user.id;
  return (
    <>
      {acknowledgedBy === undefined && (
        <button
          type="button"
          className={controls.primary}
          disabled={isPending}
          title="Acknowledges its alerts, too: no reminders, no escalation"
          onClick={() => onAct({ action: 'acknowledge' })}
        >
          <Check size={15} aria-hidden /> Acknowledge
        </button>
      )}
      {userId !== undefined && commander !== userId && (
        <button
          type="button"
          className={controls.button}
          disabled={isPending}
          onClick={() => onAct({ action: 'commander', userId })}
        >
          <UserRound size={15} aria-hidden /> Take command
        </button>
      )}
    </>
  );
}

/** A note for the timeline, which can also resolve the incident. */
function NoteForm({ incident, isPending, onAct }: ActionProps) {
  const [text, setText] = useState('');
  const id = useId();
  const clear = { onSuccess: () => setText('') };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    onAct({ action: 'notes', text }, clear);
  };
  return (
    <form className={styles.note} onSubmit={handleSubmit}>
      <label htmlFor={id}>Note</label>
      <textarea id={id} rows={2} maxLength={4_000} value={text} onChange={(event) => setText(event.target.value)} />
      <div className={controls.row}>
        <button type="submit" className={controls.button} disabled={isPending || text.trim() === ''}>
          Add note
        </button>
        {isUnresolved(incident) && (
          <button
            type="button"
            className={controls.button}
            disabled={isPending}
            title="The note above is saved as the resolution"
            onClick={() => onAct({ action: 'resolve', note: text }, clear)}
          >
            <CircleCheck size={15} aria-hidden /> Resolve
          </button>
        )}
      </div>
    </form>
  );
}

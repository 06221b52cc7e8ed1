import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BellOff, Check } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas, unwrapResponse } from '../../api/api-client';
import { formatRelativeTime } from '../../format/time-format';
import { useGrid, useHasRole } from '../../session/use-session';
import { NewDefinitionDialog } from '../notifications/definition-dialog';
import { toMatchers } from '../notifications/alert-matchers';
import { newSilence, SILENCE_FORM } from '../notifications/silence-form';
import { describeSubject } from './alert-rule-model';
import controls from '../../ui/controls.module.css';
import styles from './alerts.module.css';

type Alert = Schemas['Alert'];

/** What a user may do about an open alert: acknowledge it and, as a Member, silence it. */
export function AlertActions({ alert }: { readonly alert: Alert }) {
  const [mayAcknowledge, maySilence] = [useHasRole('User'), useHasRole('Member')];
  return (
    <div className={controls.row}>
      {alert.acknowledgedBy === undefined
        ? mayAcknowledge && <AcknowledgeButton alert={alert} />
        : renderAcknowledgement(alert.acknowledgedBy, alert.acknowledgedAt)}
      {maySilence && <SilenceButton alert={alert} />}
    </div>
  );
}

function renderAcknowledgement(by: string, at: string | undefined) {
  return (
    <span className={styles.quiet}>
      Acknowledged by {by}
      {at !== undefined && `, ${formatRelativeTime(at)}`}
    </span>
  );
}

function AcknowledgeButton({ alert }: { readonly alert: Alert }) {
  const { id: alertId, ruleName } = alert;
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      unwrapResponse(
        api.POST('/apm/alerts/{gridSecondaryId}/{alertId}/acknowledge', {
          params: { path: { gridSecondaryId, alertId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['diagnostic', gridSecondaryId, 'alerts'] }),
  });
  return (
    <>
      <button
        type="button"
        className={controls.button}
        disabled={isPending}
        aria-label={`Acknowledge ${ruleName} of ${describeSubject(alert)}`}
        title="Stops reminders and escalation"
        onClick={() => mutate()}
      >
        <Check size={15} aria-hidden /> Acknowledge
      </button>
      {error !== null && (
        <p className={controls.error} role="alert">
          {error.message}
        </p>
      )}
    </>
  );
}

/** Opens a silence with the rule, the service and the group of the alert. */
function SilenceButton({ alert }: { readonly alert: Alert }) {
  const { ruleName } = alert;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={controls.button}
        aria-label={`Silence ${ruleName} of ${describeSubject(alert)}`}
        onClick={() => setOpen(true)}
      >
        <BellOff size={15} aria-hidden /> Silence
      </button>
      {isOpen && (
        <NewDefinitionDialog
          form={SILENCE_FORM}
          title="New silence"
          initial={newSilence(toMatchers(alert))}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

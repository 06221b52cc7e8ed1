import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { DataTable } from '../../components/data-table';
import { formatDateTime } from '../../format/time-format';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { DeleteDefinitionButton, EditDefinitionDialog, NewDefinitionDialog } from './definition-dialog';
import { isMatcherParameter, readLinkedMatchers } from './alert-matchers';
import { type Matcher, MatcherList } from './matcher-fields';
import { SILENCES, useDefinitions } from './notification-definitions';
import { newSilence, SILENCE_FORM } from './silence-form';
import controls from '../../ui/controls.module.css';
import styles from './notifications.module.css';

type Silence = Schemas['Silence'];

/** Silences and maintenance windows. */
export function SilencesTab() {
  const silences = useDefinitions(SILENCES);
  const { matchers, forget } = useLinkedMatchers();
  const [isCreating, setCreating] = useState(matchers.length > 0);
  const handleClose = (): void => {
    setCreating(false);
    forget();
  };
  return (
    <Card
      title="Silences"
      aside={
        <button type="button" className={controls.primary} onClick={() => setCreating(true)}>
          <Plus size={15} aria-hidden /> New silence
        </button>
      }
    >
      {isCreating && (
        <NewDefinitionDialog
          form={SILENCE_FORM}
          title="New silence"
          initial={newSilence(matchers.length > 0 ? matchers : [{ label: 'service', operator: '=', value: '' }])}
          onClose={handleClose}
        />
      )}
      <QueryBoundary query={silences} skeleton={<Skeleton lines={4} />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="No silences">
              A silence keeps alerts from being sent for some time, such as during maintenance.
            </EmptyState>
          ) : (
            <SilenceTable silences={all} />
          )
        }
      </QueryBoundary>
    </Card>
  );
}

/** Matchers in the URL, as in the link of a message; `forget` removes them. */
function useLinkedMatchers(): { readonly matchers: readonly Matcher[]; readonly forget: () => void } {
  const [parameters, change] = useUrlParameters();
  const forget = (): void => {
    const names = [...parameters.keys()].filter(isMatcherParameter);
    change(Object.fromEntries(names.map((name) => [name, undefined])), true);
  };
  return { matchers: readLinkedMatchers(parameters), forget };
}

function SilenceTable({ silences }: { readonly silences: readonly Silence[] }) {
  const nowMs = Date.now();
  return (
    <DataTable
      label="Silences"
      rows={silences}
      getRowKey={({ id }) => id}
      columns={[
        { title: 'State', cell: (silence) => describeState(silence, nowMs) },
        { title: 'Alerts', cell: ({ matchers }) => <MatcherList matchers={matchers} none="All" /> },
        {
          title: 'Reason',
          cell: ({ reason, createdBy }) => (
            <div className={styles.answer}>
              {reason}
              <div className={styles.quiet}>by {createdBy}</div>
            </div>
          ),
        },
        { title: 'Start', cell: ({ startsAt }) => formatDateTime(startsAt) },
        { title: 'End', cell: ({ endsAt }) => formatDateTime(endsAt) },
        { title: 'Actions', cell: (silence) => <SilenceActions silence={silence} nowMs={nowMs} /> },
      ]}
    />
  );
}

function describeState({ startsAt, endsAt }: Silence, nowMs: number): string {
  if (Date.parse(endsAt) <= nowMs) return 'Over';
  return Date.parse(startsAt) > nowMs ? 'Planned' : 'Active';
}

function SilenceActions({ silence, nowMs }: { readonly silence: Silence; readonly nowMs: number }) {
  const [isEditing, setEditing] = useState(false);
  const { id, reason } = silence;
  const state = describeState(silence, nowMs);
  return (
    <div className={controls.row}>
      {state !== 'Over' && (
        <button
          type="button"
          className={controls.button}
          aria-label={`Edit ${reason}`}
          onClick={() => setEditing(true)}
        >
          Edit
        </button>
      )}
      <DeleteDefinitionButton kind={SILENCES} id={id} name={reason} action={state === 'Active' ? 'End now' : 'Delete'}>
        {state === 'Active' ? 'Silenced alerts that still fire are sent immediately.' : 'It has no effect now.'}
      </DeleteDefinitionButton>
      {isEditing && (
        <EditDefinitionDialog form={SILENCE_FORM} title="Edit silence" id={id} onClose={() => setEditing(false)} />
      )}
    </div>
  );
}

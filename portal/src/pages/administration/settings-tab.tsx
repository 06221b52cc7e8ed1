import { type FormEvent, useState } from 'react';
import { api, type Schemas, unwrapResponseWithEtag, type WithEtag } from '../../api/api-client';
import { formatDateTime } from '../../format/time-format';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import {
  diffSettings,
  type EditDraft,
  rebaseDraft,
  SETTING_FIELDS,
  type SettingName,
  toSettingTexts,
} from './grid-settings';
import styles from './administration.module.css';
import { FormField, toFormErrors } from '../../ui/form-field';
import { ConfirmChangeDialog, EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { StatusBadge } from '../../ui/status-badge';
import controls from '../../ui/controls.module.css';
import { changeIfUnmodified, conflictingVersion } from '../../definitions/edit-conflict';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readGrid } from '../../definitions/definition-requests';
import { useEditedDefinition } from '../../definitions/definition-queries';
import { forgetSession } from '../../session/session-store';
import { useGrid } from '../../session/use-session';

export function SettingsTab() {
  const { query, take } = useGridSettings();
  const [draft, setDraft] = useState<SettingsDraft>();
  const goOnWith: SettingsProps['onTake'] = (grid, changed) => {
    if (changed !== undefined) setDraft((before) => rebaseDraft(before, changed, grid));
    take(grid);
  };
  return (
    <QueryBoundary query={query} skeleton={<Skeleton height="22rem" />}>
      {(read) => (
        <div className="stack">
          <GridIdentityCard grid={read.record} />
          <Card title="Settings">
            <SettingsForm read={read} onTake={goOnWith} draft={draft} onDraft={setDraft} />
          </Card>
          <SubscriptionCard read={read} onTake={goOnWith} />
        </div>
      )}
    </QueryBoundary>
  );
}

function GridIdentityCard({ grid: { gridSecondaryId, createdAt } }: { readonly grid: Schemas['Grid'] }) {
  return (
    <Card title="Grid">
      <div className={styles.secret}>
        <code>{gridSecondaryId}</code> <CopyButton text={gridSecondaryId} label="Copy id" />
      </div>
      <p className={styles.quiet}>Created {formatDateTime(createdAt)}</p>
    </Card>
  );
}

interface SettingsProps {
  readonly read: WithEtag<Schemas['Grid']>;
  /** Goes on with what holds now: somebody else's, or what a change of one's own has made of what had the tag `changed`. */
  readonly onTake: (grid: WithEtag<Schemas['Grid']>, changed?: string) => void;
}

type SettingsDraft = EditDraft<WithEtag<Schemas['Grid']>>;

interface SettingsFormProps extends SettingsProps {
  readonly draft: SettingsDraft | undefined;
  readonly onDraft: (draft: SettingsDraft | undefined) => void;
}

/** The thresholds of a Grid. Only what was changed is sent: over what another Owner has saved it leaves the rest as it is. */
function SettingsForm({ read, onTake, draft, onDraft }: SettingsFormProps) {
  const { record: grid, etag } = draft?.basedOn ?? read;
  const change = useUpdateGridSettings(onTake);
  const texts = { ...toSettingTexts(grid), ...draft?.edited };
  const changes = diffSettings(grid, texts);
  const faults = toFormErrors(
    change.error,
    SETTING_FIELDS.map(({ name }) => name),
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
      {SETTING_FIELDS.map(({ name, label, hint, input }) => (
        <FormField key={name} label={label} hint={hint} fault={faults.forField(name)}>
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
        </FormField>
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
        <EditConflictActions error={change.error} onOverwrite={(theirs) => save(theirs.etag)} onTake={takeTheirs} />
        <span aria-live="polite">
          {change.isSuccess && Object.keys(changes).length === 0 && <StatusBadge level="good">Saved</StatusBadge>}
        </span>
      </div>
    </form>
  );
}

/** Switches all of the Grid off, and on again. */
function SubscriptionCard({ read, onTake }: SettingsProps) {
  const { name, subscriptionActive } = read.record;
  const [isAsked, setAsked] = useState(false);
  const change = useUpdateGridSettings(onTake);
  const set = (isActive: boolean, etag: string): void =>
    change.mutate({ body: { subscriptionActive: isActive }, etag }, { onSuccess: () => setAsked(false) });
  const theirs = isAsked ? undefined : conflictingVersion(change.error);
  const close = (): void => {
    change.reset();
    setAsked(false);
  };
  return (
    <Card
      title="Subscription"
      aside={
        <StatusBadge level={subscriptionActive ? 'good' : 'critical'}>
          {subscriptionActive ? 'Active' : 'Inactive'}
        </StatusBadge>
      }
    >
      <div className="stack">
        <p>
          {subscriptionActive
            ? 'While it is inactive nothing of the Grid can be read, and what applications send is refused and lost.'
            : 'Nothing of the Grid can be read now, and what applications send is refused and lost. Its data are kept.'}
        </p>
        <div className={controls.row}>
          {subscriptionActive ? (
            <button type="button" className={controls.danger} onClick={() => setAsked(true)}>
              Switch off …
            </button>
          ) : (
            <button
              type="button"
              className={controls.primary}
              disabled={change.isPending || theirs !== undefined}
              onClick={() => set(true, read.etag)}
            >
              Switch on
            </button>
          )}
          {theirs !== undefined && (
            <button type="button" className={controls.button} onClick={() => set(true, theirs.etag)}>
              Switch on all the same
            </button>
          )}
        </div>
        {!isAsked && change.error !== null && (
          <p className={controls.fault} role="alert">
            {change.error.message}
          </p>
        )}
      </div>
      {isAsked && (
        <ConfirmChangeDialog
          title={`Switch off ${name}?`}
          action="Switch off"
          read={{ data: read, error: null }}
          change={{ ...change, mutate: (etag) => set(false, etag) }}
          onClose={close}
        >
          Every page of this Grid but these settings will be refused, for all members. Telemetry sent meanwhile is lost:
          senders do not repeat it. You can switch it on again here.
        </ConfirmChangeDialog>
      )}
    </Card>
  );
}

/** Changes of a Grid that is as its tag says. */
interface GridSettingsChange {
  readonly body: Schemas['GridChangesModel'];
  readonly etag: string;
}

/** The settings as they are when one begins to change them; `take` goes on with those that hold by then. */
function useGridSettings() {
  return useEditedDefinition('settings', useGrid().gridSecondaryId, readGrid);
}

/** @param take hears of what holds after a change, and of the tag that it was bound to */
function useUpdateGridSettings(take: (grid: WithEtag<Schemas['Grid']>, changed: string) => void) {
  const { gridSecondaryId } = useGrid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ body, etag }: GridSettingsChange) =>
      changeIfUnmodified(
        'Grid',
        () =>
          unwrapResponseWithEtag(
            api.PATCH('/admin/grids/{gridSecondaryId}', {
              params: { path: { gridSecondaryId }, header: { 'If-Match': etag } },
              body,
            }),
          ),
        () => readGrid(gridSecondaryId),
      ),
    onSuccess: async (grid, { etag }) => {
      take(grid, etag);
      // The name of the Grid is told by the session.
      forgetSession();
      await queries.invalidateQueries({ queryKey: ['session'] });
    },
  });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Schemas, unwrapResponseWithEtag, type WithEtag } from '../../api/api-client';
import { useEditedDefinition } from '../../definitions/definition-queries';
import { readGrid } from '../../definitions/definition-requests';
import { changeIfUnmodified, conflictingVersion } from '../../definitions/edit-conflict';
import { ConfirmChangeDialog, EditConflictActions } from '../../definitions/edit-conflict-dialogs';
import { formatDateTime } from '../../format/time-format';
import { forgetSession } from '../../session/session-store';
import { useGrid } from '../../session/use-session';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { FormField, GeneralError, toFormErrors } from '../../ui/form-field';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import {
  diffSettings,
  type EditDraft,
  rebaseDraft,
  SETTING_FIELDS,
  type SettingName,
  toSettingTexts,
} from './grid-settings';
import controls from '../../ui/controls.module.css';
import styles from './administration.module.css';

export function SettingsTab() {
  const { query, take } = useGridSettings();
  const [draft, setDraft] = useState<SettingsDraft>();
  const handleTake: SettingsProps['onTake'] = (grid, changedEtag) => {
    if (changedEtag !== undefined) setDraft((before) => rebaseDraft(before, changedEtag, grid));
    take(grid);
  };
  return (
    <QueryBoundary query={query} skeleton={<Skeleton height="22rem" />}>
      {(read) => (
        <div className="stack">
          <GridIdentityCard grid={read.record} />
          <Card title="Settings">
            <SettingsForm read={read} onTake={handleTake} draft={draft} onDraft={setDraft} />
          </Card>
          <SubscriptionCard read={read} onTake={handleTake} />
        </div>
      )}
    </QueryBoundary>
  );
}

function GridIdentityCard({ grid: { gridSecondaryId, createdAt } }: { readonly grid: Schemas['Grid'] }) {
  return (
    <Card title="Grid">
      <div className={styles.secret}>
        <code>{gridSecondaryId}</code> <CopyButton text={gridSecondaryId} label="Copy ID" />
      </div>
      <p className={styles.quiet}>Created {formatDateTime(createdAt)}</p>
    </Card>
  );
}

interface SettingsProps {
  readonly read: WithEtag<Schemas['Grid']>;
  /** Continues with the current version: another user's, or the result of the user's own change, which was bound to the ETag `changedEtag`. */
  readonly onTake: (grid: WithEtag<Schemas['Grid']>, changedEtag?: string) => void;
}

type SettingsDraft = EditDraft<WithEtag<Schemas['Grid']>>;

interface SettingsFormProps extends SettingsProps {
  readonly draft: SettingsDraft | undefined;
  readonly onDraft: (draft: SettingsDraft | undefined) => void;
}

/** Name, thresholds and retention of a Grid. Sends only changed fields, so that overwriting keeps the other changes of another Owner. */
function SettingsForm({ read, onTake, draft, onDraft }: SettingsFormProps) {
  const { record: grid, etag } = draft?.basedOn ?? read;
  const change = useUpdateGridSettings(onTake);
  const texts = { ...toSettingTexts(grid), ...draft?.edited };
  const changes = diffSettings(grid, texts);
  const errors = toFormErrors(
    change.error,
    SETTING_FIELDS.map(({ name }) => name),
  );
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    save(etag);
  };
  const save = (basedOn: string): void =>
    change.mutate({ body: changes, etag: basedOn }, { onSuccess: () => onDraft(undefined) });
  const handleEdit = (name: SettingName, text: string): void =>
    onDraft({ basedOn: draft?.basedOn ?? read, edited: { ...draft?.edited, [name]: text } });
  const handleTakeTheirs: typeof onTake = (theirs) => {
    change.reset();
    onDraft({ basedOn: theirs, edited: {} });
    onTake(theirs);
  };
  return (
    <form className={styles.form} onSubmit={handleSubmit}>
      {SETTING_FIELDS.map(({ name, label, hint, input }) => (
        <FormField key={name} label={label} hint={hint} error={errors.forField(name)}>
          {(controlProps) => (
            <input
              {...controlProps}
              {...input}
              className={controls.input}
              required
              value={texts[name]}
              onChange={(event) => handleEdit(name, event.target.value)}
            />
          )}
        </FormField>
      ))}
      <GeneralError errors={errors} />
      <div className={controls.row}>
        <button
          type="submit"
          className={controls.primary}
          disabled={change.isPending || Object.keys(changes).length === 0}
        >
          Save
        </button>
        <EditConflictActions
          error={change.error}
          onOverwrite={(theirs) => save(theirs.etag)}
          onTake={handleTakeTheirs}
        />
        <span aria-live="polite">
          {change.isSuccess && Object.keys(changes).length === 0 && <StatusBadge level="good">Saved</StatusBadge>}
        </span>
      </div>
    </form>
  );
}

/** Switches the Grid off and on. */
function SubscriptionCard({ read, onTake }: SettingsProps) {
  const { name, subscriptionActive } = read.record;
  const [isConfirming, setConfirming] = useState(false);
  const change = useUpdateGridSettings(onTake);
  const setActive = (isActive: boolean, etag: string): void =>
    change.mutate({ body: { subscriptionActive: isActive }, etag }, { onSuccess: () => setConfirming(false) });
  const theirs = isConfirming ? undefined : conflictingVersion(change.error);
  const handleClose = (): void => {
    change.reset();
    setConfirming(false);
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
            ? 'While inactive, the data of the Grid cannot be read, and telemetry sent to it is rejected and lost.'
            : 'The data of the Grid is kept but cannot be read. Telemetry sent to it is rejected and lost.'}
        </p>
        <div className={controls.row}>
          {subscriptionActive ? (
            <button type="button" className={controls.danger} onClick={() => setConfirming(true)}>
              Deactivate …
            </button>
          ) : (
            <button
              type="button"
              className={controls.primary}
              disabled={change.isPending || theirs !== undefined}
              onClick={() => setActive(true, read.etag)}
            >
              Switch on
            </button>
          )}
          {theirs !== undefined && (
            <button type="button" className={controls.button} onClick={() => setActive(true, theirs.etag)}>
              Switch on anyway
            </button>
          )}
        </div>
        {!isConfirming && change.error !== null && (
          <p className={controls.error} role="alert">
            {change.error.message}
          </p>
        )}
      </div>
      {isConfirming && (
        <ConfirmChangeDialog
          title={`Deactivate ${name}?`}
          action="Deactivate"
          read={{ data: read, error: null }}
          change={{ ...change, mutate: (etag) => setActive(false, etag) }}
          onClose={handleClose}
        >
          All pages of this Grid except these settings become unavailable for all members. Telemetry sent in the
          meantime is lost, because senders do not retry it. You can switch the Grid on again here.
        </ConfirmChangeDialog>
      )}
    </Card>
  );
}

/** Changes of a Grid, bound to the version with this ETag. */
interface GridSettingsChange {
  readonly body: Schemas['GridChangesModel'];
  readonly etag: string;
}

/** The Grid as it was when editing began; `take` continues with another version. */
function useGridSettings() {
  return useEditedDefinition('settings', useGrid().gridSecondaryId, readGrid);
}

/** @param take called with the Grid after a change, and the ETag that the change was bound to */
function useUpdateGridSettings(take: (grid: WithEtag<Schemas['Grid']>, changedEtag: string) => void) {
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
      // The session contains the name of the Grid.
      forgetSession();
      await queries.invalidateQueries({ queryKey: ['session'] });
    },
  });
}

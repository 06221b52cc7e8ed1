import { useState } from 'react';
import type { Schemas } from '../../api/api-client';
import { type Column, DataTable } from '../../components/data-table';
import { formatCount } from '../../format/number-format';
import { formatDateTime, formatRelativeTime } from '../../format/time-format';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import { ApiKeySecret, IssueApiKeyForm, KIND_LABELS } from './issue-api-key-form';
import { useApiKeys, useRegenerateApiKey, useRevokeApiKey } from './use-api-keys';
import controls from '../../ui/controls.module.css';
import styles from './administration.module.css';

type ApiKey = Schemas['ApiKey'];

/** API keys of the Grid, with their last use. */
export function ApiKeysTab() {
  const keys = useApiKeys();
  const [issued, setIssued] = useState<Schemas['IssuedApiKey']>();
  const columns: readonly Column<ApiKey>[] = [
    {
      title: 'Name',
      cell: ({ name, prefix }) => (
        <>
          <strong>{name}</strong>
          <br />
          <code>{prefix} …</code>
        </>
      ),
    },
    { title: 'Use', cell: ({ kind }) => KIND_LABELS[kind] },
    {
      title: 'Created',
      cell: ({ createdAt, createdBy }) => (
        <>
          <RelativeTime at={createdAt} />
          <br />
          <span className={styles.quiet}>by {createdBy}</span>
        </>
      ),
    },
    {
      title: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />),
    },
    { title: 'Last sent', cell: (key) => <ApiKeyActivityList apiKey={key} /> },
    { title: 'Actions', cell: (key) => <ApiKeyActions apiKey={key} onIssued={setIssued} /> },
  ];
  return (
    <>
      <IssueApiKeyForm onIssued={setIssued} />
      {issued !== undefined && (
        <Dialog title={`Key ${issued.name}`} onClose={() => setIssued(undefined)}>
          <ApiKeySecret apiKey={issued.apiKey} />
        </Dialog>
      )}
      <QueryBoundary query={keys} skeleton={<Skeleton height="12rem" />}>
        {({ apiKeys }) =>
          apiKeys.length === 0 ? (
            <EmptyState title="No API keys yet">
              Applications need an API key to send telemetry. Issue one above.
            </EmptyState>
          ) : (
            <DataTable label="API keys" columns={columns} rows={apiKeys} getRowKey={({ keyId }) => keyId} />
          )
        }
      </QueryBoundary>
    </>
  );
}

function RelativeTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelativeTime(at)}
    </time>
  );
}

interface ApiKeyActionsProps {
  readonly apiKey: Schemas['ApiKey'];
  readonly onIssued: (key: Schemas['IssuedApiKey']) => void;
}

function ApiKeyActions({ apiKey, onIssued }: ApiKeyActionsProps) {
  const [openDialog, setOpenDialog] = useState<'regenerate' | 'revoke'>();
  const handleClose = (): void => setOpenDialog(undefined);
  return (
    <div className={controls.row}>
      <button
        type="button"
        className={controls.button}
        onClick={() => setOpenDialog('regenerate')}
        aria-label={`Regenerate ${apiKey.name}`}
      >
        Regenerate
      </button>
      <button
        type="button"
        className={controls.danger}
        onClick={() => setOpenDialog('revoke')}
        aria-label={`Revoke ${apiKey.name}`}
      >
        Revoke
      </button>
      {openDialog === 'regenerate' && <RegenerateDialog apiKey={apiKey} onIssued={onIssued} onClose={handleClose} />}
      {openDialog === 'revoke' && <RevokeDialog apiKey={apiKey} onClose={handleClose} />}
    </div>
  );
}

function RegenerateDialog({
  apiKey: { keyId, name },
  onIssued,
  onClose,
}: ApiKeyActionsProps & { readonly onClose: () => void }) {
  const regenerate = useRegenerateApiKey(keyId);
  const mutate = (): void =>
    regenerate.mutate(undefined, {
      onSuccess: (key) => {
        onClose();
        onIssued(key);
      },
    });
  return (
    <ConfirmDialog
      title={`Regenerate ${name}?`}
      action="Regenerate"
      mutation={{ mutate, isPending: regenerate.isPending, error: regenerate.error }}
      onClose={onClose}
    >
      The key gets a new secret. Requests with the old secret are rejected immediately.
    </ConfirmDialog>
  );
}

function RevokeDialog({
  apiKey: { keyId, name },
  onClose,
}: {
  readonly apiKey: Schemas['ApiKey'];
  readonly onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      action="Revoke"
      mutation={useRevokeApiKey(keyId, onClose)}
      onClose={onClose}
    >
      Requests with this key are rejected immediately. This cannot be undone. Data sent with the key is kept.
    </ConfirmDialog>
  );
}

/** The last export of each signal with this key, and its last rejected request. */
function ApiKeyActivityList({ apiKey: { lastSent, lastRefused } }: { readonly apiKey: Schemas['ApiKey'] }) {
  if (lastSent.length === 0 && lastRefused === undefined) return <span className={styles.quiet}>Nothing</span>;
  return (
    <ul className={styles.plain}>
      {lastSent.map(({ signal, at, accepted, rejected, message }) => (
        <li key={signal}>
          {signal}: {formatCount(accepted)} accepted, {formatRelativeTime(at)}
          {rejected > 0 && (
            <div>
              <StatusBadge level="warning">{formatCount(rejected)} rejected</StatusBadge> {message}
            </div>
          )}
        </li>
      ))}
      {lastRefused !== undefined && (
        <li>
          <StatusBadge level="critical">Rejected</StatusBadge> {lastRefused.signal ?? ''}{' '}
          {formatRelativeTime(lastRefused.at)}: {lastRefused.reason}
        </li>
      )}
    </ul>
  );
}

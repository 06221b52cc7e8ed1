import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { agoText, momentText } from '../../format/moments';
import { EmptyState } from '../../ui/empty-state';
import { QueryState } from '../../ui/query-state';
import { Dialog } from '../../ui/dialog';
import { Skeleton } from '../../ui/skeleton';
import { IssueKeyForm } from './issue-key-form';
import { KeyActions } from './key-actions';
import { Secret } from './secret';
import { SentList } from './sent-list';
import { useKeys } from './use-keys';
import styles from './administration.module.css';

type ApiKey = Schemas['ApiKey'];

/** The Grid's keys: who uses them, and what came of it. */
export function KeysTab() {
  const keys = useKeys();
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
    {
      title: 'Created',
      cell: ({ createdAt, createdBy }) => (
        <>
          <Moment at={createdAt} />
          <br />
          <span className={styles.quiet}>by {createdBy}</span>
        </>
      ),
    },
    { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Moment at={lastUsedAt} />) },
    { title: 'Last sent', cell: (key) => <SentList apiKey={key} /> },
    { title: 'Actions', cell: (key) => <KeyActions apiKey={key} onIssued={setIssued} /> },
  ];
  return (
    <>
      <IssueKeyForm onIssued={setIssued} />
      {issued !== undefined && (
        <Dialog title={`Key ${issued.name}`} onClose={() => setIssued(undefined)}>
          <Secret apiKey={issued.apiKey} />
        </Dialog>
      )}
      <QueryState query={keys} skeleton={<Skeleton height="12rem" />}>
        {({ apiKeys }) =>
          apiKeys.length === 0 ? (
            <EmptyState title="No keys yet">An application needs one to send telemetry. Issue one above.</EmptyState>
          ) : (
            <DataTable label="API keys" columns={columns} rows={apiKeys} idOf={({ keyId }) => keyId} />
          )
        }
      </QueryState>
    </>
  );
}

function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={momentText(at)}>
      {agoText(at)}
    </time>
  );
}

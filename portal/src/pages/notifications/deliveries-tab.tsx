import type { Schemas } from '../../api/api-client';
import { DataTable } from '../../components/data-table';
import { formatDateTime, formatRelativeTime } from '../../format/time-format';
import { Card } from '../../ui/card';
import { FormField } from '../../ui/form-field';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import { CHANNELS, useDefinitions } from './notification-definitions';
import { useDeliveries } from './use-deliveries';
import controls from '../../ui/controls.module.css';
import styles from './notifications.module.css';

type Delivery = Schemas['Delivery'];

interface DeliveriesTabProps {
  readonly channelId: string | null;
  readonly onSelect: (channelId: string) => void;
}

/** The last deliveries to one channel. */
export function DeliveriesTab({ channelId, onSelect }: DeliveriesTabProps) {
  const channels = useDefinitions(CHANNELS);
  return (
    <QueryBoundary query={channels} skeleton={<Skeleton lines={6} />}>
      {(all) => {
        const selected = all.find(({ id }) => id === channelId) ?? all[0];
        if (selected === undefined)
          return <EmptyState title="No channels yet">Deliveries appear once there is a channel.</EmptyState>;
        return (
          <Card title="Deliveries">
            <div className="stack">
              <FormField label="Channel">
                {(controlProps) => (
                  <select
                    {...controlProps}
                    className={controls.select}
                    value={selected.id}
                    onChange={(event) => onSelect(event.target.value)}
                  >
                    {all.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                )}
              </FormField>
              <DeliveryTable key={selected.id} channelId={selected.id} />
            </div>
          </Card>
        );
      }}
    </QueryBoundary>
  );
}

const REASONS: Readonly<Record<Delivery['reason'], string>> = {
  firing: 'New alert',
  resolved: 'Resolved',
  repeat: 'Reminder',
  cause: 'Cause found',
  escalation: 'Escalation',
  test: 'Test',
};

function DeliveryTable({ channelId }: { readonly channelId: string }) {
  const deliveries = useDeliveries(channelId);
  return (
    <QueryBoundary query={deliveries} skeleton={<Skeleton lines={4} />}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState title="No deliveries yet">Send a test to see one.</EmptyState>
        ) : (
          <DataTable
            label="Deliveries"
            rows={all}
            getRowKey={({ key }) => key}
            columns={[
              {
                title: 'Requested',
                cell: ({ requestedAt }) => (
                  <time dateTime={requestedAt} title={formatDateTime(requestedAt)}>
                    {formatRelativeTime(requestedAt)}
                  </time>
                ),
              },
              { title: 'Message', cell: ({ reason }) => REASONS[reason] },
              { title: 'About', cell: ({ subject }) => <span className={styles.answer}>{subject}</span> },
              { title: 'Result', cell: (delivery) => <DeliveryState delivery={delivery} /> },
              { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
            ]}
          />
        )
      }
    </QueryBoundary>
  );
}

/** State of a delivery, with the response of the receiver. */
export function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  const { state, statusCode, answer, error, nextAttemptAt } = delivery;
  const detail =
    state === 'delivered'
      ? [statusCode, answer].filter((part) => part !== undefined && part !== '').join(' ')
      : (error ?? '');
  return (
    <div className={styles.answer}>
      {state === 'delivered' && <StatusBadge level="good">Delivered</StatusBadge>}
      {state === 'failed' && <StatusBadge level="critical">Failed</StatusBadge>}
      {state === 'pending' && (
        <StatusBadge level={error === undefined ? 'unknown' : 'warning'}>
          {error === undefined ? 'Pending' : 'Retrying'}
        </StatusBadge>
      )}
      {detail !== '' && <div className={styles.quiet}>{detail}</div>}
      {state === 'pending' && nextAttemptAt !== undefined && (
        <div className={styles.quiet}>Next attempt {formatDateTime(nextAttemptAt)}</div>
      )}
    </div>
  );
}

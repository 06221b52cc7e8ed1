import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { type Column, DataTable } from '../../components/data-table';
import { ServiceLink } from '../../components/service-links';
import { formatCount } from '../../format/number-format';
import { TimeTravelLink } from '../../time/time-travel-link';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { describeErrorType, describeVersion, IncompleteNotice, NewErrorLabel } from './error-labels';
import { type ErrorGroup, type ErrorOrder, type ErrorStatus, useErrorGroups } from './error-queries';
import { ERROR_STATUS_LABELS, ERROR_STATUSES, ErrorStatusBadge } from './error-status';
import controls from '../../ui/controls.module.css';
import styles from './errors.module.css';

const PAGE_SIZE = 20;
const ORDERS: readonly (readonly [ErrorOrder, string])[] = [
  ['count', 'Most frequent first'],
  ['lastSeen', 'Latest first'],
];

/** Exceptions in groups. */
export default function ErrorsPage() {
  const [parameters] = useUrlParameters();
  const page = Math.max(1, Math.floor(Number(parameters.get('page') ?? '1')) || 1);
  const orderBy: ErrorOrder = parameters.get('order') === 'lastSeen' ? 'lastSeen' : 'count';
  const serviceName = parameters.get('service') ?? undefined;
  const status = ERROR_STATUSES.find((each) => each === parameters.get('status'));
  const errors = useErrorGroups({ page, pageSize: PAGE_SIZE, orderBy, serviceName, status });
  return (
    <Page
      title="Errors"
      lead="Exceptions of spans and logs, grouped by type, message and origin in the code; counts are exact"
    >
      <ErrorFilter orderBy={orderBy} serviceName={serviceName} status={status} />
      <QueryBoundary query={errors} skeleton={<Skeleton lines={8} />}>
        {({ errors: groups, totalCount, exceptionCount, foldedExceptions, damagedRecords }) =>
          totalCount === 0 ? (
            <EmptyState
              title={
                status === undefined ? 'No exceptions in this time range' : `No ${status} errors in this time range`
              }
            >
              Choose a longer one{status !== undefined && ', or every status'}. Exceptions are span events and log
              records with exception.type or exception.message.
            </EmptyState>
          ) : (
            <Card title={`${formatGroups(totalCount)}, ${formatExceptions(exceptionCount)}`}>
              <DataTable label="Errors" rows={groups} getRowKey={({ groupId }) => groupId} columns={COLUMNS} />
              <IncompleteNotice foldedExceptions={foldedExceptions} damagedRecords={damagedRecords} />
              <PageLinks page={page} pages={Math.ceil(totalCount / PAGE_SIZE)} />
            </Card>
          )
        }
      </QueryBoundary>
    </Page>
  );
}

const formatGroups = (count: number): string => `${formatCount(count)} group${count === 1 ? '' : 's'}`;
const formatExceptions = (count: number): string => `${formatCount(count)} exception${count === 1 ? '' : 's'}`;

const COLUMNS: readonly Column<ErrorGroup>[] = [
  { title: 'Error', cell: (group) => <ErrorLink group={group} /> },
  { title: 'Status', cell: ({ status }) => <ErrorStatusBadge status={status} /> },
  { title: 'Count', isNumber: true, cell: ({ count }) => formatCount(count) },
  { title: 'Last seen', cell: ({ lastSeen }) => <TimeTravelLink at={lastSeen} /> },
  { title: 'First seen', cell: ({ firstSeen }) => <TimeTravelLink at={firstSeen} /> },
  {
    title: 'Versions',
    cell: ({ versions }) =>
      versions
        .slice(0, 3)
        .map(({ version }) => describeVersion(version))
        .join(', '),
  },
  {
    title: 'Services',
    cell: ({ services }) => (
      <ul className={styles.services}>
        {services.slice(0, 3).map(({ serviceName }) => (
          <li key={serviceName}>
            <ServiceLink name={serviceName} />
          </li>
        ))}
      </ul>
    ),
  },
];

function ErrorLink({ group }: { readonly group: ErrorGroup }) {
  const links = usePageLinks();
  const [parameters] = useUrlParameters();
  const service = parameters.get('service') ?? undefined;
  return (
    <div className={styles.name}>
      <Link to={links.page(`errors/${group.groupId}`, { service })}>{describeErrorType(group)}</Link>{' '}
      <NewErrorLabel group={group} />
      <div className={styles.text}>{group.messagePattern}</div>
      {group.topFrames.length > 0 && <code className={styles.quiet}>{group.topFrames[0]}</code>}
    </div>
  );
}

function ErrorFilter({
  orderBy,
  serviceName,
  status,
}: {
  readonly orderBy: ErrorOrder;
  readonly serviceName: string | undefined;
  readonly status: ErrorStatus | undefined;
}) {
  const [, change] = useUrlParameters();
  return (
    <div className={`${controls.row} ${styles.filter}`} role="group" aria-label="Order, status and service">
      {ORDERS.map(([order, title]) => (
        <button
          key={order}
          type="button"
          className={controls.button}
          aria-pressed={order === orderBy}
          onClick={() => change({ order, page: undefined })}
        >
          {title}
        </button>
      ))}
      {ERROR_STATUSES.map((each) => (
        <button
          key={each}
          type="button"
          className={controls.button}
          aria-pressed={each === status}
          onClick={() => change({ status: each === status ? undefined : each, page: undefined })}
        >
          {ERROR_STATUS_LABELS[each]}
        </button>
      ))}
      {serviceName !== undefined && (
        <button
          type="button"
          className={controls.button}
          onClick={() => change({ service: undefined, page: undefined })}
        >
          Only {serviceName}: show every service
        </button>
      )}
    </div>
  );
}

function PageLinks({ page, pages }: { readonly page: number; readonly pages: number }) {
  const [, change] = useUrlParameters();
  if (pages <= 1) return null;
  const button = (title: string, to: number, isLast: boolean) => (
    <button type="button" className={controls.button} disabled={isLast} onClick={() => change({ page: String(to) })}>
      {title}
    </button>
  );
  return (
    <nav className={controls.row} aria-label="Pages of errors">
      {button('Previous', page - 1, page === 1)}
      <span className={styles.quiet}>
        {page} of {pages}
      </span>
      {button('Next', page + 1, page >= pages)}
    </nav>
  );
}

import { Link, useParams } from 'react-router';
import { hasStatus } from '../../api/api-error';
import { usePageLinks } from '../../app/page-links';
import { Sparkline } from '../../charts/sparkline';
import { DataTable } from '../../components/data-table';
import { SampleTraces } from '../../components/sample-traces';
import { ServiceLink } from '../../components/service-links';
import { formatCount } from '../../format/number-format';
import { TimeTravelLink } from '../../time/time-travel-link';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { ErrorActions } from './error-actions';
import { describeErrorType, describeVersion, IncompleteNotice, NewErrorLabel } from './error-labels';
import { type ErrorGroupDetail, useErrorGroup } from './error-queries';
import { ErrorStatusFacts } from './error-status';
import styles from './errors.module.css';

/** One group of exceptions: how many, since when, in which versions, and one of them. */
export default function ErrorPage() {
  const { groupId = '' } = useParams();
  const [parameters] = useUrlParameters();
  const service = parameters.get('service') ?? undefined;
  const group = useErrorGroup(groupId, service);
  const links = usePageLinks();
  return (
    <Page
      title={group.data === undefined ? 'Error' : describeErrorType(group.data)}
      lead="How often, since when, in which versions, and where in the code"
      actions={<Link to={links.page('errors', { service })}>All errors</Link>}
    >
      {hasStatus(group.error, 404) ? (
        <EmptyState title="No exceptions of this group in this time range">Choose a longer time range.</EmptyState>
      ) : (
        <QueryBoundary query={group} skeleton={<Skeleton height="20rem" />}>
          {(detail) => <ErrorContent group={detail} />}
        </QueryBoundary>
      )}
    </Page>
  );
}

function ErrorContent({ group }: { readonly group: ErrorGroupDetail }) {
  return (
    <div className="stack">
      <Card>
        <p className={styles.text}>{group.messagePattern}</p>
        <div className={styles.facts}>
          <NewErrorLabel group={group} />
          <span>{formatCount(group.count)} in this time range</span>
          <span>
            first <TimeTravelLink at={group.firstSeen} />
          </span>
          <span>
            last <TimeTravelLink at={group.lastSeen} />
          </span>
        </div>
        <div className={styles.facts}>
          <ErrorStatusFacts group={group} />
        </div>
        <ErrorActions group={group} />
        <IncompleteNotice damagedRecords={group.damagedRecords} />
        <SampleTraces traceIds={group.sampleTraceIds} />
      </Card>
      <Card title="Versions over time">
        <VersionTable group={group} />
      </Card>
      <Card title="Services">
        <DataTable
          label="Services of the error"
          rows={group.services}
          getRowKey={({ serviceName }) => serviceName}
          columns={[
            { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
            { title: 'Count', isNumber: true, cell: ({ count }) => formatCount(count) },
          ]}
        />
      </Card>
      <SampleCard sample={group.sample} />
    </div>
  );
}

function VersionTable({ group: { versions, steps } }: { readonly group: ErrorGroupDetail }) {
  const countsOf = (name: string): number[] =>
    steps.map((step) => step.versions.find(({ version }) => version === name)?.count ?? 0);
  return (
    <DataTable
      label="Versions over time"
      rows={versions}
      getRowKey={({ version }) => version}
      columns={[
        { title: 'Version', cell: ({ version }) => describeVersion(version) },
        { title: 'Count', isNumber: true, cell: ({ count }) => formatCount(count) },
        {
          title: 'Over time',
          cell: ({ version }) => (
            <Sparkline values={countsOf(version)} label={`Exceptions of ${describeVersion(version)} over time`} />
          ),
        },
      ]}
    />
  );
}

function SampleCard({ sample }: { readonly sample: ErrorGroupDetail['sample'] }) {
  const { time, serviceName, version, traceId, spanId, message, stackTrace } = sample;
  const links = usePageLinks();
  return (
    <Card
      title="Example"
      aside={
        traceId !== '' && <Link to={spanId === '' ? links.trace(traceId) : links.span(traceId, spanId)}>Trace</Link>
      }
    >
      <p className={styles.quiet}>
        <TimeTravelLink at={time} />, {serviceName}, {describeVersion(version)}
      </p>
      <p className={styles.text}>{message}</p>
      {stackTrace === '' ? (
        <p className={styles.quiet}>No stack trace was sent.</p>
      ) : (
        <>
          <pre className={styles.stack} role="region" aria-label="Stack trace" tabIndex={0}>
            {stackTrace}
          </pre>
          <CopyButton text={stackTrace} label="Copy stack trace" />
        </>
      )}
    </Card>
  );
}

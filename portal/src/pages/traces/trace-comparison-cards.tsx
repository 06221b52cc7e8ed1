import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { usePageLinks } from '../../app/page-links';
import { type Column, DataTable } from '../../components/data-table';
import { ServiceLink } from '../../components/service-links';
import { formatExactCount } from '../../format/number-format';
import { formatDateTime } from '../../format/time-format';
import { Card } from '../../ui/card';
import { StatusBadge } from '../../ui/status-badge';
import { describeErrorType } from '../errors/error-labels';
import {
  describeLonger,
  describeSpan,
  findLargestDifferences,
  formatCountDifference,
  formatNs,
  formatTimeDifference,
  type NamedPath,
  namePaths,
  type Presence,
} from './trace-comparison-model';
import styles from './trace-comparison.module.css';

const MAX_DIFFERENCES = 5;
/** Deeper paths are not indented further. */
const MAX_INDENT = 12;

type TraceComparison = Schemas['TraceComparison'];

/** Both traces side by side, where their times differ most, and all of their paths and exceptions. */
export function TraceComparisonCards({ comparison }: { readonly comparison: TraceComparison }) {
  const paths = namePaths(comparison.paths);
  const largest = findLargestDifferences(paths, MAX_DIFFERENCES);
  return (
    <div className="stack">
      <Card title="Traces">
        <TraceFigures comparison={comparison} />
      </Card>
      <Card title="Largest differences">
        {largest.length === 0 ? (
          <p className={styles.quiet}>The spans of both traces took the same time.</p>
        ) : (
          <ol className={styles.differences}>
            {largest.map((named) => (
              <li key={named.id}>
                <strong>{formatTimeDifference(named.path.difference.selfTimeNs)}</strong> in {describeSpan(named.path)}{' '}
                itself <PresenceBadge presence={named.path.presence} />
                {named.above.length > 0 && <div className={styles.quiet}>{named.above.join(' › ')}</div>}
              </li>
            ))}
          </ol>
        )}
      </Card>
      <Card title="Exceptions">
        <ComparedErrorsTable comparison={comparison} />
      </Card>
      <Card title="Spans by path">
        <DataTable label="Spans by path" columns={PATH_COLUMNS} rows={paths} getRowKey={({ id }) => String(id)} />
      </Card>
    </div>
  );
}

function TraceFigures({ comparison: { current, baseline } }: { readonly comparison: TraceComparison }) {
  const links = usePageLinks();
  const rows = [
    { title: 'This trace', trace: current },
    { title: 'Compared with', trace: baseline },
  ];
  return (
    <>
      <DataTable
        label="Both traces"
        rows={rows}
        getRowKey={({ title }) => title}
        columns={[
          { title: 'Trace', cell: ({ title, trace }) => <Link to={links.trace(trace.traceId)}>{title}</Link> },
          { title: 'Root', cell: ({ trace }) => describeSpan(trace) },
          { title: 'Start', cell: ({ trace }) => formatDateTime(trace.startTime) },
          { title: 'Duration', isNumber: true, cell: ({ trace }) => formatNs(trace.durationNs) },
          { title: 'Spans', isNumber: true, cell: ({ trace }) => formatExactCount(trace.spanCount) },
          { title: 'Errors', isNumber: true, cell: ({ trace }) => formatExactCount(trace.errorCount) },
        ]}
      />
      <p>
        {describeLonger(current.durationNs - baseline.durationNs)}{' '}
        {describeSpan(current) !== describeSpan(baseline) &&
          'The traces begin with different operations: they have few paths in common.'}
      </p>
    </>
  );
}

function ComparedErrorsTable({ comparison: { errors, damagedRecords = 0 } }: { readonly comparison: TraceComparison }) {
  const links = usePageLinks();
  return (
    <>
      {errors.length === 0 ? (
        <p className={styles.quiet}>Neither trace has exceptions.</p>
      ) : (
        <DataTable
          label="Exceptions of both traces"
          rows={errors}
          getRowKey={({ groupId, serviceName }) => `${groupId} ${serviceName}`}
          columns={[
            {
              title: 'Exception',
              cell: (error) => (
                <>
                  <Link to={links.page(`errors/${error.groupId}`)}>{describeErrorType(error)}</Link>{' '}
                  {error.messagePattern}
                </>
              ),
            },
            { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
            { title: 'Where', cell: ({ presence }) => <PresenceBadge presence={presence} isAlways /> },
            { title: 'This trace', isNumber: true, cell: ({ currentCount }) => formatExactCount(currentCount) },
            { title: 'Other trace', isNumber: true, cell: ({ baselineCount }) => formatExactCount(baselineCount) },
          ]}
        />
      )}
      {damagedRecords > 0 && (
        <p className={styles.quiet}>
          {formatExactCount(damagedRecords)} damaged records cannot be read: exceptions may be missing.
        </p>
      )}
    </>
  );
}

/** What one trace alone has. */
function PresenceBadge({ presence, isAlways = false }: { readonly presence: Presence; readonly isAlways?: boolean }) {
  if (presence === 'both') return isAlways ? <>both traces</> : null;
  return (
    <StatusBadge level={presence === 'current' ? 'warning' : 'unknown'}>
      {presence === 'current' ? 'only this trace' : 'only the other trace'}
    </StatusBadge>
  );
}

const PATH_COLUMNS: readonly Column<NamedPath>[] = [
  {
    title: 'Service and operation',
    cell: ({ path }) => (
      <span className={styles.path} style={{ paddingInlineStart: `${Math.min(path.depth, MAX_INDENT)}rem` }}>
        <span className={styles.quiet}>{path.serviceName}</span> {path.operationName}{' '}
        <PresenceBadge presence={path.presence} />
      </span>
    ),
  },
  {
    title: 'Spans',
    isNumber: true,
    cell: ({ path: { current, difference } }) => (
      <>
        {formatExactCount(current.count)}{' '}
        <span className={styles.quiet}>{formatCountDifference(difference.count)}</span>
      </>
    ),
  },
  {
    title: 'Errors',
    isNumber: true,
    cell: ({ path: { current, difference } }) => (
      <>
        {formatExactCount(current.errorCount)}{' '}
        <span className={styles.quiet}>{formatCountDifference(difference.errorCount)}</span>
      </>
    ),
  },
  {
    title: 'Duration (other)',
    isNumber: true,
    cell: ({ path }) => <BothTimes current={path.current.durationNs} baseline={path.baseline.durationNs} />,
  },
  { title: 'Difference', isNumber: true, cell: ({ path }) => formatTimeDifference(path.difference.durationNs) },
  {
    title: 'Self time (other)',
    isNumber: true,
    cell: ({ path }) => <BothTimes current={path.current.selfTimeNs} baseline={path.baseline.selfTimeNs} />,
  },
  { title: 'Self difference', isNumber: true, cell: ({ path }) => formatTimeDifference(path.difference.selfTimeNs) },
];

function BothTimes({ current, baseline }: { readonly current: number; readonly baseline: number }) {
  return (
    <>
      {formatNs(current)} <span className={styles.quiet}>({formatNs(baseline)})</span>
    </>
  );
}

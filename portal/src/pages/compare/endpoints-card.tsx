import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { OperationLink } from '../../diagnostics/operation-link';
import { ServiceLink } from '../../diagnostics/service-link';
import { countText, durationText, percentText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { BeforeAfter } from './before-after';
import { compared, type Pair } from './compared';
import { Verdict } from './verdict';
import styles from './compare.module.css';

type Endpoint = Schemas['SlowEndpoint'];
type Row = Pair<Endpoint>;

const known = ({ current, baseline }: Row): Endpoint => (current ?? baseline)!;

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Operation',
    cell: (pair) => <OperationLink service={known(pair).serviceName} operation={known(pair).operation} />,
  },
  { title: 'Service', cell: (pair) => <ServiceLink name={known(pair).serviceName} /> },
  { title: 'Verdict', cell: ({ verdict }) => <Verdict verdict={verdict} /> },
  {
    title: 'p95',
    isNumber: true,
    cell: (pair) => <BeforeAfter pair={pair} of={(row) => row.p95LatencyMs} format={durationText} />,
  },
  {
    title: 'Errors',
    isNumber: true,
    cell: (pair) => <BeforeAfter pair={pair} of={(row) => row.errorRate} format={percentText} />,
  },
  {
    title: 'Requests',
    isNumber: true,
    cell: (pair) => <BeforeAfter pair={pair} of={(row) => row.requestCount} format={countText} />,
  },
];

/** The endpoints that were among the slowest in either window. */
export function EndpointsCard({
  now,
  before,
}: {
  readonly now: UseQueryResult<Schemas['SlowEndpoints']>;
  readonly before: UseQueryResult<Schemas['SlowEndpoints']>;
}) {
  return (
    <Card title="By endpoint" aside={<span className={styles.quiet}>the 20 slowest of each time</span>}>
      <QueryState query={now}>
        {({ endpoints }) => (
          <QueryState query={before}>
            {(earlier) => {
              const rows = compared(
                endpoints,
                earlier.endpoints,
                ({ serviceName, operation }) => JSON.stringify([serviceName, operation]),
                ({ p95LatencyMs }) => p95LatencyMs,
              );
              return rows.length === 0 ? (
                <p className={styles.quiet}>No requests in either time.</p>
              ) : (
                <DataTable label="Endpoints in both windows" columns={COLUMNS} rows={rows} idOf={({ id }) => id} />
              );
            }}
          </QueryState>
        )}
      </QueryState>
    </Card>
  );
}

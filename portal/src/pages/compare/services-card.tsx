import type { UseQueryResult } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { ServiceLink } from '../../diagnostics/service-link';
import { countText, durationText, percentText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { QueryState } from '../../ui/query-state';
import { BeforeAfter } from './before-after';
import { compared, type Pair } from './compared';
import { Verdict } from './verdict';
import styles from './compare.module.css';

type Row = Pair<Schemas['ServiceHealth']>;

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Service', cell: ({ id }) => <ServiceLink name={id} /> },
  { title: 'Verdict', cell: ({ verdict }) => <Verdict verdict={verdict} /> },
  {
    title: 'Average latency',
    isNumber: true,
    cell: (pair) => <BeforeAfter pair={pair} of={(row) => row.avgLatencyMs} format={durationText} />,
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
  {
    title: 'Apdex',
    isNumber: true,
    cell: (pair) => <BeforeAfter pair={pair} of={(row) => row.apdex} format={(value) => value.toFixed(2)} />,
  },
];

/** Every service in both windows, what got worse first. */
export function ServicesCard({
  now,
  before,
}: {
  readonly now: UseQueryResult<Schemas['Health']>;
  readonly before: UseQueryResult<Schemas['Health']>;
}) {
  return (
    <Card title="By service">
      <QueryState query={now}>
        {({ services }) => (
          <QueryState query={before}>
            {(earlier) => {
              const rows = compared(
                services,
                earlier.services,
                ({ serviceName }) => serviceName,
                ({ avgLatencyMs }) => avgLatencyMs,
              );
              return rows.length === 0 ? (
                <p className={styles.quiet}>No requests in either time.</p>
              ) : (
                <DataTable label="Services in both windows" columns={COLUMNS} rows={rows} idOf={({ id }) => id} />
              );
            }}
          </QueryState>
        )}
      </QueryState>
    </Card>
  );
}

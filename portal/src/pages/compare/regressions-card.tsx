import type { Schemas } from '../../api/client';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { ServiceLink } from '../../diagnostics/service-link';
import { durationText, percentText, rateText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { Status } from '../../ui/status';
import { signed } from './figure-cards';
import styles from './compare.module.css';

type Regression = Schemas['Regression'];

const METRICS: Readonly<Record<string, { readonly title: string; readonly format: (value: number) => string }>> = {
  avgLatencyMs: { title: 'Average latency', format: durationText },
  p95LatencyMs: { title: 'Latency p95', format: durationText },
  errorRate: { title: 'Error rate', format: percentText },
  throughputRps: { title: 'Requests', format: rateText },
  apdex: { title: 'Apdex', format: (value) => value.toFixed(2) },
};

const written = (metric: string, value: number): string => METRICS[metric]?.format(value) ?? String(value);

const COLUMNS: readonly Column<Regression>[] = [
  { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
  { title: 'What', cell: ({ metric }) => METRICS[metric]?.title ?? metric },
  { title: 'Before', isNumber: true, cell: ({ metric, baselineValue }) => written(metric, baselineValue) },
  { title: 'Current', isNumber: true, cell: ({ metric, currentValue }) => written(metric, currentValue) },
  {
    title: 'Change',
    isNumber: true,
    cell: ({ changePercent }) => <Status level="critical">{signed(changePercent)}</Status>,
  },
];

/** What got worse by more than a fifth, the worst first. */
export function RegressionsCard({ regressions }: { readonly regressions: readonly Regression[] }) {
  return (
    <Card title="What got worse">
      {regressions.length === 0 ? (
        <p className={styles.quiet}>Nothing by more than 20 %.</p>
      ) : (
        <DataTable
          label="What got worse"
          columns={COLUMNS}
          rows={regressions}
          idOf={({ serviceName, metric }) => `${serviceName} ${metric}`}
        />
      )}
    </Card>
  );
}

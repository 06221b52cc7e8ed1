import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { DataTable, type Column } from '../../diagnostics/data-table';
import { OperationLink } from '../../diagnostics/operation-link';
import { countText, durationText, percentText } from '../../format/quantities';
import { Card } from '../../ui/card';
import controls from '../../ui/controls.module.css';
import { slowestFirst } from './figures';
import styles from './service.module.css';

/** As many as one reads; the rest is a click away. */
const FIRST_SHOWN = 10;
const MOST_SHOWN = 200;

const columnsOf = (service: string): readonly Column<Schemas['Endpoint']>[] => [
  { title: 'Operation', cell: ({ operation }) => <OperationLink service={service} operation={operation} /> },
  { title: 'p95', isNumber: true, cell: ({ p95LatencyMs }) => durationText(p95LatencyMs) },
  { title: 'Average', isNumber: true, cell: ({ avgLatencyMs }) => durationText(avgLatencyMs) },
  { title: 'Requests', isNumber: true, cell: ({ requestCount }) => countText(requestCount) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => percentText(errorRate) },
];

export function OperationsCard({ detail: { serviceName, endpoints } }: { readonly detail: Schemas['ServiceDetail'] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = slowestFirst(endpoints).slice(0, isWhole ? MOST_SHOWN : FIRST_SHOWN);
  return (
    <Card title="Operations, slowest first" aside={<span className={styles.quiet}>{countText(endpoints.length)}</span>}>
      {endpoints.length === 0 ? (
        <p className={styles.quiet}>No requests in this time.</p>
      ) : (
        <DataTable
          label="Operations, slowest first"
          columns={columnsOf(serviceName)}
          rows={shown}
          idOf={({ operation }) => operation}
        />
      )}
      {endpoints.length > FIRST_SHOWN && (
        <button type="button" className={controls.button} onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole
            ? `The ${FIRST_SHOWN} slowest`
            : endpoints.length > MOST_SHOWN
              ? `The ${MOST_SHOWN} slowest`
              : `All ${endpoints.length}`}
        </button>
      )}
    </Card>
  );
}

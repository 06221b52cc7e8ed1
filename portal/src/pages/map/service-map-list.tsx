import { DataTable, type Column } from '../../components/data-table';
import { PlainName, ServiceLink } from '../../components/service-links';
import { formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { Card } from '../../ui/card';
import { StatusBadge } from '../../ui/status-badge';
import { STATUS_LEVELS, STATUS_LABELS } from './map-elements';
import type { MapEdge, MapGraph, MapNode, NodeKind } from './service-graph';

const KIND_LABELS: Readonly<Record<NodeKind, string>> = {
  service: 'Service',
  worker: 'Worker',
  client: 'Caller',
  database: 'Database (by name)',
  queue: 'Queue (by name)',
  external: 'Not instrumented',
};

const NODE_COLUMNS: readonly Column<MapNode>[] = [
  {
    title: 'Name',
    cell: ({ id, isVirtual, isCause = false }) => (
      <>
        {isVirtual ? <PlainName name={id} /> : <ServiceLink name={id} />}
        {isCause && <StatusBadge level="critical">Root cause</StatusBadge>}
      </>
    ),
  },
  {
    title: 'Status',
    cell: ({ status }) => <StatusBadge level={STATUS_LEVELS[status]}>{STATUS_LABELS[status]}</StatusBadge>,
  },
  { title: 'Kind', cell: ({ kind }) => KIND_LABELS[kind] },
  { title: 'Requests', isNumber: true, cell: ({ rate }) => formatRate(rate) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => formatPercent(errorRate) },
  {
    title: 'Average',
    isNumber: true,
    cell: ({ avgLatencyMs }) => (avgLatencyMs === undefined ? '' : formatDuration(avgLatencyMs)),
  },
];

const EDGE_COLUMNS: readonly Column<MapEdge>[] = [
  { title: 'Caller', cell: ({ source }) => <PlainName name={source} /> },
  { title: 'Callee', cell: ({ target }) => <PlainName name={target} /> },
  { title: 'Calls', isNumber: true, cell: ({ rate }) => formatRate(rate) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => formatPercent(errorRate) },
  { title: 'Average', isNumber: true, cell: ({ avgLatencyMs }) => formatDuration(avgLatencyMs) },
];

/** The map as tables, for keyboards, screen readers and phones. */
export function ServiceMapList({ graph: { nodes, edges } }: { readonly graph: MapGraph }) {
  const worstFirst = [...nodes].sort(
    (a, b) => Number(b.status === 'degraded') - Number(a.status === 'degraded') || b.rate - a.rate,
  );
  const failingFirst = [...edges].sort((a, b) => b.errorRate - a.errorRate || b.rate - a.rate);
  return (
    <div className="stack">
      <Card title="Services and dependencies">
        <DataTable
          label="Services and dependencies"
          columns={NODE_COLUMNS}
          rows={worstFirst}
          getRowKey={({ id }) => id}
        />
      </Card>
      <Card title="Calls">
        <DataTable label="Calls" columns={EDGE_COLUMNS} rows={failingFirst} getRowKey={({ id }) => id} />
      </Card>
    </div>
  );
}

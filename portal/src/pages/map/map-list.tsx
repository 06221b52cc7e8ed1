import { DataTable, type Column } from '../../diagnostics/data-table';
import { PlainName, ServiceLink } from '../../diagnostics/service-link';
import { durationText, percentText, rateText } from '../../format/quantities';
import { Card } from '../../ui/card';
import { Status } from '../../ui/status';
import type { MapEdge, MapGraph, MapNode, NodeKind } from './graph';
import { LEVELS, WORDS } from './service-node';

const KINDS: Readonly<Record<NodeKind, string>> = {
  service: 'Service',
  worker: 'Worker',
  client: 'Caller',
  database: 'Database, by its name',
  queue: 'Queue, by its name',
  external: 'Not instrumented',
};

const NODES: readonly Column<MapNode>[] = [
  {
    title: 'Name',
    cell: ({ id, isVirtual, isCause = false }) => (
      <>
        {isVirtual ? <PlainName name={id} /> : <ServiceLink name={id} />}
        {isCause && <Status level="critical">cause</Status>}
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status level={LEVELS[status]}>{WORDS[status]}</Status> },
  { title: 'Kind', cell: ({ kind }) => KINDS[kind] },
  { title: 'Requests', isNumber: true, cell: ({ rate }) => rateText(rate) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => percentText(errorRate) },
  {
    title: 'Average',
    isNumber: true,
    cell: ({ avgLatencyMs }) => (avgLatencyMs === undefined ? '' : durationText(avgLatencyMs)),
  },
];

const EDGES: readonly Column<MapEdge>[] = [
  { title: 'Caller', cell: ({ source }) => <PlainName name={source} /> },
  { title: 'Called', cell: ({ target }) => <PlainName name={target} /> },
  { title: 'Calls', isNumber: true, cell: ({ rate }) => rateText(rate) },
  { title: 'Errors', isNumber: true, cell: ({ errorRate }) => percentText(errorRate) },
  { title: 'Average', isNumber: true, cell: ({ avgLatencyMs }) => durationText(avgLatencyMs) },
];

/** The map in words: for keyboards, screen readers and phones. */
export function MapList({ graph: { nodes, edges } }: { readonly graph: MapGraph }) {
  const worstFirst = [...nodes].sort(
    (a, b) => Number(b.status === 'degraded') - Number(a.status === 'degraded') || b.rate - a.rate,
  );
  const failingFirst = [...edges].sort((a, b) => b.errorRate - a.errorRate || b.rate - a.rate);
  return (
    <div className="stack">
      <Card title="Services and what they depend on">
        <DataTable label="Services and what they depend on" columns={NODES} rows={worstFirst} idOf={({ id }) => id} />
      </Card>
      <Card title="Calls">
        <DataTable label="Calls" columns={EDGES} rows={failingFirst} idOf={({ id }) => id} />
      </Card>
    </div>
  );
}

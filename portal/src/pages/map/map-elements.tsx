import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  Handle,
  type Node,
  type NodeProps,
  Position,
  type ReactFlowState,
  useStore,
} from '@xyflow/react';
import { Database, Globe, Inbox, type LucideIcon, MonitorSmartphone, Server, Workflow } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';
import { formatDuration, formatPercent, formatRate } from '../../format/number-format';
import { StatusBadge, type StatusLevel } from '../../ui/status-badge';
import { computeEdgeWidth, edgeLevel, type MapEdge, type MapNode, type NodeKind } from './service-graph';
import styles from './map.module.css';
import type { Point } from './node-placement';

export type ServiceNodeType = Node<{ readonly service: MapNode }, 'service'>;

export const KIND_ICONS: Readonly<Record<NodeKind, LucideIcon>> = {
  service: Server,
  worker: Workflow,
  client: MonitorSmartphone,
  database: Database,
  queue: Inbox,
  external: Globe,
};

export const STATUS_LEVELS = { healthy: 'good', degraded: 'warning', unknown: 'unknown' } as const satisfies Record<
  string,
  StatusLevel
>;

export const STATUS_LABELS = { healthy: 'Healthy', degraded: 'Degraded', unknown: 'Unknown' } as const;

/** Below this zoom nothing but names can be read. */
export const isZoomedOut = ({ transform: [, , zoom] }: ReactFlowState): boolean => zoom < 0.45;

/** A service with its figures, as a link to its page; what sends nothing itself has a shape of its own and leads nowhere. */
export const ServiceNode = memo(function ServiceNode({ data: { service } }: NodeProps<ServiceNodeType>) {
  const links = usePageLinks();
  const isFar = useStore(isZoomedOut);
  const look = `${styles.node} ${isFar ? styles.far : ''} ${styles[service.kind] ?? ''} ${styles[service.status] ?? ''} ${service.isCause === true ? styles.cause : ''}`;
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      {service.isVirtual ? (
        <div className={look} title={`${service.id}: known by calls to it`}>
          <NodeFigures service={service} />
        </div>
      ) : (
        <Link className={look} to={links.service(service.id)} title={service.id}>
          <NodeFigures service={service} />
        </Link>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
    </>
  );
});

function NodeFigures({
  service: { id, kind, status, rate, errorRate, avgLatencyMs, isCause = false },
}: {
  readonly service: MapNode;
}) {
  const Icon = KIND_ICONS[kind];
  return (
    <>
      <span className={styles.title}>
        <Icon size={15} aria-hidden /> <strong>{id}</strong>
        {isCause && <em>cause</em>}
      </span>
      <span className={styles.line}>
        <StatusBadge level={STATUS_LEVELS[status]}>{STATUS_LABELS[status]}</StatusBadge>{' '}
        <span className={styles.figures}>{avgLatencyMs === undefined ? '' : formatDuration(avgLatencyMs)}</span>
      </span>
      <span className={styles.figures}>
        {formatRate(rate)} · {formatPercent(errorRate)} errors
      </span>
    </>
  );
}

export type CallEdgeType = Edge<
  { readonly call: MapEdge; readonly label: Point | undefined; readonly isLit?: boolean },
  'call'
>;

export const EDGE_COLOURS = { good: 'var(--quiet)', warning: 'var(--warning)', critical: 'var(--critical)' } as const;

/** Calls: the wider the more, coloured and told in words where they fail. */
export const CallEdge = memo(function CallEdge({ data, markerEnd, ...ends }: EdgeProps<CallEdgeType>) {
  const [path, x, y] = getBezierPath(ends);
  const isFar = useStore(isZoomedOut);
  if (data === undefined) return null;
  const { call, isLit = false } = data;
  const label = data.label ?? (isLit ? { x, y } : undefined);
  const level = edgeLevel(call.errorRate);
  return (
    <>
      <BaseEdge
        path={path}
        markerEnd={markerEnd}
        style={{
          stroke: EDGE_COLOURS[level],
          strokeWidth: computeEdgeWidth(call.rate),
          strokeDasharray: level === 'good' ? undefined : '8 5',
        }}
      />
      {label !== undefined && !isFar && (
        <EdgeLabelRenderer>
          <span
            className={`${styles.label} ${isLit ? styles.bright : ''} ${level === 'good' ? '' : (styles[level] ?? '')}`}
            style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
          >
            <span>
              {formatRate(call.rate)} · {formatDuration(call.avgLatencyMs)}
            </span>
            {level !== 'good' && <span>{formatPercent(call.errorRate)} errors</span>}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

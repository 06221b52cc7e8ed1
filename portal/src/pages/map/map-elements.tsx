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
import type { Point } from './node-placement';
import {
  computeEdgeWidth,
  edgeLevel,
  type MapEdge,
  type MapNode,
  type NodeKind,
  type NodeStatus,
} from './service-graph';
import styles from './map.module.css';

export type ServiceNodeType = Node<{ readonly service: MapNode }, 'service'>;

export const KIND_ICONS: Readonly<Record<NodeKind, LucideIcon>> = {
  service: Server,
  worker: Workflow,
  client: MonitorSmartphone,
  database: Database,
  queue: Inbox,
  external: Globe,
};

export const STATUS_LEVELS = {
  healthy: 'good',
  recovering: 'recovering',
  degraded: 'warning',
  unknown: 'unknown',
} as const satisfies Record<NodeStatus, StatusLevel>;

export const STATUS_LABELS = {
  healthy: 'Healthy',
  recovering: 'Recovering',
  degraded: 'Degraded',
  unknown: 'No requests',
} as const satisfies Record<NodeStatus, string>;

/** At a lower zoom only names are legible. */
export const isZoomedOut = ({ transform: [, , zoom] }: ReactFlowState): boolean => zoom < 0.45;

/** A service with its metrics, linked to its page. Dependencies without telemetry of their own have another shape and no link. */
export const ServiceNode = memo(function ServiceNode({ data: { service } }: NodeProps<ServiceNodeType>) {
  const links = usePageLinks();
  const isFar = useStore(isZoomedOut);
  const className = `${styles.node} ${isFar ? styles.far : ''} ${styles[service.kind] ?? ''} ${styles[service.status] ?? ''} ${service.isCause === true ? styles.cause : ''}`;
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      {service.isVirtual ? (
        <div className={className} title={`${service.id}: known from calls to it`}>
          <NodeFigures service={service} />
        </div>
      ) : (
        <Link className={className} to={links.service(service.id)} title={service.id}>
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
  { readonly call: MapEdge; readonly label: Point | undefined; readonly isHighlighted?: boolean },
  'call'
>;

export const EDGE_COLOURS = { good: 'var(--quiet)', warning: 'var(--warning)', critical: 'var(--critical)' } as const;

/** Calls between two services: wider with a higher rate, coloured and labelled if they fail. */
export const CallEdge = memo(function CallEdge({ data, markerEnd, ...ends }: EdgeProps<CallEdgeType>) {
  const [path, x, y] = getBezierPath(ends);
  const isFar = useStore(isZoomedOut);
  if (data === undefined) return null;
  const { call, isHighlighted = false } = data;
  const label = data.label ?? (isHighlighted ? { x, y } : undefined);
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
            className={`${styles.label} ${isHighlighted ? styles.bright : ''} ${level === 'good' ? '' : (styles[level] ?? '')}`}
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

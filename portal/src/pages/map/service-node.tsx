import { Handle, Position, useStore, type Node, type NodeProps, type ReactFlowState } from '@xyflow/react';
import { Database, Globe, Inbox, MonitorSmartphone, Server, Workflow, type LucideIcon } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { useLinks } from '../../app/use-links';
import { durationText, percentText, rateText } from '../../format/quantities';
import { Status, type Level } from '../../ui/status';
import type { MapNode, NodeKind } from './graph';
import styles from './map.module.css';

export type ServiceNodeType = Node<{ readonly service: MapNode }, 'service'>;

export const ICONS: Readonly<Record<NodeKind, LucideIcon>> = {
  service: Server,
  worker: Workflow,
  client: MonitorSmartphone,
  database: Database,
  queue: Inbox,
  external: Globe,
};
export const LEVELS = { healthy: 'good', degraded: 'warning', unknown: 'unknown' } as const satisfies Record<
  string,
  Level
>;
export const WORDS = { healthy: 'Healthy', degraded: 'Degraded', unknown: 'Unknown' } as const;

/** Below this zoom nothing but names can be read. */
export const isFarAway = ({ transform: [, , zoom] }: ReactFlowState): boolean => zoom < 0.45;

/** A service with its figures, as a link to its page; what sends nothing itself has a shape of its own and leads nowhere. */
export const ServiceNode = memo(function ServiceNode({ data: { service } }: NodeProps<ServiceNodeType>) {
  const links = useLinks();
  const isFar = useStore(isFarAway);
  const look = `${styles.node} ${isFar ? styles.far : ''} ${styles[service.kind] ?? ''} ${styles[service.status] ?? ''} ${service.isCause === true ? styles.cause : ''}`;
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      {service.isVirtual ? (
        <div className={look} title={`${service.id}: known by calls to it`}>
          <Figures service={service} />
        </div>
      ) : (
        <Link className={look} to={links.service(service.id)} title={service.id}>
          <Figures service={service} />
        </Link>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
    </>
  );
});

function Figures({
  service: { id, kind, status, rate, errorRate, avgLatencyMs, isCause = false },
}: {
  readonly service: MapNode;
}) {
  const Icon = ICONS[kind];
  return (
    <>
      <span className={styles.title}>
        <Icon size={15} aria-hidden /> <strong>{id}</strong>
        {isCause && <em>cause</em>}
      </span>
      <span className={styles.line}>
        <Status level={LEVELS[status]}>{WORDS[status]}</Status>{' '}
        <span className={styles.figures}>{avgLatencyMs === undefined ? '' : durationText(avgLatencyMs)}</span>
      </span>
      <span className={styles.figures}>
        {rateText(rate)} · {percentText(errorRate)} errors
      </span>
    </>
  );
}

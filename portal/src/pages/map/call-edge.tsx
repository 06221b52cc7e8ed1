import { BaseEdge, EdgeLabelRenderer, getBezierPath, useStore, type Edge, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { durationText, percentText, rateText } from '../../format/quantities';
import { edgeLevel, widthOf, type MapEdge } from './graph';
import type { Place } from './places';
import { isFarAway } from './service-node';
import styles from './map.module.css';

export type CallEdgeType = Edge<
  { readonly call: MapEdge; readonly label: Place | undefined; readonly isLit?: boolean },
  'call'
>;

export const COLOURS = { good: 'var(--quiet)', warning: 'var(--warning)', critical: 'var(--critical)' } as const;

/** Calls: the wider the more, coloured and told in words where they fail. */
export const CallEdge = memo(function CallEdge({ data, markerEnd, ...ends }: EdgeProps<CallEdgeType>) {
  const [path, x, y] = getBezierPath(ends);
  const isFar = useStore(isFarAway);
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
          stroke: COLOURS[level],
          strokeWidth: widthOf(call.rate),
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
              {rateText(call.rate)} · {durationText(call.avgLatencyMs)}
            </span>
            {level !== 'good' && <span>{percentText(call.errorRate)} errors</span>}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

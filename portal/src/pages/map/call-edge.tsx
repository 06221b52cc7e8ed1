import { BaseEdge, EdgeLabelRenderer, getBezierPath, type Edge, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { durationText, percentText, rateText } from '../../format/quantities';
import { edgeLevel, widthOf, type MapEdge } from './graph';
import { useIsDim } from './highlight';
import styles from './map.module.css';

export type CallEdgeType = Edge<{ readonly call: MapEdge; readonly hasLabel: boolean }, 'call'>;

export const COLOURS = { good: 'var(--quiet)', warning: 'var(--warning)', critical: 'var(--critical)' } as const;

/** Calls: the wider the more, coloured and told in words where they fail. */
export const CallEdge = memo(function CallEdge({ data, source, target, markerEnd, ...ends }: EdgeProps<CallEdgeType>) {
  const isDim = useIsDim(source, target);
  const [path, x, y] = getBezierPath(ends);
  if (data === undefined) return null;
  const { call, hasLabel } = data;
  const level = edgeLevel(call.errorRate);
  return (
    <>
      <BaseEdge path={path} markerEnd={markerEnd} style={{ stroke: COLOURS[level], strokeWidth: widthOf(call.rate), strokeDasharray: level === 'good' ? undefined : '8 5', opacity: isDim ? 0.15 : 0.85 }} />
      {hasLabel && !isDim && (
        <EdgeLabelRenderer>
          <span className={`${styles.label} ${level === 'good' ? '' : styles[level] ?? ''}`} style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
            <span>{rateText(call.rate)} · {durationText(call.avgLatencyMs)}</span>
            {level !== 'good' && <span>{percentText(call.errorRate)} errors</span>}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

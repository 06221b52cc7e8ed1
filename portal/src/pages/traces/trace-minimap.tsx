import { useMemo, useState, type PointerEvent } from 'react';
import { formatWholeMs } from '../../format/number-format';
import type { Trace } from './trace-model';
import type { TraceInterval } from './waterfall-layout';
import controls from '../../ui/controls.module.css';
import styles from './trace-page.module.css';

interface TraceMinimapProps {
  readonly trace: Trace;
  readonly colours: ReadonlyMap<string, string>;
  readonly zoom: TraceInterval | undefined;
  readonly onZoom: (zoom: TraceInterval | undefined) => void;
}

const VIEW_BOX_WIDTH = 1_000;

/** Overview of the whole trace. Dragging over it zooms into a part. */
export function TraceMinimap({ trace: { waterfall }, colours, zoom, onZoom }: TraceMinimapProps) {
  const [drag, setDrag] = useState<TraceInterval>();
  const whole = Math.max(1, waterfall.duration);
  const lines = useMemo(() => buildServicePaths(waterfall.rows, whole), [waterfall, whole]);
  const toTraceTime = (event: PointerEvent<HTMLDivElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width)) * whole;
  };
  const handlePointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    // Dragging past the edge selects up to the edge.
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: toTraceTime(event), to: toTraceTime(event) });
  };
  const handlePointerUp = (): void => {
    setDrag(undefined);
    if (drag !== undefined && Math.abs(drag.to - drag.from) > whole / 100)
      onZoom({ from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) });
  };
  const band = drag ?? zoom;
  return (
    <div className={styles.minimap}>
      <div
        className={styles.small}
        role="img"
        aria-label={`The whole trace, ${formatWholeMs(whole)}. Drag to zoom in.`}
        onPointerDown={handlePointerDown}
        onPointerMove={(event) => drag !== undefined && setDrag({ ...drag, to: toTraceTime(event) })}
        onPointerUp={handlePointerUp}
        onPointerCancel={() => setDrag(undefined)}
      >
        <svg
          viewBox={`0 0 ${VIEW_BOX_WIDTH} ${Math.max(1, waterfall.rows.length)}`}
          preserveAspectRatio="none"
          aria-hidden
        >
          {[...lines].map(([service, d]) => (
            <path key={service} d={d} style={{ stroke: colours.get(service) }} />
          ))}
        </svg>
        {band !== undefined && (
          <span
            className={styles.band}
            style={{
              left: `${(Math.min(band.from, band.to) / whole) * 100}%`,
              width: `${(Math.abs(band.to - band.from) / whole) * 100}%`,
            }}
          />
        )}
      </div>
      {zoom !== undefined && (
        <button type="button" className={controls.button} onClick={() => onZoom(undefined)}>
          Show whole trace
        </button>
      )}
    </div>
  );
}

/** One SVG path per service, so that rendering stays fast with many spans. */
function buildServicePaths(rows: Trace['waterfall']['rows'], whole: number): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  rows.forEach(({ span, at }, index) => {
    const line = `M${((at / whole) * VIEW_BOX_WIDTH).toFixed(1)} ${index + 0.5}h${Math.max(1, (span.duration / whole) * VIEW_BOX_WIDTH).toFixed(1)}`;
    lines.set(span.serviceName, (lines.get(span.serviceName) ?? '') + line);
  });
  return lines;
}

import { useMemo, useState, type PointerEvent } from 'react';
import { spanDurationText } from '../../format/quantities';
import type { Stretch } from './axis';
import type { Trace } from './whole-trace';
import controls from '../../ui/controls.module.css';
import styles from './trace.module.css';

interface MinimapProps {
  readonly trace: Trace;
  readonly colours: ReadonlyMap<string, string>;
  readonly zoom: Stretch | undefined;
  readonly onZoom: (zoom: Stretch | undefined) => void;
}

const WIDTH = 1_000;

/** The whole trace in small. Dragging over it chooses what part is looked at. */
export function Minimap({ trace: { waterfall }, colours, zoom, onZoom }: MinimapProps) {
  const [drag, setDrag] = useState<Stretch>();
  const whole = Math.max(1, waterfall.duration);
  const lines = useMemo(() => linesOf(waterfall.rows, whole), [waterfall, whole]);
  const at = (event: PointerEvent<HTMLDivElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width)) * whole;
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    // Whoever drags past the edge means the edge.
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: at(event), to: at(event) });
  };
  const release = (): void => {
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
        aria-label={`The whole trace of ${spanDurationText(whole)}. Drag to look at a part.`}
        onPointerDown={press}
        onPointerMove={(event) => drag !== undefined && setDrag({ ...drag, to: at(event) })}
        onPointerUp={release}
        onPointerCancel={() => setDrag(undefined)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${Math.max(1, waterfall.rows.length)}`} preserveAspectRatio="none" aria-hidden>
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
          Whole trace
        </button>
      )}
    </div>
  );
}

/** One path a service: many spans are drawn as fast as few. */
function linesOf(rows: Trace['waterfall']['rows'], whole: number): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  rows.forEach(({ span, at }, index) => {
    const line = `M${((at / whole) * WIDTH).toFixed(1)} ${index + 0.5}h${Math.max(1, (span.duration / whole) * WIDTH).toFixed(1)}`;
    lines.set(span.serviceName, (lines.get(span.serviceName) ?? '') + line);
  });
  return lines;
}

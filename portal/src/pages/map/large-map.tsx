import { useRef } from 'react';
import { countText } from '../../format/quantities';
import controls from '../../ui/controls.module.css';
import { notable, type MapGraph } from './graph';
import { MapCanvas } from './map-canvas';
import styles from './map.module.css';

/** As many as can be read at once on a desk. */
const MOST_NODES = 60;
const NONE: ReadonlySet<string> = new Set();

interface LargeMapProps {
  readonly graph: MapGraph;
  readonly path: ReadonlySet<string> | undefined;
  /** What time the graph is of; undefined while some of it is still of the time before. */
  readonly time: string | undefined;
  readonly isWhole: boolean;
  readonly onWhole: () => void;
}

/** The graph, or of a large one what matters, unless somebody wants to see all of it. */
export function LargeMap({ graph, path, time, isWhole, onWhole }: LargeMapProps) {
  const drawn = useRef({ time, ids: NONE });
  // The picture is steady within a time alone: of another one it shows what its sentence says, whatever was looked at before.
  const before = time === undefined || time === drawn.current.time ? drawn.current.ids : NONE;
  const shown = isWhole ? graph : notable(graph, MOST_NODES, path ?? NONE, before);
  if (time !== undefined) drawn.current = { time, ids: new Set(shown.nodes.map(({ id }) => id)) };
  return (
    <>
      {shown.nodes.length < graph.nodes.length && (
        <div className={styles.path}>
          <p>
            {countText(shown.nodes.length)} of {countText(graph.nodes.length)}: what is to blame or degraded, then the
            busiest. Filter by a name to see its neighbours.
          </p>
          <button type="button" className={controls.button} onClick={onWhole}>
            Draw all
          </button>
        </div>
      )}
      <MapCanvas key={String(isWhole)} graph={shown} path={path} />
    </>
  );
}

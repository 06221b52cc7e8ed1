import { useId, useRef } from 'react';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useTimeView } from '../../time/use-time-view';
import { EmptyState } from '../../ui/page-states';
import { Page } from '../../ui/page';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import controls from '../../ui/controls.module.css';
import { type MapCauses, useMapCauses, useMapMoment, useMapOptions, useServiceMap } from './service-map-hooks';
import { filterGraph, type MapGraph, markCauses, selectNotableNodes } from './service-graph';
import { ServiceMapList } from './service-map-list';
import { MapTimeSlider } from './map-time-slider';
import styles from './map.module.css';
import { formatCount } from '../../format/number-format';
import { MapCanvas } from './map-canvas';
import { Link } from 'react-router';
import { usePageLinks } from '../../app/page-links';

/** Who calls whom, how often, and where it fails; now or at any moment of the hours before. */
export default function ServiceMapPage() {
  const { moment, held, hold } = useMapMoment();
  const { filter, setFilter, shows, show, isWhole, showWhole } = useMapOptions();
  const { map, graph, elsewhen } = useServiceMap(moment);
  const causes = useMapCauses(elsewhen);
  // Who is ill and who is to blame stands first, and is drawn as such.
  const shown = [map, useDiagnostic('health', elsewhen), useDiagnostic('diagnosis', elsewhen)];
  const { key } = useTimeView();
  const time = shown.some(({ isPlaceholderData }) => isPlaceholderData) ? undefined : `${key} ${moment ?? ''}`;
  const id = useId();
  return (
    <Page
      title="Service map"
      actions={
        <>
          <label className={controls.row} htmlFor={id}>
            <span className={styles.quiet}>Filter</span>{' '}
            <input
              id={id}
              type="search"
              className={controls.input}
              value={filter}
              placeholder="A name"
              onChange={(event) => setFilter(event.target.value)}
            />
          </label>
          <div className={`${controls.row} ${styles.show}`} role="group" aria-label="Show as">
            <button
              type="button"
              className={controls.button}
              aria-pressed={shows === 'map'}
              onClick={() => show('map')}
            >
              Map
            </button>
            <button
              type="button"
              className={controls.button}
              aria-pressed={shows === 'list'}
              onClick={() => show('list')}
            >
              List
            </button>
          </div>
        </>
      }
    >
      <MapTimeSlider moment={held} onMove={hold} isWaiting={map.isPlaceholderData} />
      <CausePathNote causes={causes} />
      <QueriesBoundary queries={shown} skeleton={<Skeleton height="32rem" />}>
        <QueryBoundary query={map}>
          {() => {
            if (graph === undefined || graph.nodes.length === 0)
              return (
                <EmptyState title="No service was seen in this time">
                  Move the slider, or choose a longer time.
                </EmptyState>
              );
            const found = filterGraph(markCauses(graph, causes.names), filter);
            if (found.nodes.length === 0)
              return <EmptyState title="No service of that name">Filter by another part of its name.</EmptyState>;
            return shows === 'list' ? (
              <ServiceMapList graph={found} />
            ) : (
              <ReducedMap
                key={filter}
                graph={found}
                path={causes.path}
                time={time}
                isWhole={isWhole}
                onWhole={showWhole}
              />
            );
          }}
        </QueryBoundary>
      </QueriesBoundary>
    </Page>
  );
}

/** As many as can be read at once on a desk. */
const MAX_NODES = 60;

const NO_IDS: ReadonlySet<string> = new Set();

interface ReducedMapProps {
  readonly graph: MapGraph;
  readonly path: ReadonlySet<string> | undefined;
  /** What time the graph is of; undefined while some of it is still of the time before. */
  readonly time: string | undefined;
  readonly isWhole: boolean;
  readonly onWhole: () => void;
}

/** The graph, or of a large one what matters, unless somebody wants to see all of it. */
export function ReducedMap({ graph, path, time, isWhole, onWhole }: ReducedMapProps) {
  const drawn = useRef({ time, ids: NO_IDS });
  // The picture is steady within a time alone: of another one it shows what its sentence says, whatever was looked at before.
  const before = time === undefined || time === drawn.current.time ? drawn.current.ids : NO_IDS;
  const shown = isWhole ? graph : selectNotableNodes(graph, MAX_NODES, path ?? NO_IDS, before);
  if (time !== undefined) drawn.current = { time, ids: new Set(shown.nodes.map(({ id }) => id)) };
  return (
    <>
      {shown.nodes.length < graph.nodes.length && (
        <div className={styles.path}>
          <p>
            {formatCount(shown.nodes.length)} of {formatCount(graph.nodes.length)}: what is to blame or degraded, then
            the busiest. Filter by a name to see its neighbours.
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

/** Says that a path is lit, and why; nothing where no cause is looked at. */
export function CausePathNote({ causes: { chosen, path, leave } }: { readonly causes: MapCauses }) {
  const links = usePageLinks();
  if (chosen === '') return null;
  return (
    <div className={styles.path} role="status">
      <p>{describePath(chosen, path)}</p>
      <Link to={links.page('diagnosis')}>Diagnosis</Link>
      <button type="button" className={controls.button} onClick={leave}>
        Show all alike
      </button>
    </div>
  );
}

function describePath(cause: string, path: ReadonlySet<string> | undefined): string {
  if (path === undefined) return `${cause} is blamed for nothing at this time.`;
  return path.size === 1
    ? `Lit: ${cause}, which harms no other service by now.`
    : `Lit: whom ${cause} harms, and how they call it.`;
}

import { useId, useRef } from 'react';
import { Link } from 'react-router';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { formatCount } from '../../format/number-format';
import { useTimeView } from '../../time/use-time-view';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { MapCanvas } from './map-canvas';
import { MapTimeSlider } from './map-time-slider';
import { filterGraph, type MapGraph, markCauses, selectNotableNodes } from './service-graph';
import { type MapCauses, useMapCauses, useMapMoment, useMapOptions, useServiceMap } from './service-map-hooks';
import { ServiceMapList } from './service-map-list';
import controls from '../../ui/controls.module.css';
import styles from './map.module.css';

/** Services and their calls with rates and errors, now or at an earlier moment. */
export default function ServiceMapPage() {
  const { moment, sliderMoment, setSliderMoment } = useMapMoment();
  const { filter, setFilter, shows, setDisplay, showsAll, showAll } = useMapOptions();
  const { map, graph, pastView } = useServiceMap(moment);
  const causes = useMapCauses(pastView);
  // Loaded first, since degraded services and root causes are highlighted and sorted first.
  const queries = [map, useDiagnostic('health', pastView), useDiagnostic('diagnosis', pastView)];
  const { key } = useTimeView();
  const time = queries.some(({ isPlaceholderData }) => isPlaceholderData) ? undefined : `${key} ${moment ?? ''}`;
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
              placeholder="Service name"
              onChange={(event) => setFilter(event.target.value)}
            />
          </label>
          <div className={`${controls.row} ${styles.show}`} role="group" aria-label="Show as">
            <button
              type="button"
              className={controls.button}
              aria-pressed={shows === 'map'}
              onClick={() => setDisplay('map')}
            >
              Map
            </button>
            <button
              type="button"
              className={controls.button}
              aria-pressed={shows === 'list'}
              onClick={() => setDisplay('list')}
            >
              List
            </button>
          </div>
        </>
      }
    >
      <MapTimeSlider moment={sliderMoment} onMove={setSliderMoment} isWaiting={map.isPlaceholderData} />
      <CausePathNote causes={causes} />
      <QueriesBoundary queries={queries} skeleton={<Skeleton height="32rem" />}>
        <QueryBoundary query={map}>
          {() => {
            if (graph === undefined || graph.nodes.length === 0)
              return (
                <EmptyState title="No services in this time range">
                  {' '}
                  Move the slider or choose a longer time range.
                </EmptyState>
              );
            const visibleGraph = filterGraph(markCauses(graph, causes.names), filter);
            if (visibleGraph.nodes.length === 0)
              return <EmptyState title="No matching services">Try another filter.</EmptyState>;
            return shows === 'list' ? (
              <ServiceMapList graph={visibleGraph} />
            ) : (
              <ReducedMap
                key={filter}
                graph={visibleGraph}
                path={causes.path}
                time={time}
                showsAll={showsAll}
                onShowAll={showAll}
              />
            );
          }}
        </QueryBoundary>
      </QueriesBoundary>
    </Page>
  );
}

/** Most nodes that are legible at once on a desktop screen. */
const MAX_NODES = 60;

const NO_IDS: ReadonlySet<string> = new Set();

interface ReducedMapProps {
  readonly graph: MapGraph;
  readonly path: ReadonlySet<string> | undefined;
  /** Identifies the time of the graph; undefined while parts of it are still placeholders. */
  readonly time: string | undefined;
  readonly showsAll: boolean;
  readonly onShowAll: () => void;
}

/** The graph, reduced to its notable nodes if it is large and the user has not asked for all of it. */
export function ReducedMap({ graph, path, time, showsAll, onShowAll }: ReducedMapProps) {
  const drawn = useRef({ time, ids: NO_IDS });
  // Visible nodes are only kept while the time stays the same: at another time, the selection starts over.
  const before = time === undefined || time === drawn.current.time ? drawn.current.ids : NO_IDS;
  const shown = showsAll ? graph : selectNotableNodes(graph, MAX_NODES, path ?? NO_IDS, before);
  if (time !== undefined) drawn.current = { time, ids: new Set(shown.nodes.map(({ id }) => id)) };
  return (
    <>
      {shown.nodes.length < graph.nodes.length && (
        <div className={styles.path}>
          <p>
            {formatCount(shown.nodes.length)} of {formatCount(graph.nodes.length)} services: root causes and degraded
            services first, then the busiest. Filter by name to see a service and its neighbours.
          </p>
          <button type="button" className={controls.button} onClick={onShowAll}>
            Show all
          </button>
        </div>
      )}
      <MapCanvas key={String(showsAll)} graph={shown} path={path} />
    </>
  );
}

/** Explains the highlighted path; nothing if no root cause is selected. */
export function CausePathNote({ causes: { selected, path, clear } }: { readonly causes: MapCauses }) {
  const links = usePageLinks();
  if (selected === '') return null;
  return (
    <div className={styles.path} role="status">
      <p>{describePath(selected, path)}</p>
      <Link to={links.page('diagnosis')}>Diagnosis</Link>
      <button type="button" className={controls.button} onClick={clear}>
        Clear highlight
      </button>
    </div>
  );
}

function describePath(cause: string, path: ReadonlySet<string> | undefined): string {
  if (path === undefined) return `${cause} is not a root cause at this time.`;
  return path.size === 1
    ? `Highlighted: ${cause}, which does not affect other services yet.`
    : `Highlighted: ${cause} and the services it affects.`;
}

import { useId } from 'react';
import { useDiagnostic } from '../../api/use-diagnostic';
import { useView } from '../../time/use-view';
import { EmptyState } from '../../ui/empty-state';
import { Page } from '../../ui/page';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { Together } from '../../ui/together';
import controls from '../../ui/controls.module.css';
import { useChoices } from './use-choices';
import { blamed, filtered } from './graph';
import { LargeMap } from './large-map';
import { MapList } from './map-list';
import { PathNote } from './path-note';
import { TimeSlider } from './time-slider';
import { useCauses } from './use-causes';
import { useMap } from './use-map';
import { useMoment } from './use-moment';
import styles from './map.module.css';

/** Who calls whom, how often, and where it fails; now or at any moment of the hours before. */
export default function ServiceMapPage() {
  const { moment, held, hold } = useMoment();
  const { filter, setFilter, shows, show, isWhole, showWhole } = useChoices();
  const { map, graph, elsewhen } = useMap(moment);
  const causes = useCauses(elsewhen);
  // Who is ill and who is to blame stands first, and is drawn as such.
  const shown = [map, useDiagnostic('health', elsewhen), useDiagnostic('diagnosis', elsewhen)];
  const { key } = useView();
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
      <TimeSlider moment={held} onMove={hold} isWaiting={map.isPlaceholderData} />
      <PathNote causes={causes} />
      <Together queries={shown} skeleton={<Skeleton height="32rem" />}>
        <QueryState query={map}>
          {() => {
            if (graph === undefined || graph.nodes.length === 0)
              return (
                <EmptyState title="No service was seen in this time">
                  Move the slider, or choose a longer time.
                </EmptyState>
              );
            const found = filtered(blamed(graph, causes.names), filter);
            if (found.nodes.length === 0)
              return <EmptyState title="No service of that name">Filter by another part of its name.</EmptyState>;
            return shows === 'list' ? (
              <MapList graph={found} />
            ) : (
              <LargeMap
                key={filter}
                graph={found}
                path={causes.path}
                time={time}
                isWhole={isWhole}
                onWhole={showWhole}
              />
            );
          }}
        </QueryState>
      </Together>
    </Page>
  );
}

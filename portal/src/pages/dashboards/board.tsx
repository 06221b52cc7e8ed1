import type { CSSProperties } from 'react';
import { Pencil, Server } from 'lucide-react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { ChartPanel } from '../../charts/chart-panel';
import { useCharts } from '../../diagnostics/use-chart-data';
import { useMay } from '../../session/use-session';
import controls from '../../ui/controls.module.css';
import { inReadingOrder, type Position } from './placed';
import styles from './board.module.css';

const ROW = 60;
const GAP = 12;
/** Head and frame of a panel. */
const AROUND = 54;

const heightOf = ({ height }: Position): number => Math.max(90, height * (ROW + GAP) - GAP - AROUND);

const cellOf = ({ row, col, width, height }: Position): CSSProperties =>
  ({
    '--col': String(col + 1),
    '--row': String(row + 1),
    '--width': String(width),
    '--height': String(height),
  }) as CSSProperties;

/** The charts in their places; one below the other where the page is narrow. On the dashboard of a service no chart has to say again whose it is. */
export function Board({ title: board, charts }: Pick<Schemas['Dashboard'], 'title' | 'charts'>) {
  const known = useCharts();
  return (
    <div className={styles.board}>
      {inReadingOrder(charts).map(({ chartId, title, chartType, position }) => {
        const about = known.data?.charts.find(({ id }) => id === chartId);
        return (
          <div key={chartId} className={styles.cell} style={cellOf(position)}>
            <ChartPanel
              chartId={chartId}
              title={title.startsWith(`${board} · `) ? title.slice(board.length + 3) : title}
              kind={chartType}
              about={about}
              height={heightOf(position)}
              tools={about && <Ways chart={about} />}
            />
          </div>
        );
      })}
    </div>
  );
}

/** From a chart to what it is about, and to the place where a Member changes it. */
function Ways({ chart: { id, title, metric, serviceName, builtIn } }: { readonly chart: Schemas['ListedChart'] }) {
  const links = useLinks();
  const mayEdit = useMay('Member') && !builtIn;
  return (
    <>
      {serviceName !== '' && (
        <Link
          className={controls.icon}
          to={links.service(serviceName)}
          aria-label={`To ${serviceName}, from ${title}`}
          title={`To ${serviceName}`}
        >
          <Server size={15} aria-hidden />
        </Link>
      )}
      {mayEdit && (
        <Link
          className={controls.icon}
          to={links.page('metrics', { metric, chart: id, change: '1' })}
          aria-label={`Change ${title}`}
          title="Change this chart"
        >
          <Pencil size={15} aria-hidden />
        </Link>
      )}
    </>
  );
}

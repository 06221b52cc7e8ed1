import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { ChartPanel } from '../../charts/chart-panel';
import { useCharts } from '../../diagnostics/use-chart-data';
import { inReadingOrder, type Position } from './placed';
import styles from './board.module.css';

const ROW = 60;
const GAP = 12;
/** Head and frame of a panel. */
const AROUND = 54;

const heightOf = ({ height }: Position): number => Math.max(90, height * (ROW + GAP) - GAP - AROUND);

const cellOf = ({ row, col, width, height }: Position): CSSProperties =>
  ({ '--col': String(col + 1), '--row': String(row + 1), '--width': String(width), '--height': String(height) }) as CSSProperties;

/** The charts in their places; one below the other where the page is narrow. */
export function Board({ charts }: { readonly charts: readonly Schemas['PlacedChart'][] }) {
  const links = useLinks();
  const known = useCharts();
  return (
    <div className={styles.board}>
      {inReadingOrder(charts).map(({ chartId, title, chartType, position }) => {
        const about = known.data?.charts.find(({ id }) => id === chartId);
        return (
          <div key={chartId} className={styles.cell} style={cellOf(position)}>
            <ChartPanel chartId={chartId} title={title} kind={chartType} about={about} height={heightOf(position)} tools={about !== undefined && about.serviceName !== '' && <Link className={styles.quiet} to={links.service(about.serviceName)} title={`To ${about.serviceName}`}>Service</Link>} />
          </div>
        );
      })}
    </div>
  );
}

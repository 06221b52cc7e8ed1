import { Table2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { valueWriter } from '../format/units';
import { useView } from '../time/use-view';
import { ErrorState } from '../ui/error-state';
import { Skeleton } from '../ui/skeleton';
import { TimeChart } from '../ui/time-chart';
import controls from '../ui/controls.module.css';
import { ChartTable } from './chart-table';
import { PictureButton } from './picture-button';
import { useChartPoints } from './use-chart-points';
import { useInSight } from './use-in-sight';
import { useMarks } from './use-marks';
import { useSeries } from './use-series';
import styles from './charts.module.css';

interface ChartPanelProps {
  readonly chartId: string;
  readonly title: string;
  readonly kind: 'line' | 'bar' | 'area';
  /** What it is about, as far as it is known: thresholds and deployments are drawn by it. */
  readonly about?: { readonly metric: string; readonly serviceName: string } | undefined;
  /** Of the drawing. Pixels. */
  readonly height: number;
  /** Beside the title. */
  readonly tools?: ReactNode;
}

/** Their values by service, operation or severity make up that of all. */
const ADDITIVE: ReadonlySet<string> = new Set(['request_rate', 'log_rate', 'error_log_rate']);

/** One chart over the view: drawn or in figures, as a picture, with what watches it. Dragging over it narrows the time of all pages. */
export function ChartPanel({ chartId, title, kind, about, height, tools }: ChartPanelProps) {
  const { element, isSeen } = useInSight<HTMLElement>();
  const [isTable, setTable] = useState(false);
  const points = useChartPoints(chartId, isSeen);
  const unit = points.data?.unit ?? '';
  return (
    <section ref={element} className={styles.panel} aria-label={title}>
      <header className={styles.head}>
        <h2 title={title}>
          {title} {unit !== '' && <span className={styles.unit}>{unit}</span>}
        </h2>
        <div className={styles.tools}>
          {tools}
          <button
            type="button"
            className={controls.icon}
            aria-pressed={isTable}
            aria-label={`${title} as table`}
            title="As table"
            onClick={() => setTable(!isTable)}
          >
            <Table2 size={15} aria-hidden />
          </button>
          <PictureButton kind="charts" id={chartId} title={title} />
        </div>
      </header>
      <div className={styles.body} style={{ minHeight: height }} data-stale={points.isPlaceholderData || undefined}>
        {points.data !== undefined && (
          <Drawing
            data={points.data}
            askedAt={points.dataUpdatedAt}
            title={title}
            kind={kind}
            about={about}
            height={height}
            isTable={isTable}
          />
        )}
        {points.data === undefined && points.error !== null && (
          <ErrorState error={points.error} retry={() => void points.refetch()} />
        )}
        {points.data === undefined && points.error === null && <Skeleton height={`${height}px`} />}
      </div>
    </section>
  );
}

type DrawingProps = Omit<ChartPanelProps, 'chartId' | 'tools'> & {
  readonly data: NonNullable<ReturnType<typeof useChartPoints>['data']>;
  readonly askedAt: number;
  readonly isTable: boolean;
};

function Drawing({ data, askedAt, title, kind, about, height, isTable }: DrawingProps) {
  const { change } = useView();
  const series = useSeries(data);
  const { thresholds, markers } = useMarks(about);
  const format = valueWriter(data.unit);
  if (series.every(({ points }) => points.length === 0)) return <p className={styles.quiet}>No values in this time.</p>;
  if (isTable)
    return (
      <div style={{ height }}>
        <ChartTable title={title} series={series} format={format} />
      </div>
    );
  return (
    <TimeChart
      series={series}
      kind={kind}
      format={format}
      height={height}
      askedAt={askedAt}
      thresholds={thresholds}
      markers={markers}
      {...(kind === 'area' && { isPiled: about !== undefined && ADDITIVE.has(about.metric) })}
      label={`${title} over time${thresholds.length === 0 ? '' : `, watched from ${thresholds.map(({ value }) => format(value)).join(' and ')} on`}. Drag to narrow the time, or see the table.`}
      onBrush={(from, to) => change({ kind: 'range', from, to })}
    />
  );
}

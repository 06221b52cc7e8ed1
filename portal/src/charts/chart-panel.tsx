import { Table2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createUnitFormatter } from '../format/number-format';
import { useTimeView } from '../time/use-time-view';
import { ErrorState } from '../ui/page-states';
import { Skeleton } from '../ui/skeleton';
import { TimeChart } from './time-chart';
import controls from '../ui/controls.module.css';
import { ImageExportButton } from './chart-image-export';
import { useAlignedSeries, useChartAnnotations, useChartDataById } from './chart-hooks';
import styles from './charts.module.css';
import { DataTable } from '../components/data-table';
import { formatDateTime } from '../format/time-format';
import { type AlignedSeries, toTableRows } from './series-alignment';

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
const ADDITIVE_METRICS: ReadonlySet<string> = new Set(['request_rate', 'log_rate', 'error_log_rate']);

/** One chart over the view: drawn or in figures, as a picture, with what watches it. Dragging over it narrows the time of all pages. */
export function ChartPanel({ chartId, title, kind, about, height, tools }: ChartPanelProps) {
  const { element, isSeen } = useInViewport<HTMLElement>();
  const [isTable, setTable] = useState(false);
  const points = useChartDataById(chartId, isSeen);
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
          <ImageExportButton kind="charts" id={chartId} title={title} />
        </div>
      </header>
      <div className={styles.body} style={{ minHeight: height }} data-stale={points.isPlaceholderData || undefined}>
        {points.data !== undefined && (
          <ChartContent
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

type ChartContentProps = Omit<ChartPanelProps, 'chartId' | 'tools'> & {
  readonly data: NonNullable<ReturnType<typeof useChartDataById>['data']>;
  readonly askedAt: number;
  readonly isTable: boolean;
};

function ChartContent({ data, askedAt, title, kind, about, height, isTable }: ChartContentProps) {
  const { change } = useTimeView();
  const series = useAlignedSeries(data);
  const { thresholds, markers } = useChartAnnotations(about);
  const format = createUnitFormatter(data.unit);
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
      {...(kind === 'area' && { isPiled: about !== undefined && ADDITIVE_METRICS.has(about.metric) })}
      label={`${title} over time${thresholds.length === 0 ? '' : `, watched from ${thresholds.map(({ value }) => format(value)).join(' and ')} on`}. Drag to narrow the time, or see the table.`}
      onBrush={(from, to) => change({ kind: 'range', from, to })}
    />
  );
}

/** What the chart shows, in figures: the latest first. */
function ChartTable({
  title,
  series,
  format,
}: {
  readonly title: string;
  readonly series: readonly AlignedSeries[];
  readonly format: (value: number) => string;
}) {
  const rows = [...toTableRows(series)].reverse();
  const columns = [
    {
      title: 'Time',
      cell: ({ at }: (typeof rows)[number]) => <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>,
    },
    ...series.map(({ name }, index) => ({
      title: name,
      isNumber: true,
      cell: ({ values }: (typeof rows)[number]) => {
        const value = values[index];
        return value === undefined ? 'no value' : format(value);
      },
    })),
  ];
  return (
    <div className={styles.table}>
      <DataTable label={`Values of ${title}`} columns={columns} rows={rows} getRowKey={({ at }) => String(at)} />
    </div>
  );
}

/** Whether the element has come into sight, or near it: what is far below asks for nothing. */
function useInViewport<Element extends HTMLElement>() {
  const element = useRef<Element>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null || isSeen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return { element, isSeen };
}

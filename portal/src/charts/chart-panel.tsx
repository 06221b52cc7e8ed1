import { Table2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { DataTable } from '../components/data-table';
import { createUnitFormatter, formatDuration } from '../format/number-format';
import { formatDateTime } from '../format/time-format';
import { useTimeView } from '../time/use-time-view';
import { ErrorState } from '../ui/page-states';
import { Skeleton } from '../ui/skeleton';
import type { Schemas } from '../api/api-client';
import { FigureChart, isFigureChart } from './figure-chart';
import { buildHeatmap, type Heatmap } from './heatmap-cells';
import { HeatmapPlot } from './heatmap-plot';
import { useAlignedSeries, useChartAnnotations, useChartDataById } from './chart-hooks';
import { ImageExportButton } from './chart-image-export';
import { type AlignedSeries, toTableRows } from './series-alignment';
import { TimeChart } from './time-chart';
import controls from '../ui/controls.module.css';
import styles from './charts.module.css';

interface ChartPanelProps {
  readonly chartId: string;
  readonly title: string;
  readonly kind: Schemas['ChartModel']['chartType'];
  /** Metric and service of the chart once known, for thresholds and deployments. */
  readonly about?: { readonly metric: string; readonly serviceName: string } | undefined;
  /** Condition that narrows the chart; "": none. */
  readonly filter?: string;
  /** Height of the chart in px. */
  readonly height: number;
  /** Controls beside the title. */
  readonly tools?: ReactNode;
}

/** Metrics whose values by service, operation or severity add up to the total, so that their areas are stacked. */
const ADDITIVE_METRICS: ReadonlySet<string> = new Set(['request_rate', 'log_rate', 'error_log_rate']);

/** A chart over the view, as a drawing or a table, with image export and annotations. Dragging over it narrows the time view of all pages. */
export function ChartPanel({ chartId, title, kind, about, filter = '', height, tools }: ChartPanelProps) {
  const { element, isSeen } = useInViewport<HTMLElement>();
  const [isTable, setTable] = useState(false);
  const points = useChartDataById(chartId, isSeen, filter);
  const unit = points.data?.unit ?? '';
  return (
    <section ref={element} className={styles.panel} aria-label={title}>
      <header className={styles.head}>
        <h2 title={title}>
          {title} {unit !== '' && <span className={styles.unit}>{unit}</span>}
        </h2>
        <div className={styles.tools}>
          {tools}
          {!isFigureChart(kind) && (
            <button
              type="button"
              className={controls.icon}
              aria-pressed={isTable}
              aria-label={`Show ${title} as table`}
              title="Show as table"
              onClick={() => setTable(!isTable)}
            >
              <Table2 size={15} aria-hidden />
            </button>
          )}
          <ImageExportButton kind="charts" id={chartId} title={title} filter={filter} />
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

type ChartContentProps = Omit<ChartPanelProps, 'chartId' | 'tools' | 'filter'> & {
  readonly data: NonNullable<ReturnType<typeof useChartDataById>['data']>;
  readonly askedAt: number;
  readonly isTable: boolean;
};

function ChartContent({ data, askedAt, title, kind, about, height, isTable }: ChartContentProps) {
  const { change } = useTimeView();
  const aligned = useAlignedSeries(data);
  const series = kind === 'heatmap' && isTable ? nameBuckets(aligned) : aligned;
  const { thresholds, markers } = useChartAnnotations(about);
  const format = createUnitFormatter(data.unit);
  if (series.every(({ points }) => points.length === 0))
    return <p className={styles.quiet}>{data.hint ?? 'No data in this time range.'}</p>;
  if (isFigureChart(kind))
    return <FigureChart title={title} kind={kind} series={data.series} format={format} height={height} />;
  if (isTable)
    return (
      <div style={{ height }}>
        <ChartTable title={title} series={series} format={format} />
      </div>
    );
  if (kind === 'heatmap')
    return <HeatmapPlot heatmap={toHeatmap(series, (data.stepSeconds ?? 0) * 1_000)} height={height} />;
  return (
    <TimeChart
      series={series}
      kind={kind}
      format={format}
      height={height}
      askedAt={askedAt}
      thresholds={thresholds}
      markers={markers}
      {...(kind === 'area' && { isStacked: about !== undefined && ADDITIVE_METRICS.has(about.metric) })}
      label={`${title} over time${thresholds.length === 0 ? '' : `, with alert thresholds at ${thresholds.map(({ value }) => format(value)).join(' and ')}`}. Drag to narrow the time range, or switch to the table.`}
      onBrush={(from, to) => change({ kind: 'range', from, to })}
    />
  );
}

/** The buckets by duration, named for people. */
function nameBuckets(series: readonly AlignedSeries[]): readonly AlignedSeries[] {
  const sorted = [...series].sort((a, b) => Number(a.name) - Number(b.name));
  return sorted.map((one) => ({ ...one, name: `from ${formatDuration(Number(one.name))}` }));
}

/** Each series is a bucket, labelled by its lower bound in ms. */
function toHeatmap(series: readonly AlignedSeries[], stepMs: number): Heatmap {
  const buckets = series.map(({ name, points }) => ({
    bound: Number(name),
    points: points.map(({ at, value }) => ({ at, count: value })),
  }));
  return buildHeatmap(buckets, stepMs);
}

/** The values of the chart, latest first. */
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
        return value === undefined ? '–' : format(value);
      },
    })),
  ];
  return (
    <div className={styles.table}>
      <DataTable label={`Values of ${title}`} columns={columns} rows={rows} getRowKey={({ at }) => String(at)} />
    </div>
  );
}

/** Whether the element has come into or close to the viewport, so that charts far below load later. */
function useInViewport<Element extends HTMLElement>() {
  const element = useRef<Element>(null);
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    if (element.current === null || isVisible) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setVisible(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isVisible]);
  return { element, isSeen: isVisible };
}

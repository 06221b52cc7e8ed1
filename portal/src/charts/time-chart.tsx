import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Filler,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
  type ChartOptions,
  type ScriptableLineSegmentContext,
} from 'chart.js';
import { useEffect, useRef, useState } from 'react';
import { Chart as ChartView } from 'react-chartjs-2';
import { escapeControlCharacters } from '../format/control-characters';
import { createAxisTimeFormatter, hasSeveralDays, formatDateTime } from '../format/time-format';
import { createOverlayPlugin, type Band, type Marker, type ChartOverlay, type Threshold } from './chart-overlay';
import { markGaps, isIncompleteBucket, markIsolatedPoints, selectTicks, type TimeAxis } from './time-axis';
import { useBrushSelection } from './use-brush-selection';
import styles from './time-chart.module.css';

Chart.register(
  LineController,
  BarController,
  LineElement,
  BarElement,
  PointElement,
  LinearScale,
  CategoryScale,
  Tooltip,
  Legend,
  Filler,
);

export interface TimeSeries {
  readonly name: string;
  /** CSS variable of the theme, such as `--critical`; by default the series colour of its index. */
  readonly colour?: string | undefined;
  /** `at` in ms since 1970, ascending; undefined values are gaps. */
  readonly points: readonly { readonly at: number; readonly value: number | undefined }[];
}

interface TimeChartProps {
  readonly series: readonly TimeSeries[];
  readonly kind?: 'line' | 'area' | 'bar';
  /** Formats a value with its unit. */
  readonly format: (value: number) => string;
  /** Accessible name of the chart. */
  readonly label: string;
  readonly height?: number;
  /** Called with the time range (ms since 1970) selected by dragging over the chart. */
  readonly onBrush?: (from: number, to: number) => void;
  /** Horizontal lines, such as thresholds of alert rules. */
  readonly thresholds?: readonly Threshold[];
  /** Highlighted time ranges. */
  readonly bands?: readonly Band[];
  /** Marked moments; their labels appear in the tooltip. */
  readonly markers?: readonly Marker[];
  /** When the values were loaded, in ms since 1970: a bucket that had not ended then is drawn dashed or pale. */
  readonly askedAt?: number;
  /** Stacks the series: the default for bars; for areas only if the sum is meaningful. */
  readonly isStacked?: boolean;
}

const SERIES_COLOURS = 10;
/** Gap between tick labels (px). */
const LABEL_GAP = 12;
/** Widths (px) of a tick label without and with a date, and of the value axis. */
const [CLOCK_WIDTH, DAY_WIDTH, VALUES_WIDTH] = [40, 96, 56];
const MAX_TICKS = 8;
const NO_ITEMS = [] as const;
const themeColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Values over time. All series must have the same times. */
export function TimeChart({
  series,
  kind = 'line',
  format,
  label,
  height = 180,
  onBrush,
  thresholds = NO_ITEMS,
  bands = NO_ITEMS,
  markers = NO_ITEMS,
  askedAt = Infinity,
  isStacked = kind === 'bar',
}: TimeChartProps) {
  useRedrawOnThemeChange();
  const times = series[0]?.points.map(({ at }) => at) ?? [];
  const axis = { times, hasBars: kind === 'bar' };
  const chart = useRef<Chart<'line' | 'bar'>>(null);
  const brush = useBrushSelection(chart, axis, onBrush);
  const overlay = useOverlayPlugin({ thresholds, bands, markers, axis, colour: themeColour });
  const datasets = series.map((item, index) => buildDataset(item, index, { axis, kind, isStacked, askedAt }));
  const formatTick = createAxisTimeFormatter((times.at(-1) ?? 0) - (times[0] ?? 0));
  return (
    <div className={styles.chart} style={{ height }} role="img" aria-label={label} {...brush.handlers}>
      <ChartView
        role="presentation"
        ref={chart}
        plugins={overlay}
        type={kind === 'bar' ? 'bar' : 'line'}
        data={{ labels: times.map(formatTick), datasets }}
        options={buildChartOptions({ format, axis, hasLegend: series.length > 1, isStacked, thresholds, markers })}
      />
      {brush.band !== undefined && <div className={styles.band} style={brush.band} />}
    </div>
  );
}

interface DrawingOptions {
  readonly axis: TimeAxis;
  readonly kind: NonNullable<TimeChartProps['kind']>;
  readonly isStacked: boolean;
  readonly askedAt: number;
}

const NOT_DRAWN = 'transparent';
const DASHED = [4, 4];
/** Alpha suffixes of hexadecimal colours. */
const [FILL, PALE_FILL] = ['55', '22'];

function buildDataset(
  { name, points, ...look }: TimeSeries,
  index: number,
  { axis, kind, isStacked, askedAt }: DrawingOptions,
) {
  const stroke = themeColour(
    look.colour ?? `--series-${name === 'other' ? 'other' : String((index % SERIES_COLOURS) + 1)}`,
  );
  const isAlone = markIsolatedPoints(
    axis,
    points.map(({ value }) => value),
  );
  const isGap = markGaps(
    axis,
    points.map(({ value }) => value),
  );
  const acrossGap = ({ p1DataIndex }: ScriptableLineSegmentContext): string | undefined =>
    isGap[p1DataIndex] === true ? NOT_DRAWN : undefined;
  const borderDash = ({ p1DataIndex }: ScriptableLineSegmentContext): number[] | undefined =>
    isIncompleteBucket(axis, p1DataIndex, askedAt) ? DASHED : undefined;
  const barFill = points.map((_, at) => stroke + (isIncompleteBucket(axis, at, askedAt) ? PALE_FILL : FILL));
  return {
    label: escapeControlCharacters(name),
    data: points.map(({ value }) => value ?? null),
    type: kind === 'bar' ? ('bar' as const) : ('line' as const),
    borderColor: stroke,
    backgroundColor: kind === 'line' ? stroke : kind === 'area' ? stroke + FILL : barFill,
    borderWidth: 1.6,
    tension: 0,
    fill: kind === 'area' && (isStacked && index > 0 ? '-1' : 'origin'),
    pointRadius: ({ dataIndex }: { readonly dataIndex: number }) => (isAlone[dataIndex] === true ? 2 : 0),
    pointBackgroundColor: stroke,
    pointHitRadius: 8,
    spanGaps: true,
    segment: { borderColor: acrossGap, backgroundColor: acrossGap, borderDash },
  };
}

interface ChartLook extends Pick<ChartOverlay, 'thresholds' | 'markers' | 'axis'> {
  readonly format: (value: number) => string;
  readonly hasLegend: boolean;
  readonly isStacked: boolean;
}

/** The overlay plugin, which reads the latest overlay on each draw. It must stay the same object, since Chart.js takes plugins only once. */
function useOverlayPlugin(overlay: ChartOverlay) {
  const latest = useRef(overlay);
  latest.current = overlay;
  return useState(() => [createOverlayPlugin(() => latest.current)])[0];
}

/** Labels of the markers within a bucket. */
function findMarkerLabels({ axis: { times }, markers }: ChartLook, index: number): string[] {
  const [from, to] = [times[index] ?? 0, times[index + 1] ?? Infinity];
  return markers.filter(({ at }) => at >= from && at < to).map(({ label }) => label);
}

/** How many tick labels fit below a chart of this width (px). */
function computeMaxTicks(width: number, { times }: TimeAxis): number {
  const label = (hasSeveralDays((times.at(-1) ?? 0) - (times[0] ?? 0)) ? DAY_WIDTH : CLOCK_WIDTH) + LABEL_GAP;
  return Math.min(MAX_TICKS, Math.floor((width - VALUES_WIDTH) / label));
}

function buildChartOptions(look: ChartLook): ChartOptions<'line' | 'bar'> {
  const { format, axis, hasLegend, isStacked, thresholds } = look;
  const [quiet, line] = [themeColour('--quiet'), themeColour('--line')];
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: {
        stacked: isStacked,
        afterBuildTicks: (scale) => {
          scale.ticks = selectTicks(axis, computeMaxTicks(scale.chart.width, axis)).map((value) => ({ value }));
        },
        ticks: { color: quiet, maxTicksLimit: MAX_TICKS, maxRotation: 0, autoSkipPadding: LABEL_GAP },
        grid: { display: false },
      },
      y: {
        stacked: isStacked,
        beginAtZero: true,
        suggestedMax: Math.max(0, ...thresholds.map(({ value }) => value * 1.08)),
        ticks: { color: quiet, maxTicksLimit: 5, callback: (value) => format(Number(value)) },
        grid: { color: line },
      },
    },
    plugins: {
      legend: { display: hasLegend, position: 'bottom', labels: { color: quiet, boxWidth: 10, boxHeight: 10 } },
      tooltip: {
        callbacks: {
          title: ([item]) => (item === undefined ? '' : formatDateTime(axis.times[item.dataIndex] ?? 0)),
          label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${format(parsed.y ?? 0)}`,
          footer: ([item]) => (item === undefined ? [] : findMarkerLabels(look, item.dataIndex)),
        },
      },
    },
  };
}

/** Redraws when the theme changes, since a canvas does not follow CSS. */
function useRedrawOnThemeChange(): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    const handleThemeChange = (): void => redraw((count) => count + 1);
    window.addEventListener('hindsight:theme', handleThemeChange);
    return () => window.removeEventListener('hindsight:theme', handleThemeChange);
  }, []);
}

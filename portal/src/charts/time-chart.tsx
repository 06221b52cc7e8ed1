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
  /** A colour of the theme, such as `--critical`; else one of those for series, by its place. */
  readonly colour?: string | undefined;
  /** `at` in ms since 1970, ascending; undefined values are gaps. */
  readonly points: readonly { readonly at: number; readonly value: number | undefined }[];
}

interface TimeChartProps {
  readonly series: readonly TimeSeries[];
  readonly kind?: 'line' | 'area' | 'bar';
  /** How a value is written, with its unit. */
  readonly format: (value: number) => string;
  /** In words, for those who do not see it. */
  readonly label: string;
  readonly height?: number;
  /** Told which stretch was chosen by dragging over the chart, in ms since 1970. */
  readonly onBrush?: (from: number, to: number) => void;
  /** Lines at values that something watches. */
  readonly thresholds?: readonly Threshold[];
  /** Stretches in which something held. */
  readonly bands?: readonly Band[];
  /** Moments at which something happened; told when pointed at. */
  readonly markers?: readonly Marker[];
  /** When the values were asked for, in ms since 1970: the last one may not be final, and looks so. */
  readonly askedAt?: number;
  /** Values of one time stand on one another: of bars always, else where their sum means something. */
  readonly isPiled?: boolean;
}

const SERIES_COLOURS = 10;
/** Pixels between the times below a chart. */
const LABEL_GAP = 12;
/** Pixels of such a time, without and with its day, and of the values beside the chart. */
const [CLOCK_WIDTH, DAY_WIDTH, VALUES_WIDTH] = [40, 96, 56];
const MAX_TICKS = 8;
const NO_ITEMS = [] as const;
const themeColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Values over time. All series have the same places in time. */
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
  isPiled = kind === 'bar',
}: TimeChartProps) {
  useRedrawOnThemeChange();
  const places = series[0]?.points.map(({ at }) => at) ?? [];
  const axis = { places, hasBars: kind === 'bar' };
  const chart = useRef<Chart<'line' | 'bar'>>(null);
  const brush = useBrushSelection(chart, axis, onBrush);
  const overlay = useOverlayPlugin({ thresholds, bands, markers, axis, colour: themeColour });
  const datasets = series.map((one, index) => buildDataset(one, index, { axis, kind, isPiled, askedAt }));
  const write = createAxisTimeFormatter((places.at(-1) ?? 0) - (places[0] ?? 0));
  return (
    <div className={styles.chart} style={{ height }} role="img" aria-label={label} {...brush.handlers}>
      <ChartView
        role="presentation"
        ref={chart}
        plugins={overlay}
        type={kind === 'bar' ? 'bar' : 'line'}
        data={{ labels: places.map(write), datasets }}
        options={buildChartOptions({ format, axis, hasLegend: series.length > 1, isPiled, thresholds, markers })}
      />
      {brush.band !== undefined && <div className={styles.band} style={brush.band} />}
    </div>
  );
}

interface DrawingOptions {
  readonly axis: TimeAxis;
  readonly kind: NonNullable<TimeChartProps['kind']>;
  readonly isPiled: boolean;
  readonly askedAt: number;
}

const NOT_DRAWN = 'transparent';
const DASHED = [4, 4];
/** Last digits of colours: how much of a fill is seen. */
const [FILL, PALE_FILL] = ['55', '22'];

function buildDataset(
  { name, points, ...look }: TimeSeries,
  index: number,
  { axis, kind, isPiled, askedAt }: DrawingOptions,
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
    label: name,
    data: points.map(({ value }) => value ?? null),
    type: kind === 'bar' ? ('bar' as const) : ('line' as const),
    borderColor: stroke,
    backgroundColor: kind === 'line' ? stroke : kind === 'area' ? stroke + FILL : barFill,
    borderWidth: 1.6,
    tension: 0,
    fill: kind === 'area' && (isPiled && index > 0 ? '-1' : 'origin'),
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
  readonly isPiled: boolean;
}

/** Drawn anew with the chart; the plugin itself stays, as chart.js takes plugins once. */
function useOverlayPlugin(overlay: ChartOverlay) {
  const latest = useRef(overlay);
  latest.current = overlay;
  return useState(() => [createOverlayPlugin(() => latest.current)])[0];
}

/** What happened between a place and the next. */
function findMarkerLabels({ axis: { places }, markers }: ChartLook, index: number): string[] {
  const [from, to] = [places[index] ?? 0, places[index + 1] ?? Infinity];
  return markers.filter(({ at }) => at >= from && at < to).map(({ label }) => label);
}

/** How many times have room below a chart so wide. */
function computeMaxTicks(width: number, { places }: TimeAxis): number {
  const label = (hasSeveralDays((places.at(-1) ?? 0) - (places[0] ?? 0)) ? DAY_WIDTH : CLOCK_WIDTH) + LABEL_GAP;
  return Math.min(MAX_TICKS, Math.floor((width - VALUES_WIDTH) / label));
}

function buildChartOptions(look: ChartLook): ChartOptions<'line' | 'bar'> {
  const { format, axis, hasLegend, isPiled, thresholds } = look;
  const [quiet, line] = [themeColour('--quiet'), themeColour('--line')];
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: {
        stacked: isPiled,
        afterBuildTicks: (scale) => {
          scale.ticks = selectTicks(axis, computeMaxTicks(scale.chart.width, axis)).map((value) => ({ value }));
        },
        ticks: { color: quiet, maxTicksLimit: MAX_TICKS, maxRotation: 0, autoSkipPadding: LABEL_GAP },
        grid: { display: false },
      },
      y: {
        stacked: isPiled,
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
          title: ([item]) => (item === undefined ? '' : formatDateTime(axis.places[item.dataIndex] ?? 0)),
          label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${format(parsed.y ?? 0)}`,
          footer: ([item]) => (item === undefined ? [] : findMarkerLabels(look, item.dataIndex)),
        },
      },
    },
  };
}

/** Draws anew when the theme changes: a canvas does not follow CSS. */
function useRedrawOnThemeChange(): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    const hear = (): void => redraw((count) => count + 1);
    window.addEventListener('hindsight:theme', hear);
    return () => window.removeEventListener('hindsight:theme', hear);
  }, []);
}

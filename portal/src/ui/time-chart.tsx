import { BarController, BarElement, CategoryScale, Chart, Filler, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip, type ChartOptions } from 'chart.js';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Chart as ChartView } from 'react-chartjs-2';
import { clockText, momentText } from '../format/moments';
import { overlayPlugin, type Band, type Marker, type Overlay, type Threshold } from './chart-overlay';
import styles from './time-chart.module.css';

Chart.register(LineController, BarController, LineElement, BarElement, PointElement, LinearScale, CategoryScale, Tooltip, Legend, Filler);

export interface TimeSeries {
  readonly name: string;
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
}

const SERIES = 10;
const NONE = [] as const;

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Values over time. All series have the same places in time, as the service gives them. */
export function TimeChart({ series, kind = 'line', format, label, height = 180, onBrush, thresholds = NONE, bands = NONE, markers = NONE }: TimeChartProps) {
  useTheme();
  const places = series[0]?.points.map(({ at }) => at) ?? [];
  const chart = useRef<Chart<'line' | 'bar'>>(null);
  const brush = useBrush(chart, places, onBrush);
  const overlay = useOverlay({ thresholds, bands, markers, places, colour });
  const datasets = series.map(({ name, points }, index) => {
    const stroke = colour(`--series-${name === 'other' ? 'other' : String((index % SERIES) + 1)}`);
    return { label: name, data: points.map(({ value }) => value ?? null), borderColor: stroke, backgroundColor: kind === 'line' ? stroke : `${stroke}55`, borderWidth: 1.6, pointRadius: 0, pointHitRadius: 8, fill: kind === 'area', tension: 0, spanGaps: false, type: kind === 'bar' ? ('bar' as const) : ('line' as const) };
  });
  return (
    <div className={styles.chart} style={{ height }} role="img" aria-label={label} {...brush.handlers}>
      <ChartView role="presentation" ref={chart} plugins={overlay} type={kind === 'bar' ? 'bar' : 'line'} data={{ labels: places.map(clockText), datasets }} options={optionsOf({ format, places, hasLegend: series.length > 1, kind, thresholds, markers })} />
      {brush.band !== undefined && <div className={styles.band} style={brush.band} />}
    </div>
  );
}

interface Look extends Pick<Overlay, 'places' | 'thresholds' | 'markers'> {
  readonly format: (value: number) => string;
  readonly hasLegend: boolean;
  readonly kind: string;
}

/** Drawn anew with the chart; the plugin itself stays, as chart.js takes plugins once. */
function useOverlay(overlay: Overlay) {
  const latest = useRef(overlay);
  latest.current = overlay;
  return useState(() => [overlayPlugin(() => latest.current)])[0];
}

/** What happened between a place and the next. */
function happenedAt({ places, markers }: Look, index: number): string[] {
  const [from, to] = [places[index] ?? 0, places[index + 1] ?? Infinity];
  return markers.filter(({ at }) => at >= from && at < to).map(({ label }) => label);
}

function optionsOf(look: Look): ChartOptions<'line' | 'bar'> {
  const { format, places, hasLegend, kind, thresholds } = look;
  const [quiet, line] = [colour('--quiet'), colour('--line')];
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: { stacked: kind === 'bar', ticks: { color: quiet, maxTicksLimit: 8, maxRotation: 0 }, grid: { display: false } },
      y: { stacked: kind === 'bar', beginAtZero: true, suggestedMax: Math.max(0, ...thresholds.map(({ value }) => value * 1.08)), ticks: { color: quiet, maxTicksLimit: 5, callback: (value) => format(Number(value)) }, grid: { color: line } },
    },
    plugins: {
      legend: { display: hasLegend, position: 'bottom', labels: { color: quiet, boxWidth: 10, boxHeight: 10 } },
      tooltip: { callbacks: { title: ([item]) => (item === undefined ? '' : momentText(places[item.dataIndex] ?? 0)), label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${format(parsed.y ?? 0)}`, footer: ([item]) => (item === undefined ? [] : happenedAt(look, item.dataIndex)) } },
    },
  };
}

/** Draws anew when the theme changes: a canvas does not follow CSS. */
function useTheme(): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    const hear = (): void => redraw((count) => count + 1);
    window.addEventListener('hindsight:theme', hear);
    return () => window.removeEventListener('hindsight:theme', hear);
  }, []);
}

interface Drag {
  readonly from: number;
  readonly to: number;
}

/** Dragging over the chart chooses a stretch of time; shares of the width that values are drawn in. */
function useBrush(chart: RefObject<Chart<'line' | 'bar'> | null>, places: readonly number[], onBrush: TimeChartProps['onBrush']) {
  const [drag, setDrag] = useState<Drag>();
  if (onBrush === undefined || places.length < 2) return { handlers: {}, band: undefined };
  const areaOf = (element: HTMLElement): { readonly left: number; readonly width: number } => {
    const area = chart.current?.chartArea;
    return area === undefined ? { left: 0, width: element.clientWidth } : { left: area.left, width: area.right - area.left };
  };
  const shareOf = (event: React.PointerEvent<HTMLDivElement>): number => {
    const { left, width } = areaOf(event.currentTarget);
    return Math.min(1, Math.max(0, (event.clientX - event.currentTarget.getBoundingClientRect().left - left) / width));
  };
  const momentAt = (share: number): number => places[0]! + share * (places[places.length - 1]! - places[0]!);
  const handlers = {
    onPointerDown: (event: React.PointerEvent<HTMLDivElement>) => setDrag({ from: shareOf(event), to: shareOf(event) }),
    onPointerMove: (event: React.PointerEvent<HTMLDivElement>) => drag !== undefined && setDrag({ ...drag, to: shareOf(event) }),
    onPointerLeave: () => setDrag(undefined),
    onPointerUp: () => {
      setDrag(undefined);
      if (drag === undefined || Math.abs(drag.to - drag.from) < 0.01) return;
      onBrush(momentAt(Math.min(drag.from, drag.to)), momentAt(Math.max(drag.from, drag.to)));
    },
  };
  const area = chart.current?.chartArea;
  const band = drag && area && { left: area.left + Math.min(drag.from, drag.to) * (area.right - area.left), width: Math.abs(drag.to - drag.from) * (area.right - area.left) };
  return { handlers, band };
}

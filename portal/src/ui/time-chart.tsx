import { BarController, BarElement, CategoryScale, Chart, Filler, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip, type ChartOptions } from 'chart.js';
import { useEffect, useState } from 'react';
import { Chart as ChartView } from 'react-chartjs-2';
import { clockText, momentText } from '../format/moments';
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
}

const SERIES = 10;

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Values over time. All series have the same places in time, as the service gives them. */
export function TimeChart({ series, kind = 'line', format, label, height = 180, onBrush }: TimeChartProps) {
  useTheme();
  const places = series[0]?.points.map(({ at }) => at) ?? [];
  const brush = useBrush(places, onBrush);
  const datasets = series.map(({ name, points }, index) => {
    const stroke = colour(`--series-${name === 'other' ? 'other' : String((index % SERIES) + 1)}`);
    return { label: name, data: points.map(({ value }) => value ?? null), borderColor: stroke, backgroundColor: kind === 'line' ? stroke : `${stroke}55`, borderWidth: 1.6, pointRadius: 0, pointHitRadius: 8, fill: kind === 'area', tension: 0, spanGaps: false, type: kind === 'bar' ? ('bar' as const) : ('line' as const) };
  });
  return (
    <div className={styles.chart} style={{ height }} role="img" aria-label={label} {...brush.handlers}>
      <ChartView type={kind === 'bar' ? 'bar' : 'line'} data={{ labels: places.map(clockText), datasets }} options={optionsOf(format, places, series.length > 1, kind)} />
      {brush.band !== undefined && <div className={styles.band} style={brush.band} />}
    </div>
  );
}

function optionsOf(format: (value: number) => string, places: readonly number[], hasLegend: boolean, kind: string): ChartOptions<'line' | 'bar'> {
  const [quiet, line] = [colour('--quiet'), colour('--line')];
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: { stacked: kind === 'bar', ticks: { color: quiet, maxTicksLimit: 8, maxRotation: 0 }, grid: { display: false } },
      y: { stacked: kind === 'bar', beginAtZero: true, ticks: { color: quiet, maxTicksLimit: 5, callback: (value) => format(Number(value)) }, grid: { color: line } },
    },
    plugins: {
      legend: { display: hasLegend, position: 'bottom', labels: { color: quiet, boxWidth: 10, boxHeight: 10 } },
      tooltip: { callbacks: { title: ([item]) => (item === undefined ? '' : momentText(places[item.dataIndex] ?? 0)), label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${format(parsed.y ?? 0)}` } },
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

/** Dragging over the chart chooses a stretch of time; shares of its width. */
function useBrush(places: readonly number[], onBrush: TimeChartProps['onBrush']) {
  const [drag, setDrag] = useState<Drag>();
  if (onBrush === undefined || places.length < 2) return { handlers: {}, band: undefined };
  const shareOf = (event: React.PointerEvent<HTMLDivElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / width));
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
  const band = drag && { left: `${Math.min(drag.from, drag.to) * 100}%`, width: `${Math.abs(drag.to - drag.from) * 100}%` };
  return { handlers, band };
}

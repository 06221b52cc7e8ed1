import type { ChartRenderOptions, ColourIndexes, Theme } from './render-options.js';
import { OTHER_GROUPS_LABEL } from '../diagnostics/chart-series/chart-series.js';
import type { ChartRenderInput } from '../queries/charts/chart-query-types.js';

/**
 * Colours of everything but the series. Contrast to the background is 4.5:1 for text and 3:1 for lines (WCAG 2.2,
 * 1.4.3 and 1.4.11); the grid is deliberately fainter.
 */
export interface Palette {
  readonly background: string;
  /** Background between the panels of a dashboard. */
  readonly dashboard: string;
  readonly title: string;
  readonly text: string;
  readonly grid: string;
  readonly axis: string;
  readonly marker: string;
  readonly info: string;
  readonly warning: string;
  readonly critical: string;
  /** Series colours in order; distinguishable with each of the three colour vision deficiencies (src/charts/README.md). */
  readonly series: readonly string[];
  readonly other: string;
  /** Log severities, in the usual traffic-light colours. */
  readonly severities: Readonly<Record<string, string>>;
}

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  dark: {
    background: '#14181f',
    dashboard: '#0a0d12',
    title: '#f0f3f8',
    text: '#a6b0bf',
    grid: '#262c36',
    axis: '#465060',
    marker: '#c3a6ff',
    info: '#7cb7ff',
    warning: '#f7bd4b',
    critical: '#ff7a70',
    series: [
      '#5aa2f8',
      '#f5a83c',
      '#3fd0a4',
      '#f0609e',
      '#7c6df8',
      '#cdda85',
      '#e5462c',
      '#2cecf5',
      '#be51c8',
      '#d68960',
      '#a9b4eb',
    ],
    other: '#696e78',
    severities: {
      Trace: '#6f7a8d',
      Debug: '#9db0d3',
      Information: '#4c93ee',
      Warning: '#f7c04a',
      Error: '#ee4a44',
      Fatal: '#f4dafa',
    },
  },
  light: {
    background: '#ffffff',
    dashboard: '#eceff4',
    title: '#161b24',
    text: '#565f6e',
    grid: '#e8ebf0',
    axis: '#aab2be',
    marker: '#6b3fc4',
    info: '#1c63c0',
    warning: '#955800',
    critical: '#c4261d',
    series: [
      '#1f6fd6',
      '#d9660a',
      '#3aa460',
      '#4e2999',
      '#bf75c5',
      '#813450',
      '#945913',
      '#8385fa',
      '#524806',
      '#2b567c',
      '#8d5fa0',
    ],
    other: '#7f858f',
    severities: {
      Trace: '#8a929f',
      Debug: '#5f7396',
      Information: '#2f80e8',
      Warning: '#c27f00',
      Error: '#d1242f',
      Fatal: '#390372',
    },
  },
};

/** Colour of the series at this index. Beyond the last colour they repeat with another dash pattern. */
export function seriesColour(label: string, index: number, groupBy: string, theme: Theme): string {
  const { series, severities, other } = PALETTES[theme];
  if (label === OTHER_GROUPS_LABEL) return other;
  if (groupBy === 'severity' && Object.hasOwn(severities, label)) return severities[label];
  return series[index % series.length];
}

/** `#rrggbb` with an opacity from 0 to 1 becomes `#rrggbbaa`. */
export function withOpacity(colour: string, opacity: number): string {
  return `${colour}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;
}

/**
 * Colour indexes for the charts of a dashboard, in the same order, so that a service has the same colour in all of
 * them. Undefined for charts without groups, and for charts in which two groups would get the same of the `colours`
 * available; those use their own order.
 */
export function assignSharedColours(
  pictures: readonly ChartRenderInput[],
  colours: number,
): (ColourIndexes | undefined)[] {
  const byGroup = new Map<string, Map<string, number>>();
  for (const picture of pictures) {
    const indexes = byGroup.get(picture.chart.groupBy) ?? new Map<string, number>();
    byGroup.set(picture.chart.groupBy, indexes);
    for (const label of groupLabels(picture)) if (!indexes.has(label)) indexes.set(label, indexes.size);
  }
  return pictures.map((picture) => {
    const [indexes, groups] = [byGroup.get(picture.chart.groupBy)!, groupLabels(picture)];
    const used = new Set(groups.map((label) => indexes.get(label)! % colours));
    return picture.chart.groupBy !== '' && used.size === groups.length ? indexes : undefined;
  });
}

/** Index of a series' colour: the shared index of the dashboard, otherwise its index in the chart. */
export function colourIndex(label: string, index: number, { panel }: ChartRenderOptions): number {
  return panel?.colourIndexes?.get(label) ?? index;
}

function groupLabels({ data }: ChartRenderInput): string[] {
  return data.series.map(({ label }) => label).filter((label) => label !== OTHER_GROUPS_LABEL);
}

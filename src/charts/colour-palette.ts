import type { ChartRenderOptions, ColourIndexes, Theme } from './render-options.js';
import { OTHER_GROUPS_LABEL } from '../diagnostics/chart-series/chart-series.js';
import type { ChartPicture } from '../queries/charts/chart-query-types.js';

/** Colours of all that is no series. Text meets 4.5:1 on the background, lines 3:1 (WCAG 2.2, 1.4.3 and 1.4.11); the grid only has to be felt. */
export interface Palette {
  readonly background: string;
  /** Between the charts of a board. */
  readonly board: string;
  readonly title: string;
  readonly text: string;
  readonly grid: string;
  readonly axis: string;
  readonly marker: string;
  readonly info: string;
  readonly warning: string;
  readonly critical: string;
  /** Of series, in their order: told apart by people with any of the three colour deficiencies (decision 096). */
  readonly series: readonly string[];
  readonly other: string;
  /** Of logs, which people expect in the colours of traffic lights. */
  readonly severities: Readonly<Record<string, string>>;
}

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  dark: {
    background: '#14181f',
    board: '#0a0d12',
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
    board: '#eceff4',
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

/** Colour of a series by its place; past the last colour they begin again, told apart by their dashes. */
export function seriesColour(label: string, index: number, groupBy: string, theme: Theme): string {
  const { series, severities, other } = PALETTES[theme];
  if (label === OTHER_GROUPS_LABEL) return other;
  if (groupBy === 'severity' && Object.hasOwn(severities, label)) return severities[label];
  return series[index % series.length];
}

/** `#rrggbb` with an opacity of 0 to 1. */
export function withOpacity(colour: string, opacity: number): string {
  return `${colour}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;
}

/**
 * Places for the charts of a board, in their order: a service has one colour in all of them. Undefined where a chart has no
 * groups, or where two of its groups would share one of so many `colours`: that chart keeps its own.
 */
export function assignSharedColours(pictures: readonly ChartPicture[], colours: number): (ColourIndexes | undefined)[] {
  const byGroup = new Map<string, Map<string, number>>();
  for (const picture of pictures) {
    const places = byGroup.get(picture.chart.groupBy) ?? new Map<string, number>();
    byGroup.set(picture.chart.groupBy, places);
    for (const label of groupLabels(picture)) if (!places.has(label)) places.set(label, places.size);
  }
  return pictures.map((picture) => {
    const [places, groups] = [byGroup.get(picture.chart.groupBy)!, groupLabels(picture)];
    const used = new Set(groups.map((label) => places.get(label)! % colours));
    return picture.chart.groupBy !== '' && used.size === groups.length ? places : undefined;
  });
}

/** Where a series stands among the colours: at its place in the chart, unless the board has one for it. */
export function colourIndex(label: string, index: number, { part }: ChartRenderOptions): number {
  return part?.places?.get(label) ?? index;
}

function groupLabels({ data }: ChartPicture): string[] {
  return data.series.map(({ label }) => label).filter((label) => label !== OTHER_GROUPS_LABEL);
}

import type { Theme } from './look.js';
import { OTHER_GROUPS } from '../diagnostics/chart-series/answer.js';

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
    series: ['#5aa2f8', '#f5a83c', '#3fd0a4', '#f0609e', '#7c6df8', '#cdda85', '#e5462c', '#2cecf5', '#be51c8', '#d68960', '#a9b4eb'],
    other: '#696e78',
    severities: { Trace: '#6f7a8d', Debug: '#9db0d3', Information: '#4c93ee', Warning: '#f7c04a', Error: '#ee4a44', Fatal: '#f4dafa' },
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
    series: ['#1f6fd6', '#d9660a', '#3aa460', '#4e2999', '#bf75c5', '#813450', '#945913', '#8385fa', '#524806', '#2b567c', '#8d5fa0'],
    other: '#7f858f',
    severities: { Trace: '#8a929f', Debug: '#5f7396', Information: '#2f80e8', Warning: '#c27f00', Error: '#d1242f', Fatal: '#390372' },
  },
};

/** Colour of a series by its place; past the last colour they begin again, told apart by their dashes. */
export function seriesColour(label: string, index: number, groupBy: string, theme: Theme): string {
  const { series, severities, other } = PALETTES[theme];
  if (label === OTHER_GROUPS) return other;
  if (groupBy === 'severity' && Object.hasOwn(severities, label)) return severities[label];
  return series[index % series.length];
}

/** `#rrggbb` with an opacity of 0 to 1. */
export function translucent(colour: string, opacity: number): string {
  return `${colour}${Math.round(opacity * 255).toString(16).padStart(2, '0')}`;
}

import type { DashboardPicture, PackedChartPicture } from '../queries/charts/chart-query-types.js';

export const THEMES = ['dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

/** How a picture is to look; width and height in pixels. */
export interface ChartRenderOptions {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** The picture is a part of a board. */
  readonly part?: PanelRenderOptions;
}

/** How a part of a board looks: like its neighbours, and without what the board says for all. */
export interface PanelRenderOptions {
  /** Of texts and lines; see layout.ts. */
  readonly scale: number;
  /** Charts of the board are about several services. */
  readonly tellsService: boolean;
  /** Of groups that have the same colour all over the board. */
  readonly places?: ColourIndexes;
}

/** Places of groups among the colours of series, by their labels. */
export type ColourIndexes = ReadonlyMap<string, number>;

export const DEFAULT_CHART_RENDER_OPTIONS: ChartRenderOptions = { width: 800, height: 400, theme: 'dark' };

/**
 * Which drawing this is, for caches: to be raised with every change after which the same picture has other bytes, of our
 * code, the font or the packages that draw.
 */
export const DRAWING_VERSION = 4;

/** Pixels of either side. */
export const IMAGE_SIDE_BOUNDS = { min: 100, max: 4_000 } as const;

/** How a board, which is a dashboard as a picture, is to look; its height comes of its rows. */
export type DashboardRenderOptions = Pick<ChartRenderOptions, 'width' | 'theme'>;

export const DEFAULT_DASHBOARD_RENDER_OPTIONS: DashboardRenderOptions = { width: 1_200, theme: 'dark' };

/** Pixels; less is too narrow for twelve columns. */
export const DASHBOARD_WIDTH_BOUNDS = { min: 400, max: IMAGE_SIDE_BOUNDS.max } as const;

/** Draws pictures of charts away from the thread that serves. */
export interface ChartRenderer {
  /** A PNG. Rejects with code `overloaded` when too many pictures wait. */
  render(picture: PackedChartPicture, look: ChartRenderOptions): Promise<Uint8Array>;
  /** All charts of a dashboard at their places. A PNG; rejects likewise. */
  renderDashboard(picture: DashboardPicture, look: DashboardRenderOptions): Promise<Uint8Array>;
}

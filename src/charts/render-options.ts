import type { DashboardRenderInput, PackedChartInput } from '../queries/charts/chart-query-types.js';

export const THEMES = ['dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

/** Options of a picture; width and height in pixels. */
export interface ChartRenderOptions {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** Set if the picture is a panel of a dashboard. */
  readonly panel?: PanelRenderOptions;
}

/**
 * Options of a dashboard panel: consistent with the other panels, and without what the dashboard's header already
 * shows.
 */
export interface PanelRenderOptions {
  /** Scale of texts and lines; see ChartLayout. */
  readonly scale: number;
  /** The dashboard has charts of several services, so each panel names its service. */
  readonly showsService: boolean;
  /** Groups that have the same colour on the whole dashboard. */
  readonly colourIndexes?: ColourIndexes;
}

/** Palette indexes by group label. */
export type ColourIndexes = ReadonlyMap<string, number>;

export const DEFAULT_CHART_RENDER_OPTIONS: ChartRenderOptions = { width: 800, height: 400, theme: 'dark' };

/**
 * Version of the drawing code, part of cache keys. Must be increased with every change of code, font or drawing
 * packages that changes the bytes of existing pictures.
 */
export const DRAWING_VERSION = 5;

/** Limits of width and height, in pixels. */
export const IMAGE_SIDE_BOUNDS = { min: 100, max: 4_000 } as const;

/** Options of a dashboard picture; its height follows from its rows. */
export type DashboardRenderOptions = Pick<ChartRenderOptions, 'width' | 'theme'>;

export const DEFAULT_DASHBOARD_RENDER_OPTIONS: DashboardRenderOptions = { width: 1_200, theme: 'dark' };

/** In pixels; narrower pictures cannot hold twelve columns. */
export const DASHBOARD_WIDTH_BOUNDS = { min: 400, max: IMAGE_SIDE_BOUNDS.max } as const;

/** Draws pictures of charts outside the serving thread. */
export interface ChartRenderer {
  /** Returns a PNG. Rejects with code `overloaded` if too many pictures of the Grid's owner are waiting. */
  render(gridId: string, picture: PackedChartInput, options: ChartRenderOptions): Promise<Uint8Array>;
  /** Returns a PNG of all charts in their positions; rejects like `render`. */
  renderDashboard(gridId: string, picture: DashboardRenderInput, options: DashboardRenderOptions): Promise<Uint8Array>;
}

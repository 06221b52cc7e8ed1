import type { ChartRenderOptions } from './render-options.js';

/**
 * Sizes in pixels, and which elements fit. In small pictures first the legend is dropped, then the subtitle, then the
 * ticks.
 */
export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  /** 1 at 800 × 400. */
  readonly scale: number;
  readonly padding: number;
  readonly titleSize: number;
  readonly textSize: number;
  readonly showsSubtitle: boolean;
  /** Labels of thresholds and deployments, and the unit. */
  readonly showsLabels: boolean;
  readonly showsTicks: boolean;
  /** Maximum number of legend rows; 0 for no legend. */
  readonly legendRows: number;
}

const REFERENCE_SIZE = { width: 800, height: 400 };
const TEXT = 12;
const TITLE = 15;
const PADDING = 16;
/** The same for all panels of a dashboard. */
const PANEL_PADDING = 14;
/** Slightly oversized text is better than illegible text. */
export const MIN_SCALE = 10 / TEXT;
/** Below 1, because clients that double the size want larger text, but also more space for the lines. */
export const SCALE_EXPONENT = 0.75;
const LEGEND_FRACTION = 0.26;

/** Computes sizes from the dimensions of the picture. */
export function computeChartLayout({ width, height, panel }: ChartRenderOptions): ChartLayout {
  const ratio = Math.min(width / REFERENCE_SIZE.width, height / REFERENCE_SIZE.height);
  const scale = panel?.scale ?? Math.max(MIN_SCALE, ratio ** SCALE_EXPONENT);
  const textSize = Math.round(TEXT * scale);
  const shortSide = Math.min(width, height);
  const isRoomy = width >= 240 && height >= 140;
  return {
    width,
    height,
    scale,
    padding: Math.round(
      panel === undefined
        ? Math.min(PADDING * scale, shortSide * 0.04)
        : Math.min(PANEL_PADDING * scale, shortSide * 0.1),
    ),
    titleSize: Math.round(TITLE * scale),
    textSize,
    showsSubtitle: isRoomy,
    showsLabels: isRoomy,
    showsTicks: width >= 160 && height >= 110,
    legendRows:
      width < 300 || height < 200 ? 0 : Math.max(1, Math.floor((height * LEGEND_FRACTION) / legendRowHeight(textSize))),
  };
}

/** Row height for this text size, both in pixels. */
export function legendRowHeight(textSize: number): number {
  return Math.round(textSize * 1.6);
}

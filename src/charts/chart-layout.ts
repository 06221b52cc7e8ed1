import type { ChartRenderOptions } from './render-options.js';

/** Sizes in pixels, and which parts of a picture there is room for: first the legend goes, then the subtitle, then the ticks. */
export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  /** 1 at 800 × 400. */
  readonly scale: number;
  readonly padding: number;
  readonly titleSize: number;
  readonly textSize: number;
  readonly showsSubtitle: boolean;
  /** Of thresholds, deployments and the unit. */
  readonly showsLabels: boolean;
  readonly showsTicks: boolean;
  /** Rows that the legend may take; 0: there is none. */
  readonly legendRows: number;
}

const REFERENCE_SIZE = { width: 800, height: 400 };
const TEXT = 12;
const TITLE = 15;
const PADDING = 16;
/** The same for all parts of a board. */
const PANEL_PADDING = 14;
/** A little text that is too large still beats text that nobody can read. */
export const MIN_SCALE = 10 / TEXT;
/** Who asks for twice the pixels wants sharper and larger text, and more room for the lines as well. */
export const SCALE_EXPONENT = 0.75;
const LEGEND_FRACTION = 0.26;

/** How the space of a picture is spent. */
export function computeChartLayout({ width, height, part }: ChartRenderOptions): ChartLayout {
  const ratio = Math.min(width / REFERENCE_SIZE.width, height / REFERENCE_SIZE.height);
  const scale = part?.scale ?? Math.max(MIN_SCALE, ratio ** SCALE_EXPONENT);
  const textSize = Math.round(TEXT * scale);
  const least = Math.min(width, height);
  const isRoomy = width >= 240 && height >= 140;
  return {
    width,
    height,
    scale,
    padding: Math.round(
      part === undefined ? Math.min(PADDING * scale, least * 0.04) : Math.min(PANEL_PADDING * scale, least * 0.1),
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

/** Pixels, as sizes of text are. */
export function legendRowHeight(textSize: number): number {
  return Math.round(textSize * 1.6);
}

import type { Look } from './look.js';

/** Sizes in pixels, and which parts of a picture there is room for: first the legend goes, then the subtitle, then the ticks. */
export interface Layout {
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

const USUAL = { width: 800, height: 400 };
const TEXT = 12;
const TITLE = 15;
const PADDING = 16;
/** The same for all parts of a board. */
const PART_PADDING = 14;
/** A little text that is too large still beats text that nobody can read. */
export const SMALLEST_SCALE = 10 / TEXT;
/** Who asks for twice the pixels wants sharper and larger text, and more room for the lines as well. */
export const GROWTH = 0.75;
const LEGEND_SHARE = 0.26;

/** How the space of a picture is spent. */
export function layoutOf({ width, height, part }: Look): Layout {
  const ratio = Math.min(width / USUAL.width, height / USUAL.height);
  const scale = part?.scale ?? Math.max(SMALLEST_SCALE, ratio ** GROWTH);
  const textSize = Math.round(TEXT * scale);
  const least = Math.min(width, height);
  const isRoomy = width >= 240 && height >= 140;
  return {
    width,
    height,
    scale,
    padding: Math.round(part === undefined ? Math.min(PADDING * scale, least * 0.04) : Math.min(PART_PADDING * scale, least * 0.1)),
    titleSize: Math.round(TITLE * scale),
    textSize,
    showsSubtitle: isRoomy,
    showsLabels: isRoomy,
    showsTicks: width >= 160 && height >= 110,
    legendRows: width < 300 || height < 200 ? 0 : Math.max(1, Math.floor((height * LEGEND_SHARE) / legendRowHeight(textSize))),
  };
}

/** Pixels, as sizes of text are. */
export function legendRowHeight(textSize: number): number {
  return Math.round(textSize * 1.6);
}

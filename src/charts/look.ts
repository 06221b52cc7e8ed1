import type { ChartPicture } from '../queries/charts/questions.js';

export const THEMES = ['dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

/** How a picture is to look; width and height in pixels. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

export const DEFAULT_LOOK: Look = { width: 800, height: 400, theme: 'dark' };

/**
 * Which drawing this is, for caches: to be raised with every change after which the same picture has other bytes, of our
 * code, the font or the packages that draw.
 */
export const DRAWING_VERSION = 1;

/** Pixels of either side. */
export const SIDE_BOUNDS = { min: 100, max: 4_000 } as const;

/** Draws pictures of charts away from the thread that serves. */
export interface ChartRenderer {
  /** A PNG. Rejects with code `overloaded` when too many pictures wait. */
  render(picture: ChartPicture, look: Look): Promise<Uint8Array>;
}

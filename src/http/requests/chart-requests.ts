import { IsOptional } from 'class-validator';
import { MAX_CHART_DAYS } from '../../diagnostics/chart-series/chart-window.js';
import type { FieldError } from '../../errors.js';
import type { ChartTimeSelection } from '../../queries/charts/chart-query-types.js';
import { Description, FieldSchema } from './field-metadata.js';
import { parseInstant } from './parse-values.js';
import { IsAfter, IsInstant, IsWithin, OneOf, WholeNumberString } from './field-validators.js';
import { ceilMs, DAY_MS, floorMs, NS_PER_MS, validateExclusive, validateNotInFuture } from './diagnostics-requests.js';
import {
  type ChartRenderOptions,
  DASHBOARD_WIDTH_BOUNDS,
  type DashboardRenderOptions,
  DEFAULT_CHART_RENDER_OPTIONS,
  DEFAULT_DASHBOARD_RENDER_OPTIONS,
  IMAGE_SIDE_BOUNDS,
  type Theme,
  THEMES,
} from '../../charts/render-options.js';

/** When a chart is about: a range, of which either end may be missing, or a moment, or neither, which is the last hour. */
export class ChartRangeModel {
  @Description('The moment that counts as now. Not together with a range, and not in the future.')
  @IsOptional()
  @IsInstant()
  asOf?: string;

  @Description('Start of the range; absent: an hour before its end. Not in the future.')
  @IsOptional()
  @IsInstant()
  rangeStart?: string;

  @Description('End of the range; absent: now.')
  @IsOptional()
  @IsWithin(MAX_CHART_DAYS * DAY_MS, 'rangeStart', `${MAX_CHART_DAYS} days`)
  @IsAfter('rangeStart')
  @IsInstant()
  rangeEnd?: string;
}

/** What range-data takes. */
export class ChartDataModel extends ChartRangeModel {
  @Description('`true`: series carry the measurements that their traces can be found by.', 'true')
  @IsOptional()
  @OneOf(['true', 'false'])
  exemplars?: string;

  @Description('`true`: the answer tells how long its steps are, which few data points alone do not.', 'true')
  @IsOptional()
  @OneOf(['true', 'false'])
  stepSeconds?: string;
}

/**
 * What no single field can tell. A range that ends in the future shows what there is, as those of diagnostics do; but it
 * has to begin before now, and an end alone says when it begins.
 */
export function validateChartRange({ asOf, rangeStart, rangeEnd }: ChartRangeModel, nowMs: number): FieldError[] {
  const together = validateExclusive({ asOf, rangeStart, rangeEnd });
  if (together.length > 0) return together;
  const ahead = validateNotInFuture({ asOf, rangeStart, ...(rangeStart === undefined && { rangeEnd }) }, nowMs);
  return rangeEnd === undefined ? [...ahead, ...validateRangeStart(rangeStart, nowMs)] : ahead;
}

/** A start alone means: until now. */
function validateRangeStart(rangeStart: string | undefined, nowMs: number): FieldError[] {
  const startNs = typeof rangeStart === 'string' ? parseInstant(rangeStart) : undefined;
  if (startNs === undefined || startNs >= BigInt(nowMs - MAX_CHART_DAYS * DAY_MS) * NS_PER_MS) return [];
  return [
    {
      field: 'rangeStart',
      message: `rangeStart must be at most ${MAX_CHART_DAYS} days ago where rangeEnd is not given`,
    },
  ];
}

/** The time that valid parameters name, widened to whole ms. */
export function toChartTime({ asOf, rangeStart, rangeEnd }: ChartRangeModel): ChartTimeSelection {
  return {
    ...(asOf !== undefined && { asOfMs: floorMs(asOf) }),
    ...(rangeStart !== undefined && { fromMs: floorMs(rangeStart) }),
    ...(rangeEnd !== undefined && { toMs: ceilMs(rangeEnd) }),
  };
}

const SideLength = (): PropertyDecorator => WholeNumberString(IMAGE_SIDE_BOUNDS.min, IMAGE_SIDE_BOUNDS.max);

/** How a picture is to look, and which time it shows. Parameters are texts. */
export class ChartPictureModel extends ChartRangeModel {
  @Description('Width. Pixels.', 800)
  @FieldSchema({ default: DEFAULT_CHART_RENDER_OPTIONS.width })
  @IsOptional()
  @SideLength()
  width?: string;

  @Description('Height. Pixels.', 400)
  @FieldSchema({ default: DEFAULT_CHART_RENDER_OPTIONS.height })
  @IsOptional()
  @SideLength()
  height?: string;

  @Description('Colours of the picture.', 'dark')
  @FieldSchema({ default: DEFAULT_CHART_RENDER_OPTIONS.theme })
  @IsOptional()
  @OneOf(THEMES)
  theme?: Theme;
}

/** The same of a dashboard, whose height comes of its rows. */
export class DashboardPictureModel extends ChartRangeModel {
  @Description('Width; the height comes of the rows. Pixels.', 1_200)
  @FieldSchema({ default: DEFAULT_DASHBOARD_RENDER_OPTIONS.width })
  @IsOptional()
  @WholeNumberString(DASHBOARD_WIDTH_BOUNDS.min, DASHBOARD_WIDTH_BOUNDS.max)
  width?: string;

  @Description('Colours of the picture.', 'dark')
  @FieldSchema({ default: DEFAULT_CHART_RENDER_OPTIONS.theme })
  @IsOptional()
  @OneOf(THEMES)
  theme?: Theme;
}

/** The look that valid parameters ask for. */
export function toChartLook({ width, height, theme }: ChartPictureModel): ChartRenderOptions {
  return {
    ...DEFAULT_CHART_RENDER_OPTIONS,
    ...(width !== undefined && { width: Number(width) }),
    ...(height !== undefined && { height: Number(height) }),
    ...(theme !== undefined && { theme }),
  };
}

export function toDashboardLook({ width, theme }: DashboardPictureModel): DashboardRenderOptions {
  return {
    ...DEFAULT_DASHBOARD_RENDER_OPTIONS,
    ...(width !== undefined && { width: Number(width) }),
    ...(theme !== undefined && { theme }),
  };
}

import { IsOptional } from 'class-validator';
import { MAX_CHART_DAYS } from '../../diagnostics/chart-series/chart-window.js';
import type { FieldError } from '../../errors.js';
import { findFilterFault, toChartFilter } from '../../queries/charts/chart-filter.js';
import type { ChartSelection } from '../../queries/charts/chart-query-types.js';
import { Description, FieldSchema, Note } from './field-metadata.js';
import { parseInstant } from './request-parser.js';
import { IsAfter, IsInstant, IsWithin, MAX_TEXT_LENGTH, OneOf, Text, WholeNumberString } from './field-validators.js';
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

/** What of a chart to show: a range with one or both ends, or `asOf`, by default the last hour; and which records. */
export class ChartRangeModel {
  @Description(
    'Evaluate as of this time instead of now. Cannot be combined with a range and must not be in the future.',
  )
  @IsOptional()
  @IsInstant()
  asOf?: string;

  @Description('Start of the range; default: one hour before its end. Must not be in the future.')
  @IsOptional()
  @IsInstant()
  rangeStart?: string;

  @Description('End of the range; default: now.')
  @IsOptional()
  @IsWithin(MAX_CHART_DAYS * DAY_MS, 'rangeStart', `${MAX_CHART_DAYS} days`)
  @IsAfter('rangeStart')
  @IsInstant()
  rangeEnd?: string;

  @Description(
    'Condition in the syntax of queries that narrows the chart; all records by default.',
    'service = checkout',
  )
  @Note(
    'Charts of queries take any condition, charts of metrics only `service = …`: with another one they are empty, with a hint.',
  )
  @IsOptional()
  @Text()
  filter?: string;
}

/** Parameters of range-data. */
export class ChartDataModel extends ChartRangeModel {
  @Description('`true`: include exemplars, measurements that link to traces, in each series.', 'true')
  @IsOptional()
  @OneOf(['true', 'false'])
  exemplars?: string;

  @Description('`true`: include the length of the steps in the response.', 'true')
  @IsOptional()
  @OneOf(['true', 'false'])
  stepSeconds?: string;
}

/**
 * Checks that involve several fields. A range may end in the future, as for diagnostics, but must start before now; with
 * `rangeEnd` alone, the start follows from it.
 */
export function validateChartSelection(model: ChartRangeModel, nowMs: number): FieldError[] {
  return [...validateChartRange(model, nowMs), ...validateFilter(model.filter)];
}

function validateFilter(filter: unknown): FieldError[] {
  if (typeof filter !== 'string' || filter.length > MAX_TEXT_LENGTH) return [];
  const message = findFilterFault(filter);
  return message === undefined ? [] : [{ field: 'filter', message }];
}

function validateChartRange({ asOf, rangeStart, rangeEnd }: ChartRangeModel, nowMs: number): FieldError[] {
  const exclusive = validateExclusive({ asOf, rangeStart, rangeEnd });
  if (exclusive.length > 0) return exclusive;
  const future = validateNotInFuture({ asOf, rangeStart, ...(rangeStart === undefined && { rangeEnd }) }, nowMs);
  return rangeEnd === undefined ? [...future, ...validateRangeStart(rangeStart, nowMs)] : future;
}

/** A start without an end means: until now. */
function validateRangeStart(rangeStart: string | undefined, nowMs: number): FieldError[] {
  const startNs = typeof rangeStart === 'string' ? parseInstant(rangeStart) : undefined;
  if (startNs === undefined || startNs >= BigInt(nowMs - MAX_CHART_DAYS * DAY_MS) * NS_PER_MS) return [];
  return [
    {
      field: 'rangeStart',
      message: `rangeStart must be at most ${MAX_CHART_DAYS} days ago when rangeEnd is omitted`,
    },
  ];
}

/** Converts validated parameters, times widened to whole ms. */
export function toChartSelection({ asOf, rangeStart, rangeEnd, filter = '' }: ChartRangeModel): ChartSelection {
  const narrowing = toChartFilter(filter);
  return {
    ...(narrowing !== undefined && { filter: narrowing }),
    ...(asOf !== undefined && { asOfMs: floorMs(asOf) }),
    ...(rangeStart !== undefined && { fromMs: floorMs(rangeStart) }),
    ...(rangeEnd !== undefined && { toMs: ceilMs(rangeEnd) }),
  };
}

const SideLength = (): PropertyDecorator => WholeNumberString(IMAGE_SIDE_BOUNDS.min, IMAGE_SIDE_BOUNDS.max);

/** Render options and time range of a chart image. Query parameters are strings. */
export class ChartPictureModel extends ChartRangeModel {
  @Description('Width of the image. Pixels.', 800)
  @FieldSchema({ default: DEFAULT_CHART_RENDER_OPTIONS.width })
  @IsOptional()
  @SideLength()
  width?: string;

  @Description('Height of the image. Pixels.', 400)
  @FieldSchema({ default: DEFAULT_CHART_RENDER_OPTIONS.height })
  @IsOptional()
  @SideLength()
  height?: string;

  @Description('Colour theme of the image.', 'dark')
  @FieldSchema({ default: DEFAULT_CHART_RENDER_OPTIONS.theme })
  @IsOptional()
  @OneOf(THEMES)
  theme?: Theme;
}

/** Render options and time range of a dashboard image, whose height follows from its rows. */
export class DashboardPictureModel extends ChartRangeModel {
  @Description('Width of the image; the height follows from the rows. Pixels.', 1_200)
  @FieldSchema({ default: DEFAULT_DASHBOARD_RENDER_OPTIONS.width })
  @IsOptional()
  @WholeNumberString(DASHBOARD_WIDTH_BOUNDS.min, DASHBOARD_WIDTH_BOUNDS.max)
  width?: string;

  @Description('Colour theme of the image.', 'dark')
  @FieldSchema({ default: DEFAULT_CHART_RENDER_OPTIONS.theme })
  @IsOptional()
  @OneOf(THEMES)
  theme?: Theme;
}

/** Converts validated parameters. */
export function toChartRenderOptions({ width, height, theme }: ChartPictureModel): ChartRenderOptions {
  return {
    ...DEFAULT_CHART_RENDER_OPTIONS,
    ...(width !== undefined && { width: Number(width) }),
    ...(height !== undefined && { height: Number(height) }),
    ...(theme !== undefined && { theme }),
  };
}

export function toDashboardRenderOptions({ width, theme }: DashboardPictureModel): DashboardRenderOptions {
  return {
    ...DEFAULT_DASHBOARD_RENDER_OPTIONS,
    ...(width !== undefined && { width: Number(width) }),
    ...(theme !== undefined && { theme }),
  };
}

import { IsOptional } from 'class-validator';
import { MAX_CHART_DAYS } from '../../diagnostics/chart-series/frame.js';
import type { FieldError } from '../../errors.js';
import type { ChartWhen } from '../../queries/charts/questions.js';
import { Means } from './field-schemas.js';
import { parseInstant } from './instant.js';
import { IsAfter, IsInstant, IsWithin, OneOf } from './rules.js';
import { ceilMs, DAY_MS, floorMs, notAhead, NS_PER_MS, togetherFaults } from './window.js';

/** When a chart is about: a range, of which either end may be missing, or a moment, or neither, which is the last hour. */
export class ChartRangeModel {
  @Means('The moment that counts as now. Not together with a range, and not in the future.')
  @IsOptional() @IsInstant()
  asOf?: string;

  @Means('Start of the range; absent: an hour before its end. Not in the future.')
  @IsOptional() @IsInstant()
  rangeStart?: string;

  @Means('End of the range; absent: now.')
  @IsOptional() @IsWithin(MAX_CHART_DAYS * DAY_MS, 'rangeStart', `${MAX_CHART_DAYS} days`) @IsAfter('rangeStart') @IsInstant()
  rangeEnd?: string;
}

/** What range-data takes. */
export class ChartDataModel extends ChartRangeModel {
  @Means('`true`: series carry the measurements that their traces can be found by.', 'true')
  @IsOptional() @OneOf(['true', 'false'])
  exemplars?: string;

  @Means('`true`: the answer tells how long its steps are, which few data points alone do not.', 'true')
  @IsOptional() @OneOf(['true', 'false'])
  stepSeconds?: string;
}

/**
 * What no single field can tell. A range that ends in the future shows what there is, as those of diagnostics do; but it
 * has to begin before now, and an end alone says when it begins.
 */
export function chartRangeFaults({ asOf, rangeStart, rangeEnd }: ChartRangeModel, nowMs: number): FieldError[] {
  const together = togetherFaults({ asOf, rangeStart, rangeEnd });
  if (together.length > 0) return together;
  const ahead = notAhead({ asOf, rangeStart, ...(rangeStart === undefined && { rangeEnd }) }, nowMs);
  return rangeEnd === undefined ? [...ahead, ...tooLongAgo(rangeStart, nowMs)] : ahead;
}

/** A start alone means: until now. */
function tooLongAgo(rangeStart: string | undefined, nowMs: number): FieldError[] {
  const startNs = typeof rangeStart === 'string' ? parseInstant(rangeStart) : undefined;
  if (startNs === undefined || startNs >= BigInt(nowMs - MAX_CHART_DAYS * DAY_MS) * NS_PER_MS) return [];
  return [{ field: 'rangeStart', message: `rangeStart must be at most ${MAX_CHART_DAYS} days ago where rangeEnd is not given` }];
}

/** The time that valid parameters name, widened to whole ms. */
export function chartWhenOf({ asOf, rangeStart, rangeEnd }: ChartRangeModel): ChartWhen {
  return {
    ...(asOf !== undefined && { asOfMs: floorMs(asOf) }),
    ...(rangeStart !== undefined && { fromMs: floorMs(rangeStart) }),
    ...(rangeEnd !== undefined && { toMs: ceilMs(rangeEnd) }),
  };
}

import { useMemo } from 'react';
import type { Schemas } from '../api/client';
import { alignedSeries, frameOf, inOwnColours, type AlignedSeries } from './series';

/** The series of an answer, with their gaps; the same ones until another answer comes. */
export function useSeries(data: Schemas['ChartRangeData'] | undefined): readonly AlignedSeries[] {
  return useMemo(() => (data === undefined ? [] : inOwnColours(alignedSeries(data.series, frameOf(data)))), [data]);
}

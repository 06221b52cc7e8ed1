import { useCallback, useMemo } from 'react';
import { useParameters } from '../../time/use-parameters';
import { filtersOf, parametersOf, type TraceFilters } from './filters';

const NAMES = ['service', 'operation', 'status', 'min', 'max', 'tag'] as const;

/** The filters in the address, and the way to change some of them. */
export function useTraceFilters(): readonly [TraceFilters, (filters: Partial<TraceFilters>) => void] {
  const [parameters, change] = useParameters();
  const said = new URLSearchParams(
    NAMES.flatMap((name) => parameters.getAll(name).map((value): [string, string] => [name, value])),
  ).toString();
  const filters = useMemo(() => filtersOf(new URLSearchParams(said)), [said]);
  const set = useCallback(
    (some: Partial<TraceFilters>) => change({ ...parametersOf({ ...filters, ...some }), row: undefined }),
    [change, filters],
  );
  return [filters, set];
}

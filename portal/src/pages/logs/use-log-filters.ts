import { useCallback, useMemo } from 'react';
import { useParameters } from '../../time/use-parameters';
import { filtersOf, parametersOf, type LogFilters } from './filters';

const NAMES = ['q', 'severity', 'service', 'trace', 'span', 'attr'] as const;

export interface LogsView {
  readonly filters: LogFilters;
  readonly change: (filters: Partial<LogFilters>) => void;
  readonly isWrapped: boolean;
  readonly isTailing: boolean;
  /** Id of the unfolded entry; "" for none. */
  readonly entry: string;
  /** Whether what was said around the unfolded entry is shown. */
  readonly hasContext: boolean;
  readonly set: (name: 'wrap' | 'tail' | 'context', isOn: boolean) => void;
  readonly unfold: (id: string) => void;
}

/** What the page shows, from the address. */
export function useLogsView(): LogsView {
  const [parameters, change] = useParameters();
  const said = new URLSearchParams(
    NAMES.flatMap((name) => parameters.getAll(name).map((value): [string, string] => [name, value])),
  ).toString();
  const filters = useMemo(() => filtersOf(new URLSearchParams(said)), [said]);
  return {
    filters,
    change: useCallback(
      (some) => change({ ...parametersOf({ ...filters, ...some }), entry: '', context: '' }),
      [change, filters],
    ),
    isWrapped: parameters.has('wrap'),
    isTailing: parameters.has('tail'),
    hasContext: parameters.has('context'),
    entry: parameters.get('entry') ?? '',
    set: useCallback((name, isOn) => change({ [name]: isOn ? '1' : '' }, true), [change]),
    unfold: useCallback((id) => change({ entry: id, context: '' }, true), [change]),
  };
}

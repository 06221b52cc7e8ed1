import { useCallback, useMemo } from 'react';
import { readUrlParameters, useUrlParameters } from '../../time/use-url-parameters';
import { parseLogFilters, toLogParameters, type LogFilters } from './log-filters';

const FILTER_PARAMETERS = ['q', 'severity', 'service', 'trace', 'span', 'attr'] as const;

export interface LogsView {
  readonly filters: LogFilters;
  readonly change: (filters: Partial<LogFilters>) => void;
  readonly isWrapped: boolean;
  readonly isTailing: boolean;
  /** ID of the expanded entry; "" for none. */
  readonly entry: string;
  /** Whether entries around the expanded one are shown. */
  readonly hasContext: boolean;
  readonly set: (name: 'wrap' | 'tail' | 'context', isOn: boolean) => void;
  readonly unfold: (id: string) => void;
}

/** View state of the Logs page, kept in the URL. */
export function useLogsView(): LogsView {
  const [parameters, change] = useUrlParameters();
  const search = new URLSearchParams(
    FILTER_PARAMETERS.flatMap((name) => parameters.getAll(name).map((value): [string, string] => [name, value])),
  ).toString();
  const filters = useMemo(() => parseLogFilters(new URLSearchParams(search)), [search]);
  return {
    filters,
    change: useCallback(
      (changes) =>
        change({
          ...toLogParameters({ ...parseLogFilters(readUrlParameters()), ...changes }),
          ...{ entry: '', context: '' },
        }),
      [change],
    ),
    isWrapped: parameters.has('wrap'),
    isTailing: parameters.has('tail'),
    hasContext: parameters.has('context'),
    entry: parameters.get('entry') ?? '',
    set: useCallback((name, isOn) => change({ [name]: isOn ? '1' : '' }, true), [change]),
    unfold: useCallback((id) => change({ entry: id, context: '' }, true), [change]),
  };
}

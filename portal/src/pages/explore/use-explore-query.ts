import { useCallback, useMemo } from 'react';
import { readUrlParameters, useUrlParameters } from '../../time/use-url-parameters';
import { addCondition } from './condition-writer';
import { type ExploreQuery, parseExploreQuery, toExploreParameters } from './explore-query';

const PARAMETERS = ['signal', 'where', 'by', 'select', 'step', 'order', 'limit', 'show', 'column'] as const;

export interface ExploreState {
  readonly query: ExploreQuery;
  readonly change: (changes: Partial<ExploreQuery>) => void;
  /** Adds a condition; undefined ones cannot be written in the language. */
  readonly narrow: (condition: string | undefined, changes?: Partial<ExploreQuery>) => void;
}

/** The query of the Explore page, kept in the URL. */
export function useExploreQuery(): ExploreState {
  const [parameters, changeUrl] = useUrlParameters();
  const search = new URLSearchParams(
    PARAMETERS.flatMap((name) => parameters.getAll(name).map((value): [string, string] => [name, value])),
  ).toString();
  const query = useMemo(() => parseExploreQuery(new URLSearchParams(search)), [search]);
  const change = useCallback(
    (changes: Partial<ExploreQuery>) => changeUrl({ ...toExploreParameters({ ...readQuery(), ...changes }), area: '' }),
    [changeUrl],
  );
  const narrow = useCallback(
    (condition: string | undefined, changes: Partial<ExploreQuery> = {}) =>
      change({ ...changes, ...(condition !== undefined && { where: addCondition(readQuery().where, condition) }) }),
    [change],
  );
  return { query, change, narrow };
}

const readQuery = (): ExploreQuery => parseExploreQuery(readUrlParameters());

import { useMemo } from 'react';
import { useGrid } from '../session/use-session';
import { useTimeQuery, useView } from '../time/use-view';
import { withView, type View } from '../time/view';
import { gridPath, thingPath } from './paths';

/** What a page of its own understands beside the time; absent ones are not said. */
export type Asked = Readonly<Record<string, string | undefined>>;

/** Addresses of the Grid's other pages. Time goes along, unless another stretch is given. */
export interface Links {
  page(name: string, asked?: Asked, elsewhen?: View): string;
  service(name: string, elsewhen?: View): string;
  trace(traceId: string): string;
}

export function useLinks(): Links {
  const { gridSecondaryId } = useGrid();
  const { view } = useView();
  const time = useTimeQuery();
  return useMemo(
    () => ({
      page: (name, asked = {}, elsewhen = view) => gridPath(gridSecondaryId, name) + queryOf(asked, elsewhen),
      service: (name, elsewhen = view) => thingPath(gridSecondaryId, 'services', name) + queryOf({}, elsewhen),
      trace: (traceId) => thingPath(gridSecondaryId, 'traces', traceId) + time,
    }),
    [gridSecondaryId, view, time],
  );
}

function queryOf(asked: Asked, view: View): string {
  const said = Object.entries(asked).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const query = withView(new URLSearchParams(said), view).toString();
  return query === '' ? '' : `?${query}`;
}

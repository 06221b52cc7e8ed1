import { useMemo } from 'react';
import { useGrid } from '../session/use-session';
import { useTimeQueryString, useTimeView } from '../time/use-time-view';
import { type TimeView, withTimeView } from '../time/time-view';

/** What a page of its own understands beside the time; absent ones are not said. */
export type PageParameters = Readonly<Record<string, string | undefined>>;

/** Addresses of the Grid's other pages. Time goes along, unless another stretch is given. */
export interface PageLinks {
  page(name: string, asked?: PageParameters, elsewhen?: TimeView): string;
  service(name: string, elsewhen?: TimeView): string;
  trace(traceId: string): string;
}

export function usePageLinks(): PageLinks {
  const { gridSecondaryId } = useGrid();
  const { view } = useTimeView();
  const time = useTimeQueryString();
  return useMemo(
    () => ({
      page: (name, asked = {}, elsewhen = view) => gridPagePath(gridSecondaryId, name) + toQueryString(asked, elsewhen),
      service: (name, elsewhen = view) =>
        detailPagePath(gridSecondaryId, 'services', name) + toQueryString({}, elsewhen),
      trace: (traceId) => detailPagePath(gridSecondaryId, 'traces', traceId) + time,
    }),
    [gridSecondaryId, view, time],
  );
}

function toQueryString(asked: PageParameters, view: TimeView): string {
  const said = Object.entries(asked).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const query = withTimeView(new URLSearchParams(said), view).toString();
  return query === '' ? '' : `?${query}`;
}

/** Addresses of pages, below /portal. */
export const gridPagePath = (gridId: string, page = 'overview'): string => `/g/${encodeURIComponent(gridId)}/${page}`;

/** A page that shows one thing, such as a trace or a service. */
export const detailPagePath = (gridId: string, page: string, id: string): string =>
  `${gridPagePath(gridId, page)}/${encodeURIComponent(id)}`;

import { useMemo } from 'react';
import { useGrid } from '../session/use-session';
import { type TimeView, withTimeView } from '../time/time-view';
import { useTimeQueryString, useTimeView } from '../time/use-time-view';

/** URL parameters of a page besides the time; undefined and empty ones are left out. */
export type PageParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Paths of the Grid's pages, with the current time view unless another one is given. */
export interface PageLinks {
  page(name: string, parameters?: PageParameters, timeView?: TimeView): string;
  service(name: string, timeView?: TimeView): string;
  incident(incidentId: string): string;
  trace(traceId: string): string;
  /** The trace with this span selected. */
  span(traceId: string, spanId: string): string;
}

export function usePageLinks(): PageLinks {
  const { gridSecondaryId } = useGrid();
  const { view } = useTimeView();
  const time = useTimeQueryString();
  return useMemo(
    () => ({
      page: (name, parameters = {}, timeView = view) =>
        gridPagePath(gridSecondaryId, name) + toQueryString(parameters, timeView),
      service: (name, timeView = view) =>
        detailPagePath(gridSecondaryId, 'services', name) + toQueryString({}, timeView),
      incident: (incidentId) => detailPagePath(gridSecondaryId, 'incidents', incidentId) + time,
      trace: (traceId) => detailPagePath(gridSecondaryId, 'traces', traceId) + time,
      span: (traceId, spanId) =>
        detailPagePath(gridSecondaryId, 'traces', traceId) + toQueryString({ span: spanId }, view),
    }),
    [gridSecondaryId, view, time],
  );
}

function toQueryString(parameters: PageParameters, view: TimeView): string {
  const entries = Object.entries(parameters).flatMap(([name, value = '']) =>
    (typeof value === 'string' ? [value] : value).filter((each) => each !== '').map((each) => [name, each]),
  );
  const query = withTimeView(new URLSearchParams(entries), view).toString();
  return query === '' ? '' : `?${query}`;
}

/** Path of a page, relative to /portal. */
export const gridPagePath = (gridId: string, page = 'overview'): string => `/g/${encodeURIComponent(gridId)}/${page}`;

/** Path of the page of one item, such as a trace or a service. */
export const detailPagePath = (gridId: string, page: string, id: string): string =>
  `${gridPagePath(gridId, page)}/${encodeURIComponent(id)}`;

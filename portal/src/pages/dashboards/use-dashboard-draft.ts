import { useCallback, useState } from 'react';
import type { Schemas, WithEtag } from '../../api/api-client';
import { findFreePosition, hasSamePlacement, type PlacedChart } from './dashboard-layout';

export interface DraftChart extends PlacedChart {
  readonly title: string;
}

export interface DashboardDraft {
  readonly title: string;
  readonly description: string;
  readonly charts: readonly DraftChart[];
  /** As it is typed: fields with commas between them. */
  readonly variables: string;
}

const toDashboardDraft = ({ title, description, charts, variables = [] }: Schemas['Dashboard']): DashboardDraft => ({
  title,
  description,
  variables: variables.join(', '),
  charts: charts.map((chart) => ({ chartId: chart.chartId, title: chart.title, position: chart.position })),
});

/** The edited dashboard before it is saved. */
export function useDashboardDraft({ record: dashboard, etag }: WithEtag<Schemas['Dashboard']>) {
  const [draft, setDraft] = useState(() => toDashboardDraft(dashboard));
  const [saved, setSaved] = useState(() => toDashboardDraft(dashboard));
  const [basedOn, setBasedOn] = useState(etag);
  const isChanged =
    draft.title !== saved.title ||
    draft.description !== saved.description ||
    draft.variables !== saved.variables ||
    !hasSamePlacement(draft.charts, saved.charts);
  return {
    draft,
    isChanged,
    /** ETag of the version that the draft is based on. */
    basedOn,
    change: useCallback((part: Partial<DashboardDraft>) => setDraft((current) => ({ ...current, ...part })), []),
    add: useCallback(
      (chart: { readonly id: string; readonly title: string }) =>
        setDraft((current) => ({
          ...current,
          charts: [
            ...current.charts,
            { chartId: chart.id, title: chart.title, position: findFreePosition(current.charts) },
          ],
        })),
      [],
    ),
    remove: useCallback(
      (chartId: string) =>
        setDraft((current) => ({ ...current, charts: current.charts.filter((chart) => chart.chartId !== chartId) })),
      [],
    ),
    /** Marks the current draft as saved as the given version. */
    markSaved: useCallback(
      (response: WithEtag<Schemas['Dashboard']>) => {
        setSaved(draft);
        setBasedOn(response.etag);
      },
      [draft],
    ),
  };
}
